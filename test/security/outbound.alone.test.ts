import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { memoryCredentials } from '../../adapters/contract/index.ts';
import { shopifyFetch } from '../../adapters/shopify/client.ts';
import { probe } from '../../adapters/woocommerce/client.ts';
import { woocommerce } from '../../adapters/woocommerce/index.ts';
import { openOutbound } from '../../src/app/outbound.ts';
import { guardSchema } from '../../src/config/schema.ts';
import { inWords } from '../../src/domain/checks.ts';
import { silentLog } from '../../src/domain/ports.ts';
import { openPost } from '../../src/observability/notify/open.ts';

/** Whatever name is asked for leads there; what is asked is written down. */
const leads = vi.hoisted(() => ({ to: [] as { address: string; family: number }[], asked: [] as string[] }));
vi.mock(import('node:dns'), async (original) => {
  const dns = await original();
  const lookup = (name: string, _options: unknown, callback: (...answer: unknown[]) => void) => {
    leads.asked.push(name);
    callback(null, leads.to);
  };
  return { ...dns, lookup: lookup as typeof dns.lookup };
});
const leadTo = (...addresses: string[]) => {
  leads.to = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
};

const found = (outbound: ReturnType<typeof openOutbound>, name: string) =>
  new Promise((resolve) =>
    outbound.lookup(name, { all: true }, (error, addresses) =>
      resolve(error ? (error as { code?: string }).code : addresses),
    ),
  );

const inside = [
  ...[
    '127.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
  ],
  ...['0.0.0.0', '198.18.0.1', '224.0.0.1', '255.255.255.255'],
  ...['::1', '::', 'fe80::1', 'fd00::1', 'ff02::1', '2002:a00:1::1'],
  ...['192.88.99.1', '168.63.129.16', '192.0.2.1', '192.0.0.8', '198.51.100.1', '203.0.113.9', '240.0.0.1'],
  ...['::127.0.0.1', '::ffff:0:127.0.0.1', 'fec0::1', '2001:0::1', '2001:2::1', '2001:10::1', '2001:20::1'],
  ...['3fff::1', '5f00::1', '100::1', '2001:db8::1', '64:ff9b:1::1', '4000::1', 'fe80::1%1'],
  ...['64:ff9b::168.63.129.16', '64:ff9b::c058:6301', '2002:7f00:1::1'],
  ...['::ffff:10.0.0.1', '::ffff:127.0.0.1', '64:ff9b::a00:1', '64:ff9b::169.254.169.254'],
];
const outside = [
  '1.1.1.1',
  '172.15.0.1',
  '172.32.0.1',
  '190.15.128.1',
  '2606:4700::1111',
  '64:ff9b::101:101',
  '::ffff:1.1.1.1',
  '2800:bf0::1',
  '168.63.129.17',
];

describe('a name of somebody else', () => {
  test.each(inside)('that leads to %s is not called', async (address) => {
    leadTo(address);
    expect(await found(openOutbound(), 'tienda.ec')).toBe('EPRIVATE');
    leadTo('1.1.1.1', address);
    expect(await found(openOutbound(), 'tienda.ec')).toBe('EPRIVATE');
  });

  test.each(outside)('that leads to %s is called there', async (address) => {
    leadTo(address);
    expect(await found(openOutbound(), 'tienda.ec')).toMatchObject([{ address }]);
  });

  test('may lead into a network the config allows, and into no other', async () => {
    const outbound = openOutbound(['10.20.0.0/16', 'fd00::/8']);
    leadTo('10.20.0.7');
    expect(await found(outbound, 'tienda.ec')).toMatchObject([{ address: '10.20.0.7' }]);
    leadTo('10.21.0.7');
    expect(await found(outbound, 'tienda.ec')).toBe('EPRIVATE');
    expect(outbound.refuses('10.20.0.7')).toBe(false);
  });

  test('is refused as an address too, but for this machine, which nobody writes by accident', () => {
    const { refuses } = openOutbound();
    expect(['10.0.0.1', '[fd00::1]', '169.254.169.254', '[::ffff:10.0.0.1]'].map(refuses)).not.toContain(
      false,
    );
    expect(['127.0.0.1', '[::1]', 'localhost', 'tienda.ec', '1.1.1.1'].map(refuses)).not.toContain(true);
  });

  test('is refused behind every notation of its address, and reaches IPv4 through IPv6 where IPv4 may be called', () => {
    const { refuses } = openOutbound();
    const hostOf = (text: string) => new URL(`http://${text}/`).hostname;
    const written = [
      '2130706434',
      '0x0a.1',
      '[::ffff:a00:1]',
      '[0:0:0:0:0:ffff:169.254.169.254]',
      '[::a00:1]',
    ];
    expect(written.map(hostOf).map(refuses)).toEqual([false, true, true, true, true]);
    expect(openOutbound(['10.0.0.0/8']).refuses('[::ffff:10.0.0.1]')).toBe(false);
  });

  test.each(['10.0.0.0', '10.0.0.0/33', 'x/8', '::/129', '/8'])('%s is no network to allow', (text) =>
    expect(guardSchema.outbound.safeParse({ allow: [text] }).success).toBe(false),
  );
});

