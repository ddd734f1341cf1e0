import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Action } from '../../src/planner/action.ts';
import { plan } from '../../src/planner/plan.ts';
import { comesTo, fourWays } from '../mappers/four-ways.ts';
import { authorized } from '../support/authorized.ts';
import { draws, whole } from '../support/chance.ts';
import { noon } from '../support/orders.ts';
import { type Body, inCents, mostApart, said, sumOf, taxedCodes } from './judge.ts';
import { demandNearest } from './nearest.ts';
import { type Back, shopifyOrder, shopifyRefunds, woocommerceOrder, woocommerceRefunds } from './payloads.ts';
import { type Expected, returnSeeds, returnsOf } from './returns.ts';
import { type Code, type Sale, sales, totalOf } from './sales.ts';
import { platformOf, store } from './store.ts';

/** With 1.68 refunds each on average. */
const orders = draws(2_400, 600_000);

/** The plan of each refund record of an order whose factura is authorised. */
function planned(sale: Sale, expected: readonly Expected[]): { actions: Action[]; factura: Body } {
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
  const factura = authorized(before, {}, store);
  if (!factura.sent) throw new Error('no factura');
  const input = {
    order: { ...order, refunds: known },
    documents: [factura],
    store,
    invoiceFrom: new Date(0),
    now: noon,
  };
  const actions = plan(input).filter(({ kind }) => kind === 'nota-credito');
  return { actions, factura: factura.sent };
}

/** What is left of a factura while its refunds are judged one after the other; cents. */
interface Standing {
  codes: Map<Code, number>;
  /** Of the items that were sold, without taxes: as the shop sold them, and as the documents say. */
  nets: Map<number, number>;
  bases: Map<number, number>;
  /** What all documents together gave too little. */
  owed: number;
}

const standingOf = ({ items }: Sale, factura: Body): Standing => ({
  codes: new Map([...said(factura)].map(([code, { gross }]) => [code, gross])),
  nets: new Map(items.map(({ id, net }) => [id, net])),
  bases: new Map(
    [...said(factura).values()].flatMap(({ lines }) =>
      lines.flatMap(({ ids, net }) => ids.map((id) => [id, net])),
    ),
  ),
  owed: 0,
});

/**
 * Each code gives what went back under it, all that is left of it with the last refund; a taxed one is as near to that as a
 * base comes, and makes up for the cent of one before.
 */
function judge({ back, codes }: Expected, action: Action, standing: Standing): void {
  const { body, charged, document, difference } = action;
  if (body === null || codes === null) throw new Error('nothing to judge');
  if (body.totales) throw new Error('taxes that are stated');
  const by = said(body);
  const given = new Map([...by].map(([code, { gross }]) => [code, gross]));
  const sum = sumOf(given.values());
  if (inCents(charged) !== back.money) throw new Error(`${charged} for ${back.money}`);
  if (inCents(document ?? '') !== sum) throw new Error(`says ${document}, comes to ${sum}`);
  if (inCents(difference ?? '') !== sum - back.money)
    throw new Error(`says ${difference}: ${sum - back.money}`);
  for (const way of fourWays) if (comesTo(body, way) !== sum) throw new Error(`not ${sum} by ${way}`);
  const isReported = body.informacion_adicional.some(({ nombre }) => nombre === 'Redondeo');
  if (isReported !== (sum !== back.money)) throw new Error(`${sum} for ${back.money}, told: ${isReported}`);

  const isAll = back.money + standing.owed >= sumOf(standing.codes.values());
  const due = isAll ? standing.codes : codes;
  const taxed = sumOf(taxedCodes(due.keys()).map((code) => due.get(code) ?? 0));
  const owed = isAll || taxed === 0 ? 0 : standing.owed;
  demandNearest(given, { codes: due, left: standing.codes, taxed: taxed + owed });
  if (!isAll) judgeLines(back, by, standing);

  for (const [code, gross] of given) standing.codes.set(code, (standing.codes.get(code) ?? 0) - gross);
  for (const { item, net } of back.of) standing.nets.set(item.id, (standing.nets.get(item.id) ?? 0) - net);
  for (const { ids, net } of [...by.values()].flatMap(({ lines }) => lines)) {
    const of = (id: number) => back.of.find(({ item }) => item.id === id)?.net ?? 0;
    for (const id of ids)
      standing.bases.set(id, (standing.bases.get(id) ?? 0) - (ids.length > 1 ? of(id) : net));
  }
  standing.owed += back.money - sum;
}

