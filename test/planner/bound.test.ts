import { globSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { woocommerce } from '../../adapters/woocommerce/index.ts';
import { deletedStatus, fingerprintOf, isSameOrder, type Order } from '../../src/domain/order.ts';
import type { PlanInput } from '../../src/planner/action.ts';
import { boundTo, type KnownOrder } from '../../src/planner/eligibility.ts';
import { plan } from '../../src/planner/plan.ts';
import { authorized } from '../support/authorized.ts';
import { noon, order, store } from '../support/orders.ts';
import { hasShared, sharedPath } from '../support/shared.ts';

const first = order({ orderKey: 'a' });
const other = order({ orderKey: 'b', placedAt: '2026-11-21T10:00:00Z', paidAt: '2026-11-21T10:00:05Z' });
const known = (snapshot: Order, more: Partial<KnownOrder> = {}): KnownOrder => ({
  snapshot,
  fingerprint: fingerprintOf(snapshot),
  paid: { total: snapshot.total, currency: snapshot.currency, at: snapshot.paidAt },
  ...more,
});
const of = (sale: Order) => ({ ...authorized(sale), orderId: sale.id, fingerprint: fingerprintOf(sale) });

describe('an order’s id', () => {
  it('means what it meant when it was first read', () => {
    expect(boundTo(first, undefined, [], null)).toMatchObject({ fingerprint: { key: 'a' }, reused: null });
    const changed = { ...first, name: '#77', placedAt: '2026-10-01T00:00:00Z' };
    expect(boundTo(changed, known(first), [of(first)], null)).toMatchObject({
      fingerprint: fingerprintOf(first),
      reused: null,
    });
    expect(boundTo(other, known(first), [of(first)], null)).toMatchObject({
      fingerprint: fingerprintOf(first),
      reused: fingerprintOf(first),
    });
  });

  it('charged nothing known where the shop shows no cents, until it shows them', () => {
    const rounded = { ...first, total: '35' };
    expect(boundTo(rounded, undefined, [], null).paid).toBeNull();
    const exact = { ...first, total: '34.85' };
    expect(boundTo(exact, known(rounded, { paid: null }), [], null).paid).toMatchObject({
      total: '34.85',
    });
    const paid = { total: '34.85', currency: 'USD', at: first.paidAt };
    expect(boundTo(rounded, known(exact, { paid }), [], null).paid).toEqual(paid);
    const input = { order: rounded, documents: [], store, invoiceFrom: new Date(0), now: noon, paid };
    expect(plan(input)[0]).toMatchObject({
      code: 'changed-after-payment',
      reason: expect.stringMatching(
        /cobró 34\.85 USD .* dice ahora 35 USD\. Ponga en 2 el número de decimales/,
      ),
    });
  });

  it('that was read before keys were kept is known by the instant it was placed, and by its key from then on', () => {
    const { orderKey: _none, ...before } = first;
    const old = known(before, { fingerprint: null });
    expect(boundTo(first, old, [authorized(first)], null)).toMatchObject({
      fingerprint: { key: 'a' },
      reused: null,
    });
    expect(boundTo(other, old, [authorized(first)], null).reused).not.toBeNull();
  });

  it.each([
    ['was never paid', known({ ...first, paidAt: null, settlement: 'unpaid' })],
    ['was deleted for ever', known({ ...first, status: deletedStatus })],
  ])('is free for another where the one before it %s and has no document', (_why, before) => {
    expect(boundTo(other, before, [], null)).toMatchObject({
      fingerprint: { key: 'b' },
      reused: null,
      taken: true,
    });
    expect(boundTo(other, before, [{ ...of(first), state: 'cancelled' }], null).taken).toBe(true);
    expect(boundTo(other, before, [of(first)], null)).toMatchObject({ taken: false, reused: { key: 'a' } });
  });

  it('of a platform without keys is told apart by the instant it was placed', () => {
    const { orderKey: _a, ...one } = first;
    const { orderKey: _b, ...two } = other;
    expect(boundTo({ ...one, name: '#2' }, known(one), [of(one)], null).reused).toBeNull();
    expect(boundTo(two, known(one), [of(one)], null).reused).not.toBeNull();
  });
});

describe('what was charged', () => {
  const paid = { total: '11.50', currency: 'USD', at: first.paidAt };
  const edited = { ...first, total: '30.84' };

  it('stays what it was when it was paid, whichever reading came first', () => {
    expect(boundTo(edited, known(first), [], null).paid).toEqual(paid);
    expect(boundTo(edited, undefined, [], first).paid).toEqual(paid);
    expect(boundTo(edited, known(edited, { paid: null }), [], first).paid).toEqual(paid);
    expect(boundTo(edited, undefined, [], null).paid).toEqual({ ...paid, total: '30.84' });
  });

  it('is bound by the instant of payment, also in a status that is not accepted yet', () => {
    const waits = { ...first, settlement: 'unpaid' as const };
    expect(boundTo(waits, undefined, [], null).paid).toEqual(paid);
    expect(boundTo(edited, known(waits), [], null).paid).toEqual(paid);
    expect(boundTo({ ...waits, paidAt: null }, undefined, [], null).paid).toBeNull();
  });

  it('is more once the shop tells of money that came later', () => {
    const later = { ...edited, paidAt: '2026-11-21T09:00:00Z' };
    expect(boundTo(later, known(first), [], null).paid?.total).toBe('30.84');
    const owed = known({ ...edited, settlement: 'partially-paid' }, { paid });
    expect(boundTo(edited, owed, [], null).paid?.total).toBe('30.84');
    expect(boundTo({ ...edited, settlement: 'unpaid' }, known(first), [], null).paid).toEqual(paid);
  });
});

describe('a plan over documents of two orders of one id', () => {
  const input = (sale: Order, more: Partial<PlanInput> = {}): PlanInput => ({
    ...{ order: sale, documents: [of(first)], store, invoiceFrom: new Date(0), now: noon },
    ...more,
  });

  it('takes only its own for its own, and gives the next identity to what is new', () => {
    expect(plan(input(first))).toMatchObject([{ code: 'already-authorised', identity: { ordinal: 1 } }]);
    expect(plan(input(other))).toMatchObject([{ action: 'emit', identity: { ordinal: 2 } }]);
    const both = [of(first), { ...of(other), ordinal: 2 }];
    for (const sale of [first, other])
      expect(plan(input(sale, { documents: both }))).toMatchObject([{ code: 'already-authorised' }]);
  });

  it('never emits or credits anything for an id that was given again, whatever the order says', () => {
    const refund = { id: '7', at: null, reason: null, pending: '0.00', parts: null, discrepancy: '0.00' };
    fc.assert(
      fc.property(
        fc.constantFrom<Order['settlement']>(
          'draft',
          'unpaid',
          'paid',
          'partially-refunded',
          'refunded',
          'cancelled',
        ),
        fc.integer({ min: 0, max: 1_150 }),
        fc.boolean(),
        (settlement, cents, hasCredit) => {
          const refunds = cents === 0 ? [] : [{ ...refund, amount: (cents / 100).toFixed(2) }];
          const credit = { ...of(first), kind: 'nota-credito' as const, sourceId: '7' };
          const documents = [of(first), ...(hasCredit ? [credit] : [])];
          const actions = plan(
            input({ ...other, settlement, refunds }, { documents, reused: fingerprintOf(first) }),
          );
          expect(actions.map(({ action }) => action)).not.toContain('emit');
        },
      ),
    );
  });

  it('bills what was charged or nothing, whatever became of the total since', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5_000 }), fc.integer({ min: 1, max: 5_000 }), (then, now) => {
        const [was, is] = [then, now].map((cents) => (cents / 100).toFixed(2)) as [string, string];
        const sold = order({
          lines: [
            {
              ...(order().lines[0] as Order['lines'][number]),
              subtotal: is,
              net: is,
              tax: '0.00',
              taxes: [],
            },
          ],
          total: is,
        });
        const untaxed = {
          ...store,
          policy: {
            ...store.policy,
            tax: { rules: [{ name: 'x', when: { untaxed: true }, means: { iva: 0 as const } }] },
          },
        };
        const paid = { total: was, currency: 'USD', at: sold.paidAt };
        const [action] = plan(input(sold, { documents: [], paid, store: untaxed }));
        expect(action?.action).toBe(then === now ? 'emit' : 'hold');
        if (then !== now) expect(action?.reason).toContain(was);
      }),
    );
  });
});

