import { describe, expect, it } from 'vitest';
import type { NotaCreditoBody } from '../../mappers/body.ts';
import type { Order } from '../../src/core/order.ts';
import { bareRefund, type Refund, type RefundPart } from '../../src/core/refund.ts';
import type { Action } from '../../src/planning/action.ts';
import type { PlannedDocument } from '../../src/planning/input.ts';
import { plan } from '../../src/planning/plan.ts';
import { authorized, credited } from '../support/authorized.ts';
import { line, noon, order, shipping, store } from '../support/orders.ts';

function refundActions(sale: Order, documents: readonly PlannedDocument[]): Action[] {
  const input = { order: sale, documents, store, invoiceFrom: new Date(0), now: noon };
  return plan(input).filter(({ kind }) => kind === 'nota-credito');
}

const refund = (amount: string | null, parts: RefundPart[] | null, fields: Partial<Refund> = {}): Refund => ({
  ...bareRefund(fields.id ?? '48', amount),
  parts,
  ...fields,
});
const part = (of: string | null, net: string, tax: string, quantity = '1'): RefundPart => ({
  of,
  name: 'Camiseta',
  quantity,
  net,
  tax,
});

/** Three T-shirts at 15 %, a book at 0 %, shipping: 30.00 + 4.50 + 8.00 + 4.35 + 0.65. */
const sale = order({
  lines: [line({ quantity: '3' }), line({ id: '2', name: 'Libro', sku: 'LIB', price: '8.00', rate: '0' })],
  charges: [shipping()],
});

const creditBody = (action: Action | undefined): NotaCreditoBody => action?.body as NotaCreditoBody;

