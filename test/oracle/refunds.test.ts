import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Action } from '../../src/planning/action.ts';
import { plan } from '../../src/planning/plan.ts';
import { authorized } from '../support/authorized.ts';
import { noon } from '../support/orders.ts';
import { hasBase, said, taxedCodes } from './judge.ts';
import { shopifyOrder, shopifyRefunds, woocommerceOrder, woocommerceRefunds } from './payloads.ts';
import { type Expected, returnSeeds, returnsOf } from './returns.ts';
import { byCode, type Code, percents, type Sale, sales, totalOf } from './sales.ts';
import { platformOf, store } from './store.ts';

/** `npm test` draws 12,000 orders with some 20,000 refunds, `npm run test:long` 100,000. */
const orders = Number(process.env.FACTURAPUENTE_REFUNDED_ORDERS ?? 12_000);

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
 * Cents that stand elsewhere than they were charged. Where two taxed codes were sold, the factura may have put one from one
 * to the other, and each nota de crédito two, so that both have a base; what one gave too little the next gives.
 */
interface Astray {
  /** Of taxed codes: what their documents gave beyond what went back. */
  over: Map<Code, number>;
  /** What all documents together gave too little. */
  owed: number;
  isMixed: boolean;
}

/**
 * Untaxed codes give what went back under them; a taxed one may be a cent off where no base gives it, or where it makes
 * up for a cent of before; then the document says so.
 */
function judge({ back, codes }: Expected, action: Action, astray: Astray): void {
  const { body, charged, document, difference } = action;
  if (body === null || codes === null) throw new Error('nothing to judge');
  if (charged !== (back.money / 100).toFixed(2)) throw new Error(`${charged} for ${back.money}`);
  const of = said(body);
  const off = new Map<Code, number>();
  let sum = 0;
  let unreached = false;
  for (const code of new Set([...codes.keys(), ...of.keys()])) {
    const gross = codes.get(code) ?? 0;
    const { base, tax } = of.get(code) ?? { base: 0, tax: 0 };
    sum += base + tax;
    off.set(code, base + tax - gross);
    const before = astray.over.get(code) ?? 0;
    const around = astray.isMixed ? 1 + Math.abs(before) : 0;
    const isTaxed = percents[code] > 0;
    for (let cents = -around; cents <= around; cents += 1)
      unreached ||= isTaxed && !hasBase(Math.max(0, gross + cents), code);
    // Under a code nothing went back of stands what was left out before, or what another taxed one has no base for.
    const more = (astray.isMixed ? 3 + Math.max(0, -before) : 0) + Math.max(0, astray.owed);
    const most = isTaxed ? (codes.has(code) ? 2 + around : more) : 0;
    if (Math.abs(base + tax - gross) > most)
      throw new Error(`${base + tax} under code ${code}, ${gross} went back`);
  }
  if (document !== (sum / 100).toFixed(2)) throw new Error(`says ${document}, comes to ${sum}`);
  const short = back.money - sum;
  if (difference !== (-short / 100).toFixed(2)) throw new Error(`says ${difference}, is ${-short}`);
  if (short !== 0 && !unreached && astray.owed === 0) throw new Error(`${-short} cents off without need`);
  for (const [code, cents] of off) astray.over.set(code, (astray.over.get(code) ?? 0) + cents);
  astray.owed += short;
}

test('every refund gives back what it was for under each code, or is held', { timeout: 7_200_000 }, () => {
  const seen: Record<string, number> = { refunds: 0, emitted: 0 };
  const count = (what: string) => {
    seen[what] = (seen[what] ?? 0) + 1;
  };
  const cases = fc.tuple(sales(true), returnSeeds).filter(([sale]) => totalOf(sale) > 0);
  fc.assert(
    fc.property(cases, ([sale, seeds]) => {
      const expected = returnsOf(sale, seeds);
      const actions = planned(sale, expected);
      const isMixed = taxedCodes(byCode(sale.items).keys()).length > 1;
      const astray: Astray = { over: new Map(), owed: 0, isMixed };
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
          judge(one, first, astray);
          count('emitted');
        }
      }
    }),
    { numRuns: orders },
  );
  if (process.env.FACTURAPUENTE_REFUNDED_ORDERS) console.info(seen);
  expect(seen.emitted).toBeGreaterThan((seen.refunds ?? 0) / 2);
});
