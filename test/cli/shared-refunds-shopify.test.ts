import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hasShared, readShared, sharedPath } from '../support/shared.ts';
import { emit, invoiced, later, netted, type Outcome, outcomes, unnamed } from './outcomes.ts';

const root = 'data/shopify/payloads';
interface Body {
  id?: number;
  order_id?: number;
  line_items?: unknown[];
  refunds?: Body[];
  refund?: Body;
  orders?: Body[];
  order?: Body;
  payload?: Body;
}
const load = (path: string): unknown => {
  const content = JSON.parse(readShared(`${root}/${path}.json`));
  return content.payload ?? content;
};
const text = (body: unknown): string => JSON.stringify(body);
const plan = (order: unknown, refunds?: unknown): Promise<Outcome[]> =>
  outcomes('shopify', text(order), refunds === undefined ? undefined : text(refunds));

const excl = '01_excl_iva15_multiqty_code-across_shipping-taxed';
const incl = '02_incl_iva15_multiqty_code-across_shipping-taxed';
const synthetic: Record<string, [order: string, outcome: Outcome[]]> = {
  // Prices contain the tax: the subtotal of 17.99 is 15.64 + 2.35.
  'r01_partial-1-of-3_taxes-included': [
    incl,
    [invoiced('69.72'), emit('7100000000017', '17.99', '4 15.64 2.35')],
  ],
  // Shipping of 4.50 + 0.68, listed twice and refunded once.
  'r03_shipping-only': [excl, [invoiced('80.19'), emit('7100000000019', '5.18', '4 4.5 0.68')]],
  // Back in stock, and no money back.
  'r05_restock-without-money': [incl, [invoiced('69.72'), ['7100000000021', 'nothing', 'no-money', '0.00']]],
  // 11.25 are on their way.
  'r07_pending-transaction': [incl, [invoiced('69.72'), ['7100000000023', 'wait', 'refund-pending', '0.00']]],
};

/** By its `financial_status` and refunds: the one order of Shopify's documentation, bearing a state tax of 6 %. */
const documented: Record<string, Outcome[]> = {
  'partially_refunded 509562969': [unnamed('598.94'), later('509562969', '209.00')],
  'authorized 509562969': [['factura', 'wait', 'unpaid', '598.94'], netted('509562969', '209.00')],
  'refunded 929361464': [unnamed('598.94'), later('929361464', '110.00')],
  'refunded 929361465': [unnamed('598.94'), later('929361465', '10.00')],
};
const documentedOrders = (): (Body & { financial_status: string })[] =>
  (load('shopify-docs/shopify-docs_orders_2026-07.all') as Body[])
    .flatMap((one) => one.orders ?? [one.order ?? one])
    .filter((one) => one.line_items && one.refunds && one.refunds.length > 0) as never;

describe.skipIf(!hasShared)('every shared Shopify refund', () => {
  it('of synthetic-ec is expected here', () => {
    const names = readdirSync(sharedPath(`${root}/synthetic-ec`)).filter((name) => /^r\d/.test(name));
    expect(Object.keys(synthetic)).toEqual(names.map((name) => name.replace('.json', '')).sort());
  });

  it.each(Object.entries(synthetic))('%s', async (refund, [order, expected]) => {
    expect(await plan(load(`synthetic-ec/${order}`), load(`synthetic-ec/${refund}`))).toEqual(expected);
  });

  it('of one order comes in a list as well', async () => {
    const names = [
      'r07_pending-transaction',
      'r05_restock-without-money',
      'r01_partial-1-of-3_taxes-included',
    ];
    const list = names.map((name) => load(`synthetic-ec/${name}`));
    const [, ...credits] = await plan(load(`synthetic-ec/${incl}`), list);
    expect(credits).toEqual(names.reverse().map((name) => synthetic[name]?.[1][1]));
  });

  it('inside a cancelled order of another currency waits for the factura that cannot be', async () => {
    expect(await plan(load('real/membi_2025_orders_cancelled'))).toEqual([
      ['factura', 'hold', 'currency', '99.00'],
      later('982959849772', '99.00'),
    ]);
  });

  it('inside the orders of Shopify’s documentation follows a factura that names nobody', async () => {
    const seen = new Set<string>();
    for (const order of documentedOrders()) {
      const ids = order.refunds?.map(({ id }) => id) ?? [];
      const name = `${order.financial_status} ${ids.join(' ')}`;
      expect([name, await plan(order)]).toEqual([name, documented[name]]);
      seen.add(name);
    }
    expect([...seen].sort()).toEqual(Object.keys(documented).sort());
  });

  it('of Shopify’s documentation is read beside its order; a suggested one has no id and is none', async () => {
    const order = documentedOrders().find(
      ({ financial_status }) => financial_status === 'partially_refunded',
    );
    const bodies = load('shopify-docs/shopify-docs_refunds_2026-07.all') as Body[];
    const money = new Map<string, string>();
    let suggested = 0;
    for (const body of bodies) {
      if (body.refund && body.refund.id === undefined) {
        suggested += 1;
        await expect(plan(order, body)).rejects.toMatchObject({ code: 'not-an-order' });
        continue;
      }
      const [factura, ...credits] = await plan(order, body);
      expect(factura).toEqual(unnamed('598.94'));
      for (const [id, action, code, amount] of credits) {
        expect([action, code]).toEqual(['wait', 'factura-unsettled']);
        money.set(id, amount);
      }
    }
    expect(suggested).toBeGreaterThan(0);
    expect(Object.fromEntries(money)).toEqual({
      '509562969': '209.00',
      '929361471': '5.00',
      '929361472': '41.94',
    });
  });

  it('of an order that is not here is refused beside another one', async () => {
    const captured = load('real/refunds_create_2026-07_shipping_storecredit_gateway_damage') as object;
    expect(Object.keys(captured)).toHaveLength(4);
    for (const refund of Object.values(captured))
      await expect(plan(load(`synthetic-ec/${incl}`), refund)).rejects.toMatchObject({
        code: 'refund-of-another-order',
      });
  });

  it('of the 2025-01 sample gave back 75.00 and 10.00 of an order that was voided, so it has no factura', async () => {
    const sample = (topic: string) => load(`shopify-docs/shopify-docs-sample_2025-01_${topic}`);
    expect(await plan(sample('orders_paid'), sample('refunds_create'))).toEqual([
      ['factura', 'nothing', 'cancelled', '388.00'],
      ['890088186047892319', 'nothing', 'not-invoiced', '85.00'],
    ]);
  });
});
