import { describe, expect, it } from 'vitest';
import { authorized } from '../../support/authorized.ts';
import { line, order, shipping } from '../../support/orders.ts';
import {
  copied,
  creditBody,
  facturaAction,
  facturaBody,
  give,
  lines,
  part,
  refund,
  refundActions,
  rows,
  sale,
  shirt,
} from './shapes.ts';

const fee = { ...shipping('2.00'), id: '7', kind: 'fee' as const, name: 'Empaque de regalo' };

describe('money that is all of it', () => {
  it.each([
    [
      'named line by line',
      [
        part('line:1', '30.00', '4.50', '3'),
        part('line:2', '8.00', '0.00'),
        part('shipping:9', '4.35', '0.65', '0'),
      ],
    ],
    ['as an amount alone, as WooCommerce does when its status is set to refunded by hand', []],
    ['without any detail, though rates differ', null],
  ])('%s copies the factura word for word', (_, parts) => {
    const factura = facturaAction(sale);
    const action = give(refund(sale.total, parts), { ...sale, settlement: 'refunded' }, [authorized(sale)]);
    expect(action).toMatchObject({ action: 'emit', document: '47.50', difference: '0.00' });
    expect(creditBody(action).items).toEqual(copied(facturaBody(factura)));
    expect(rows(creditBody(action))).toEqual(rows(facturaBody(factura)));
  });

  it('of a cancelled order counts once: by its refund, not by its cancelling', () => {
    const cancelled = { ...sale, settlement: 'cancelled' as const, status: 'cancelled' };
    expect(refundActions(cancelled, [authorized(sale)])).toEqual([]);
    const back = { ...cancelled, refunds: [refund(sale.total)] };
    expect(refundActions(back, [authorized(sale)])).toMatchObject([{ action: 'emit', document: '47.50' }]);
    expect(facturaAction(back, [authorized(sale)])).toMatchObject({
      action: 'nothing',
      code: 'already-authorised',
    });
  });
});

describe('a fee', () => {
  it('kept by the shop, or money beyond the lines, shows in the basis of the calculation', () => {
    const basisOf = (money: string, discrepancy: string) =>
      give(refund(money, [shirt], { discrepancy }), sale, [authorized(sale)]).trace.credit?.basis;
    expect(basisOf('9.20', '-2.30')).toBe('parts-reduced');
    expect(basisOf('15.00', '3.50')).toBe('parts-and-rest');
  });
});

describe('a coupon and a negative fee', () => {
  // 20.00 less a coupon of 2.00, and 3.60 off as WooCommerce's negative fee: 14.40 + 2.16.
  const gift = { ...fee, name: 'Cliente frecuente', subtotal: '-3.60', net: '-3.60', tax: '-0.54' };
  const taxes = [{ title: 'IVA 15%', rate: '15', amount: '-0.54', rateId: '1' }];
  const cheap = order({
    lines: [line({ quantity: '2', subtotal: '20.00', net: '18.00' })],
    charges: [{ ...gift, taxes }],
  });

  it('given back for one of two units take half of both', () => {
    const parts = [part('line:1', '9.00', '1.35'), part('fee:7', '-1.80', '-0.27', '0')];
    const action = give(refund('8.28', parts), cheap, [authorized(cheap)]);
    expect(lines(creditBody(action))).toEqual([['CAM-001', 1, 10, 2.8, 7.2]]);
    expect(action.trace.credit?.notes).toEqual([
      '«Camiseta» no es una línea de la factura: su valor se reparte',
    ]);
  });
});

describe('a product that the shop deleted, or whose line is gone from the order', () => {
  it('is still a line of the factura', () => {
    const edited = { ...sale, lines: sale.lines.slice(1) };
    const action = give(refund('11.50', [shirt]), edited, [authorized(sale)]);
    expect(lines(creditBody(action))).toEqual([['CAM-001', 1, 10, 0, 10]]);
  });

  it('whose refund no longer says which line it was is spread over what is left', () => {
    const action = give(refund('4.75', [part(null, '4.13', '0.62')]), sale, [authorized(sale)]);
    expect(action).toMatchObject({ action: 'emit', document: '4.75', difference: '0.00' });
    expect(rows(creditBody(action))).toEqual([
      ['0', 0.81, 0],
      ['4', 3.43, 0.51],
    ]);
  });
});
