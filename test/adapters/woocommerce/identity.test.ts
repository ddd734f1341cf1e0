import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { memoryCredentials } from '../../../adapters/contract/index.ts';
import { toIdentity } from '../../../adapters/woocommerce/api.ts';
import { standsAt } from '../../../adapters/woocommerce/client.ts';
import { woocommerce } from '../../../adapters/woocommerce/index.ts';
import { openWooCommerceShop } from '../../../sandbox/shops/index.ts';
import { listenOnLoopback } from '../../../sandbox/shops/loopback.ts';
import { openOutbound } from '../../../src/app/outbound.ts';
import { silentLog } from '../../../src/domain/ports.ts';
import { hasShared, sharedPath } from '../../support/shared.ts';

const keys = { consumerKey: 'ck_prueba', consumerSecret: 'cs_prueba' };
const context = {
  clock: { now: () => new Date() },
  log: silentLog,
  userAgent: 'prueba',
  outbound: openOutbound(['127.0.0.0/8', '::1/128']),
  credentials: memoryCredentials(),
};

async function open(system = {}) {
  const shop = await openWooCommerceShop({ orders: [], ...keys, system });
  onTestFinished(() => shop.close());
  const at = (url: string) => {
    const connection = woocommerce.connection.parse({ url, ...keys });
    const api = woocommerce.openShop({ connection, app: null }, context);
    if (!api) throw new Error('It has an API.');
    return { connection, api };
  };
  return { shop, at };
}

describe('which WooCommerce shop it is', () => {
  test('its store id, and the addresses it says it has', async () => {
    const { shop, at } = await open({ storeId: '1a9fb5c2-96fb' });
    expect(await at(shop.url).api.identity()).toEqual({ id: '1a9fb5c2-96fb', addresses: [shop.url] });
    const moved = shop.url.replace('127.0.0.1', 'localhost');
    shop.move(moved);
    expect(await at(moved).api.identity()).toEqual({ id: '1a9fb5c2-96fb', addresses: [moved] });
  });

  test('the whole section is not asked for: the shop would call the internet first', async () => {
    const { shop, at } = await open();
    await at(shop.url).api.identity();
    const [asked] = shop.requests.map(({ query }) => query.get('_fields'));
    expect(asked).toBe('environment.store_id,environment.home_url,environment.site_url');
  });

  test('a shop that lost the option tells none', async () => {
    const { shop, at } = await open({ storeId: null });
    expect((await at(shop.url).api.identity()).id).toBeNull();
    const lost = toIdentity({ home_url: 'https://a.ec/', site_url: 'https://a.ec/wp' });
    expect(lost).toEqual({ id: null, addresses: ['https://a.ec', 'https://a.ec/wp'] });
  });

  test('a former address: the shop, the shop that moved on, and a domain that is gone', async () => {
    const { shop, at } = await open();
    const { connection } = at(shop.url);
    const former = shop.url;
    const look = (address = former) => standsAt(address, connection, context);
    expect(await look()).toBe('stands');
    shop.move(former.replace('127.0.0.1', 'localhost'));
    expect(await look()).toBe('left');
    expect(await look('https://no-existe.invalid')).toBe('left');
    shop.move(former.replace('http:', 'https:'));
    expect(await look()).toBe('stands');
  });

  test.each<[string, number, Record<string, string>, string, string]>([
    ['a redirect elsewhere', 301, { location: 'https://www.nueva.ec/wp-json/' }, '', 'left'],
    ['a page of somebody else', 200, {}, '<h1>Dominio en venta</h1>', 'left'],
    ['nothing any more', 404, {}, 'No está.', 'left'],
    ['a shop in maintenance', 503, {}, '<h1>Vuelva luego</h1>', 'unknown'],
    ['a firewall', 403, {}, '<h1>Attention required</h1>', 'unknown'],
  ])('a former address with %s', async (_what, status, headers, body, found) => {
    const server = await listenOnLoopback((_request, response) => {
      response.writeHead(status, headers).end(body);
    });
    onTestFinished(() => server.close());
    expect(await standsAt(server.url, { timeoutMs: 2_000 }, context)).toBe(found);
  });

  test('a former address where nobody answers proves nothing', async () => {
    const { shop, at } = await open();
    const { connection } = at(shop.url);
    await shop.close();
    expect(await standsAt(shop.url, connection, context)).toBe('unknown');
  });
});

const recorded = sharedPath('data/woocommerce/recordings2/rest');
describe.skipIf(!hasShared)('as recorded of a real shop', () => {
  const answers = hasShared
    ? readdirSync(recorded)
        .filter((name) => /-i0\d-.*system-status/.test(name))
        .map((name) => JSON.parse(readFileSync(`${recorded}/${name}`, 'utf8')))
        .filter(({ json }) => json?.environment)
    : [];

  test('the id stays when home and site change, and no shop that lost it states one', () => {
    const found = answers.map(({ json }) => toIdentity(json.environment));
    expect(found.length).toBeGreaterThan(4);
    const [before] = found;
    const same = found.filter(({ id }) => id === before?.id);
    expect(new Set(same.flatMap(({ addresses }) => addresses)).size).toBeGreaterThan(1);
    expect(found.some(({ id }) => id === null)).toBe(true);
  });
});
