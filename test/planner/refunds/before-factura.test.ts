import { describe, expect, it } from 'vitest';
import type { PlannedDocument } from '../../../src/planner/action.ts';
import { authorized } from '../../support/authorized.ts';
import { line, order } from '../../support/orders.ts';
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

  it('of everything leaves nothing to invoice: neither factura nor nota de crédito, and says so', () => {
    const [factura, credit] = actions({ ...sale, refunds: [refund('47.50')] });
    expect(factura).toMatchObject({ action: 'nothing', code: 'fully-refunded' });
    expect(credit).toMatchObject({ action: 'nothing', code: 'fully-refunded' });
    expect(credit?.reason).toBe(
      'El pedido se devolvió por completo antes de facturarse: el reembolso 48 no lleva factura ni nota de crédito.',
    );
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
});

describe('a refund waits', () => {
  const one = refund('11.50', [shirt]);

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
