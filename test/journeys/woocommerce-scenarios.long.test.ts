import { describe, expect, it, onTestFinished } from 'vitest';
import { untilIdle } from '../support/idle.ts';
import { openProduct, type Product } from '../support/product.ts';
import { hasShared } from '../support/shared.ts';
import { anonymous, prepared, preparedStore } from '../support/woocommerce-expected.ts';
import { type Moment, recordedMoments } from '../support/woocommerce-moments.ts';
import {
  identified,
  installWebhooks,
  outcomes,
  replay,
  set,
  shopSecret,
} from '../support/woocommerce-scenarios.ts';

const shops = [
  { shop: 'as recorded', expected: anonymous, connected: {}, policy: {}, ofBuyer: () => ({}) },
  {
    shop: 'in a shop that is prepared',
    expected: prepared,
    ...preparedStore,
    ofBuyer: identified,
  },
];

describe.skipIf(!hasShared)('every recorded scenario, moment by moment through the endpoint', () => {
  const moments: Moment[] = hasShared ? recordedMoments() : [];
  const ids = [...new Set(moments.flatMap(({ orderId }) => orderId ?? []))];

  it.each(shops)(
    '$shop has the right documents, one note for the customer each, and no echo',
    { timeout: 300_000 },
    async ({ expected, connected, policy, ofBuyer }) => {
      const product = await open({ webhookSecrets: [shopSecret], ...connected }, policy);
      const { shop } = product;
      for (const moment of moments) {
        await play(product, moment, ofBuyer);
        await heardOurselves(product);
      }
      const found = await outcomes(product, ids);
      const seen = Object.fromEntries(
        ids.map((id) => {
          const { documents = [], customerNotes, privateNotes } = found[id] ?? {};
          return [id, [documents, customerNotes, privateNotes]];
        }),
      );
      expect(seen).toEqual(expected);
      for (const secret of ['ck_prueba', 'cs_prueba', shopSecret, 'carlos@example.ec', 'Andrade'])
        expect(product.log().includes(secret)).toBe(false);
      // The status of an order is the merchant's: none was ever sent.
      const sent = shop.requests
        .filter(({ method }) => method === 'PUT')
        .map(({ body }) => Object.keys(body ?? {}));
      expect(new Set(sent.flat())).toEqual(new Set(['meta_data']));
      expect(shop.webhooks().every(({ status }) => status === 'active')).toBe(true);
    },
  );
});

/** Lets the shop have what it had at a moment, and send what it sent. */
async function play(
  product: Product,
  moment: Moment,
  ofBuyer: (order: Moment['order']) => object,
): Promise<void> {
  set(product, moment, ofBuyer(moment.order));
  const answers = await replay(product, moment.deliveries);
  expect([moment.scenario, answers.filter((status) => status !== 200)]).toEqual([moment.scenario, []]);
  await untilIdle(product);
}

async function open(connected: object, policy: object): Promise<Product> {
  const product = await openProduct({
    engine: 'sqlite',
    orders: [],
    connected: { ...connected },
    policy: { ...policy },
  });
  onTestFinished(() => product.close());
  await product.start();
  await installWebhooks(product);
  return product;
}

/** The shop tells of what we wrote ourselves: nothing more comes of it, and it has nothing more to tell. */
async function heardOurselves(product: Product): Promise<void> {
  const writes = () => product.shop.requests.filter(({ method }) => method !== 'GET').length;
  const before = [writes(), product.sandbox.documents().length];
  const sent = await product.shop.visit();
  expect(sent.filter(({ status }) => status !== 200)).toEqual([]);
  await untilIdle(product);
  expect([writes(), product.sandbox.documents().length]).toEqual(before);
  expect(await product.shop.visit()).toEqual([]);
}
