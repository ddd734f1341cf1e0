import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { demoIssuer } from '../demo-issuer.ts';
import { installed } from '../sandbox.ts';
import { deliverAll } from './deliveries.ts';
import { freePort } from './free-port.ts';
import type { Live } from './live.ts';
import { ownFolder, type Part, randomSecret, ready, startPart, writeConfig } from './parts.ts';
import { refundAll } from './refunds.ts';
import { collect, type DemoResult } from './result.ts';
import { shopifyOrders } from './shopify-orders.ts';
import { wooOrders } from './woocommerce-orders.ts';
import { taxPolicy } from './woocommerce-sales.ts';

export interface Demo {
  result: DemoResult;
  /** Resolves on Ctrl-C; until then the links work. */
  untilStopped(): Promise<void>;
  close(): Promise<void>;
}

export interface DemoOptions {
  live: Live;
  env: Readonly<Record<string, string | undefined>>;
  /** SDL of the Shopify Admin API; every query is validated against it. */
  shopifySchema?: string;
}

const shop = 'tienda-demo.myshopify.com';

/**
 * Starts the sandbox, two shops and facturapuente as separate parts on loopback, sells ten orders, waits
 * until every one carries its factura, and gives money back until every refund has its nota de crédito. With DATABASE_URL and REDIS_URL facturapuente runs on those servers, web
 * and worker as two processes.
 */
