import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { createSandbox } from '../emulator/index.ts';
import { openShopifyShop, openWooCommerceShop } from '../shops/index.ts';
import { freePort } from '../shops/loopback.ts';
import { shopifyOrders } from '../shops/shopify-orders.ts';
import { taxPolicy, wooOrders } from '../shops/woocommerce-orders.ts';
import type { DemoResult } from './report.ts';
import { collectFacturas, deliverAll, refundAll } from './sales.ts';

export interface Demo {
  result: DemoResult;
  /** Resolves on Ctrl-C; until then the links work. */
  untilStopped(): Promise<void>;
  close(): Promise<void>;
}

export interface DemoOptions {
  /** Shows a line to the person who watches. */
  progress(text: string): void;
  /** The program of facturapuente, which Node runs. */
  entry: string;
  /** Who sells, as the config names an issuer. */
  issuer: object;
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

const shop = 'tienda-demo.myshopify.com';

/**
 * Starts the sandbox, two shops and facturapuente on loopback, sells ten orders, waits until each has its factura, and
 * refunds some until each refund has its nota de crédito. On servers facturapuente runs as two processes, web and worker.
 */
export async function runDemo(options: DemoOptions): Promise<Demo> {
  const { progress, entry, servers, issuer } = options;
  const began = performance.now();
  const closers: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const end of closers.splice(0).reverse()) await end();
  };
  try {
    const port = await freePort();
    const [apiKey, service] = [randomSecret(), randomSecret()];
    const secrets = { woo: randomSecret(), shopify: randomSecret() };
    const webhook = { url: `http://127.0.0.1:${port}/service/webhook/demo`, secret: service };
    const sandbox = await createSandbox({
      allowLoopbackWebhooks: true,
      accounts: [{ apiKey, webhook }],
    });
    closers.push(() => sandbox.close());
    progress(`Servicio de facturación de prueba en ${sandbox.url}`);

    const keys = { consumerKey: `ck_${randomSecret()}`, consumerSecret: `cs_${randomSecret()}` };
    const woo = await openWooCommerceShop({ orders: wooOrders(new Date()), ...keys });
    closers.push(() => woo.close());
    const accessToken = randomSecret();
    const shopify = await openShopifyShop({
      shop,
      orders: shopifyOrders(new Date()),
      accessToken,
      ...(options.shopifySchema !== undefined && { schemaSdl: readSchema(options.shopifySchema) }),
    });
    closers.push(() => shopify.close());
    progress(`Tienda WooCommerce en ${woo.url} y tienda Shopify en ${shopify.url}`);

    const folder = await mkdtemp(join(tmpdir(), 'facturapuente-demo-'));
    closers.push(() => rm(folder, { recursive: true, force: true }));
    const config = demoConfig({
      ...{ port, servers, issuer },
      account: { baseUrl: sandbox.url, apiKey, webhookSecrets: [service] },
      woocommerce: { url: woo.url, webhookSecrets: [secrets.woo], ...keys },
      shopifyApp: { clientId: 'app-demo', clientSecrets: [secrets.shopify] },
      shopify: { shop, adminUrl: shopify.url, accessToken },
    });
    const url = `http://127.0.0.1:${port}`;
    const parts = startParts(entry, await writeConfig(folder, config), servers !== null);
    closers.push(() => Promise.all(parts.map((part) => part.stop())));
    await ready(url, parts[0] as Part);
    progress(
      `facturapuente en ${url}${servers ? ', web y worker en dos procesos sobre PostgreSQL y Redis' : ' sobre SQLite'}`,
    );

    const demo = { url, woo, shopify, secrets, sandbox, progress };
    const deliveries = await deliverAll(demo);
    const rows = await collectFacturas(demo);
    const refunds = await refundAll(demo);
    const seconds = Math.round((performance.now() - began) / 100) / 10;
    const complete =
      [...rows, ...refunds].every((row) => row.writtenBack && row.pdfBytes > 0) && deliveries.rejected === 1;
    return { result: { orders: rows, refunds, deliveries, seconds, complete }, untilStopped, close };
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

function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
}

/** The config of the demo: what a merchant with two stores would write. */
function demoConfig({
  port,
  servers,
  issuer,
  account,
  woocommerce,
  shopifyApp,
  shopify,
}: {
  port: number;
  servers: DemoServers | null;
  issuer: object;
  account: object;
  woocommerce: object;
  shopifyApp: object;
  shopify: object;
}): Record<string, unknown> {
  const store = { issuer: 'ejemplo', invoiceFrom: '2026-01-01' };
  return {
    publicUrl: `http://127.0.0.1:${port}`,
    port,
    secret: randomSecret(),
    ledger: servers ? { url: servers.databaseUrl, schema: servers.schema } : { directory: 'ledger' },
    ...(servers && { redis: { url: servers.redisUrl, prefix: servers.redisPrefix } }),
    accounts: { demo: account },
    issuers: { ejemplo: { account: 'demo', ...issuer } },
    apps: { 'app-demo': { platform: 'shopify', ...shopifyApp } },
    stores: {
      'tienda-woo': {
        ...store,
        platform: 'woocommerce',
        series: { establecimiento: '001', puntoEmision: '001' },
        policy: { tax: taxPolicy },
        connection: woocommerce,
      },
      'tienda-shopify': {
        ...store,
        platform: 'shopify',
        series: { establecimiento: '001', puntoEmision: '002' },
        connection: { app: 'app-demo', ...shopify },
      },
    },
  };
}

const randomSecret = (): string => randomBytes(32).toString('hex');

export async function writeConfig(folder: string, config: unknown): Promise<string> {
  const file = join(folder, 'facturapuente.config.json');
  await writeFile(file, JSON.stringify(config, null, 2), { mode: 0o600 });
  return file;
}

type Part = ReturnType<typeof startPart>;

/** Runs `facturapuente start` as its own process. */
function startPart(entry: string, args: readonly string[]) {
  const child: ChildProcess = spawn(process.execPath, [entry, 'start', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => lines.push(text));
  }
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

/** Waits until a process is ready; throws with its log where it ends before. */
async function ready(url: string, part: Part): Promise<void> {
  let code: number | null | undefined;
  part.exited.then((exit) => {
    code = exit;
  });
  for (let tries = 0; tries < 600; tries += 1) {
    if (code !== undefined) throw new Error(`facturapuente start ended with ${code}:\n${part.log()}`);
    const answer = await fetch(`${url}/readyz`).catch(() => null);
    await answer?.body?.cancel();
    if (answer?.ok) return;
    await pause(25);
  }
  throw new Error(`facturapuente start was not ready after 15 s:\n${part.log()}`);
}
