import { afterEach, expect, it, onTestFinished } from 'vitest';
import { deleteMetafields } from '../../adapters/shopify/queries.ts';
import { metafieldNamespace } from '../../adapters/shopify/sale.ts';
import { shopifyOrderIds } from '../../sandbox/shops/shopify-orders.ts';
import type { Order } from '../../src/domain/order.ts';
import { writeAgain } from '../../src/jobs/apply-plan.ts';
import { plannedDocuments } from '../../src/jobs/prepare.ts';
import { eventually } from '../support/eventually.ts';
import { type JobBench, openJobBench } from '../support/job-bench.ts';
import { openShopifyProduct } from '../support/shopify-product.ts';

/** A shop that was put back to a backup, or a plugin, took our key off an order: its next reading writes it again. */
const hour = 3_600_000;
let bench: JobBench;
afterEach(() => bench?.close());

const invoice = async () => {
  await bench.sell();
  await bench.webhook();
};
const meta = () =>
  bench.shop.order('1201')?.meta_data.find((one) => one.key === '_facturapuente_clave_acceso')?.value;
/** Answers how often the order was written onto. */
const read = async () => {
  bench.advance(60_000);
  const ran = await bench.read();
  // An order with an older time than before is read twice.
  bench.advance(15_000);
  ran.push(...(await bench.run()));
  return ran.filter((kind) => kind === 'write-back').length;
};
const drop = () => {
  const order = bench.shop.order('1201');
  const others = order?.meta_data.filter((one) => !one.key.startsWith('_facturapuente_'));
  bench.shop.put({ ...order, meta_data: others });
};

it('a key that a restored WooCommerce lost stands on its order again, and the timeline says so', async () => {
  bench = await openJobBench();
  const restore = bench.shop.backup();
  await invoice();
  expect(meta()).toBe(bench.key());
  expect(await read()).toBe(0);
  restore();
  expect(meta()).toBeUndefined();
  expect(await read()).toBe(1);
  expect(meta()).toBe(bench.key());
  const history = await bench.ledger.documents.history((await bench.document()).id);
  expect(history.filter(({ note }) => (note as { cause?: string })?.cause === 'written again')).toHaveLength(
    1,
  );
  expect(await read()).toBe(0);
  expect(bench.sandbox.documents()).toHaveLength(1);
});

it('a shop that drops it again and again is written to once a day, whatever it makes us read', async () => {
  bench = await openJobBench();
  await invoice();
  const writes: number[] = [];
  for (let n = 0; n < 5; n += 1) {
    drop();
    writes.push(await read());
  }
  expect(writes).toEqual([1, 0, 0, 0, 0]);
  bench.advance(24 * hour);
  writes.length = 0;
  for (let n = 0; n < 3; n += 1) {
    drop();
    writes.push(await read());
  }
  expect(writes).toEqual([1, 0, 0]);
});

it('a reading that began before the key was written, and ended after it, writes nothing', async () => {
  bench = await openJobBench();
  await invoice();
  const { ledger, clock } = bench;
  const document = await bench.document();
  const snapshot = (await ledger.orders.get(document))?.snapshot as Order;
  const seen = {
    order: { ...snapshot, accessKeys: [] },
    documents: await plannedDocuments(ledger, document),
  };
  const before = new Date(Date.parse(document.updatedAt) - 1_000);
  await writeAgain(ledger, { ...seen, readAt: before }, clock.now());
  expect(await bench.run()).toEqual([]);
  bench.advance(1_000);
  await writeAgain(ledger, { ...seen, readAt: clock.now() }, clock.now());
  expect(await bench.run()).toEqual(['write-back']);
});

it('a metafield that was deleted is written onto its Shopify order again', async () => {
  const { product, shopify, notify: report, close } = await openShopifyProduct();
  onTestFinished(close);
  await product.start();
  const [order = ''] = shopifyOrderIds;
  await report('orders/paid', order);
  const written = () => shopify.metafields(order).clave_acceso;
  const first = await eventually(written, 'the key on the order', 20_000);
  const deleted = await fetch(`${shopify.url}/admin/api/2026-10/graphql.json`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-shopify-access-token': 'ficha' },
    body: JSON.stringify({
      query: deleteMetafields,
      variables: {
        metafields: [
          { ownerId: `gid://shopify/Order/${order}`, namespace: metafieldNamespace, key: 'clave_acceso' },
        ],
      },
    }),
  });
  expect(await deleted.json()).toMatchObject({ data: { metafieldsDelete: { userErrors: [] } } });
  expect(written()).toBeUndefined();
  await report('orders/updated', order);
  expect(await eventually(written, 'the key on the order again', 20_000)).toBe(first);
}, 60_000);
