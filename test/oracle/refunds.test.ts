import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Action } from '../../src/planning/action.ts';
import { plan } from '../../src/planning/plan.ts';
import { authorized } from '../support/authorized.ts';
import { noon } from '../support/orders.ts';
import { hasBase, said } from './judge.ts';
import { shopifyOrder, shopifyRefunds, woocommerceOrder, woocommerceRefunds } from './payloads.ts';
import { type Expected, returnSeeds, returnsOf } from './returns.ts';
import { percents, type Sale, sales, totalOf } from './sales.ts';
import { platformOf, store } from './store.ts';

/** `npm test` draws 12,500 orders with some 20,000 refunds, `npm run test:long` 100,000. */
const orders = Number(process.env.FACTURAPUENTE_REFUNDED_ORDERS ?? 12_500);

/** The plan of each refund record of an order whose factura is authorised. */
function planned(sale: Sale, expected: readonly Expected[]): Action[] {
  const { platform, connection } = platformOf(sale.platform);
  const backs = expected.map(({ back }) => back);
  const isShopify = sale.platform === 'shopify';
  const refunds = isShopify ? shopifyRefunds(backs, sale.included) : woocommerceRefunds(backs);
  const payload = isShopify
    ? shopifyOrder(sale, refunds)
    : woocommerceOrder(sale, refunds as { id: number; amount: string }[]);
  const order = platform.readOrder(payload, connection);
  const before = platform.readOrder(isShopify ? shopifyOrder(sale) : woocommerceOrder(sale), connection);
  const known = platform.readRefunds(refunds, payload);
  const documents = [authorized(before, {}, store)];
  const input = {
    order: { ...order, refunds: known },
    documents,
    store,
    invoiceFrom: new Date(0),
    now: noon,
  };
  return plan(input).filter(({ kind }) => kind === 'nota-credito');
}

/**
 * Untaxed codes give what went back under them; a taxed one may be a cent off where no base gives it, or where it makes
 * up for a cent of before; then the document says so.
 */
function judge({ back, codes }: Expected, action: Action, owedBefore: number): number {
  const { body, charged, document, difference } = action;
  if (body === null || codes === null) throw new Error('nothing to judge');
  if (charged !== (back.money / 100).toFixed(2)) throw new Error(`${charged} for ${back.money}`);
  const of = said(body);
  let sum = 0;
  let unreached = false;
  for (const [code, gross] of codes) {
    const { base, tax } = of.get(code) ?? { base: 0, tax: 0 };
    sum += base + tax;
    const isTaxed = percents[code] > 0;
    unreached ||= isTaxed && !hasBase(gross, code);
    if (Math.abs(base + tax - gross) > (isTaxed ? 2 : 0))
      throw new Error(`${base + tax} under code ${code}, ${gross} went back`);
  }
  for (const [code, { base, tax }] of of) {
    if (codes.has(code)) continue;
    sum += base + tax;
    // A cent that an earlier one left out is made up for under the code it was of.
    if (base + tax > (percents[code] > 0 ? Math.max(0, owedBefore) : 0))
      throw new Error(`nothing went back under code ${code}`);
  }
  if (document !== (sum / 100).toFixed(2)) throw new Error(`says ${document}, comes to ${sum}`);
  const off = sum - back.money;
  if (difference !== (off / 100).toFixed(2)) throw new Error(`says ${difference}, is ${off}`);
  if (off !== 0 && !unreached && owedBefore === 0) throw new Error(`${off} cents off without need`);
  return owedBefore - off;
}

test('every refund gives back what it was for under each code, or is held', () => {
  const seen: Record<string, number> = { refunds: 0, emitted: 0 };
  const count = (what: string) => {
    seen[what] = (seen[what] ?? 0) + 1;
  };
  const cases = fc.tuple(sales(true), returnSeeds).filter(([sale]) => totalOf(sale) > 0);
  fc.assert(
    fc.property(cases, ([sale, seeds]) => {
      const expected = returnsOf(sale, seeds);
      const actions = planned(sale, expected);
      let owed = 0;
      for (const one of expected) {
        count('refunds');
        const { back, codes } = one;
        const own = actions.filter(({ identity: { sourceId } }) =>
          [back.id, back.id + 2].map(String).includes(sourceId),
        );
        const emitted = own.filter(({ action }) => action === 'emit');
        const [first] = emitted;
        const said = own.map(({ action, code, reason }) => `${action} ${code} ${reason}`).join(' | ');
        if (codes === null) {
          if (first || !own.some(({ action }) => action === 'hold')) throw new Error(`not held: ${said}`);
          count('held');
        } else {
          if (!first || emitted.length > 1) throw new Error(`${emitted.length} documents: ${said}`);
          owed = judge(one, first, owed);
          count('emitted');
        }
      }
    }),
    { numRuns: orders },
  );
  if (process.env.FACTURAPUENTE_REFUNDED_ORDERS) console.info(seen);
  expect(seen.emitted).toBeGreaterThan((seen.refunds ?? 0) / 2);
});
