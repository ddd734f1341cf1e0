import { describe, expect, it } from 'vitest';
import { bareRefund, type Order } from '../../src/domain/order.ts';
import type { PlannedDocument } from '../../src/planner/action.ts';
import { plan } from '../../src/planner/plan.ts';
import { noon, order, store } from '../support/orders.ts';

function factura(
  sale: Order,
  changes: { documents?: PlannedDocument[]; invoiceFrom?: Date; ambiente?: 1 | 2 } = {},
) {
  const { documents = [], invoiceFrom = new Date(0), ambiente = 1 } = changes;
  const input = {
    order: sale,
    documents,
    store: { ...store, issuer: { ...store.issuer, ambiente } },
    invoiceFrom,
    now: noon,
  };
  const [action] = plan(input);
  if (!action) throw new Error('The planner said nothing about the sale.');
  return action;
}

const document = (fields: Partial<PlannedDocument>): PlannedDocument => ({
  kind: 'factura',
  state: 'authorized',
  accessKey: null,
  sourceId: '29',
  code: null,
  reason: null,
  secuencial: null,
  charged: '11.50',
  sent: null,
  ...fields,
});

describe('the planner', () => {
  it.each([
    ['the rest of them deleted', ['5.00'], 'hold'],
    ['all of them there', ['5.00', '6.50'], 'nothing'],
    ['one of unknown amount', ['5.00', null], 'nothing'],
    ['none told', [], 'hold'],
  ] as const)('an order whose status says refunded, with %s (%s): %s', (_case, amounts, expected) => {
    const refunds = amounts.map((amount, at) => bareRefund(String(at), amount));
    expect(factura(order({ settlement: 'refunded', refunds })).action).toBe(expected);
  });

  it.each([
    ['authorized', 'nothing'],
    ['sending', 'wait'],
    ['processing', 'wait'],
    ['uncertain', 'wait'],
    ['rejected', 'hold'],
    ['manual', 'manual'],
    ['held', 'emit'],
    ['ready', 'emit'],
  ] as const)('a paid order whose factura is %s: %s', (state, expected) => {
    expect(factura(order(), { documents: [document({ state })] }).action).toBe(expected);
  });

  it('gives the order after a cancelled factura a new identity', () => {
    const before = factura(order());
    const after = factura(order(), { documents: [document({ state: 'cancelled' })] });
    expect(after.action).toBe('emit');
    expect(after.key).not.toBe(before.key);
  });

  it('leaves history alone: an order paid before the start is nothing, a held one from our time still counts', () => {
    const invoiceFrom = new Date('2026-11-20T12:00:00Z');
    expect(factura(order(), { invoiceFrom })).toMatchObject({ action: 'nothing', code: 'before-start' });
    expect(factura(order(), { invoiceFrom, documents: [document({ state: 'held' })] }).action).toBe('emit');
  });

  it('holds an order that carries an access key nobody here issued', () => {
    const key = '1'.repeat(49);
    expect(factura(order({ accessKeys: [key] }))).toMatchObject({
      action: 'hold',
      code: 'unknown-access-key',
    });
    const ours = document({ state: 'cancelled', accessKey: key });
    expect(factura(order({ accessKeys: [key] }), { documents: [ours] }).action).toBe('emit');
  });
});
