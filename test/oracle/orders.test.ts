import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plan } from '../../src/planner/plan.ts';
import { draws, whole } from '../support/chance.ts';
import { noon } from '../support/orders.ts';
import { type Body, hasBase, inCents, mostApart, said, sumOf, taxedCodes, taxOn } from './judge.ts';
import { shopifyOrder, woocommerceOrder } from './payloads.ts';
import { byCode, type Code, type Sale, sales, totalOf } from './sales.ts';
import { platformOf, store } from './store.ts';

const runs = draws(4_000, 1_000_000);

/** What an order’s JSON becomes: everything between the shop and the service. */
function planned(sale: Sale) {
  const { platform, connection } = platformOf(sale.platform);
  const payload = sale.platform === 'shopify' ? shopifyOrder(sale) : woocommerceOrder(sale);
  const order = platform.readOrder(payload, connection);
  const [action, ...others] = plan({ order, documents: [], store, invoiceFrom: new Date(0), now: noon });
  if (!action || others.length > 0) throw new Error(`${others.length + 1} planned`);
  return action;
}

/**
 * What the factura says of each code: what the rates make of the bases, where that is the charge; else what was charged
 * under it. Between two taxed codes as few cents move as lead to a base of both; either way where both lead there.
 */
function dueBy({ items }: Sale): Map<Code, number>[] {
  const charged = byCode(items);
  const nets = byCode(items.map((item) => ({ ...item, tax: 0 })));
  const byRate = new Map([...nets].map(([code, net]) => [code, net + taxOn(net, code)]));
  if (sumOf(byRate.values()) === sumOf(charged.values())) return [byRate];
  const [one, other] = taxedCodes(charged.keys());
  const isSaid = (some: Map<Code, number>) =>
    taxedCodes(some.keys()).every((code) => hasBase(some.get(code) ?? 0, code));
  if (one === undefined || other === undefined || isSaid(charged)) return [charged];
  const moved = (cents: number) =>
    new Map(charged).set(one, (charged.get(one) ?? 0) + cents).set(other, (charged.get(other) ?? 0) - cents);
  const near = [1, 2].map((cents) => [moved(cents), moved(-cents)].filter(isSaid));
  return near.find((some) => some.length > 0) ?? [charged];
}

function judge(sale: Sale, body: Body): void {
  const codes = said(body);
  const due = dueBy(sale);
  const isDue = (some: Map<Code, number>) =>
    some.size === codes.size && [...some].every(([code, gross]) => codes.get(code)?.gross === gross);
  if (!due.some(isDue)) {
    const is = [...codes].map(([code, { gross }]) => [code, gross]);
    throw new Error(`${JSON.stringify(is)} by code, not ${JSON.stringify(due.map((some) => [...some]))}`);
  }
  if (body.items.length !== sale.items.length) throw new Error(`${body.items.length} lines`);
  for (const [code, { lines }] of codes) {
    const sold = sale.items.filter((item) => item.code === code);
    const isEven =
      sumOf(sold.map(({ net }) => taxOn(net, code))) === taxOn(sumOf(sold.map(({ net }) => net)), code);
    const isKept = isEven && sumOf(lines.map(({ net }) => net)) === sumOf(sold.map(({ net }) => net));
    for (const { id, net, quantity } of sold) {
      const line = lines.find(({ ids }) => ids.length === 1 && ids[0] === id);
      if (!line || (line.reported ?? line.quantity) !== quantity)
        throw new Error(`${line?.quantity} of ${id}, sold ${quantity}`);
      if (Math.abs(line.net - net) > (isKept ? 0 : mostApart(code, 1)))
        throw new Error(`${line.net} for ${id}, sold for ${net}`);
    }
  }
}

test('every order becomes what was charged under each code, and no foreign tax becomes IVA', {
  timeout: 14_400_000,
}, () => {
  const seen: Record<string, number> = {};
  const count = (what: string) => {
    seen[what] = (seen[what] ?? 0) + 1;
  };
  fc.assert(
    fc.property(sales(), (sale) => {
      const { action, code, reason, body } = planned(sale);
      if (totalOf(sale) === 0) return count('free');
      if (sale.abroad) {
        count(`abroad: ${code}`);
        if (action !== 'hold') throw new Error(`${action} for ${JSON.stringify(sale.abroad)}: ${reason}`);
        return;
      }
      if (action !== 'emit' || body === null || !('pagos' in body))
        throw new Error(`${action} ${code}: ${reason}`);
      count('emitted');
      judge(sale, body);
      expect(sumOf(body.pagos.map(({ total }) => inCents(total)))).toBe(totalOf(sale));
    }),
    { numRuns: runs },
  );
  if (whole) console.info(seen);
  expect(seen.emitted).toBeGreaterThan(runs / 2);
});
