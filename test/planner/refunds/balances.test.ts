import { describe, expect, it } from 'vitest';
import type { Order, Payment } from '../../../src/domain/order.ts';
import { expectedCredit } from '../../../src/reports/close/figures.ts';
import { authorized } from '../../support/authorized.ts';
import { line, order } from '../../support/orders.ts';
import { creditBody, facturaAction, give, part, refund, refundActions, rows, storeWith } from './shapes.ts';

describe('a gift card outside of the factura, and an amount without lines', () => {
  const store = storeWith({ giftCardsSold: { as: 'exclude' } });
  const card = line({ id: '3', kind: 'gift-card', price: '25.00', rate: null, name: 'Tarjeta de regalo' });
  /** 11.50 on the factura and a card of 25.00. */
  const sold = order({ lines: [line(), card] });
  const factura = authorized(sold, {}, store);
  const ask = (amount: string, from: Order = sold) => give(refund(amount, []), from, [factura], { store });

  it('is credited where it is all there is, with a word of the card', () => {
    const credit = ask('36.50');
    expect([credit.action, credit.charged, credit.document]).toEqual(['emit', '11.50', '11.50']);
    expect(credit.reason).toBe(
      'El reembolso 48 devolvió 36.50: 25.00 de tarjetas de regalo, que la factura 001-001-000000123 no incluye, y 11.50 que se le acreditan.',
    );
    expect(expectedCredit({ ...sold, refunds: [refund('36.50', [])] }, '48', factura)).toBe('11.50');
  });

  it.each([
    ['5.00', 'no se acredita nada, y si fue lo facturado, todo.'],
    ['25.00', 'no se acredita nada, y si fue lo facturado, los 11.50 que quedan de ello.'],
    [
      '30.00',
      'se acreditan los 5.00 que ella no cubre, y si fue lo facturado, los 11.50 que quedan de ello.',
    ],
  ])('is held where nobody says which it is, with what each would credit: %s', (amount, readings) => {
    expect(ask(amount)).toMatchObject({ action: 'hold', code: 'refund-without-lines', document: null });
    expect(ask(amount).reason).toBe(
      `El reembolso 48 devolvió ${amount} sin decir de qué líneas, y el pedido vendió «Tarjeta de regalo», de la que quedan 25.00 fuera de la factura: si se devolvió la tarjeta de regalo ${readings} Registre en la tienda las unidades que volvieron en otro reembolso, con monto 0.00, si valen esa misma suma, o emita el documento a mano.`,
    );
  });

  it('is of the goods once the card went back', () => {
    const card = refund('25.00', [part('line:3', '25.00', '0.00')], { id: '1' });
    const [first, second] = refundActions(
      { ...sold, refunds: [card, refund('5.75', [], { id: '2' })] },
      [factura],
      {
        store,
      },
    );
    expect(first).toMatchObject({ action: 'nothing', code: 'outside-factura' });
    expect(rows(creditBody(second))).toEqual([['4', 5, 0.75]]);
  });

  it('is of the card where a record of its line has that sum', () => {
    const records = [
      refund('0.00', [part('line:3', '25.00', '0.00')], { id: '1', discrepancy: '-25.00' }),
      refund('25.00', [], { id: '2', discrepancy: '25.00' }),
    ];
    const actions = refundActions({ ...sold, refunds: records }, [factura], { store });
    expect(actions.map(({ code }) => code)).toEqual(['no-money', 'outside-factura']);
  });
});

describe('a sale that a balance with the shop paid in part', () => {
  const wallet: Payment = { gateway: 'wallet', title: 'Monedero', amount: '10.00', apart: true };
  const bank: Payment = { gateway: 'bacs', title: 'Transferencia', amount: '13.00' };
  const sold = order({ lines: [line({ quantity: '2' })], payments: [bank, wallet] });
  const both = part('line:1', '20.00', '3.00', '2');
  const documents = [authorized(sold)];

  it.each([
    ['lines that are worth more than the money', [both]],
    ['an amount that is all the shop could give back', []],
  ])('%s: nobody knows whether the balance went back', (_what, parts) => {
    const said = give(refund('13.00', parts), sold, documents);
    expect(said).toMatchObject({ action: 'hold', code: 'refund-wallet', document: '23.00' });
    expect(said.reason).toBe(
      'El reembolso 48 devolvió 13.00, y 10.00 del pedido se pagaron con «Monedero», un saldo del que la tienda no dice si también volvió. Emita a mano el documento: si ese saldo no volvió, se devolvieron 13.00; si volvió, 23.00.',
    );
    expect(facturaAction({ ...sold, refunds: [refund('13.00', parts)] }).code).toBe('refund-wallet');
  });

  it('a balance of an amount nobody can read may have gone back with lines that are worth more', () => {
    const unread = { ...sold, payments: [bank, { ...wallet, amount: null }] };
    const said = give(refund('13.00', [both]), unread, documents);
    expect(said).toMatchObject({ action: 'hold', code: 'refund-wallet', document: '23.00' });
    expect(said.reason).toContain(
      'devolvió 13.00, y una parte del pedido cuyo monto no se puede leer se pagó con «Monedero», un saldo',
    );
    expect(give(refund('23.00', [both]), unread, documents).action).toBe('emit');
    const refunds = [refund('13.00', [])];
    const status = { settlement: 'refunded', status: 'refunded', refunds } as const;
    expect(facturaAction({ ...unread, ...status }).code).toBe('refund-wallet');
  });

  it('a status of «refunded» says of the money only', () => {
    const refunds = [refund('13.00', [both])];
    const said = facturaAction({ ...sold, settlement: 'refunded', status: 'refunded', refunds });
    expect(said).toMatchObject({ action: 'hold', code: 'refund-wallet' });
    expect(said.reason).toMatch(/volvieron 13\.00 y los otros 10\.00 se pagaron con «Monedero»/);
  });
});

it('money that became store credit undoes the sale all the same, and the trace says so', () => {
  const sold = order();
  const given = refund('11.50', [part('line:1', '10.00', '1.50')], {
    toBalances: [{ gateway: 'shopify_store_credit', amount: '11.50' }],
  });
  const credit = give(given, sold, [authorized(sold)]);
  expect(credit.document).toBe('11.50');
  expect(credit.trace.credit?.notes).toEqual([
    '11.50 volvieron a un saldo del comprador con la tienda («shopify_store_credit»), no a su dinero',
  ]);
});
