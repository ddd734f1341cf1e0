import { describe, expect, test } from 'vitest';
import { readOrder, sumOfItems } from '../../../adapters/shopify/order.ts';
import type { WrittenDocument } from '../../../src/domain/platform.ts';
import { adminSchema } from '../../support/admin-schema.ts';
import { hasShared } from '../../support/shared.ts';
import { allBodies, looksLikeOrder } from './payloads.ts';
import { plainOrder } from './plain-order.ts';
import { failureOf, openPair, token } from './shop.ts';

const orders = [plainOrder()];
const gateway = { payments: [{ gateway: 'payphone', title: 'payphone', amount: '34.50' }] };

describe('an order read from the API', () => {
  test('is the order its webhook body tells of', async () => {
    const { client, connection } = await openPair({ orders });
    expect(await client.fetchOrder('1001')).toEqual({ ...readOrder(orders[0], connection), ...gateway });
  });

  test('that the shop no longer has is null', async () => {
    const { client } = await openPair();
    expect(await client.fetchOrder('404')).toBeNull();
    expect(await client.fetchOrder('not-a-number')).toBeNull();
  });

  test('carries the identifications only the API knows, in the configured order', async () => {
    const extra = {
      localized_fields: [
        { key: 'SHIPPING_CREDENTIAL_EC', value: '0926687856' },
        { key: 'TAX_CREDENTIAL_EC', value: '1790012345001' },
      ],
      purchasing_entity: { company: 'ACME S.A.', tax_registration_id: '0992345678001' },
      customer: {
        first_name: 'Ana',
        last_name: 'Ruiz',
        metafields: [
          { namespace: 'custom', key: 'tax_id', value: '1710034065' },
          { namespace: 'other', key: 'secret', value: 'x' },
        ],
      },
    };
    const { client } = await openPair({ orders: [plainOrder(extra)] });
    const buyer = (await client.fetchOrder('1001'))?.buyer;
    expect(buyer?.ids).toEqual([
      { value: '1790012345001', source: 'localized field TAX_CREDENTIAL_EC', type: null },
      { value: '1710034065', source: 'customer metafield custom.tax_id', type: null },
      { value: '0992345678001', source: 'B2B tax registration', type: null },
      { value: '0926687856', source: 'localized field SHIPPING_CREDENTIAL_EC', type: null },
    ]);
    expect(buyer).toMatchObject({ name: 'Ana Ruiz', company: 'ACME S.A.' });
  });

  test('an edit before payment and a refund leave the order as it is now, and what came in beyond it', async () => {
    const refunds = [
      { id: 7, transactions: [{ kind: 'refund', status: 'success', amount: '11.50', currency: 'USD' }] },
    ];
    const edited = plainOrder(
      { financial_status: 'partially_refunded', current_total_price: '11.50', refunds },
      { current_quantity: 1 },
    );
    const { client, shop } = await openPair({ orders: [edited] });
    expect((await client.fetchOrder('1001'))?.total).toBe('34.50');
    // Shopify says that only 23.00 ever came in: one of the three was removed before payment.
    shop.put({ ...edited, total_received: '23.00' });
    const order = await client.fetchOrder('1001');
    expect(order).toMatchObject({ total: '11.50', overpaid: '11.50', lines: [{ quantity: '1' }] });
    expect(sumOfItems(order ?? { lines: [], charges: [] })).toBe('11.50');
  });
});

/** Some recordings were trimmed; GraphQL always says these two. */
function completed(body: unknown): Record<string, unknown> {
  const order = ((body as { order?: unknown }).order ?? body) as Record<string, unknown>;
  const lines = (order.line_items as object[]).map((line) => ({ requires_shipping: true, ...line }));
  return { updated_at: order.processed_at, ...order, line_items: lines };
}