export async function runDemo(options: DemoOptions): Promise<Demo> {
  const { live, env } = options;
  const { createSandbox } = await installed('demo', () => import('facturapuente-sandbox'));
  const { openShopifyShop, openWooCommerceShop } = await import('facturapuente-sandbox/shops');
  const began = performance.now();
  const closers: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const end of closers.splice(0).reverse()) await end();
  };
  try {
    const port = await freePort();
    const secrets = {
      apiKey: randomSecret(),
      service: randomSecret(),
      woo: randomSecret(),
      shopify: randomSecret(),
    };
    const webhook = { url: `http://127.0.0.1:${port}/service/webhook/demo`, secret: secrets.service };
    const sandbox = await createSandbox({
      allowLoopbackWebhooks: true,
      accounts: [{ apiKey: secrets.apiKey, webhook }],
    });
    closers.push(() => sandbox.close());
    live.step(`Servicio de facturación de prueba en ${sandbox.url}`);

    const keys = { consumerKey: `ck_${randomSecret()}`, consumerSecret: `cs_${randomSecret()}` };
    const woo = await openWooCommerceShop({ orders: wooOrders(new Date()), ...keys });
    closers.push(() => woo.close());
    const accessToken = randomSecret();
    const schemaSdl =
      options.shopifySchema === undefined ? {} : { schemaSdl: readSchema(options.shopifySchema) };
    const shopify = await openShopifyShop({
      shop,
      orders: shopifyOrders(new Date()),
      accessToken,
      ...schemaSdl,
    });
    closers.push(() => shopify.close());
    live.step(`Tienda WooCommerce en ${woo.url} y tienda Shopify en ${shopify.url}`);

    const folder = await ownFolder();
    closers.push(folder.remove);
    const servers = openServers(env);
    if (servers) closers.push(servers.drop);
    const config = demoConfig({
      port,
      secret: randomSecret(),
      servers,
      service: { url: sandbox.url, apiKey: secrets.apiKey, webhookSecret: secrets.service },
      woocommerce: { url: woo.url, webhookSecret: secrets.woo, ...keys },
      shopify: {
        shop,
        adminUrl: shopify.url,
        clientId: 'app-demo',
        clientSecret: secrets.shopify,
        accessToken,
      },
    });
    const url = `http://127.0.0.1:${port}`;
    const parts = startParts(await writeConfig(folder.path, config), servers !== null);
    closers.push(() => Promise.all(parts.map((part) => part.stop())));
    await ready(url, parts[0] as Part);
    live.step(
      `facturapuente en ${url}${servers ? ', web y worker en dos procesos sobre PostgreSQL y Redis' : ' sobre SQLite'}`,
    );

    const deliveries = await deliverAll({ url, woo, shopify, secrets, live });
    const rows = await collect({ woo, shopify, sandbox, live });
    const refunds = await refundAll({ url, woo, shopify, secrets, sandbox, live });
    const seconds = Math.round((performance.now() - began) / 100) / 10;
    const complete =
      [...rows, ...refunds].every((row) => row.writtenBack && row.pdfBytes > 0) && deliveries.rejected === 1;
    return { result: { orders: rows, refunds, deliveries, seconds, complete }, untilStopped, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The part that answers the doors comes first. */
function startParts(config: string, onServers: boolean): Part[] {
  const common = ['--config', config, '--host', '127.0.0.1', '--log-level', 'warn'];
  if (!onServers) return [startPart(common)];
  return [startPart([...common, '--role', 'web']), startPart([...common, '--role', 'worker'])];
}

function readSchema(file: string): string {
  const bytes = readFileSync(file);
  return (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
}

function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
}

interface DemoPlaces {
  port: number;
  service: { url: string; apiKey: string; webhookSecret: string };
  woocommerce: { url: string; webhookSecret: string; consumerKey: string; consumerSecret: string };
  shopify: { shop: string; adminUrl: string; clientId: string; clientSecret: string; accessToken: string };
  /** Set when the demo runs on servers. */
  servers: { databaseUrl: string; schema: string; redisUrl: string; redisPrefix: string } | null;
  secret: string;
}

/** The config the demo's processes run on: what a merchant with two stores would write. */
function demoConfig(places: DemoPlaces): Record<string, unknown> {
  const { service, woocommerce, shopify, servers } = places;
  const { ambiente, ...issuer } = demoIssuer.issuer;
  return {
    publicUrl: `http://127.0.0.1:${places.port}`,
    port: places.port,
    secret: places.secret,
    ledger: servers ? { url: servers.databaseUrl, schema: servers.schema } : { directory: 'ledger' },
    ...(servers ? { redis: { url: servers.redisUrl, prefix: servers.redisPrefix } } : {}),
    accounts: {
      demo: { baseUrl: service.url, apiKey: service.apiKey, webhookSecrets: [service.webhookSecret] },
    },
    issuers: { ejemplo: { account: 'demo', ambiente, ...issuer } },
    apps: {
      'app-demo': { platform: 'shopify', clientId: shopify.clientId, clientSecrets: [shopify.clientSecret] },
    },
    stores: {
      'tienda-woo': {
        platform: 'woocommerce',
        issuer: 'ejemplo',
        series: { establecimiento: '001', puntoEmision: '001' },
        invoiceFrom: '2026-01-01',
        policy: { tax: taxPolicy },
        connection: {
          url: woocommerce.url,
          webhookSecrets: [woocommerce.webhookSecret],
          consumerKey: woocommerce.consumerKey,
          consumerSecret: woocommerce.consumerSecret,
        },
      },
      'tienda-shopify': {
        platform: 'shopify',
        issuer: 'ejemplo',
        series: { establecimiento: '001', puntoEmision: '002' },
        invoiceFrom: '2026-01-01',
        connection: {
          app: 'app-demo',
          shop: shopify.shop,
          adminUrl: shopify.adminUrl,
          accessToken: shopify.accessToken,
        },
      },
    },
  };
}

interface DemoServers {
  databaseUrl: string;
  schema: string;
  redisUrl: string;
  redisPrefix: string;
  /** Removes everything the demo left on the servers. */
  drop(): Promise<void>;
}

/** The servers named by DATABASE_URL and REDIS_URL, with a schema and a key prefix of the demo's own. */
function openServers(env: Readonly<Record<string, string | undefined>>): DemoServers | null {
  const { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl } = env;
  if (!databaseUrl || !redisUrl) return null;
  const schema = `demo_${randomBytes(4).toString('hex')}`;
  const redisPrefix = `{facturapuente-${schema}}`;
  return {
    databaseUrl,
    redisUrl,
    schema,
    redisPrefix,
    async drop() {
      const { dropLedger } = await import('../../ledger/drop.ts');
      const { dropJobs } = await import('../../queue/drop.ts');
      await dropLedger({ url: databaseUrl, schema });
      await dropJobs({ redisUrl, prefix: redisPrefix });
    },
  };
}
