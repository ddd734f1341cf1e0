import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { listenOnLoopback } from '../../../sandbox/shops/loopback.ts';
import type { ShopifyTrouble } from '../../../sandbox/shops/shopify-shop.ts';
import { plainOrder } from './plain-order.ts';
import { app, failureOf, openPair, token } from './shop.ts';

const orders = [plainOrder()];
const internal = [{ message: 'x', extensions: { code: 'INTERNAL_SERVER_ERROR' } }];
const denied = (path: unknown[]) => [{ message: 'x', path, extensions: { code: 'ACCESS_DENIED' } }];

/** How often a reading call is made before it is given up: once, or with the two repeats of what may pass. */
const [once, thrice] = [1, 3];

describe('when the shop fails', () => {
  test.each<[string, number, ShopifyTrouble, object]>([
    [
      '429 for longer than it is worth to wait',
      once,
      { status: 429, headers: { 'retry-after': '30.0' }, body: { errors: 'x' } },
      { code: 'shop-busy', retryable: true, retryAfterMs: 30_000 },
    ],
    ['500', thrice, { status: 500, body: { errors: 'x' } }, { code: 'shop-failing', retryable: true }],
    ['502 with a page', thrice, { status: 502, body: '<html>' }, { code: 'shop-failing' }],
    ['503', thrice, { status: 503, body: '' }, { code: 'shop-failing', retryable: true }],
    ['200 with a page', thrice, { status: 200, body: '<html>' }, { code: 'shop-not-json', retryable: true }],
    ['401', once, { status: 401, body: { errors: 'x' } }, { code: 'shop-unauthorized', retryable: false }],
    [
      '402',
      once,
      { status: 402, body: { errors: 'x' } },
      { code: 'shop-closed', retryable: true, retryAfterMs: 3_600_000 },
    ],
    ['403', once, { status: 403, body: { errors: 'x' } }, { code: 'shop-forbidden', retryable: false }],
    [
      '404',
      once,
      { status: 404, body: { errors: 'x' } },
      { code: 'shop-refused', params: { why: 'address' }, retryable: false },
    ],
    ['423', once, { status: 423, body: { errors: 'x' } }, { code: 'shop-closed', retryable: true }],
    ['a broken connection', thrice, 'lost', { code: 'shop-unreachable', retryable: true }],
    [
      'an internal error in an answer',
      thrice,
      { status: 200, body: { data: null, errors: internal } },
      { code: 'shop-failing', retryable: true },
    ],
    [
      'an internal error beside an order that came',
      thrice,
      { status: 200, body: { data: { order: { id: 'gid://shopify/Order/1001' } }, errors: internal } },
      { code: 'shop-failing', retryable: true },
    ],
    [
      'an internal error beside one of another shape',
      thrice,
      { status: 200, body: { data: null, errors: ['x', ...internal] } },
      { code: 'shop-failing', retryable: true },
    ],
    [
      'an order of another shape',
      once,
      { status: 200, body: { data: { order: { id: 'x' } } } },
      {
        code: 'shop-answer',
        retryable: false,
        merchant: expect.stringContaining('«order.id» es un texto y debe ser un id'),
      },
    ],
    [
      'an order the app may not read',
      once,
      { status: 200, body: { data: { order: null }, errors: denied(['order']) } },
      { code: 'shop-forbidden', retryable: false },
    ],
    [
      'a field withheld without which there is no order',
      once,
      {
        status: 200,
        body: { data: { order: { transactions: null } }, errors: denied(['order', 'transactions']) },
      },
      { code: 'shop-forbidden', retryable: false },
    ],
  ])('%s: the error says what to do and whether waiting helps', async (_name, times, trouble, expected) => {
    const { client, shop } = await openPair({ orders });
    for (let turn = 0; turn < times; turn += 1) shop.trouble(trouble);
    const error = await failureOf(client.fetchOrder('1001'));
    expect(error).toMatchObject(expected);
    expect(error.merchant).toMatch(/^[A-ZÁÉÍÓÚ].*\.$/);
    expect(shop.requests).toHaveLength(times);
    expect(await client.fetchOrder('1001')).toMatchObject({ id: '1001' });
  });

  test('no answer within the time limit is not waited for again', async () => {
    const { client, shop } = await openPair({ orders }, { accessToken: token, timeoutMs: 1_000 });
    await client.fetchOrder('1001');
    shop.trouble('hang');
    expect(await failureOf(client.fetchOrder('1001'))).toMatchObject({
      code: 'shop-timeout',
      retryable: true,
    });
    expect(shop.requests).toHaveLength(2);
  });

  test('an answer that has begun when the time limit ends is no page either', async () => {
    const server = await listenOnLoopback((_request, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).write('{'),
    );
    onTestFinished(() => server.close());
    const settings = { accessToken: token, timeoutMs: 1_000, adminUrl: server.url };
    const { client } = await openPair({}, settings);
    expect(await failureOf(client.fetchOrder('1001'))).toMatchObject({ code: 'shop-timeout' });
  });

  test('withheld customer data does not stop the order; it is logged', async () => {
    const { client, shop, logged } = await openPair({
      orders: [plainOrder({ customer: { first_name: 'Ana' } })],
    });
    shop.trouble('withhold-customer');
    expect(await client.fetchOrder('1001')).toMatchObject({ id: '1001', buyer: { name: null } });
    expect(logged.join()).toContain('order.customer');
  });

  test('orders of a list that may not be read are not taken for deleted ones', async () => {
    const { client, shop } = await openPair({ orders });
    shop.trouble({ status: 200, body: { data: { nodes: [null] }, errors: denied(['nodes', 0]) } });
    expect(await failureOf(client.listOrders(['1001']))).toMatchObject({ code: 'shop-forbidden' });
  });

  test('no error and no log line ever holds a token or a secret, and the library prints nothing', async () => {
    const print = vi.spyOn(console, 'log').mockImplementation(() => {});
    const written = vi.spyOn(process.stdout, 'write');
    const { client, shop, logged } = await openPair({ orders });
    const troubles: ShopifyTrouble[][] = [
      ['lost', 'lost', 'lost'],
      ['withhold-customer'],
      [{ status: 429, headers: { 'retry-after': '30' }, body: { errors: token } }],
      [{ status: 401, body: { errors: token } }],
    ];
    const seen: string[] = [];
    for (const some of troubles) {
      for (const trouble of some) shop.trouble(trouble);
      const outcome: unknown = await client.fetchOrder('1001').catch((error: unknown) => error);
      if (outcome instanceof Error)
        seen.push(`${outcome.stack} ${JSON.stringify(outcome)} ${String(outcome.cause)}`);
    }
    expect(seen).toHaveLength(3);
    expect(seen.join() + logged.join()).not.toContain(token);
    expect(seen.join() + logged.join()).not.toContain(app.clientSecrets[0]);
    expect(print).not.toHaveBeenCalled();
    expect(written.mock.calls.join()).not.toContain('shopify-api');
    vi.restoreAllMocks();
  });
});