describe.skipIf(!hasShared)('with the Admin schema 2026-10', () => {
  test('every shared order reads the same from GraphQL as from its body', async () => {
    const { client, shop, connection } = await openPair({ schema: adminSchema() });
    const bodies = allBodies().filter(({ body }) => looksLikeOrder(body));
    expect(bodies.length).toBeGreaterThan(35);
    for (const { name, body } of bodies) {
      const rest = completed(body);
      const fromBody = readOrder(rest, connection);
      shop.put(rest);
      const fromApi = await client.fetchOrder(fromBody.id);
      const untitled = fromApi?.payments.map((payment) => ({ ...payment, title: null }));
      expect({ ...fromApi, payments: untitled }, name).toEqual(fromBody);
    }
  });

  test('writing back is valid too', async () => {
    const { client, shop } = await openPair({ orders, schema: adminSchema() });
    const document = {
      kind: 'factura' as const,
      state: 'held' as const,
      number: null,
      sourceId: '1001',
      accessKey: null,
      authorizedAt: null,
      pdfUrl: null,
      xmlUrl: null,
      reason: 'Falta la cédula.',
    };
    await client.writeBack('1001', [document]);
    await client.writeBack('1001', [
      { ...document, state: 'authorized', number: '001-001-000000001', reason: null },
    ]);
    expect(shop.metafields(1001)).toEqual({ estado: 'AUTORIZADO', numero: '001-001-000000001' });
  });
});

describe('a token', () => {
  const credentials = { clientId: 'client', clientSecret: 'client-secret-never-shown' };
  const tokens = (shop: { requests: readonly { operation: string }[] }) =>
    shop.requests.filter(({ operation }) => operation === 'access_token').length;

  test('is fetched once with the client credentials and kept', async () => {
    const { client, shop } = await openPair({ orders, ...credentials }, {});
    await Promise.all([client.fetchOrder('1001'), client.fetchOrder('1001'), client.fetchOrder('1001')]);
    await client.fetchOrder('1001');
    expect(tokens(shop)).toBe(1);
  });

  test('is renewed before it ends', async () => {
    const { client, shop } = await openPair({ orders, ...credentials, tokenSeconds: 200 }, {});
    await client.fetchOrder('1001');
    await client.fetchOrder('1001');
    expect(tokens(shop)).toBe(2);
  });

  test('that was revoked is replaced once, and the call repeated', async () => {
    const { client, shop } = await openPair({ orders, ...credentials }, {});
    await client.fetchOrder('1001');
    shop.revokeTokens();
    expect(await client.fetchOrder('1001')).toMatchObject({ id: '1001' });
    expect(tokens(shop)).toBe(2);
  });

  test('refused with its credentials is an error with the resolution, not retried, and without the secret', async () => {
    const { client } = await openPair({ orders, clientId: 'another', clientSecret: 'x' }, {});
    const error = await failureOf(client.fetchOrder('1001'));
    expect(error).toMatchObject({ code: 'shop-unauthorized', params: { why: 'app' }, retryable: false });
    expect(error.merchant).toContain('Client secret');
    expect(error.message).toContain('invalid_client');
  });
});

test('a store that asks for them gets the tags and collections of what was sold', async () => {
  const product = { tags: ['canasta'], collections: [{ handle: 'libros', title: 'Libros' }] };
  const orders = [plainOrder({}, { product })];
  const asked = await openPair({ orders }, { accessToken: token, productDetails: true });
  expect((await asked.client.fetchOrder('1001'))?.lines[0]).toMatchObject({
    tags: ['canasta'],
    collections: ['libros', 'Libros'],
  });
  const silent = await openPair({ orders });
  expect((await silent.client.fetchOrder('1001'))?.lines[0]).toMatchObject({ tags: [], collections: [] });
});

describe('which Shopify shop it is', () => {
  test('the id Shopify gave it, without its prefix, and its domain', async () => {
    const { client, connection, shop } = await openPair({ shopId: '548380009' });
    expect(await client.identity()).toEqual({ id: '548380009', addresses: [connection.shop] });
    expect(shop.requests.map(({ operation }) => operation)).toEqual(['FacturapuenteShop']);
  });

  test('an id that is none is no answer', async () => {
    const { client, shop } = await openPair();
    const body = { data: { shop: { id: 'gid://shopify/Order/1', myshopifyDomain: 'x.myshopify.com' } } };
    shop.trouble({ status: 200, body }, 'FacturapuenteShop');
    expect(await failureOf(client.identity())).toMatchObject({ code: 'shop-answer' });
  });

  test.skipIf(!hasShared)('is asked in words of the schema', async () => {
    const { client } = await openPair({ shopId: '7', schema: adminSchema() });
    expect((await client.identity()).id).toBe('7');
  });
});