const contextOf = () => ({
  clock: { now: () => new Date() },
  log: silentLog,
  userAgent: 'test',
  credentials: memoryCredentials(),
  outbound: openOutbound(),
});

/** A server on this machine that must hear nothing. */
async function openVictim() {
  let heard = 0;
  const server = createServer((_request, response) => {
    heard += 1;
    response.end('{}');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, heard: () => heard };
}

test('a redirect of Shopify is not followed, for the token would go along', async () => {
  const victim = await openVictim();
  const server = createServer((_request, response) =>
    response.writeHead(307, { location: `http://127.0.0.1:${victim.port}/` }).end(),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const headers = { 'x-shopify-access-token': 'shpat_1' };
  const answer = await shopifyFetch(`http://127.0.0.1:${port}/admin`, {
    method: 'POST',
    headers,
    body: '{}',
  });
  expect([answer.status, victim.heard()]).toEqual([307, 0]);
});

test.each(['gzip', 'none'])(
  'an answer of a shop that grows without end (%s) is cut off, and fills no memory',
  async (encoding) => {
    const block = Buffer.alloc(1024 * 1024);
    const bomb = encoding === 'gzip' ? gzipSync(Buffer.alloc(256 * 1024 * 1024)) : null;
    const server = createServer((_request, response) => {
      if (bomb) return void response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
      const more = () => {
        while (!response.destroyed && response.write(block));
      };
      response.on('drain', more);
      more();
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    leadTo('127.0.0.1');
    const context = contextOf();
    const read = woocommerce.connection.parse({ url, consumerKey: 'ck_1', consumerSecret: 'cs_1' });
    const before = process.memoryUsage().rss;
    await expect(
      woocommerce.openShop({ connection: read, app: null }, context)?.fetchOrder('1'),
    ).rejects.toThrow();
    await expect(probe(read, context)).rejects.toThrow();
    expect((process.memoryUsage().rss - before) / 1024 / 1024).toBeLessThan(150);
  },
);

describe('what lies behind us hears nothing', () => {
  test('of a shop whose name leads there', async () => {
    const victim = await openVictim();
    leadTo('127.0.0.1');
    const context = contextOf();
    const url = `https://tienda.ec:${victim.port}`;
    const connection = { url, webhookSecrets: ['x'], consumerKey: 'ck_1', consumerSecret: 'cs_1' };
    const read = woocommerce.connection.parse(connection);
    const shop = woocommerce.openShop({ connection: read, app: null }, context);
    leads.asked.length = 0;
    await expect(shop?.fetchOrder('1')).rejects.toMatchObject({ code: 'shop-private', retryable: true });
    // The guard itself was asked, and by whoever was about to connect.
    expect(leads.asked).toEqual(['tienda.ec']);
    const store = { id: 'tienda', shop: url, app: null, connection: read };
    const installation = woocommerce.install?.(
      {
        store: { ...store, connection: woocommerce.connection.parse({ url }) },
        publicUrl: 'https://conector.ec',
        tickets: { issue: () => 't', admits: () => false },
        apply: false,
      } as never,
      context,
    );
    expect(JSON.stringify((await installation)?.map(inWords))).toContain('red privada');
    const literal = woocommerce.connection.parse({ ...connection, url: 'https://10.0.0.1' });
    const other = woocommerce.openShop({ connection: literal, app: null }, context);
    await expect(other?.fetchOrder('1')).rejects.toMatchObject({ code: 'shop-private' });
    expect(victim.heard()).toBe(0);
  });

  test('of a receiver of webhooks whose name leads there', async () => {
    const victim = await openVictim();
    leadTo('127.0.0.1');
    const post = openPost(openOutbound());
    const message = { id: 'm', type: 'alerts', timestamp: new Date().toISOString(), data: {} };
    const sent = { now: new Date(), userAgent: 'test' };
    const secrets = [`whsec_${Buffer.alloc(32, 1).toString('base64')}`];
    const to = (url: string) => post({ id: 'erp', url, secrets }, message, sent);
    const merchant = expect.stringContaining('red privada');
    const isPrivate = { code: 'webhook-undelivered', params: { why: 'EPRIVATE' }, merchant };
    await expect(to(`http://erp.ec:${victim.port}/gancho`)).rejects.toMatchObject(isPrivate);
    await expect(to('https://192.168.0.1/gancho')).rejects.toMatchObject(isPrivate);
    await expect(to('https://192.168.0.1/gancho')).rejects.toMatchObject({
      merchant: expect.stringContaining('outbound.allow'),
    });
    expect(victim.heard()).toBe(0);
    await to(`http://127.0.0.1:${victim.port}/gancho`);
    expect(victim.heard()).toBe(1);
  });
});