/** Each item gives what went back for it, where it has so much left; others of its code no more than it has not. */
function judgeLines(back: Back, by: ReturnType<typeof said>, { nets, bases }: Standing): void {
  const isBeyond = back.of.some(({ item, net }) => net > (nets.get(item.id) ?? 0));
  if (back.of.length === 0 || isBeyond) return;
  for (const [code, { lines }] of by) {
    const of = back.of.filter(({ item }) => item.code === code);
    // What notas de crédito before took too much of a line for their cents lies on another now.
    const short = Math.max(0, sumOf(of.map(({ item, net }) => net - (bases.get(item.id) ?? 0))));
    for (const { ids, net, quantity } of lines) {
      const own = of.filter(({ item }) => ids.includes(item.id));
      const due = sumOf(own.map((one) => one.net));
      if (Math.abs(net - due) > ids.length * mostApart(code, 2) + short)
        throw new Error(`${net} for ${ids}, ${due} went back`);
      if (quantity !== 1 && quantity !== own[0]?.units) throw new Error(`${quantity} of ${ids}`);
    }
    const named = lines.filter(({ ids }) => of.some(({ item }) => ids.includes(item.id)));
    const room = sumOf(of.map(({ item }) => bases.get(item.id) ?? 0)) - sumOf(named.map(({ net }) => net));
    if (of.length > 0 && named.length < lines.length && room > mostApart(code, 2))
      throw new Error(`lines that did not go back, and ${room} left of those that did under ${code}`);
  }
  for (const { item, net } of back.of) {
    const isNamed = by.get(item.code)?.lines.some(({ ids }) => ids.includes(item.id));
    if (!isNamed && net > mostApart(item.code, 2)) throw new Error(`${item.id} is not named`);
  }
}

test('every refund gives back what it was for under each code, or is held', { timeout: 28_800_000 }, () => {
  const seen: Record<string, number> = { refunds: 0, emitted: 0 };
  const count = (what: string) => {
    seen[what] = (seen[what] ?? 0) + 1;
  };
  const cases = fc.tuple(sales(true), returnSeeds).filter(([sale]) => totalOf(sale) > 0);
  fc.assert(
    fc.property(cases, ([sale, seeds]) => {
      const expected = returnsOf(sale, seeds);
      const { actions, factura } = planned(sale, expected);
      const standing = standingOf(sale, factura);
      const documents = actions.filter(({ action }) => action === 'emit').length;
      const most = expected.filter(({ codes }) => codes !== null).length;
      if (documents !== most) throw new Error(`${documents} documents for ${most} refunds`);
      for (const one of expected) {
        count('refunds');
        const { back, codes } = one;
        const own = actions.filter(({ identity: { sourceId } }) =>
          [back.id, back.id + 2].map(String).includes(sourceId),
        );
        const emitted = own.filter(({ action }) => action === 'emit');
        const [first] = emitted;
        const reported = own.map(({ action, code, reason }) => `${action} ${code} ${reason}`).join(' | ');
        if (codes === null) {
          if (first || !own.some(({ action }) => action === 'hold')) throw new Error(`not held: ${reported}`);
          count('held');
        } else {
          if (!first || emitted.length > 1) throw new Error(`${emitted.length} documents: ${reported}`);
          judge(one, first, standing);
          count('emitted');
        }
      }
    }),
    { numRuns: orders },
  );
  if (whole) console.info(seen);
  expect(seen.refunds).toBeGreaterThan(orders * 1.6);
  expect(seen.emitted).toBeGreaterThan((seen.refunds ?? 0) / 2);
});
