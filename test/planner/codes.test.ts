import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { Refund } from '../../src/domain/order.ts';
import { type Message, say } from '../../src/messages/message.ts';
import { reasons } from '../../src/messages/reasons.ts';
import type { Action, Relative } from '../../src/planner/action.ts';
import { type Written, writtenCodes } from '../docs/codes.ts';
import { authorized, credited } from '../support/authorized.ts';
import { line, order, store } from '../support/orders.ts';
import { actions, part, refund, sale, shirt, storeWith } from './refunds/shapes.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** What a plan can answer: what the planner and the mappers write. */
const codes = new Set(
  writtenCodes().flatMap(({ code, file }: Written) => (/^(src\/planner|mappers)\//.test(file) ? [code] : [])),
);

/** Told in files that tests compare with what the planner says, letter by letter. */
const compared: [glob: string, code: RegExp][] = [
  ['test/golden/*/{hold,nothing,wait,manual,unreadable,nota-credito-*}.json', /"code": "([a-z-]+)"/g],
  ['test/planner/advice/sentences.md', /^- ([a-z-]+): /gm],
  ['test/{mappers,planner}/hold-sentences.test.ts', /['`]([a-z-]+): [A-ZÁÉÍÓÚ«]/g],
];

const first = refund('11.50', [shirt], { id: '1' });
const factura = authorized(sale);
const done = credited(sale, first, [factura]);
const sold = { ...sale, refunds: [first] };
const card = line({ id: '3', kind: 'gift-card', price: '25.00', rate: null, name: 'Tarjeta de regalo' });
const cards = storeWith({ giftCardsSold: { as: 'exclude' } });
const soldCard = order({ lines: [line(), card] });

const { name, lines, settlement, paidAt, total, refunds } = sale;
const other: Relative = {
  ...{ id: '1', name, lines, settlement, paidAt, total, refunds, isInvoiced: false, billed: null },
  hasSubOrders: true,
};
const splitAs = (as: 'parent' | 'child', subOrders: 'hold' | 'parent' | 'children', refunds: Refund[] = []) =>
  actions({ ...sale, refunds, ...(as === 'parent' ? { parentId: '1' } : { hasSubOrders: true }) }, [], {
    relatives: [as === 'parent' ? other : { ...other, parentId: sale.id }],
    store: { ...store, policy: { ...store.policy, subOrders } },
  });
/** Those that need documents, or a policy of their own; a code with several cases has words behind it. */
const planned: Record<string, () => Action[]> = {
  paid: () => actions(sale),
  'netted before the factura': () => actions(sold),
  refunded: () => actions(sold, [factura]),
  'already-authorised': () => actions(sold, [factura, done]),
  'in-process': () => actions(sale, [{ ...factura, state: 'processing' }]),
  'answer-lost': () => actions(sale, [{ ...factura, state: 'uncertain' }]),
  refused: () => actions(sale, [{ ...factura, state: 'rejected' }]),
  manual: () => actions(sale, [{ ...factura, state: 'manual' }]),
  'factura-in-process': () => actions(sold, [{ ...factura, state: 'processing' }]),
  draft: () => actions({ ...sale, settlement: 'draft' }),
  unpaid: () => actions({ ...sale, settlement: 'unpaid' }),
  cancelled: () => actions({ ...sale, settlement: 'cancelled', paidAt: null }),
  'not-invoiced': () => actions({ ...sold, settlement: 'cancelled', paidAt: null }),
  'fully-refunded': () => actions({ ...sale, settlement: 'refunded', refunds: [refund(sale.total)] }),
  'before-start': () => actions(sale, [], { invoiceFrom: new Date('2027-01-01') }),
  netted: () => actions(sold, [authorized(sold)]),
  'invoiced-with-other': () => [...splitAs('parent', 'parent'), ...splitAs('child', 'children')],
  'outside-factura': () =>
    actions(
      { ...soldCard, refunds: [refund('25.00', [part('line:3', '25.00', '0.00')])] },
      [authorized(soldCard, {}, cards)],
      { store: cards },
    ),
};

const codeOf = (name: string): string => name.split(' ')[0] ?? '';

test.each(Object.entries(reasons))(
  '%s speaks of the general case where it has no data',
  (_, [means, fix]) => {
    for (const text of [say(means), say(fix)]) {
      expect(text).toMatch(/^[A-ZÁÉÍÓÚ«].*\.$/);
      expect(text).not.toMatch(/undefined|null|«»| {2}|\(\)/);
    }
  },
);

describe('every code a plan can answer', () => {
  test.each([...codes].sort())('%s is in the catalogue with its resolution', (code) => {
    const entry = (reasons as Readonly<Record<string, Message>>)[code];
    expect(entry?.slice(0, 2).map((text) => text && say(text))).toEqual([
      expect.stringMatching(/\.$/),
      expect.stringMatching(/\.$/),
    ]);
  });

  test.each(Object.entries(planned))('%s is answered', (name, plan) => {
    expect(plan().map((action) => action.code)).toContain(codeOf(name));
  });

  test('is answered in some test', () => {
    const reported = compared.flatMap(([glob, pattern]) =>
      globSync(glob, { cwd: root }).flatMap((file) =>
        [...readFileSync(root + file, 'utf8').matchAll(pattern)].map(([, code = '']) => code),
      ),
    );
    const answered = new Set([...reported, ...Object.keys(planned).map(codeOf)]);
    expect(codes.size).toBeGreaterThan(50);
    expect([...codes].filter((code) => !answered.has(code))).toEqual([]);
  });
});
