import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Line, Order, Settlement } from '../../src/domain/order.ts';
import type { Relative } from '../../src/planner/action.ts';
import { lineageOf } from '../../src/planner/order-tree.ts';
import { authorized } from '../support/authorized.ts';
import { draws } from '../support/chance.ts';
import { line, order } from '../support/orders.ts';
import { actions, storeWith } from './refunds/shapes.ts';

/* Orders that were split and split again, read in any order, paid and cancelled meanwhile: who is invoiced in the end. */

const policies = ['hold', 'parent', 'children'] as const;
type Policy = (typeof policies)[number];

const things = ['CAM', 'LIB', 'GOR', 'TAZ'].map((sku, at) =>
  line({ id: String(at), sku, name: sku, price: `${at + 1}0.00`, quantity: String(1 + (at % 2)) }),
);
const made = (id: string, lines: Line[], parentId?: string): Order =>
  order({ id, name: `#${id}`, lines, ...(parentId !== undefined && { parentId }) });
const tree = [
  made('1', things),
  made('2', things.slice(0, 3), '1'),
  made('3', things.slice(3), '1'),
  made('4', things.slice(0, 1), '2'),
  made('5', things.slice(1, 3), '2'),
] as const;

/** The ledger, where each order is planned when it is read, and those above and below it when it changed. */
function read(policy: Policy, events: readonly Order[]) {
  const known = new Map<string, Relative>();
  const verdicts = new Map<string, string>();
  const store = { ...storeWith(), policy: { ...storeWith().policy, subOrders: policy } };
  const billings: string[] = [];
  const sync = (one: Order): void => {
    const before = known.get(one.id);
    const others = [...known.values()].filter(({ id }) => id !== one.id);
    const { isInvoiced = false, billed = null } = before ?? {};
    const documents = billed ? [authorized({ ...one, settlement: 'paid' })] : [];
    const [action] = actions(one, documents, { relatives: others, store });
    const isEmitted = action?.action === 'emit' || isInvoiced;
    if (!isInvoiced && isEmitted) billings.push(...one.lines.map(({ name }) => name));
    const after = { ...one, isInvoiced: isEmitted, billed: isEmitted ? authorized(one).sent : null };
    known.set(one.id, after);
    verdicts.set(one.id, isEmitted ? 'invoiced' : `${action?.action} ${action?.code}`);
    if (JSON.stringify(before) === JSON.stringify(after)) return;
    const { above, below } = lineageOf(one, others);
    for (const { id } of [...above, ...below]) sync(known.get(id) as Relative & Order);
  };
  for (const one of events) sync(one);
  return { billings, verdicts, known };
}

/** An order is read after those it was split from (src/jobs/sync-order.ts). */
const readings = fc
  .shuffledSubarray([...tree], { minLength: tree.length })
  .map((some) =>
    some.flatMap((one) => [...lineageOf(one, tree as never).above.toReversed(), one] as Order[]),
  );
const states: Settlement[] = ['paid', 'unpaid', 'cancelled', 'refunded'];
const inState = (one: Order, settlement: Settlement): Order => ({
  ...one,
  settlement,
  ...(settlement === 'cancelled' && { paidAt: null }),
});
const anyState = fc.constantFrom(...states);
const changing = fc
  .tuple(
    readings,
    fc.array(fc.constantFrom<Settlement>('paid', 'unpaid'), { minLength: 5, maxLength: 5 }),
    fc.array(fc.tuple(fc.nat(4), anyState), { maxLength: 8 }),
  )
  .map(([first, begin, changes]) => [
    ...first.map((one) => inState(one, begin[Number(one.id) - 1] ?? 'paid')),
    ...changes.map(([at, settlement]) => inState(tree[at] as Order, settlement)),
  ]);

const all = things.map(({ name }) => name);

describe.each(policies)('a tree of split orders with policy.subOrders: %s', (policy) => {
  test('bills nothing twice, whatever is paid or cancelled when', () => {
    fc.assert(
      fc.property(changing, (events) => {
        const { billings } = read(policy, events);
        expect(new Set(billings).size).toBe(billings.length);
      }),
      { numRuns: draws(30, 2_000) },
    );
  });

  test('leaves no sale without a factura, except beside one that has it or waits for a person; then rests', () => {
    fc.assert(
      fc.property(changing, (events) => {
        const { verdicts, known } = read(policy, events);
        for (const [id, verdict] of verdicts) {
          if (!/invoiced-with/.test(verdict)) continue;
          const { above, below } = lineageOf(known.get(id) as Relative, [...known.values()]);
          const isSeen = (one: Relative) => one.isInvoiced || /^hold|fully/.test(verdicts.get(one.id) ?? '');
          const seen = [...above, ...below]
            .filter(isSeen)
            .flatMap(({ lines }) => lines.map(({ name }) => name));
          expect(seen).toEqual(expect.arrayContaining(known.get(id)?.lines.map(({ name }) => name) ?? []));
        }
        const again = read(policy, [...events, ...(known.values() as Iterable<Relative & Order>)]);
        expect(again.verdicts).toEqual(verdicts);
      }),
      { numRuns: draws(30, 2_000) },
    );
  });

  test.skipIf(policy === 'hold')('bills all of it once where all of it is paid', () => {
    fc.assert(
      fc.property(readings, (events) => {
        const { billings } = read(policy, events);
        expect(billings.toSorted()).toEqual(all.toSorted());
      }),
      { numRuns: draws(30, 2_000) },
    );
  });
});
