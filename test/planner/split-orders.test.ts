import { describe, expect, test } from 'vitest';
import type { Relative } from '../../src/planner/action.ts';
import { line, order } from '../support/orders.ts';
import { actions, refund, storeWith } from './refunds/shapes.ts';

const shirt = line({ id: '1', price: '60.00', sku: 'CAM' });
const book = line({ id: '2', price: '40.00', sku: 'LIB' });
const both = order({ lines: [shirt, book] });
const child = (name: string, one: typeof shirt, more: Partial<Relative> = {}): Relative => {
  const { total } = order({ lines: [one] });
  return {
    as: 'child',
    name,
    lines: [{ ...one, id: `${name}-1` }],
    total,
    isSale: true,
    isInvoiced: false,
    ...more,
  };
};
const children = [child('#2', shirt), child('#3', book)];
const parent: Relative = {
  ...{ as: 'parent', name: '#1', lines: both.lines, total: both.total, isSale: true, isInvoiced: false },
};

type Choice = 'hold' | 'parent' | 'children';
const choosing = (subOrders: Choice) => ({ ...storeWith(), policy: { ...storeWith().policy, subOrders } });
const said = (sold: typeof both, relatives: readonly Relative[], subOrders: Choice = 'hold') => {
  const [action] = actions(sold, [], { relatives, store: choosing(subOrders) });
  return [action?.action, action?.code, action?.reason];
};

describe('an order whose lines others sell that were split from it', () => {
  test('is held until the merchant says which is invoiced', () => {
    expect(said(both, children)).toEqual([
      'hold',
      'sub-orders',
      'Del pedido salieron otros que venden lo mismo (#2, #3). Facturarlos todos declararía la venta dos veces: decida en policy.subOrders si se factura el pedido original (parent) o los que salieron de él (children).',
    ]);
    expect(said({ ...both, hasSubOrders: true }, [])[2]).toMatch(
      /^El pedido se dividió en otros, que venden lo mismo\. Facturarlos/,
    );
  });

  test('is invoiced with policy.subOrders: parent, unless one of them was', () => {
    expect(said(both, children, 'parent').slice(0, 2)).toEqual(['emit', 'paid']);
    expect(said(both, [child('#2', shirt, { isInvoiced: true })], 'parent')).toEqual([
      'hold',
      'sub-orders',
      'Del pedido salieron otros que venden lo mismo (#2). #2 ya tiene su factura, y otra declararía la venta dos veces: ponga policy.subOrders en children, con lo que esta no lleva ninguna; si es otra venta, factúrela a mano.',
    ]);
  });

  test('needs no document with policy.subOrders: children, if they charge all of it', () => {
    expect(said(both, children, 'children').slice(0, 2)).toEqual(['nothing', 'invoiced-with-children']);
    expect(said(both, children.slice(0, 1), 'children')).toEqual([
      'hold',
      'sub-orders',
      'El pedido cobró 115.00 y los que salieron de él (#2) suman 69.00: facturar solo esos dejaría fuera la diferencia. Si falta alguno por leer, saldrá solo; si no, facture la diferencia a mano o ponga policy.subOrders en parent.',
    ]);
  });

  test.each<[string, Relative]>([
    ['sells something else', child('#2', line({ price: '60.00', sku: 'OTRO' }))],
    ['sells it at another price: the rest of a deposit', child('#2', line({ price: '12.00', sku: 'CAM' }))],
    ['is cancelled', child('#2', shirt, { isSale: false })],
  ])('is invoiced as any order where the other %s', (_what, other) => {
    expect(said(both, [other]).slice(0, 2)).toEqual(['emit', 'paid']);
  });
});

describe('an order that was split from another one', () => {
  const split = order({ lines: [{ ...shirt, id: '9' }] });

  test('is held by default, and invoiced or not as the merchant says', () => {
    expect(said(split, [parent])).toEqual([
      'hold',
      'sub-orders',
      'El pedido sale del pedido #1 y vende lo mismo. Facturarlos todos declararía la venta dos veces: decida en policy.subOrders si se factura el pedido original (parent) o los que salieron de él (children).',
    ]);
    expect(said(split, [parent], 'parent')).toEqual([
      'nothing',
      'invoiced-with-parent',
      'Sus líneas se facturan con el pedido #1, del que sale.',
    ]);
    expect(said(split, [parent], 'children').slice(0, 2)).toEqual(['emit', 'paid']);
    expect(said(split, [{ ...parent, isInvoiced: true }], 'children').slice(0, 2)).toEqual([
      'hold',
      'sub-orders',
    ]);
  });

  test.each([
    [
      'sells something that the other does not',
      [{ ...shirt, id: '9' }, line({ id: '8', price: '30.00', sku: 'OTRO' })],
    ],
    [
      'sells more units',
      [{ ...shirt, id: '9', quantity: '2', subtotal: '120.00', net: '120.00', tax: '18.00' }],
    ],
  ])('is held where it %s, although the other is invoiced', (_what, lines) => {
    expect(said(order({ lines }), [parent], 'parent')).toEqual([
      'hold',
      'sub-orders',
      'El pedido sale del pedido #1 y vende además lo que aquel no tiene, o más unidades: no se sabe qué se factura con él. Facture a mano lo que falte, o ponga policy.subOrders en children.',
    ]);
  });

  test('is not sold a second time because it was cancelled with its money kept', () => {
    const store = choosing('parent');
    const policy = { ...store.policy, cancelledOrders: 'invoice' as const };
    const cancelled = { ...split, settlement: 'cancelled' as const };
    const invoiced = { relatives: [{ ...parent, isInvoiced: true }], store: { ...store, policy } };
    expect(actions(cancelled, [], invoiced)[0]).toMatchObject({
      action: 'nothing',
      code: 'invoiced-with-parent',
    });
    const [, credit] = actions({ ...cancelled, refunds: [refund('69.00')] }, [], invoiced);
    expect(credit?.code).toBe('refund-of-split-order');
  });

  test('has its refunds credited by hand where the other one is invoiced', () => {
    const back = { ...split, refunds: [refund('69.00')] };
    const [, credit] = actions(back, [], { relatives: [parent], store: choosing('parent') });
    expect([credit?.action, credit?.code, credit?.reason]).toEqual([
      'manual',
      'refund-of-split-order',
      'El reembolso 48 devolvió 69.00. Sus líneas se facturan con el pedido #1, del que sale. Si también se registró allí, no hay nada que hacer; si no, emita a mano la nota de crédito de esa factura.',
    ]);
  });
});
