import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { createSandbox, type Sandbox } from '../emulator/index.ts';
import {
  openShopifyShop,
  openWooCommerceShop,
  type ShopifyShop,
  type WooCommerceShop,
} from '../shops/index.ts';
import { freePort } from '../shops/loopback.ts';
import { shopifyOrders } from '../shops/shopify-orders.ts';
import { taxPolicy, wooOrders } from '../shops/woocommerce-orders.ts';
import { type Part, ready, startPart } from './processes.ts';

export interface DemoOptions {
  /** The program of facturapuente, which Node runs. */
  entry: string;
  /** Who sells, as the config names an issuer. */
  issuer: object;
  /** Who signs in to the panel. */
  user: { password: string; passwordHash: string };
  /** Servers instead of SQLite, with a schema and a key prefix of the demo's own. */
  servers: DemoServers | null;
  /** SDL of the Shopify Admin API; every query is validated against it. */
  shopifySchema?: string | undefined;
}

export interface DemoServers {
  databaseUrl: string;
  redisUrl: string;
  schema: string;
  redisPrefix: string;
}

/** The parts of a running demo. */
export interface Demo {
  /** Of facturapuente. */
  url: string;
  woo: WooCommerceShop;
  shopify: ShopifyShop;
  secrets: { woo: string; shopify: string };
  sandbox: Sandbox;
  /** Who signs in to the panel. */
  user: { name: string; password: string };
  close(): Promise<void>;
}

const shop = 'tienda-demo.myshopify.com';

/** Starts the sandbox, two shops and facturapuente on loopback. On servers facturapuente runs as two processes, web and worker. */
export async function openDemo({ entry, servers, issuer, user, shopifySchema }: DemoOptions): Promise<Demo> {
  const closers: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const end of closers.splice(0).reverse()) await end();
  };
  try {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const [apiKey, service] = [randomSecret(), randomSecret()];
    const secrets = { woo: randomSecret(), shopify: randomSecret() };
    const sandbox = await createSandbox({
      allowLoopbackWebhooks: true,
      accounts: [{ apiKey, webhook: { url: `${url}/service/webhook/demo`, secret: service } }],
    });
    closers.push(() => sandbox.close());
    const keys = { consumerKey: `ck_${randomSecret()}`, consumerSecret: `cs_${randomSecret()}` };
    const woo = await openWooCommerceShop({ orders: wooOrders(new Date()), ...keys });
    closers.push(() => woo.close());
    const accessToken = randomSecret();
    const shopify = await openShopifyShop({
      shop,
      orders: shopifyOrders(new Date()),
      accessToken,
      ...(shopifySchema !== undefined && { schemaSdl: readSchema(shopifySchema) }),
    });
    closers.push(() => shopify.close());

    const folder = await mkdtemp(join(tmpdir(), 'facturapuente-demo-'));
    closers.push(() => rm(folder, { recursive: true, force: true }));
    const name = 'demo';
    const config = await writeConfig(
      folder,
      demoConfig({
        ...{ port, servers, issuer, user: { user: name, passwordHash: user.passwordHash } },
        account: { baseUrl: sandbox.url, apiKey, webhookSecrets: [service] },
        woocommerce: { url: woo.url, webhookSecrets: [secrets.woo], ...keys },
        shopifyApp: { clientId: 'app-demo', clientSecrets: [secrets.shopify] },
        shopify: { shop, adminUrl: shopify.url, accessToken },
      }),
    );
    const parts = startParts(entry, config, servers !== null);
    closers.push(() => Promise.all(parts.map((part) => part.stop())));
    await ready(url, parts[0] as Part);
    return { url, woo, shopify, secrets, sandbox, user: { name, password: user.password }, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The part with the endpoints comes first. */
function startParts(entry: string, config: string, onServers: boolean): Part[] {
  const common = ['--config', config, '--host', '127.0.0.1', '--log-level', 'warn'];
  if (!onServers) return [startPart(entry, common)];
  return [startPart(entry, [...common, '--role', 'web']), startPart(entry, [...common, '--role', 'worker'])];
}

function readSchema(file: string): string {
  const bytes = readFileSync(file);
  return (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
}

interface ConfigParts {
  port: number;
  servers: DemoServers | null;
  issuer: object;
  user: { user: string; passwordHash: string };
  account: object;
  woocommerce: object;
  shopifyApp: object;
  shopify: object;
}

/** The config of the demo: what a merchant with two stores would write. */
function demoConfig(parts: ConfigParts): Record<string, unknown> {
  const { port, servers } = parts;
  const store = { issuer: 'ejemplo', invoiceFrom: '2026-01-01' };
  return {
    publicUrl: `http://127.0.0.1:${port}`,
    port,
    secret: randomSecret(),
    ledger: servers ? { url: servers.databaseUrl, schema: servers.schema } : { directory: 'ledger' },
    ...(servers && { redis: { url: servers.redisUrl, prefix: servers.redisPrefix } }),
    panel: { secondFactor: 'off', users: [{ ...parts.user, role: 'configure' }] },
    accounts: { demo: parts.account },
    issuers: { ejemplo: { account: 'demo', ...parts.issuer } },
    apps: { 'app-demo': { platform: 'shopify', ...parts.shopifyApp } },
    stores: {
      'tienda-woo': {
        ...store,
        platform: 'woocommerce',
        series: { establecimiento: '001', puntoEmision: '001' },
        policy: { tax: taxPolicy },
        connection: parts.woocommerce,
      },
      'tienda-shopify': {
        ...store,
        platform: 'shopify',
        series: { establecimiento: '001', puntoEmision: '002' },
        connection: { app: 'app-demo', ...parts.shopify },
      },
    },
  };
}

export const randomSecret = (): string => randomBytes(32).toString('hex');

export async function writeConfig(folder: string, config: unknown): Promise<string> {
  const file = join(folder, 'facturapuente.config.json');
  await writeFile(file, JSON.stringify(config, null, 2), { mode: 0o600 });
  return file;
}
