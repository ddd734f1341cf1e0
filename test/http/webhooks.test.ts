import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { Alert } from '../../src/domain/alerts.ts';
import { orderSubject } from '../../src/domain/job.ts';
import { openDeliveryQuota } from '../../src/http/endpoints.ts';
import { appSecrets, now, openInstallation, wooSecret } from './installation.ts';

const base64 = (key: string, body: string | Uint8Array) =>
  createHmac('sha256', key).update(body).digest('base64');
const shopifyHeaders = (body: string | Uint8Array, id = 'b54557e4', key: string = appSecrets[0]) => ({
  'x-shopify-hmac-sha256': base64(key, body),
  'x-shopify-shop-domain': 'quito.myshopify.com',
  'x-shopify-topic': 'orders/paid',
  'x-shopify-webhook-id': id,
});
const wooHeaders = (body: string | Uint8Array, key = wooSecret) => ({
  'x-wc-webhook-signature': base64(key, body),
  'x-wc-webhook-topic': 'order.updated',
  'x-wc-webhook-source': 'https://cuenca.example.ec/',
});
const shopifyOrder = '{"id":820982911946154508,"note":"ñ / \\u00d1"}';
const wooOrder = '{"id":727,"status":"processing"}';

describe("a shop's webhook", () => {
  test('of Shopify asks for one sync of its order, exactly as signed, ids unrounded', async () => {
    const installation = await openInstallation();
    const answer = await installation.post('/webhooks/mi-app', shopifyOrder, shopifyHeaders(shopifyOrder));
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ status: 'accepted' });
    const order = { platform: 'shopify', shop: 'quito.myshopify.com', orderId: '820982911946154508' };
    expect(await installation.jobs()).toMatchObject([
      { kind: 'sync-order', subject: orderSubject(order), storeId: 'quito', rateLimit: null },
    ]);
    const [stored] = await installation.ledger.deliveries.ofOrder(order, 5);
    expect(stored?.topic).toBe('orders/paid');
    expect(Buffer.from(stored?.body ?? []).toString()).toBe(shopifyOrder);
  });

  test('of WooCommerce comes to the endpoint of its store', async () => {
    const installation = await openInstallation();
    const answer = await installation.post('/webhooks/cuenca', wooOrder, wooHeaders(wooOrder));
    expect(await answer.json()).toEqual({ status: 'accepted' });
    const subject = orderSubject({
      platform: 'woocommerce',
      shop: 'https://cuenca.example.ec',
      orderId: '727',
    });
    expect(await installation.jobs()).toMatchObject([{ subject, storeId: 'cuenca' }]);
  });

  test('that repeats is a duplicate, a hundred at once ask for one work', async () => {
    const installation = await openInstallation();
    const answers = await Promise.all(
      Array.from({ length: 100 }, () =>
        installation.post('/webhooks/mi-app', shopifyOrder, shopifyHeaders(shopifyOrder)),
      ),
    );
    const words = await Promise.all(answers.map((answer) => answer.text()));
    expect(words.filter((word) => word === '{"status":"accepted"}')).toHaveLength(1);
    expect(words.filter((word) => word === '{"status":"duplicate"}')).toHaveLength(99);
    expect(await installation.jobs()).toHaveLength(1);
  });

  test('is looked for beside its order when it repeats, so that a full ledger takes in as cheaply as an empty one', async () => {
    const installation = await openInstallation();
    await installation.post('/webhooks/mi-app', shopifyOrder, shopifyHeaders(shopifyOrder));
    await installation.post('/webhooks/cuenca', wooOrder, wooHeaders(wooOrder));
    const db = new DatabaseSync(join(installation.directory, 'ledger.db'), { readOnly: true });
    const keys = db.prepare('select dedupe_key from deliveries order by id').all();
    db.close();
    expect(keys).toMatchObject([
      { dedupe_key: '820982911946154508:b54557e4' },
      { dedupe_key: expect.stringMatching(/^727:order\.updated:[0-9a-f]{64}$/) },
    ]);
  });

  test('with one flipped byte is 401 and leaves nothing', async () => {
    const installation = await openInstallation();
    for (const at of [1, 20, shopifyOrder.length - 2]) {
      const flipped = Buffer.from(shopifyOrder);
      flipped[at] = (flipped[at] ?? 0) ^ 1;
      const answer = await installation.post('/webhooks/mi-app', flipped, shopifyHeaders(shopifyOrder));
      expect(answer.status).toBe(401);
      expect(await answer.json()).toEqual({
        error: 'refused',
        message: 'La firma del webhook no es válida.',
      });
    }
    expect((await installation.post('/webhooks/cuenca', `${wooOrder} `, wooHeaders(wooOrder))).status).toBe(
      401,
    );
    expect((await installation.post('/webhooks/cuenca', wooOrder)).status).toBe(401);
    expect(await installation.jobs()).toEqual([]);
    // Five refusals are one line for each endpoint and reason.
    expect(installation.lines.filter(({ level }) => level === 'warn').length).toBeLessThan(4);
  });

  test('is accepted with either secret while the app rotates them', async () => {
    const installation = await openInstallation();
    for (const [at, key] of appSecrets.entries()) {
      const answer = await installation.post(
        '/webhooks/mi-app',
        shopifyOrder,
        shopifyHeaders(shopifyOrder, `id-${at}`, key),
      );
      expect(await answer.json()).toEqual({ status: 'accepted' });
    }
    const stranger = shopifyHeaders(shopifyOrder, 'id-3', wooSecret);
    expect((await installation.post('/webhooks/mi-app', shopifyOrder, stranger)).status).toBe(401);
  });

  test('from a shop that is not configured is 404 with a line in the log', async () => {
    const installation = await openInstallation();
    const headers = { ...shopifyHeaders(shopifyOrder), 'x-shopify-shop-domain': 'otra.myshopify.com' };
    const answer = await installation.post('/webhooks/mi-app', shopifyOrder, headers);
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ error: 'not-installed' });
    expect(installation.lines).toMatchObject([{ level: 'warn', fields: { shop: 'otra.myshopify.com' } }]);
  });

  test("WooCommerce's ping, which nobody signs, is answered with exactly 200 at the endpoint of its store", async () => {
    const installation = await openInstallation();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await installation.post('/webhooks/cuenca', 'webhook_id=3', headers);
    expect([answer.status, await answer.json()]).toEqual([200, { status: 'ok' }]);
    expect(await installation.jobs()).toEqual([]);
  });

  test('with nothing for us is 200 and one line in the log', async () => {
    const installation = await openInstallation();
    const headers = { ...shopifyHeaders(shopifyOrder), 'x-shopify-topic': 'products/update' };
    const answer = await installation.post('/webhooks/mi-app', shopifyOrder, headers);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ status: 'ignored' });
    expect(installation.lines).toMatchObject([{ level: 'info', fields: { topic: 'products/update' } }]);
    expect(await installation.jobs()).toEqual([]);
  });

  test('about the shop itself is kept with work of its own, once, also where its store is no longer configured', async () => {
    const installation = await openInstallation();
    await installation.ledger.stores.register({
      id: 'otra',
      platform: 'shopify',
      shop: 'otra.myshopify.com',
      app: 'mi-app',
      now,
    });
    const body = JSON.stringify({
      shop_id: 1,
      shop_domain: 'otra.myshopify.com',
      customer: { email: 'a@b.ec' },
    });
    const headers = {
      ...shopifyHeaders(body),
      'x-shopify-topic': 'customers/redact',
      'x-shopify-shop-domain': 'otra.myshopify.com',
    };
    const answers = [1, 2].map(() => installation.post('/webhooks/mi-app', body, headers));
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200]);
    const job = await installation.jobs();
    expect(job).toMatchObject([
      {
        kind: 'shop-event',
        payload: { endpoint: 'mi-app', platform: 'shopify', shop: 'otra.myshopify.com' },
      },
    ]);
    expect(JSON.stringify([job, installation.lines])).not.toContain('a@b.ec');
  });

  test('at an address nobody has is counted as such, and a store behind an app has none of its own', async () => {
    const installation = await openInstallation();
    for (const id of ['nadie', 'quito', '__proto__']) {
      const answer = await installation.post(`/webhooks/${id}`, shopifyOrder, shopifyHeaders(shopifyOrder));
      expect([id, answer.status]).toEqual([id, 404]);
    }
    const endless = ' '.repeat(4 * 1024 * 1024 + 1);
    expect((await installation.post('/webhooks/nadie', endless)).status).toBe(404);
    expect((await installation.post('/webhooks', shopifyOrder)).status).toBe(404);
    expect((await installation.post('/webhooks/%ff', shopifyOrder)).status).toBe(400);
    expect((await installation.metrics.scrape()).text).toMatch(
      /webhook_seconds_count\{endpoint="unknown",answer="not-found"\} 4/,
    );
  });

  test('of 4 MB is accepted, one byte more is 413', async () => {
    const installation = await openInstallation();
    const limit = 4 * 1024 * 1024;
    const full = Buffer.alloc(limit, ' ');
    full.write(wooOrder);
    const accepted = await installation.post('/webhooks/cuenca', full, wooHeaders(full));
    expect(await accepted.json()).toEqual({ status: 'accepted' });
    const over = Buffer.concat([full, Buffer.from(' ')]);
    const refused = await installation.post('/webhooks/cuenca', over, wooHeaders(over));
    expect(refused.status).toBe(413);
    expect(await refused.json()).toMatchObject({
      error: 'too-large',
      message: expect.stringContaining(`${limit} bytes`),
    });
  });

  test('beyond what a shop may take of the disk in a day is a hint that is not stored, and others are not affected', async () => {
    const deliveries = openDeliveryQuota({ rows: 2, bytes: 200 });
    const installation = await openInstallation({ instead: { deliveries } });
    const send = (id: number, padding = '') => {
      const body = `{"id":${id},"status":"processing"}${padding}`;
      return installation.post('/webhooks/cuenca', body, wooHeaders(body));
    };
    const stored = async (orderId: string) =>
      (
        await installation.ledger.deliveries.ofOrder(
          { platform: 'woocommerce', shop: 'https://cuenca.example.ec', orderId },
          5,
        )
      ).length;
    expect((await send(701, ' '.repeat(500))).status).toBe(200);
    for (const id of [702, 703, 704, 704])
      expect(await (await send(id)).json()).toEqual({ status: 'accepted' });
    expect(await Promise.all(['701', '702', '703', '704'].map(stored))).toEqual([0, 1, 1, 0]);
    expect(await installation.jobs()).toHaveLength(4);
    expect(installation.lines.filter(({ level }) => level === 'warn')).toHaveLength(1);
    const other = await installation.post('/webhooks/mi-app', shopifyOrder, shopifyHeaders(shopifyOrder));
    expect(await other.json()).toEqual({ status: 'accepted' });
    expect(
      deliveries.take('woocommerce https://cuenca.example.ec', 9, new Date(now.getTime() + 86_400_000)).fits,
    ).toBe(true);
  });

  test('beyond that is refused where nothing else has what it says, so that it comes again', async () => {
    const deliveries = openDeliveryQuota({ rows: 0, bytes: 0 });
    const installation = await openInstallation({ instead: { deliveries } });
    const event = '{"shop_domain":"quito.myshopify.com"}';
    const headers = { ...shopifyHeaders(event), 'x-shopify-topic': 'app/uninstalled' };
    expect((await installation.post('/webhooks/mi-app', event, headers)).status).toBe(429);
    expect(await installation.jobs()).toEqual([]);
  });

  test('of a shop without an API that is beyond it is refused, and a person is told once that its orders are not stored', async () => {
    const deliveries = openDeliveryQuota({ rows: 1, bytes: 200 });
    const raised: Alert[] = [];
    const alerts = { raise: async (alert: Alert) => void raised.push(alert), over: async () => {} };
    const installation = await openInstallation({ instead: { deliveries, alerts }, apiAccess: false });
    const send = async (id: number) => {
      const body = `{"id":${id},"status":"processing"}`;
      return (await installation.post('/webhooks/cuenca', body, wooHeaders(body))).status;
    };
    expect([await send(701), raised]).toEqual([200, []]);
    expect([await send(702), await send(703)]).toEqual([429, 429]);
    expect(raised).toMatchObject([
      { code: 'webhooks-not-stored', subject: 'cuenca', params: { store: 'cuenca' } },
    ]);
    expect(await installation.jobs()).toHaveLength(1);
    const warned = installation.lines.filter(({ level }) => level === 'warn');
    expect(warned.map(({ message }) => message)).toEqual([expect.stringContaining('is refused')]);
  });

  test('that is known already takes nothing of what its shop may take in a day', async () => {
    const deliveries = openDeliveryQuota({ rows: 2, bytes: 200 });
    const installation = await openInstallation({ instead: { deliveries }, apiAccess: false });
    const send = async (id: number) => {
      const body = `{"id":${id},"status":"processing"}`;
      return (await installation.post('/webhooks/cuenca', body, wooHeaders(body))).json();
    };
    expect([await send(701), await send(701), await send(701)]).toEqual(
      ['accepted', 'duplicate', 'duplicate'].map((status) => ({ status })),
    );
    expect(await send(702)).toEqual({ status: 'accepted' });
  });

  test('that is compressed is refused: what is signed are the bytes', async () => {
    const installation = await openInstallation();
    const zipped = gzipSync(shopifyOrder);
    const headers = { ...shopifyHeaders(shopifyOrder), 'content-encoding': 'gzip' };
    expect((await installation.post('/webhooks/mi-app', zipped, headers)).status).toBe(415);
    expect(await installation.jobs()).toEqual([]);
  });

  test('is answered 500 without a stack when the ledger cannot store it, so that it comes again', async () => {
    const installation = await openInstallation();
    await installation.ledger.close();
    const answer = await installation.post('/webhooks/mi-app', shopifyOrder, shopifyHeaders(shopifyOrder));
    expect(answer.status).toBe(500);
    expect(await answer.json()).toEqual({
      error: 'failed',
      message: 'Ocurrió un error interno; vuelva a intentarlo en unos minutos.',
    });
    expect(installation.lines.at(-1)).toMatchObject({ level: 'error' });
  });
});

