import { describe, expect, onTestFinished, test } from 'vitest';
import { receive } from '../../adapters/woocommerce/receive.ts';
import { openWooCommerceShop } from '../../src/testing/woocommerce-shop.ts';
import { recordedCalls, recordedConnection, recordedWebhooks } from '../adapters/woocommerce/recordings.ts';
import { keys } from '../adapters/woocommerce/shop.ts';
import { hasShared } from '../support/shared.ts';
import { openReceiver } from './receiver.ts';
import { call } from './woocommerce-call.ts';

const secret = 'whsec_tienda_quito_2026';
const order = { id: 5, status: 'processing', total: '1.00', meta_data: [], refunds: [] };

/** A shop with one webhook for each topic, and who hears them. */
async function open(topics: readonly string[], answers: (turn: number) => number = () => 200) {
  let now = new Date('2026-11-20T10:06:26Z');
  const shop = await openWooCommerceShop({ orders: [order], ...keys, clock: { now: () => now } });
  onTestFinished(() => shop.close());
  const receiver = await openReceiver(answers);
  const make = (topic: string, more: object = {}) =>
    call(shop, 'POST', 'webhooks', { name: 'w', topic, delivery_url: receiver.url, secret, ...more });
  for (const topic of topics) await make(topic);
  const heard = () => receiver.heard.map(({ headers }) => headers['x-wc-webhook-topic'] ?? 'ping');
  const set = (time: string) => {
    now = new Date(time);
  };
  return { shop, receiver, make, heard, set };
}

describe.skipIf(!hasShared)('beside the recordings', () => {
  test('making and listing webhooks is answered as recorded', async () => {
    const { shop } = await open([]);
    const calls = recordedCalls().filter(({ file }) => /^00(0\d|1[0-4])-webhook/.test(file));
    expect(calls).toHaveLength(14);
    const here = (json: unknown) =>
      JSON.parse(JSON.stringify(json).replaceAll('http://127.0.0.1:8081', shop.url));
    for (const { file, request, status, json } of calls) {
      if (request.method === 'get') continue;
      const answer = await call(shop, 'POST', request.path, request.body);
      expect([file, answer.status, answer.json]).toEqual([file, status, here(json)]);
    }
    // The recorded shop pinged a receiver that is not here, and had other webhooks deleted meanwhile.
    await call(shop, 'DELETE', 'webhooks/12?force=true');
    const recorded = here(calls.find(({ request }) => request.method === 'get')?.json) as { id: number }[];
    const listed = (await call(shop, 'GET', 'webhooks?per_page=50')).json as { id: number }[];
    const comparable = (rows: { id: number }[]) =>
      rows
        .map((row) => ({ ...row, date_modified: null, date_modified_gmt: null }))
        .toSorted((a, b) => a.id - b.id);
    expect(comparable(listed)).toEqual(comparable(recorded));
  });

  test('a special secret signs as the shop signed with it', async () => {
    const { shop, receiver, make } = await open([]);
    await make('order.updated', { secret: 'a&b<c>"d\'e ñ &amp; 100%' });
    shop.happened('order.updated', 5);
    await shop.visit();
    const connection = { ...recordedConnection, webhookSecrets: ['a&b<c>"d\'e ñ & 100%'] };
    expect(await receive(receiver.heard[1] ?? never(), connection)).toMatchObject({ kind: 'hint' });
  });

  const everyTopic = [...new Set(recordedWebhooks().map(({ topic }) => topic))].filter(
    (one) => one !== 'ping',
  );

  /** What a scenario did to its order after it was made, by the calls recorded of it, and when the queue ran. */
  test.each([
    ['s02', 's02-put-set_paid', 's02-mark-paid'],
    ['s02', 's02-put-completed', 's02-completed'],
    ['s18', 's18-writeback-meta', 's18-writeback'],
    ['s18', 's18-writeback-same', 's18-writeback-same'],
    ['s18', 's18-note-customer', null],
    ['r01', 'r01-refund-1of3', 'r01-refund-1of3'],
    ['r02', 'r02-refund-all-lines', 'r02-refund-all-lines'],
    ['r03', 'r03-refund-amount-rest', 'r03-refund-amount-rest'],
    ['r07', 'r07-put-status-refunded', 'r07-put-status-refunded'],
    ['d01', 'd01-trash', 'd01-trash-it'],
    ['d01', 'd01-force-delete', null],
  ])('%s: %s wakes the webhooks that it woke', async (_name, calledAs, scenario) => {
    const { shop, heard } = await open(everyTopic);
    const calls = recordedCalls();
    const at = calls.findIndex(({ file }) => file.endsWith(`-${calledAs}.json`));
    const made = calls[at] ?? never();
    shop.put(stateBefore(made.request.path));
    const before = heard().length;
    const query = made.request.params?.force ? '?force=true' : '';
    await call(shop, made.request.method.toUpperCase(), `${made.request.path}${query}`, made.request.body);
    await shop.visit();
    const woken = recordedWebhooks()
      .filter((one) => one.scenario === scenario)
      .map(({ topic }) => topic);
    expect(heard().slice(before).toSorted()).toEqual(woken.toSorted());
  });

  /** The order as its scenario made it, with the money still there for what follows. */
  function stateBefore(path: string): unknown {
    const id = Number(/^orders\/(\d+)/.exec(path)?.[1]);
    const of = recordedCalls().find(
      ({ request, json }) => request.path === 'orders' && (json as { id?: number }).id === id,
    );
    const state = of?.json as { status: string; total: string };
    return path.endsWith('refunds') && id === 53 ? { ...state, total: '28.75' } : state;
  }
});