describe('a refund of an authorised factura', () => {
  const give = (one: Refund): Action => {
    const [action] = refundActions({ ...sale, refunds: [one] }, [authorized(sale)]);
    if (!action) throw new Error('The planner said nothing about the refund.');
    return action;
  };

  it('of everything copies the factura', () => {
    const [factura] = plan({ order: sale, documents: [], store, invoiceFrom: new Date(0), now: noon });
    const action = give(refund(sale.total, []));
    expect(action).toMatchObject({ action: 'emit', charged: '47.50', document: '47.50', difference: '0.00' });
    expect(creditBody(action).items).toEqual(factura?.body?.items);
    expect(creditBody(action).totales).toEqual(factura?.body?.totales);
  });

  it('of one unit credits that unit at its price', () => {
    const action = give(refund('11.50', [part('line:1', '10.00', '1.50')]));
    expect(action).toMatchObject({ action: 'emit', document: '11.50', difference: '0.00' });
    expect(creditBody(action).items).toMatchObject([
      { codigo_principal: 'CAM-001', cantidad: 1, precio_unitario: 10, precio_total_sin_impuesto: 10 },
    ]);
    expect(creditBody(action).totales).toEqual([
      { codigo: '2', codigo_porcentaje: '4', base_imponible: 10, tarifa: 15, valor: 1.5 },
    ]);
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
    expect(creditBody(action).items).toMatchObject([
      { codigo_principal: 'PLA', cantidad: 2, precio_unitario: 1.95, precio_total_sin_impuesto: 3.9 },
    ]);
    expect(action).toMatchObject({ action: 'emit', document: '4.49', difference: '0.00' });
    expect(action?.trace.credit?.notes).toEqual([]);
  });

  it('names the factura as it was authorised', () => {
    expect(
      creditBody(give(refund('11.50', null, { parts: [part('line:1', '10.00', '1.50')] }))),
    ).toMatchObject({
      documento_modificado: {
        codigo_documento_sustento: '01',
        numero_documento_sustento: '001-001-000000123',
        fecha_documento_sustento: '2026/11/18',
        motivo: 'Reembolso del pedido #29',
      },
      comprador: { identificacion: '1710034065', tipo_identificacion: '05' },
    });
  });

  it('of half the shipping credits half the shipping', () => {
    const action = give(refund('2.50', [part('shipping:9', '2.17', '0.33', '0')]));
    expect(creditBody(action).items).toMatchObject([
      { codigo_principal: 'ENVIO', cantidad: 1, precio_unitario: 2.17, precio_total_sin_impuesto: 2.17 },
    ]);
    expect(action).toMatchObject({ document: '2.50', difference: '0.00' });
  });

  it('of an amount without lines is prorated over what is left, by rate', () => {
    const action = give(refund('9.50', []));
    expect(action).toMatchObject({ action: 'emit', document: '9.50', difference: '0.00' });
    const rows = creditBody(action).totales.map(({ codigo_porcentaje: code, base_imponible, valor }) => [
      code,
      base_imponible,
      valor,
    ]);
    // A fifth of the sale: of 34.35 at 15 % and of 8.00 at 0 %.
    expect(rows).toEqual([
      ['0', 1.6, 0],
      ['4', 6.87, 1.03],
    ]);
    expect(action.trace.credit).toMatchObject({ basis: 'amount', left: { before: '47.50', after: '38.00' } });
  });

  it('without the tax the sale bore takes the tax out of the money', () => {
    const action = give(refund('11.50', [part('line:1', '11.50', '0.00', '0')]));
    expect(creditBody(action).totales).toMatchObject([{ base_imponible: 10, valor: 1.5 }]);
  });

  it('with a fee kept credits what went back', () => {
    const action = give(refund('10.00', [part('line:1', '10.00', '1.50')], { discrepancy: '-1.50' }));
    expect(action).toMatchObject({ action: 'emit', document: '10.00', difference: '0.00' });
    expect(creditBody(action).items).toHaveLength(1);
  });

  it('beyond its lines is credited on the rest, where the shop states why', () => {
    const action = give(refund('15.00', [part('line:1', '10.00', '1.50')], { discrepancy: '3.50' }));
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
    ['has no known amount', refund(null, null), 'hold', 'refund-amount-unknown'],
    ['is more than the factura', refund('47.51', []), 'manual', 'over-credit'],
    ['has no detail while rates differ', refund('5.00', null), 'hold', 'refund-detail-missing'],
  ] as const)('that %s', (_, one, action, code) => {
    expect(give(one)).toMatchObject({ action, code });
  });

  it('after others never takes a line twice, and the last takes the remaining cents', () => {
    const refunds = [
      refund('11.50', [part('line:1', '10.00', '1.50')], { id: '1' }),
      refund('11.51', [part('line:1', '10.01', '1.50')], { id: '2' }),
      refund('24.49', [], { id: '3' }),
    ];
    const actions = refundActions({ ...sale, refunds }, [authorized(sale)]);
    expect(actions.map(({ action, difference }) => [action, difference])).toEqual(
      refunds.map(() => ['emit', '0.00']),
    );
    const bodies = actions.map(creditBody);
    const iva = bodies.flatMap(({ totales }) => totales).filter((row) => row.codigo_porcentaje === '4');
    const total = (of: 'base_imponible' | 'valor') => iva.reduce((all, row) => all + row[of], 0);
    expect([total('base_imponible').toFixed(2), total('valor').toFixed(2)]).toEqual(['34.35', '5.15']);
  });

  it('already credited is left alone, and the next one sees what is left', () => {
    const first = refund('11.50', [part('line:1', '10.00', '1.50')], { id: '1' });
    const done = credited(sale, first, [authorized(sale)]);
    const second = refund('36.00', [], { id: '2' });
    const actions = refundActions({ ...sale, refunds: [second, first] }, [authorized(sale), done]);
    expect(actions.map(({ action, code }) => [action, code])).toEqual([
      ['nothing', 'already-credited'],
      ['emit', 'refunded'],
    ]);
    expect(creditBody(actions[1]).items[0]).toMatchObject({ cantidad: 2, precio_total_sin_impuesto: 20 });
  });

  it('that the shop deleted is reported once its nota de crédito stands', () => {
    const first = refund('11.50', [part('line:1', '10.00', '1.50')], { id: '1' });
    const done = credited(sale, first, [authorized(sale)]);
    expect(refundActions(sale, [authorized(sale), done])).toMatchObject([
      { action: 'manual', code: 'refund-deleted' },
    ]);
  });
});
