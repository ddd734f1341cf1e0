import { expect, test } from 'vitest';
import { freePort } from '../../../sandbox/shops/loopback.ts';
import { keys, openAdapter, openBoth, paidOrder, shopError } from './shop.ts';

test('an order is read from the API, signed, uncached and under our own name', async () => {
  const { stand, shop } = await openBoth();
  expect(await shop.fetchOrder('29')).toMatchObject({
    id: '29',
    shop: stand.url,
    settlement: 'paid',
    total: '11.50',
    buyer: { name: 'Carlos Andrade Muñoz' },
  });
  expect(stand.requests).toMatchObject([
    {
      method: 'GET',
      path: 'orders/29',
      authorized: true,
      headers: { 'user-agent': 'facturapuente/0.1.0', 'cache-control': 'no-cache' },
    },
  ]);
});

test('a shop in a folder is asked there', async () => {
  const { stand } = await openBoth();
  const order = await openAdapter({ url: `${stand.url}/tienda/` }).fetchOrder('29');
  expect(order).toMatchObject({ id: '29', shop: `${stand.url}/tienda` });
  expect(stand.requests.map(({ path }) => path)).toEqual(['/tienda/wp-json/wc/v3/orders/29']);
});

test('an order the shop no longer has is null', async () => {
  const { shop } = await openBoth();
  expect(await shop.fetchOrder('74')).toBeNull();
  expect(await shop.fetchOrder('../products/1')).toBeNull();
});

test('a wrong secret and an unknown key say what to check', async () => {
  const { stand } = await openBoth();
  for (const wrong of [{ consumerSecret: 'cs_wrong' }, { consumerKey: 'ck_wrong' }]) {
    const error = await shopError(openAdapter({ url: stand.url, ...wrong }).fetchOrder('29'));
    expect(error).toMatchObject({ code: 'shop-unauthorized', retryable: false });
    expect(error.merchant).toMatch(/clave y el secreto/);
    expect(error.params.reason).toBe('woocommerce_rest_authentication_error');
  }
});

test.each([301, 302, 307])('a %i is not followed and names the final address', async (status) => {
  const { stand, shop } = await openBoth();
  const location = `https://www.mitienda.ec/wp-json/wc/v3/orders/29?oauth_consumer_key=${keys.consumerKey}`;
  stand.trouble({ status, headers: { location }, body: '' });
  const error = await shopError(shop.fetchOrder('29'));
  expect(error).toMatchObject({ code: 'shop-redirects', retryable: false });
  expect(error.merchant).toContain('https://www.mitienda.ec.');
  expect(stand.requests).toHaveLength(1);
});

test('a redirect of WordPress within the shop means plain permalinks, and no other address', async () => {
  const { stand, shop } = await openBoth();
  const headers = { location: `${stand.url}/wp-json/wc/v3/orders/29/`, 'x-redirect-by': 'WordPress' };
  stand.trouble({ status: 301, headers, body: '' });
  const error = await shopError(shop.fetchOrder('29'));
  expect(error).toMatchObject({ code: 'shop-permalinks', retryable: false });
  expect(error.merchant).toBe(
    'La API de WordPress no responde en esta dirección. En Ajustes → Enlaces permanentes elija cualquier opción menos «Simple»; si ya es así, revise que «url» lleve la carpeta de la tienda.',
  );
});

test('a broken connection and a closed port are retryable', async () => {
  const { stand, shop } = await openBoth();
  stand.trouble('lost');
  expect(await shopError(shop.fetchOrder('29'))).toMatchObject({ code: 'shop-unreachable', retryable: true });
  const free = await freePort();
  expect(await shopError(openAdapter({ url: `http://127.0.0.1:${free}` }).fetchOrder('29'))).toMatchObject({
    code: 'shop-unreachable',
    retryable: true,
    params: { reason: 'ECONNREFUSED' },
  });
});

test('an order that cannot be read, or another order, is an error without buyer data', async () => {
  const { stand, shop } = await openBoth();
  stand.put(paidOrder({ total: 'Carlos' }));
  const unreadable = await shopError(shop.fetchOrder('29'));
  expect(unreadable).toMatchObject({ code: 'shop-answer', retryable: false });
  expect(unreadable.params).toMatchObject({ call: 'GET orders/29' });
  expect(unreadable.merchant).toContain('«total» es un texto y debe ser un monto');
  expect(`${unreadable.message} ${unreadable.merchant}`).not.toContain('Carlos');
  stand.trouble({ status: 200, body: paidOrder({ id: 30 }) });
  expect(await shopError(shop.fetchOrder('29'))).toMatchObject({
    code: 'shop-mixed-up',
    params: { isChanging: false },
  });
});

test('a store that asks for them gets the tags and categories of what was sold', async () => {
  const [line] = paidOrder().line_items as Record<string, unknown>[];
  const lines = [
    { ...line, id: 1, product_id: 22, variation_id: 23 },
    { ...line, id: 2, product_id: 0 },
  ];
  const named = (name: string, slug: string) => [{ id: 1, name, slug }];
  const products = [
    { id: 22, tags: named('Canasta b&aacute;sica', 'canasta'), categories: named('Libros', 'libros') },
  ];
  const { stand, shop } = await openBoth(
    { productDetails: true },
    { orders: [paidOrder({ line_items: lines })], products },
  );
  const order = await shop.fetchOrder('29');
  expect(order?.lines.map(({ productId, tags, collections }) => [productId, tags, collections])).toEqual([
    ['23', ['canasta', 'Canasta básica'], ['libros', 'Libros']],
    [null, [], []],
  ]);
  expect(stand.requests.map(({ path, authorized }) => [path, authorized])).toEqual([
    ['orders/29', true],
    ['products', true],
  ]);
});
