import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plan } from '../../src/planning/plan.ts';
import { noon } from '../support/orders.ts';
import { said, taxedCodes } from './judge.ts';
import { shopifyOrder, woocommerceOrder } from './payloads.ts';
import { byCode, type Sale, sales, totalOf } from './sales.ts';
import { platformOf, store } from './store.ts';

/** `npm test` draws 20,000 orders, `npm run test:long` a million. */
const runs = Number(process.env.FACTURAPUENTE_ORDERS ?? 20_000);

/** What an order’s JSON becomes: everything between the shop and the service. */
function planned(sale: Sale) {
  const { platform, connection } = platformOf(sale.platform);
  const payload = sale.platform === 'shopify' ? shopifyOrder(sale) : woocommerceOrder(sale);
  const order = platform.readOrder(payload, connection);
  const [action] = plan({ order, documents: [], store, invoiceFrom: new Date(0), now: noon });
  if (!action) throw new Error('nothing planned');
  return action;
}

/** The money of each code is what was charged under it; a cent moves between taxed codes alone. */
function judge(sale: Sale, body: Parameters<typeof said>[0]): void {
  const charged = byCode(sale.items);
  const codes = said(body);
  const taxed = taxedCodes(charged.keys());
  let moved = 0;
  for (const [code, gross] of charged) {
    const { base, tax, lines } = codes.get(code) ?? { base: 0, tax: 0, lines: [] };
    const off = base + tax - gross;
    moved += off;
    if (Math.abs(off) > (taxed.length > 1 && taxed.includes(code) ? 1 : 0))
      throw new Error(`${base + tax} under code ${code}, charged ${gross}`);
    if (taxed.includes(code)) continue;
    const nets = sale.items.filter((item) => item.code === code).map(({ net }) => net);
    expect(lines).toEqual(nets.sort((a, b) => a - b));
  }
  if (moved !== 0) throw new Error(`${moved} cents more than charged`);
  for (const code of codes.keys())
    if (!charged.has(code)) throw new Error(`nothing was sold under code ${code}`);
}

test('every order becomes what was charged under each code, and no foreign tax becomes IVA', {
  timeout: 7_200_000,
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
      if (action !== 'emit' || body === null) throw new Error(`${action} ${code}: ${reason}`);
      count('emitted');
      judge(sale, body);
      const paid =
        'pagos' in body ? body.pagos.reduce((all, { total }) => all + Math.round(total * 100), 0) : 0;
      expect(paid).toBe(totalOf(sale));
    }),
    { numRuns: runs },
  );
  if (process.env.FACTURAPUENTE_ORDERS) console.info(seen);
  expect(seen.emitted).toBeGreaterThan(runs / 2);
});
