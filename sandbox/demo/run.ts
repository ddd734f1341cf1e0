import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { dayMs, ecuadorDay } from '../../src/domain/clock.ts';
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
  stopped: AbortSignal;
}

export interface DemoServers {
  databaseUrl: string;
  redisUrl: string;
  schema: string;
  redisPrefix: string;
  /** Removes the schema and the keys. */
  drop(): Promise<void>;
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

/**
 * Starts the sandbox, two shops and facturapuente on loopback. On servers facturapuente runs as two processes, web and worker.
 * Rejects once it is stopped before it is ready.
 */
export async function openDemo(options: DemoOptions): Promise<Demo> {
  const { entry, servers, issuer, user, shopifySchema, stopped } = options;
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
    if (servers) closers.push(() => servers.drop());
    stopped.throwIfAborted();
    const parts = startParts(entry, config, servers !== null);
    closers.push(() => Promise.all(parts.map((part) => part.stop())));
    await ready(url, parts[0] as Part, stopped);
    return { url, woo, shopify, secrets, sandbox, user: { name, password: user.password }, close };
  } catch (error) {
    await close().catch(() => {});
    throw error;
  }
}

/** The part with the endpoints comes first. */
function startParts(entry: string, config: string, onServers: boolean): Part[] {
  const common = ['--config', config, '--host', '127.0.0.1', '--log-level', 'warn'];
  if (!onServers) return [startPart(entry, common)];
  return [startPart(entry, [...common, '--role', 'web']), startPart(entry, [...common, '--role', 'worker'])];
}

type Part = ReturnType<typeof startPart>;

/** Runs `facturapuente start` as its own process. */
function startPart(entry: string, args: readonly string[]) {
  const child = spawn(process.execPath, [entry, 'start', ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => lines.push(text));
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  return {
    exited,
    /** What it logged so far. */
    log: () => lines.join(''),
    async stop(): Promise<void> {
      if (child.exitCode === null) child.kill('SIGTERM');
      await exited;
    },
  };
}

/** Waits until a process is ready; throws with its log where it ends before, and once it is stopped. */
async function ready(url: string, part: Part, stopped: AbortSignal): Promise<void> {
  let code: number | null | undefined;
  part.exited.then((exit) => {
    code = exit;
  });
  for (let tries = 0; tries < 600; tries += 1) {
    if (code !== undefined) throw new Error(`facturapuente start ended with ${code}:\n${part.log()}`);
    const answer = await fetch(`${url}/readyz`).catch(() => null);
    await answer?.body?.cancel();
    if (answer?.ok) return;
    await pause(25, undefined, { signal: stopped });
  }
  throw new Error(`facturapuente start was not ready after 15 s:\n${part.log()}`);
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
  const store = { issuer: 'ejemplo', invoiceFrom: ecuadorDay(new Date(Date.now() - dayMs)) };
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
