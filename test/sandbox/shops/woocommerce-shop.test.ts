import { describe, expect, onTestFinished, test } from 'vitest';
import { receive } from '../../../adapters/woocommerce/receive.ts';
import { toWordPressJson } from '../../../sandbox/shops/woocommerce/wordpress-json.ts';
import { openWooCommerceShop } from '../../../sandbox/shops/woocommerce-shop.ts';
import {
  recordedConnection,
  recordedRest,
  recordedWebhook,
  recordedWebhooks,
} from '../../adapters/woocommerce/recordings.ts';
import { keys } from '../../adapters/woocommerce/shop.ts';
import { eventually } from '../../support/eventually.ts';
import { hasShared } from '../../support/shared.ts';
import { call, openReceiver, signedUrl } from './support.ts';

const secret = 'whsec_tienda_quito_2026';

async function open(orders: unknown[]) {
  const clock = { now: () => new Date('2026-11-20T10:07:23Z') };
  const shop = await openWooCommerceShop({ orders, ...keys, clock });
  onTestFinished(() => shop.close());
  return shop;
}

const small = { id: 5, status: 'processing', total: '1.00', meta_data: [], refunds: [] };

describe.skipIf(!hasShared)('beside the recordings', () => {
  test('our bytes are the bytes WooCommerce sends, whichever recording', () => {
    const bodies = recordedWebhooks().filter(({ topic }) => topic !== 'ping');
    expect(bodies).toHaveLength(169);
    for (const { text } of bodies) expect(toWordPressJson(JSON.parse(text))).toBe(text);
  });

  test('a delivery has the headers of the recorded one, and verifies', async () => {
    const recorded = recordedWebhook('0023');
    const shop = await open([JSON.parse(recorded.text)]);
    const { url, received } = await openReceiver();
    await shop.deliver(url, secret, { topic: 'order.created', orderId: '31' });
    expect(received[0]?.body.equals(recorded.delivery.body)).toBe(true);
    const names = (headers: object) => Object.keys(headers).sort();
    expect(names(received[0]?.headers ?? {})).toEqual(names(recorded.delivery.headers));
    for (const name of ['content-type', 'user-agent', 'x-wc-webhook-signature', 'x-wc-webhook-event']) {
      expect(received[0]?.headers[name]).toBe(recorded.delivery.headers[name]);
    }
  });

  test('a missing order answers as recorded', async () => {
    const shop = await open([]);
    const { url, received } = await openReceiver();
    await shop.deliver(url, secret, { topic: 'order.created', orderId: '81' });
    expect(received[0]?.body.toString()).toBe(recordedWebhook('0208').text);
    expect(recordedRest('0180').text).toBe(recordedWebhook('0208').text);
  });
});

test('several deliveries of one second share their delivery id and can be genuine or not', async () => {
  const shop = await open([small, { ...small, id: 6 }]);
  const { url, received } = await openReceiver();
  const connection = { ...recordedConnection, webhookSecrets: [secret] };
  await shop.deliver(url, secret, { topic: 'order.updated', orderId: '5', times: 2 });
  await shop.deliver(url, secret, { topic: 'order.updated', orderId: '6' });
  await shop.deliver(url, secret, { topic: 'order.updated', orderId: '6', badSignature: true });
  await shop.deliver(url, secret, { topic: 'order.deleted', orderId: '6' });
  await shop.deliver(url, secret, { topic: 'action.woocommerce_payment_complete', orderId: '6' });
  await shop.deliver(url, secret, { topic: 'ping', orderId: '6' });
  expect(new Set(received.slice(0, 5).map(({ headers }) => headers['x-wc-webhook-delivery-id'])).size).toBe(
    1,
  );
  const receipts = await Promise.all(received.map((delivery) => receive(delivery, connection)));
  expect(receipts.map((receipt) => (receipt.kind === 'hint' ? receipt.orderId : receipt.kind))).toEqual([
    '5',
    '5',
    '6',
    'refused',
    '6',
    '6',
    'ping',
  ]);
});

test('calls without OAuth are refused as WooCommerce refuses them over http', async () => {
  const shop = await open([small]);
  const basic = `Basic ${Buffer.from(`${keys.consumerKey}:${keys.consumerSecret}`).toString('base64')}`;
  const answer = await fetch(`${shop.url}/wp-json/wc/v3/orders/5`, { headers: { authorization: basic } });
  expect(answer.status).toBe(401);
  expect(await answer.json()).toMatchObject({ code: 'woocommerce_rest_cannot_view' });
  expect(shop.requests).toMatchObject([{ authorized: false }]);
});

test('a signed call cannot be repeated, nor its parameters changed', async () => {
  const shop = await open([small]);
  const signed = (path: string) => signedUrl(shop, 'GET', path);
  const once = signed("orders/5?search=año d'Ávila (1)");
  expect((await fetch(once)).status).toBe(200);
  expect((await fetch(once)).status).toBe(401);
  const changed = signed('orders/5?page=1');
  changed.searchParams.set('page', '2');
  expect((await fetch(changed)).status).toBe(401);
  const refunds = await fetch(signed('orders/5/refunds'));
  expect([refunds.status, refunds.headers.get('x-wp-total'), await refunds.json()]).toEqual([200, '0', []]);
});

test('writes of one new key that come together leave a row each; who writes later writes over them', async () => {
  const shop = await open([small]);
  const put = (value: string) => call(shop, 'PUT', 'orders/5', { meta_data: [{ key: '_clave', value }] });
  const rows = () => shop.order(5)?.meta_data.map(({ value }) => value) ?? [];
  await eventually(async () => {
    await Promise.all(['1', '2', '3', '4'].map(put));
    if (rows().length > 1) return true;
    shop.put(small);
    return false;
  }, 'two writes to meet');
  expect(new Set(rows()).size).toBe(rows().length);
  await put('5');
  expect(rows()).toEqual(['5']);
});
