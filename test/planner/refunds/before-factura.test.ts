import { describe, expect, it } from 'vitest';
import type { PlannedDocument } from '../../../src/planner/action.ts';
import { authorized } from '../../support/authorized.ts';
import { line, order, store } from '../../support/orders.ts';
import {
  actions,
  facturaAction,
  facturaBody,
  give,
  lines,
  part,
  refund,
  sale,
  shirt,
  storeWith,
} from './shapes.ts';

const document = (
  state: PlannedDocument['state'],
  fields: Partial<PlannedDocument> = {},
): PlannedDocument => ({
  ...authorized(sale),
  state,
  sent: null,
  ...fields,
});

describe('a refund before the factura left', () => {
  const one = refund('11.50', [shirt]);

  it('leaves a trace that adds up to what is left', () => {
    const { mapping } = facturaAction({ ...sale, refunds: [one] }).trace;
    expect(mapping?.money).toMatchObject({
      charged: '36.00',
      document: '36.00',
      difference: '0.00',
      lines: '36.00',
    });
    expect(mapping?.items.map(({ document: { cantidad, base } }) => [cantidad, base])).toEqual([
      [2, '20.00'],
      [1, '8.00'],
      [1, '4.35'],
    ]);
    expect(mapping?.taxes.map(({ base, valor, difference }) => [base, valor, difference])).toEqual([
      ['8.00', '0.00', '0.00'],
      ['24.35', '3.65', '0.00'],
    ]);
  });

  it('that let a price down is a discount on its line', () => {
    const [factura] = actions({ ...sale, refunds: [refund('3.45', [part('line:1', '3.00', '0.45', '0')])] });
    expect(lines(facturaBody(factura))[0]).toEqual(['CAM-001', 3, 10, 3, 27]);
  });

  it('of everything leaves nothing to invoice: neither factura nor nota de crédito, and says so', () => {
    const [factura, credit] = actions({ ...sale, refunds: [refund('47.50')] });
    expect(factura).toMatchObject({ action: 'nothing', code: 'fully-refunded' });
    expect(credit).toMatchObject({ action: 'nothing', code: 'fully-refunded' });
    expect(credit?.reason).toBe(
      'El pedido se devolvió por completo antes de facturarse: el reembolso 48 no lleva factura ni nota de crédito.',
    );
  });

  it('does not count for what a consumidor final may buy: the transaction does, unless the policy measures the rest', () => {
    const anonymous = { ...sale.buyer, ids: [] };
    const big = order({ lines: [line({ quantity: '5' })], buyer: anonymous });
    expect(facturaAction(big).code).toBe('buyer-id-missing');
    const less = { ...big, refunds: [refund('11.50', [shirt])] };
    expect(facturaAction(less)).toMatchObject({
      action: 'hold',
      code: 'buyer-id-missing',
      reason: expect.stringContaining(
        'el total de 57.50, sin descontar lo devuelto, supera el límite de 50.00',
      ),
    });
    const finalConsumer = { ...store.policy.finalConsumer, measures: 'rest' as const };
    const rest = { ...store, policy: { ...store.policy, finalConsumer } };
    expect(facturaAction(less, [], { store: rest })).toMatchObject({
      action: 'emit',
      document: '46.00',
    });
  });

  it('of what nobody could invoice leaves the rest, which can be', () => {
    const card = line({ id: '3', kind: 'gift-card', price: '25.00', rate: null, name: 'Tarjeta de regalo' });
    const odd = order({ lines: [line(), card] });
    const held = storeWith({ giftCardsSold: { as: 'hold' } });
    expect(facturaAction(odd, [], { store: held }).code).toBe('gift-card-sold');
    const back = { ...odd, refunds: [refund('25.00', [part('line:3', '25.00', '0.00')])] };
    const action = facturaAction(back, [], { store: held });
    expect(action).toMatchObject({ action: 'emit', document: '11.50', difference: '0.00' });
    expect(lines(facturaBody(action))).toEqual([['CAM-001', 1, 10, 0, 10]]);
    const half = { ...odd, refunds: [refund('12.50', [part('line:3', '12.50', '0.00', '0')])] };
    expect(facturaAction(half, [], { store: held }).code).toBe('gift-card-sold');
  });

  it('half of which is still on its way holds the factura; all of it on its way, nothing', () => {
    const half = facturaAction({ ...sale, refunds: [refund('5.00', [], { pending: '6.50' })] });
    expect(half).toMatchObject({ action: 'hold', code: 'refund-pending' });
    const later = facturaAction({ ...sale, refunds: [refund('0.00', [], { pending: '11.50' })] });
    expect(later).toMatchObject({ action: 'emit', document: '47.50' });
  });
});

describe('a refund waits', () => {
  const one = refund('11.50', [shirt]);

  it.each([
    ['sending', 'factura-in-process'],
    ['processing', 'factura-in-process'],
    ['uncertain', 'factura-in-process'],
    ['rejected', 'factura-unsettled'],
    ['manual', 'factura-unsettled'],
  ] as const)('while the factura is %s', (state, code) => {
    expect(give(one, sale, [document(state)])).toMatchObject({ action: 'wait', code });
  });

  it.each(['held', 'ready'] as const)(
    'for nothing while the factura is %s: it will be for what is left',
    (state) => {
      expect(give(one, sale, [document(state)])).toMatchObject({ action: 'nothing', code: 'netted' });
    },
  );

  it('no longer where everything went back and the factura was refused: both are dropped', () => {
    const back = { ...sale, refunds: [refund('47.50')] };
    expect(actions(back, [document('rejected')])).toMatchObject([
      { action: 'nothing', code: 'fully-refunded' },
      { action: 'nothing', code: 'fully-refunded' },
    ]);
  });

  it('for nothing where the factura that left is already without it', () => {
    const netted = authorized({ ...sale, refunds: [one] });
    const [credit] = actions({ ...sale, refunds: [one] }, [netted]).slice(1);
    expect(credit).toMatchObject({ action: 'nothing', code: 'netted' });
    const second = refund('36.00', [], { id: '49' });
    const [, , rest] = actions({ ...sale, refunds: [one, second] }, [netted]);
    expect(rest).toMatchObject({ action: 'emit', document: '36.00' });
  });

  it('for nothing where the order needs no factura', () => {
    const draft = { ...sale, settlement: 'cancelled' as const, paidAt: null };
    expect(give(one, draft)).toMatchObject({ action: 'nothing', code: 'not-invoiced' });
  });
});