describe('an order that names another one', () => {
  const reasonOf = (more: Partial<Order>) =>
    plan({
      ...{ order: order(more), documents: [], store, invoiceFrom: new Date(0), now: noon },
    })[0]?.reason;

  it.each<[string, Partial<Order>]>([
    ['by its parent', { parentId: '61' }],
    ['in its note', { note: 'Diferencia del pedido 61' }],
    ['in its note, with a sign', { note: 'paga el resto del Pedido n.º #61, gracias' }],
  ])('%s says so with its factura', (_how, more) => {
    expect(reasonOf(more)).toContain('Dice venir del pedido 61: ');
  });

  it.each<[string, Partial<Order>]>([
    ['itself', { parentId: '29' }],
    ['a number that is no order’s', { note: 'Entregar el 24, casa 61. Gracias por mi pedido' }],
  ])('but not %s', (_what, more) => {
    expect(reasonOf(more)).toBe('El pedido está pagado y se factura por el total cobrado.');
  });
});

/** An order as the recorded shop told of it, in webhooks and answers alike. */
interface Recorded {
  id: number;
  order_key: string;
}

describe.skipIf(!hasShared)('the recorded WooCommerce shops (skipped without ../shared)', () => {
  const connection = woocommerce.demoConnection();
  const orders = ['recordings', 'recordings2'].map((set) => recordedOrders(`woocommerce/${set}`));

  test('keep the fingerprint of an order through its whole life, and give another order another', () => {
    let readings = 0;
    for (const recorded of orders) {
      const byKey = Map.groupBy(recorded, ({ order_key }) => order_key);
      for (const [, life] of byKey) {
        const [begun, ...later] = life.map((one) => fingerprintOf(woocommerce.readOrder(one, connection)));
        for (const one of later) expect(begun && isSameOrder(begun, one)).toBe(true);
        // Also by the instant alone, as orders of platforms without keys are known.
        for (const one of later) expect({ ...one, key: null }).toEqual({ ...begun, key: null });
        readings += life.length;
      }
      for (const [, same] of Map.groupBy(recorded, ({ id }) => id)) {
        const keys = new Set(same.map(({ order_key }) => order_key));
        const reported = new Set(
          same.map((one) => fingerprintOf(woocommerce.readOrder(one, connection)).key),
        );
        expect(reported.size).toBe(keys.size);
        // It opens pages of the order.
        for (const key of keys) expect(reported).not.toContain(key);
      }
    }
    expect(readings).toBeGreaterThan(500);
  });
});

function recordedOrders(folder: string): Recorded[] {
  const found: Recorded[] = [];
  const walk = (value: unknown): void => {
    if (typeof value === 'string' && value.includes('"order_key"')) {
      try {
        walk(JSON.parse(value));
      } catch {
        // A body of another kind.
      }
    } else if (Array.isArray(value)) value.forEach(walk);
    else if (typeof value === 'object' && value !== null) {
      if ('order_key' in value && 'line_items' in value && 'date_created_gmt' in value)
        found.push(value as unknown as Recorded);
      Object.values(value).forEach(walk);
    }
  };
  for (const file of globSync(`${sharedPath(`data/${folder}`)}/**/*.json`))
    walk(JSON.parse(readFileSync(file, 'utf8')));
  return found;
}
