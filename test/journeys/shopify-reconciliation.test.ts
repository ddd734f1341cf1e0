import { describe, expect, it, onTestFinished } from 'vitest';
import { readTestClock } from '../../sandbox/emulator/index.ts';
import { shopifyOrderIds, shopifyOrders } from '../../sandbox/shops/shopify-orders.ts';
import { eventually } from '../support/eventually.ts';
import { fastClock } from '../support/fast-clock.ts';
import { openShopifyProduct, type ShopifyProduct } from '../support/shopify-product.ts';

const [first = '', second = '', third = ''] = shopifyOrderIds;
const patience = 45_000;

/** Time runs sixty times faster, so that a reconciliation comes each second; the shop’s own clock does not. */
async function openReconciled(
  options: Parameters<typeof openShopifyProduct>[0] = {},
): Promise<ShopifyProduct & { now: () => Date }> {
  const clock = fastClock(60);
  const bench = await openShopifyProduct({
    sandbox: { now: readTestClock(clock) },
    config: { testClock: clock, reconciliation: { everyMinutes: 1 } },
    ...options,
  });
  onTestFinished(() => bench.close());
  return { ...bench, now: readTestClock(clock).now };
}

const paidAt = (order: unknown, instant: Date): Record<string, unknown> => {
  const at = instant.toISOString();
  const paid = (one: Record<string, unknown>) => ({ ...one, processed_at: at });
  const { transactions, ...rest } = order as Record<string, unknown> & { transactions: object[] };
  const times = { created_at: at, processed_at: at, updated_at: at };
  return { ...rest, ...times, transactions: transactions.map((one) => paid({ ...one })) };
};

describe('a Shopify shop whose webhooks are lost', { timeout: 120_000 }, () => {
  it('has every paid order invoiced and every refund credited by the reconciliation alone, once', async () => {
    const bench = await openReconciled();
    const { shopify, product } = bench;
    await product.start();
    const fields = (id: string) => shopify.metafields(id);
    for (const id of [first, second, third])
      await eventually(() => fields(id).pdf, `the factura of order ${id}`, patience);
    shopify.refund(second, { transactions: [{ amount: '10.00' }] });
    // A listed order with more refunds than a list names is read again all the same.
    for (let turn = 0; turn < 6; turn += 1) shopify.refund(first, { transactions: [{ amount: '1.00' }] });
    const credits = (id: string) => JSON.parse(fields(id).notas_credito ?? '[]') as Record<string, string>[];
    await eventually(() => credits(second)[0]?.pdf, 'the nota de crédito', patience);
    await eventually(() => credits(first).filter(({ pdf }) => pdf).length === 6, 'all six of them', patience);
    const listings = () => shopify.requests.filter(({ operation }) => operation === 'FacturapuenteChanged');
    const readings = () => shopify.requests.filter(({ operation }) => operation === 'FacturapuenteOrder');
    const moreReconciliations = async (count: number) => {
      const before = listings().length;
      await eventually(() => listings().length > before + count, `${count} more reconciliations`, patience);
    };
    await moreReconciliations(2);
    // What we wrote ourselves moved the orders once more; then nothing is read again.
    const read = readings().length;
    await moreReconciliations(2);
    expect(readings()).toHaveLength(read);
    // Each looks back behind the newest change it knows, because the shop’s index lags.
    const since = Date.parse(/'(.+)'/.exec(String(listings().at(-1)?.variables.query))?.[1] ?? '');
    const newest = Math.max(
      ...shopifyOrderIds.map((id) =>
        Date.parse(String((shopify.order(id) as { updated_at: string }).updated_at)),
      ),
    );
    expect(newest - since).toBeGreaterThanOrEqual(10 * 60_000);
    const issued = product.sandbox.documents().map(({ tipo, numero }) => `${tipo} ${numero}`);
    expect(new Set(issued).size).toBe(issued.length);
    expect(issued.filter((one) => one.startsWith('04'))).toHaveLength(7);
  });

  it('never has its history invoiced by itself: what was paid before the first start stays as it is', async () => {
    const orders = shopifyOrders(new Date()).map((order) => paidAt(order, new Date(Date.now() - 7_200_000)));
    const bench = await openReconciled({ orders, store: {} });
    const { shopify, product } = bench;
    await product.start();
    // An old order is told of, changes, and is given back; all of it after the start.
    await bench.notify('orders/paid', first);
    const at = bench.now().toISOString();
    shopify.refund(second, { created_at: at, processed_at: at, transactions: [{ amount: '10.00' }] });
    await bench.notify('refunds/create', second);
    await bench.notify('orders/edited', third);
    const id = 7_100_000_009_002;
    const gid = `gid://shopify/Order/${id}`;
    shopify.put({ ...paidAt(orders[2], bench.now()), id, name: '#9002', admin_graphql_api_id: gid });
    await eventually(() => shopify.metafields(id).pdf, 'the new order’s factura', patience);
    const facturas = product.sandbox.documents();
    expect(facturas).toHaveLength(1);
    for (const id of [first, third]) expect(shopify.metafields(id)).toEqual({});
    // The old order’s refund is for a person: its factura, if any, was made elsewhere.
    await eventually(() => shopify.metafields(second).motivo, 'the word about the old refund', patience);
    expect(shopify.metafields(second).estado).toBeUndefined();
  });
});
