import { describe, expect, it } from 'vitest';
import type { Refund } from '../../../src/domain/order.ts';
import type { Action } from '../../../src/planner/action.ts';
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
} from './shapes.ts';

describe('a refund of an authorised factura', () => {
  const given = (one: Refund): Action => give(one, sale, [authorized(sale)]);

  it('of everything copies the factura', () => {
    const factura = facturaAction(sale);
    const action = given(refund(sale.total, []));
    expect(action).toMatchObject({ action: 'emit', charged: '47.50', document: '47.50', difference: '0.00' });
    expect(creditBody(action).items).toEqual(copied(facturaBody(factura)));
    expect(creditBody(action)).not.toHaveProperty('totales');
  });

  it('of one unit credits that unit at its price', () => {
    const action = given(refund('11.50', [part('line:1', '10.00', '1.50')]));
    expect(action).toMatchObject({ action: 'emit', document: '11.50', difference: '0.00' });
    expect(lines(creditBody(action))).toEqual([['CAM-001', 1, 10, 0, 10]]);
    expect(rows(creditBody(action))).toEqual([['4', 10, 1.5]]);
  });

  it('of one whole line never touches another, though the shop rounds taxes by line and the factura by rate', () => {
    const mugs = order({
      lines: [
        line({ price: '1.64', name: 'Taza', sku: 'TAZ' }),
        line({ id: '2', price: '1.95', quantity: '2', name: 'Plato', sku: 'PLA' }),
      ],
      charges: [shipping()],
    });
    const plates = refund('4.49', [part('line:2', '3.90', '0.59', '2')]);
    const [action] = refundActions({ ...mugs, refunds: [plates] }, [authorized(mugs)]);
    expect(lines(creditBody(action))).toEqual([['PLA', 2, 1.95, 0, 3.9]]);
    expect(action).toMatchObject({ action: 'emit', document: '4.49', difference: '0.00' });
    expect(action?.trace.credit?.notes).toEqual([]);
  });

  it('names the factura as it was authorised', () => {
    expect(
      creditBody(given(refund('11.50', null, { parts: [part('line:1', '10.00', '1.50')] }))),
    ).toMatchObject({
      documento_modificado: {
        codigo_documento_sustento: 1,
        numero_documento_sustento: '001001000000123',
        fecha_documento_sustento: '2026/11/18',
        motivo: 'Reembolso del pedido #29',
      },
      comprador: { identificacion: '1710034065', tipo_identificacion: '05' },
    });
  });

  it('of half the shipping credits half the shipping', () => {
    const action = given(refund('2.50', [part('shipping:9', '2.17', '0.33', '0')]));
    expect(lines(creditBody(action))).toEqual([['ENVIO', 1, 2.17, 0, 2.17]]);
    expect(action).toMatchObject({ document: '2.50', difference: '0.00' });
  });

  it('of an amount without lines is prorated over what is left, by rate', () => {
    const action = given(refund('9.50', []));
    expect(action).toMatchObject({ action: 'emit', document: '9.50', difference: '0.00' });
    // A fifth of the sale: of 34.35 at 15 % and of 8.00 at 0 %.
    expect(rows(creditBody(action))).toEqual([
      ['0', 1.6, 0],
      ['4', 6.87, 1.03],
    ]);
    expect(action.trace.credit).toMatchObject({ basis: 'amount', left: { before: '47.50', after: '38.00' } });
  });

  it('without the tax the sale bore takes the tax out of the money', () => {
    const action = given(refund('11.50', [part('line:1', '11.50', '0.00', '0')]));
    expect(rows(creditBody(action))).toEqual([['4', 10, 1.5]]);
  });

  it('with a fee kept credits what went back', () => {
    const action = given(refund('10.01', [part('line:1', '10.00', '1.50')], { discrepancy: '-1.49' }));
    expect(action).toMatchObject({ action: 'emit', document: '10.01', difference: '0.00' });
    expect(creditBody(action).items).toHaveLength(1);
  });

  it('beyond its lines is credited on the rest, where the shop states why', () => {
    const action = given(refund('15.00', [part('line:1', '10.00', '1.50')], { discrepancy: '3.50' }));
    expect(action).toMatchObject({ action: 'emit', document: '15.00', difference: '0.00' });
    expect(action.trace.credit?.basis).toBe('parts-and-rest');
  });

  it.each([
    [
      'contradicts its lines',
      refund('3.00', [part('line:1', '10.00', '1.50')]),
      'hold',
      'refund-contradiction',
    ],
    ['moved no money', refund('0.00', [part('line:1', '10.00', '1.50')]), 'nothing', 'no-money'],
    ['is still on its way', refund('0.00', [], { pending: '11.50' }), 'wait', 'refund-pending'],
    ['has no known amount', refund(null, null), 'hold', 'refund-contradiction'],
    ['is more than the factura', refund('47.51', []), 'manual', 'over-credit'],
    ['has no detail while rates differ', refund('5.00', null), 'hold', 'refund-detail-missing'],
  ] as const)('that %s', (_, one, action, code) => {
    expect(given(one)).toMatchObject({ action, code });
  });
});
