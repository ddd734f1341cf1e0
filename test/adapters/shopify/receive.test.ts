import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { shopify } from '../../../adapters/shopify/index.ts';
import { App } from '../../../adapters/shopify/settings.ts';
import { hasShared } from '../../support/shared.ts';
import { readPayload } from './payloads.ts';

const app = App.parse({ clientId: 'client', clientSecrets: ['new-secret', 'old-secret'] });

function delivery(body: unknown, changes: Record<string, string | undefined> = {}, secret = 'new-secret') {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  return {
    body: bytes,
    headers: {
      'x-shopify-hmac-sha256': createHmac('sha256', secret).update(bytes).digest('base64'),
      'x-shopify-topic': 'orders/paid',
      'x-shopify-shop-domain': 'Demo-EC.myshopify.com',
      'x-shopify-api-version': '2026-10',
      'x-shopify-webhook-id': 'delivery-1',
      'x-shopify-event-id': 'event-1',
      ...changes,
    } as Record<string, string | undefined>,
  };
}

const receive = (...given: Parameters<typeof delivery>) =>
  shopify.receive(delivery(...given), { app, connection: null });
// As JSON.parse reads 820982911946154508.
const order = { id: 820982911946154500, admin_graphql_api_id: 'gid://shopify/Order/820982911946154508' };

describe('a genuine delivery', () => {
  test('of a paid order is a hint with the exact id, deduplicated by the Webhook-Id', async () => {
    expect(await receive(order)).toEqual({
      kind: 'hint',
      topic: 'orders/paid',
      shop: 'demo-ec.myshopify.com',
      orderId: '820982911946154508',
      dedupeKey: 'delivery-1',
    });
  });

  test('signed with the secret before the rotation is believed', async () => {
    expect(await receive(order, {}, 'old-secret')).toMatchObject({ kind: 'hint' });
  });

  test.each(['orders/paid', 'orders/updated', 'orders/cancelled'])('%s names its order', async (topic) => {
    expect(await receive({ id: 7, line_items: [] }, { 'x-shopify-topic': topic })).toMatchObject({
      topic,
      orderId: '7',
    });
  });

  test('of an edit or a refund names the order it belongs to, beyond 2^53 without rounding', async () => {
    const edit = '{"order_edit":{"id":1,"order_id":820982911946154509}}';
    const refund = '{"id":890088186047892319,"order_id":820982911946154507,"refund_line_items":[]}';
    expect(await receive(edit, { 'x-shopify-topic': 'orders/edited' })).toMatchObject({
      orderId: '820982911946154509',
    });
    expect(await receive(refund, { 'x-shopify-topic': 'refunds/create' })).toMatchObject({
      orderId: '820982911946154507',
    });
  });

  test.skipIf(!hasShared)('of a cancellation and of its refund are two hints at one order', async () => {
    const { payload } = readPayload('real/membi_2025_orders_cancelled.json');
    const { refunds } = payload as { refunds: object[] };
    const hints = [
      await receive(payload, { 'x-shopify-topic': 'orders/cancelled' }),
      await receive(refunds[0], {
        'x-shopify-topic': 'refunds/create',
        'x-shopify-webhook-id': 'delivery-2',
      }),
    ];
    expect(hints).toMatchObject([
      { kind: 'hint', orderId: '6198821716268', dedupeKey: 'delivery-1' },
      { kind: 'hint', orderId: '6198821716268', dedupeKey: 'delivery-2' },
    ]);
  });

  test('of the shop itself is an event, whose body nobody reads at the endpoint', async () => {
    expect(await receive('anything', { 'x-shopify-topic': 'customers/data_request' })).toEqual({
      kind: 'event',
      topic: 'customers/data_request',
      shop: expect.stringMatching(/\.myshopify\.com$/),
      dedupeKey: 'delivery-1',
    });
  });

  test('of another topic, or without an order inside, is ignored with its reason', async () => {
    expect(await receive({ id: 1 }, { 'x-shopify-topic': 'products/update' })).toMatchObject({
      kind: 'ignored',
    });
    expect(await receive({ id: 'abc' })).toMatchObject({ kind: 'ignored', reason: expect.any(String) });
    expect(await receive('not json')).toMatchObject({ kind: 'ignored' });
  });
});

describe('refused with 401', () => {
  test.each([
    ['no signature', { 'x-shopify-hmac-sha256': undefined }],
    ['an empty signature', { 'x-shopify-hmac-sha256': '' }],
    ['a signature of another length', { 'x-shopify-hmac-sha256': 'AAAA' }],
  ])('%s', async (_name, headers) => {
    expect(await receive(order, headers)).toMatchObject({ kind: 'refused', status: 401 });
  });

  test('a signature with an unknown secret', async () => {
    expect(await receive(order, {}, 'guessed')).toMatchObject({ kind: 'refused', status: 401 });
  });

  test('one flipped byte of the body', async () => {
    const flipped = delivery(order);
    flipped.body[3] = (flipped.body[3] ?? 0) ^ 1;
    expect(await shopify.receive(flipped, { app, connection: null })).toMatchObject({
      kind: 'refused',
      status: 401,
    });
  });

  test('an endpoint without an app', async () => {
    expect(await shopify.receive(delivery(order), { app: null, connection: null })).toMatchObject({
      status: 401,
    });
  });
});

describe('refused with 400', () => {
  test.each([
    undefined,
    'tienda.com.ec',
    'demo',
    'https://demo.myshopify.com',
    'demo.myshopify.com.evil.test',
  ])('the shop domain %s', async (domain) => {
    expect(await receive(order, { 'x-shopify-shop-domain': domain })).toMatchObject({
      kind: 'refused',
      status: 400,
    });
  });

  test('no topic or no Webhook-Id', async () => {
    expect(await receive(order, { 'x-shopify-topic': undefined })).toMatchObject({ status: 400 });
    expect(await receive(order, { 'x-shopify-webhook-id': undefined })).toMatchObject({ status: 400 });
  });
});