test('the queue waits for a visit, keeps one of a kind, and sends the state at delivery', async () => {
  const { shop, receiver, heard } = await open(['order.created', 'order.updated']);
  expect(heard()).toEqual(['ping', 'ping']);
  shop.happened('order.created', 5);
  for (let turn = 0; turn < 5; turn += 1) await call(shop, 'PUT', 'orders/5', {});
  shop.change(5, { status: 'completed' });
  expect(receiver.heard).toHaveLength(2);
  await shop.visit();
  expect(heard().slice(2)).toEqual(['order.created', 'order.updated']);
  expect(receiver.heard.slice(2).map(({ body }) => JSON.parse(body.toString()).status)).toEqual([
    'completed',
    'completed',
  ]);
  expect(await shop.visit()).toEqual([]);
});

test('all deliveries of one webhook in one second share their id, of another second they do not', async () => {
  const { shop, receiver, set } = await open(['order.updated']);
  const ids = () => receiver.heard.slice(1).map(({ headers }) => headers['x-wc-webhook-delivery-id']);
  for (const id of [5, 6, 7]) shop.happened('order.updated', id);
  await shop.visit();
  expect(new Set(ids()).size).toBe(1);
  set('2026-11-20T10:06:27Z');
  shop.happened('order.updated', 5);
  await shop.visit();
  expect(new Set(ids()).size).toBe(2);
});

test('one attempt only; the 7th failure in a row disables, and switching on does not forget', async () => {
  const { shop, heard, make } = await open([], (turn) => (turn === 0 ? 200 : 500));
  await make('order.updated');
  const status = () => shop.webhooks()[0]?.status;
  const fail = async () => {
    shop.happened('order.updated', 5);
    await shop.visit();
    await shop.visit();
  };
  for (let turn = 1; turn <= 6; turn += 1) await fail();
  expect([status(), heard().length]).toEqual(['active', 7]);
  await fail();
  expect([status(), heard().length]).toEqual(['disabled', 8]);
  await fail();
  expect(heard()).toHaveLength(8);
  await call(shop, 'PUT', 'webhooks/1', { status: 'active' });
  await fail();
  expect([status(), heard().length]).toEqual(['disabled', 9]);
});

test.each([
  [301, 'active'],
  [202, 'active'],
  [303, 'disabled'],
  [401, 'disabled'],
])('after seven answers of %i the webhook is %s', async (answer, status) => {
  const { shop, make } = await open([], (turn) => (turn === 0 ? 200 : answer));
  await make('order.updated');
  for (let turn = 0; turn < 7; turn += 1) {
    shop.happened('order.updated', 5);
    await shop.visit();
  }
  expect(shop.webhooks()[0]?.status).toBe(status);
});

test('one success begins the count anew', async () => {
  const { shop, make } = await open([], (turn) => (turn === 0 || turn === 7 ? 200 : 500));
  await make('order.updated');
  for (let turn = 1; turn <= 13; turn += 1) {
    shop.happened('order.updated', 5);
    await shop.visit();
  }
  expect(shop.webhooks()[0]?.status).toBe('active');
});

test.each([401, 202, 204])(
  'a ping answered %i follows every delivery, until one is answered 200',
  async (bad) => {
    const { shop, heard } = await open(['order.updated'], (turn) =>
      turn < 4 ? (turn % 2 ? 200 : bad) : 200,
    );
    for (const id of [5, 6, 7]) {
      shop.happened('order.updated', id);
      await shop.visit();
    }
    expect(heard()).toEqual(['ping', 'order.updated', 'ping', 'order.updated', 'ping', 'order.updated']);
  },
);

test('a new address is pinged, and a deleted webhook is silent', async () => {
  const { shop, heard } = await open(['order.updated']);
  const other = await openReceiver(() => 200);
  await call(shop, 'PUT', 'webhooks/1', { delivery_url: other.url });
  expect([heard(), other.heard.length]).toEqual([['ping'], 1]);
  expect((await call(shop, 'DELETE', 'webhooks/1')).status).toBe(501);
  expect((await call(shop, 'DELETE', 'webhooks/1?force=true')).status).toBe(200);
  expect((await call(shop, 'GET', 'webhooks/1')).status).toBe(404);
  shop.happened('order.updated', 5);
  expect(await shop.visit()).toEqual([]);
});

test('trash, restoring and deleting wake what they woke', async () => {
  const topics = ['order.created', 'order.updated', 'order.deleted', 'order.restored'];
  const { shop, receiver, heard } = await open(topics);
  shop.trash(5);
  await shop.visit();
  shop.restore(5);
  await shop.visit();
  await call(shop, 'DELETE', 'orders/5?force=true');
  await shop.visit();
  expect(heard().slice(4)).toEqual(['order.deleted', 'order.restored']);
  expect(receiver.heard[4]?.body.toString()).toBe('{"id":5}');
});

function never(): never {
  throw new Error('The recordings lack what the test looks for.');
}