const authorized: WrittenDocument = {
  kind: 'factura',
  sourceId: '1001',
  state: 'authorized',
  number: '001-001-000000123',
  accessKey: '2011202601179001234500110010010000001231234567813',
  authorizedAt: null,
  pdfUrl: null,
  xmlUrl: null,
  reason: null,
};

/** An order of `lines` lines: one page for the first 25, one for each further 25. */
function longOrder(lines: number) {
  const line = plainOrder().line_items[0];
  return plainOrder({ line_items: Array.from({ length: lines }, (_, i) => ({ ...line, id: i + 1 })) });
}

async function timed<T>(job: Promise<T>): Promise<{ value: T; ms: number }> {
  const start = performance.now();
  return { value: await job, ms: performance.now() - start };
}

describe('a shop’s points', () => {
  test('that are gone are waited for as long as they take to come back, and no longer', async () => {
    const points = { maximum: 1_000, restoreRate: 2_000 };
    const { client, shop } = await openPair({ orders, points });
    shop.trouble('throttled');
    const { value, ms } = await timed(client.fetchOrder('1001'));
    expect(value).toMatchObject({ id: '1001' });
    const [refused, second] = shop.requests;
    expect([refused?.operation, second?.operation, shop.requests.length]).toEqual([
      'FacturapuenteOrder',
      'FacturapuenteOrder',
      2,
    ]);
    // The order may cost some 800 points: 0.4 s.
    expect(ms).toBeGreaterThan(300);
  });

  test('are waited for page by page in an order of many pages', async () => {
    const points = { maximum: 1_000, restoreRate: 1_000 };
    const { client } = await openPair({ orders: [longOrder(200)], points });
    const { value, ms } = await timed(client.fetchOrder('1001'));
    expect(value?.lines).toHaveLength(200);
    expect(ms).toBeGreaterThan(300);
  });

  test('that take longer than a worker should be held up are asked for later, at the right time', async () => {
    const points = { maximum: 1_000, restoreRate: 10 };
    const { client, shop } = await openPair({ orders, points }, { accessToken: token, timeoutMs: 5_000 });
    shop.trouble('throttled');
    const error = await failureOf(client.fetchOrder('1001'));
    expect(error).toMatchObject({ code: 'shop-busy', retryable: true });
    expect(error.retryAfterMs).toBeGreaterThan(20_000);
    expect(error.retryAfterMs).toBeLessThan(100_000);
    expect(shop.requests).toHaveLength(1);
  });

  test('are waited for by writes too: what was refused was not carried out', async () => {
    const points = { maximum: 1_000, restoreRate: 1_000 };
    const { client, shop } = await openPair({ orders, points });
    shop.trouble('throttled', 'FacturapuenteSet');
    await client.writeBack('1001', [authorized]);
    expect(shop.metafields(1001).numero).toBe('001-001-000000123');
  });
});

describe('a 5xx or a broken connection', () => {
  test.each([
    ['500', { status: 500, body: { errors: 'x' } }] as const,
    ['a broken connection', 'lost'] as const,
    ['429 for a moment', { status: 429, headers: { 'retry-after': '0.1' }, body: { errors: 'x' } }] as const,
  ])('that passes is not even noticed by who reads: %s', async (_name, trouble) => {
    const { client, shop } = await openPair({ orders });
    shop.trouble(trouble);
    expect(await client.fetchOrder('1001')).toMatchObject({ id: '1001' });
    expect(shop.requests).toHaveLength(2);
  });

  test('after a write the next reader sees what was written', async () => {
    const { client, shop } = await openPair({ orders });
    await client.writeBack('1001', [{ ...authorized, state: 'held', number: null, reason: 'x' }]);
    shop.trouble('lost', 'FacturapuenteSet');
    const sets = () => shop.requests.filter(({ operation }) => operation === 'FacturapuenteSet').length;
    const before = sets();
    expect(await failureOf(client.writeBack('1001', [authorized]))).toMatchObject({ retryable: true });
    expect(sets()).toBe(before + 1);
    await client.writeBack('1001', [authorized]);
    // The lost write had been carried out: nothing to set is left.
    expect(sets()).toBe(before + 1);
    expect(shop.tags(1001)).toEqual(['factura-autorizada']);
  });
});