describe('webhooks signed with another secret', () => {
  const minute = 60_000;
  async function open() {
    let passed = 0;
    const open = new Set<string>();
    const installation = await openInstallation({
      instead: {
        clock: { now: () => new Date(now.getTime() + passed) },
        alerts: {
          raise: async ({ code, subject }) => void open.add(`${code} ${subject}`),
          over: async ({ code, subject }) => void open.delete(`${code} ${subject}`),
        },
      },
    });
    let id = 0;
    const deliver = async (
      platform: 'woo' | 'shopify',
      key?: string,
      changes: Record<string, string> = {},
    ) => {
      id += 1;
      const path = platform === 'woo' ? '/webhooks/cuenca' : '/webhooks/mi-app';
      const body = `{"id":${id},"status":"processing"}`;
      const sent = platform === 'woo' ? wooHeaders(body, key) : shopifyHeaders(body, String(id), key);
      return (await installation.post(path, body, { ...sent, ...changes })).status;
    };
    return {
      deliver,
      pass: (minutes: number) => {
        passed += minutes * minute;
      },
      alerts: () => [...open],
    };
  }

  test.each([
    ['woo', 'cuenca'],
    ['shopify', 'quito'],
  ] as const)(
    'raise an alert for the store after half an hour, until one is genuine: %s',
    async (platform, store) => {
      const { deliver, pass, alerts } = await open();
      for (let times = 0; times < 4; times += 1) {
        expect(alerts()).toEqual([]);
        expect(await deliver(platform, 'otro')).toBe(401);
        pass(10);
      }
      expect(alerts()).toEqual([`webhooks-refused ${store}`]);
      expect(await deliver(platform)).toBe(200);
      expect(alerts()).toEqual([]);
    },
  );

  test('raise none while genuine ones come, in a burst, or where they do not name the shop and a topic', async () => {
    const { deliver, pass, alerts } = await open();
    for (let times = 0; times < 12; times += 1) {
      await deliver('woo', 'otro', { 'x-wc-webhook-source': 'https://otra.example/' });
      await deliver('woo', 'otro', { 'x-wc-webhook-topic': 'coupon.created' });
      await deliver('shopify', 'otro', { 'x-shopify-shop-domain': 'loja.myshopify.com' });
      for (let burst = 0; burst < 3; burst += 1) await deliver('shopify', 'otro');
      if (times % 3 === 0) await deliver('shopify');
      pass(10);
    }
    expect(alerts()).toEqual([]);
  });
});
