import { expect, test } from 'vitest';
import { call, openHooks, openReceiver } from './support.ts';

test('the queue waits for a visit, keeps one of a kind, and sends the state at delivery', async () => {
  const { shop, receiver, received } = await openHooks(['order.created', 'order.updated']);
  expect(received()).toEqual(['ping', 'ping']);
  shop.happened('order.created', 5);
  for (let turn = 0; turn < 5; turn += 1) await call(shop, 'PUT', 'orders/5', {});
  shop.change(5, { status: 'completed' });
  expect(receiver.received).toHaveLength(2);
  await shop.visit();
  expect(received().slice(2)).toEqual(['order.created', 'order.updated']);
  expect(receiver.received.slice(2).map(({ body }) => JSON.parse(body.toString()).status)).toEqual([
    'completed',
    'completed',
  ]);
  expect(await shop.visit()).toEqual([]);
});

test('all deliveries of one webhook in one second share their id, of another second they do not', async () => {
  const { shop, receiver, set } = await openHooks(['order.updated']);
  const ids = () => receiver.received.slice(1).map(({ headers }) => headers['x-wc-webhook-delivery-id']);
  for (const id of [5, 6, 7]) shop.happened('order.updated', id);
  await shop.visit();
  expect(new Set(ids()).size).toBe(1);
  set('2026-11-20T10:06:27');
  shop.happened('order.updated', 5);
  await shop.visit();
  expect(new Set(ids()).size).toBe(2);
});

test('one attempt only; the 7th failure in a row disables, and switching on does not forget', async () => {
  const { shop, received, make } = await openHooks([], (turn) => (turn === 0 ? 200 : 500));
  await make('order.updated');
  const status = () => shop.webhooks()[0]?.status;
  const fail = async () => {
    shop.happened('order.updated', 5);
    await shop.visit();
    await shop.visit();
  };
  for (let turn = 1; turn <= 6; turn += 1) await fail();
  expect([status(), received().length]).toEqual(['active', 7]);
  await fail();
  expect([status(), received().length]).toEqual(['disabled', 8]);
  await fail();
  expect(received()).toHaveLength(8);
  await call(shop, 'PUT', 'webhooks/1', { status: 'active' });
  await fail();
  expect([status(), received().length]).toEqual(['disabled', 9]);
});

test.each([
  [301, 'active'],
  [303, 'disabled'],
])('after seven answers of %i the webhook is %s', async (answer, status) => {
  const { shop, make } = await openHooks([], (turn) => (turn === 0 ? 200 : answer));
  await make('order.updated');
  for (let turn = 0; turn < 7; turn += 1) {
    shop.happened('order.updated', 5);
    await shop.visit();
  }
  expect(shop.webhooks()[0]?.status).toBe(status);
});

test('one success begins the count anew', async () => {
  const { shop, make } = await openHooks([], (turn) => (turn === 0 || turn === 7 ? 200 : 500));
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
    const { shop, received } = await openHooks(['order.updated'], (turn) =>
      turn < 4 ? (turn % 2 ? 200 : bad) : 200,
    );
    for (const id of [5, 6, 7]) {
      shop.happened('order.updated', id);
      await shop.visit();
    }
    expect(received()).toEqual(['ping', 'order.updated', 'ping', 'order.updated', 'ping', 'order.updated']);
  },
);

test('a new address is pinged, and a deleted webhook is silent', async () => {
  const { shop, received } = await openHooks(['order.updated']);
  const other = await openReceiver(() => 200);
  await call(shop, 'PUT', 'webhooks/1', { delivery_url: other.url });
  expect([received(), other.received.length]).toEqual([['ping'], 1]);
  expect((await call(shop, 'DELETE', 'webhooks/1')).status).toBe(501);
  expect((await call(shop, 'DELETE', 'webhooks/1?force=true')).status).toBe(200);
  expect((await call(shop, 'GET', 'webhooks/1')).status).toBe(404);
  shop.happened('order.updated', 5);
  expect(await shop.visit()).toEqual([]);
});

test('trash, restoring and deleting wake what they woke', async () => {
  const topics = ['order.created', 'order.updated', 'order.deleted', 'order.restored'];
  const { shop, receiver, received } = await openHooks(topics);
  shop.trash(5);
  await shop.visit();
  shop.restore(5);
  await shop.visit();
  await call(shop, 'DELETE', 'orders/5?force=true');
  await shop.visit();
  expect(received().slice(4)).toEqual(['order.deleted', 'order.restored']);
  expect(receiver.received[4]?.body.toString()).toBe('{"id":5}');
});
