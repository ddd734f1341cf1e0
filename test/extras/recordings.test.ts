import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { openApi } from '../../adapters/woocommerce/api.ts';
import { checkShop } from '../../adapters/woocommerce/install.ts';
import { readOrder } from '../../adapters/woocommerce/order.ts';
import { connectionSchema } from '../../adapters/woocommerce/settings.ts';
import { listenOnLoopback } from '../../sandbox/shops/loopback.ts';
import { inWords } from '../../src/domain/checks.ts';
import { openBridge } from '../adapters/woocommerce/bridge.ts';
import { keys } from '../adapters/woocommerce/shop.ts';

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`recordings/${name}.json`, import.meta.url), 'utf8'));
const orders = z
  .array(z.object({ what: z.string(), order: z.record(z.string(), z.unknown()) }))
  .parse(read('orders'));
const answers = z
  .array(z.object({ what: z.string(), status: z.int(), body: z.record(z.string(), z.unknown()) }))
  .parse(read('status'));

const connection = connectionSchema.parse({ url: 'https://tienda.example', ...keys });

/** Recorded from WooCommerce 10.5.0 with the plugin; the buyers are made up. */
const buyers: Record<string, [ids: unknown[][], legalName: string | null]> = {
  'block checkout, cédula': [[['1759999996', 'cedula']], null],
  'block checkout, consumidor final': [[['9999999999999', null]], null],
  'block checkout, passport': [[['AB12345', 'pasaporte']], null],
  'block checkout, company': [[['1790016919001', 'ruc']], 'Comercial Andina S.A.'],
  'block checkout, from abroad': [[], null],
  'classic checkout, cédula': [[['1759999996', 'cedula']], null],
  'classic checkout, company named in wp-admin': [[['1790016919001', 'ruc']], 'Comercial Andina S.A.'],
  'wp-admin, typed by hand': [[['AB12345', 'pasaporte']], null],
};

test.each(orders)('$what: facturapuente reads the buyer without a setting', ({ what, order }) => {
  const { buyer } = readOrder(order, connection);
  const expected = buyers[what] ?? [];
  expect([buyer.ids.map(({ value, type }) => [value, type]), buyer.company]).toEqual(expected);
});

test('each recording is one that is expected', () => {
  expect(orders.map(({ what }) => what)).toEqual(Object.keys(buyers));
});

/** A shop whose every answer about the plugin is the recorded one. */
async function pluginOf({ status, body }: (typeof answers)[number]) {
  const asked: string[] = [];
  const shop = await listenOnLoopback((request, response) => {
    asked.push(request.url?.split('?')[0] ?? '');
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }, 0);
  onTestFinished(() => shop.close());
  const bridge = await openBridge();
  const { context } = bridge;
  const local = connectionSchema.parse({ url: shop.url, ...keys });
  const api = openApi(local, async () => keys, context);
  return { asked, plugin: () => api.plugin(), context };
}

test('the version of the plugin is asked for under its own address', async () => {
  const [there] = answers;
  if (!there) throw new Error('There is no recording.');
  const { asked, plugin } = await pluginOf(there);
  expect(await plugin()).toMatchObject({
    plugin: 'facturapuente',
    version: '1.0.0',
    fields: { asked: true },
  });
  expect(asked).toEqual(['/wp-json/facturapuente/v1/status']);
});

test('a shop without the plugin has none, and says no more', async () => {
  const [, absent] = answers;
  if (!absent) throw new Error('There is no recording.');
  expect(await (await pluginOf(absent)).plugin()).toBeNull();
});

test.each(answers)('install, where $what', async (answer) => {
  const { plugin, context } = await pluginOf(answer);
  const environment = { version: '10.5.0' };
  const api = {
    settings: async () => ({ currency: 'USD', decimals: 2, date: null }),
    calculatesTaxes: async () => true,
    version: async () => environment,
    checkWriteAccess: async () => {},
    recentOrders: async () => [],
    plugin,
  } as unknown as Parameters<typeof checkShop>[0];
  const items = (await checkShop(api, connection, context, false))
    .map(inWords)
    .map(({ code, what, state }) => [code, what, state]);
  const found = items.find(([code]) => code === 'plugin');
  const field = items.find(([code]) => code === 'buyer-fields');
  expect(items[0]).toEqual(['shop', 'API de la tienda', 'ok']);
  if (answer.status === 200) {
    expect(found).toEqual(['plugin', 'Plugin de facturapuente (1.0.0)', 'ok']);
    expect(field?.[2]).toBe('ok');
  } else {
    expect(found).toBeUndefined();
    expect(field?.[2]).toBe('warning');
  }
});
