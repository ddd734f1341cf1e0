import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { Refund } from '../../src/domain/order.ts';
import { bodyWithoutBuyer } from '../../src/domain/privacy.ts';
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
  ['test/{mappers,planner}/hold-sentences.test.ts', /['`]([a-z-]+): [A-ZÁÉÍÓÚ«]/g],
];

const first = refund('11.50', [shirt], { id: '1' });
const factura = authorized(sale);
const done = credited(sale, first, [factura]);
const sold = { ...sale, refunds: [first] };
const card = line({ id: '3', kind: 'gift-card', price: '25.00', rate: null, name: 'Tarjeta de regalo' });
const cards = storeWith({ giftCardsSold: { as: 'exclude' } });
const soldCard = order({ lines: [line(), card] });
const third = order({
  lines: [line({ id: '1', quantity: '3', subtotal: '8.70', net: '8.70', tax: '1.30' })],
});
const { policy } = store;
const noted = (state: typeof factura.state) => [factura, { ...done, state }];

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
const splitCodes = {
  'sub-orders': () => splitAs('parent', 'hold'),
  'invoiced-with-other': () => [...splitAs('parent', 'parent'), ...splitAs('child', 'children')],
  'refund-of-split-order': () => splitAs('parent', 'parent', [first]),
};

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
  'factura-content-unknown': () => actions(sold, [{ ...factura, state: 'authorized', sent: null }]),
  'factura-unsettled': () => actions(sold, [{ ...factura, state: 'manual' }]),
  draft: () => actions({ ...sale, settlement: 'draft' }),
  unpaid: () => actions({ ...sale, settlement: 'unpaid' }),
  'partially-paid': () => actions({ ...sale, settlement: 'partially-paid' }),
  cancelled: () => actions({ ...sale, settlement: 'cancelled', paidAt: null }),
  'not-invoiced': () => actions({ ...sold, settlement: 'cancelled', paidAt: null }),
  'fully-refunded': () => actions({ ...sale, settlement: 'refunded', refunds: [refund(sale.total)] }),
  'document-annulled': () => actions(sold, [{ ...factura, annulledAt: '2026-11-21T12:00:00Z' }]),
  'refund-missing': () => actions({ ...sold, settlement: 'refunded' }),
  'before-start': () => actions(sale, [], { invoiceFrom: new Date('2027-01-01') }),
  'unknown-access-key': () => actions({ ...sale, accessKeys: ['1'.repeat(49)] }),
  'invoiced-elsewhere': () => actions({ ...sold, accessKeys: ['1'.repeat(49)] }),
  'refund-id-reused': () => actions(sold, [factura, { ...done, orderId: 'otro', orderName: '#7' }]),
  'refund-contradiction': () => actions({ ...sale, refunds: [refund(null, null)] }, [factura]),
  'refund-detail-missing': () => actions({ ...sale, refunds: [refund('5.00', null)] }, [factura]),
  'over-credit': () => actions({ ...sale, refunds: [refund('47.51')] }, [factura]),
  netted: () => actions(sold, [authorized(sold)]),
  ...splitCodes,
  'refund-deleted after it was netted': () => actions(sale, [authorized(sold)]),
  'refund-deleted': () => actions(sale, noted('authorized')),
  'edited-after-invoice by more': () =>
    actions(order({ lines: [...sale.lines, line({ id: '5', price: '20.00' })], charges: sale.charges }), [
      factura,
    ]),
  'unpaid-after-invoice': () => actions({ ...sale, settlement: 'unpaid', status: 'failed' }, [factura]),
  'edited-after-invoice by less': () => actions(order({ lines: sale.lines }), [factura]),
  'edited-after-invoice by another rate': () =>
    actions(
      order({
        lines: [line({ id: '5', quantity: '3', price: '11.50', rate: null }), ...sale.lines.slice(1)],
        charges: sale.charges,
      }),
      [factura],
    ),
  'refund-not-invoiced': () => {
    const added = line({ id: '5', name: 'Gorra', price: '20.00' });
    const back = refund('23.00', [part('line:5', '20.00', '3.00')]);
    const grown = order({ lines: [...sale.lines, added], charges: sale.charges });
    return actions({ ...grown, refunds: [back] }, [factura]);
  },
  'other-issuer': () => actions(sold, [{ ...factura, issuedBy: { ruc: '1790016919001', ambiente: 2 } }]),
  'buyer-forgotten': () => {
    const { comprador } = JSON.parse(bodyWithoutBuyer(JSON.stringify(factura.sent)));
    return actions(sold, [{ ...factura, sent: factura.sent && { ...factura.sent, comprador } }]);
  },
  'outside-factura': () =>
    actions(
      { ...soldCard, refunds: [refund('25.00', [part('line:3', '25.00', '0.00')])] },
      [authorized(soldCard, {}, cards)],
      { store: cards },
    ),
  'credit-rounding': () =>
    actions({ ...third, refunds: [refund('3.33', [part('line:1', '2.90', '0.43')])] }, [authorized(third)], {
      store: {
        ...store,
        policy: { ...policy, creditNotes: { ...policy.creditNotes, roundingDifference: 'hold' } },
      },
    }),
  'buyer-name-missing': () => actions({ ...sale, buyer: { ...sale.buyer, name: null } }),
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
