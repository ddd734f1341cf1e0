import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/emulator/index.ts';
import { freePort } from '../../sandbox/shops/loopback.ts';
import { taxPolicy, wooOrders } from '../../sandbox/shops/woocommerce-orders.ts';
import {
  openWooCommerceShop,
  type ShopOptions,
  type WooCommerceShop,
} from '../../sandbox/shops/woocommerce-shop.ts';
import { type Connector, openConnector, type Role } from '../../src/app/connector.ts';
import { demoIssuer } from '../../src/cli/given.ts';
import { loadConfig } from '../../src/config/load.ts';
import { openLog } from '../../src/observability/log.ts';
import { eventually } from './eventually.ts';
import { openProcesses, type Running, startsWithinMs } from './processes.ts';
import { environmentWith } from './run.ts';
import { hasServers, openDatabase, ownName, redisUrl, removeKeys } from './servers.ts';

/** On what the product runs in a test. */
export type Engine = 'sqlite' | 'servers';
/** On what a product can run here. */
export const engines: readonly Engine[] = hasServers ? ['sqlite', 'servers'] : ['sqlite'];

export const webhookSecret = 'secreto-de-la-tienda-0123456789abcdef';
const serviceSecret = 'secreto-del-servicio-0123456789abcdef0123';
const keys = { consumerKey: 'ck_prueba', consumerSecret: 'cs_prueba' };

/** What a product works with; nothing of it runs yet. */
interface Scene {
  sandbox: Sandbox;
  shop: WooCommerceShop;
  url: string;
  port: number;
  folder: string;
  /** The config of `start`. */
  file: string;
  /** Where its ledger is. */
  ledger: { directory: string } | { url: string };
  deliver(orderId: string, times?: number): Promise<number[]>;
}

export interface Product extends Scene {
  /** Runs what `facturapuente start` runs until the endpoints are ready: one part for SQLite, web and worker on servers. */
  start(role?: 'all' | 'web'): Promise<void>;
  /** An orderly stop; a job that takes longer is left. */
  stop(withinMs?: number): Promise<unknown>;
  log(): string;
  close(): Promise<void>;
}

/** A product whose parts are processes, for what only a process shows: its end, its signals, its clock. */
export interface ProductProcesses extends Product {
  /** Starts one process more, its endpoints on a port of its own; it ends with the others. */
  launch(role: Role, port?: number): Running;
  /** kill -9 on every running process. */
  kill(): Promise<void>;
  /** An orderly stop; answers the exit codes. */
  stop(): Promise<(number | null)[]>;
}

export interface ProductOptions {
  engine: Engine;
  /** Options of the sandbox, or what makes them of the product's address. */
  sandbox?: SandboxOptions | ((url: string) => SandboxOptions);
  /** Changes to the written config, or what makes them of the sandbox's address. */
  config?: Record<string, unknown> | ((sandboxUrl: string) => Record<string, unknown>);
  /** WooCommerce orders of the shop. */
  orders?: readonly unknown[];
  /** What stands before the shop. */
  shopHost?: ShopOptions['host'];
  connection?: Record<string, unknown>;
  /** Changes to the written connection. */
  connected?: Record<string, unknown>;
  /** Other stores of the same issuer and series, by their connections. */
  moreStores?: Record<string, Record<string, unknown>>;
  /** Of the store: tax rules, credit notes and the rest. */
  policy?: Record<string, unknown>;
  /** Null leaves it to the first start. */
  invoiceFrom?: null;
}

const sameStore = {
  platform: 'woocommerce',
  issuer: 'ejemplo',
  series: { establecimiento: '001', puntoEmision: '001' },
  invoiceFrom: '2026-01-01',
};

const rolesOf = (engine: Engine, role: 'all' | 'web'): Role[] =>
  engine === 'servers' && role === 'all' ? ['web', 'worker'] : [role];

const stopsWithinMs = 20_000;

/** The whole product on loopback, in this process: sandbox, a WooCommerce shop, and what `start` runs on the engine. */
export async function openProduct(options: ProductOptions): Promise<Product> {
  const { close, ...scene } = await openScene(options);
  const file = join(scene.folder, 'log');
  let running: Connector[] = [];
  const stop = async (withinMs = stopsWithinMs) => {
    const ended = running;
    running = [];
    await Promise.all(ended.map((connector) => connector.close(withinMs)));
  };
  return {
    ...scene,
    log: () => (existsSync(file) ? readFileSync(file, 'utf8') : ''),
    async start(role = 'all') {
      for (const each of rolesOf(options.engine, role)) {
        const config = await loadConfig({ path: scene.file, cwd: scene.folder, env: environmentWith() });
        const log = openLog({ level: config.log.level ?? 'info', file });
        running.push(await openConnector({ config, role: each, log, host: '127.0.0.1' }));
      }
      await eventually(() => isReady(scene.url), 'start to be ready');
    },
    stop,
    async close() {
      await stop(1_000);
      await close();
    },
  };
}

/** The same as processes of their own. */
export async function openProductProcesses({
  env,
  ...options
}: ProductOptions & {
  /** Beside the test's own environment. */
  env?: Record<string, string>;
}): Promise<ProductProcesses> {
  const { close, ...scene } = await openScene(options);
  const processes = openProcesses(scene.file, env);
  let children: Running[] = [];
  const launch = (role: Role, port?: number): Running => {
    const child = processes.launch(role, port);
    children.push(child);
    return child;
  };
  const end = async (signal: NodeJS.Signals): Promise<(number | null)[]> => {
    const ended = children;
    children = [];
    return Promise.all(ended.map((child) => child.end(signal)));
  };
  const kill = async () => void (await end('SIGKILL'));
  return {
    ...scene,
    log: processes.log,
    launch,
    async start(role = 'all') {
      const started = rolesOf(options.engine, role).map((each) => launch(each));
      const areReady = () => {
        for (const child of started) child.alive();
        return isReady(scene.url);
      };
      await eventually(areReady, 'start to be ready', startsWithinMs);
    },
    kill,
    stop: () => end('SIGTERM'),
    async close() {
      await kill();
      await close();
    },
  };
}

async function isReady(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/readyz`).catch(() => null);
  await answer?.body?.cancel();
  return answer?.ok ?? false;
}

async function openScene(options: ProductOptions): Promise<Scene & { close(): Promise<void> }> {
  const { engine } = options;
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const webhook = { url: `${url}/service/webhook/cuenta`, secret: serviceSecret };
  const sandbox = await createSandbox({
    allowLoopbackWebhooks: true,
    accounts: [{ apiKey: 'clave-1', webhook }],
    authorizeDelayMs: 50,
    ...(typeof options.sandbox === 'function' ? options.sandbox(url) : options.sandbox),
  });
  const shop = await openWooCommerceShop({
    orders: options.orders ?? wooOrders(new Date()),
    ...keys,
    ...(options.shopHost && { host: options.shopHost }),
  });
  const folder = await mkdtemp(join(tmpdir(), 'facturapuente-test-'));
  const prefix = `{${ownName('fp')}}`;
  const database = engine === 'servers' ? await openDatabase() : null;
  const { ambiente, ...issuer } = demoIssuer.issuer;
  const config = {
    publicUrl: url,
    port,
    secret: 'un-secreto-de-al-menos-32-caracteres-para-pruebas',
    ...(database
      ? { ledger: { url: database.url }, redis: { url: redisUrl, prefix } }
      : { ledger: { directory: 'ledger' } }),
    worker: { leaseSeconds: 2 },
    // Tests deliver what they want told; those of the reconciliation set their own.
    reconciliation: { everyMinutes: 1440 },
    accounts: { cuenta: { baseUrl: sandbox.url, apiKey: 'clave-1', webhookSecrets: [serviceSecret] } },
    issuers: { ejemplo: { account: 'cuenta', ambiente, ...issuer } },
    stores: {
      ...Object.fromEntries(
        Object.entries(options.moreStores ?? {}).map(([id, connection]) => [
          id,
          { ...sameStore, connection },
        ]),
      ),
      tienda: {
        ...sameStore,
        connection: options.connection ?? {
          url: shop.url,
          webhookSecrets: [webhookSecret],
          ...keys,
          ...options.connected,
        },
        policy: { tax: taxPolicy, ...options.policy },
        ...(options.invoiceFrom === null && { invoiceFrom: undefined }),
      },
    },
    ...(typeof options.config === 'function' ? options.config(sandbox.url) : options.config),
  };
  const file = join(folder, 'facturapuente.config.json');
  await writeFile(file, JSON.stringify(config));

  return {
    ...{ sandbox, shop, url, port, folder, file },
    ledger: database ? { url: database.url } : { directory: join(folder, 'ledger') },
    async deliver(orderId, times = 1) {
      const answers = await shop.deliver(`${url}/webhooks/tienda`, webhookSecret, {
        topic: 'order.updated',
        orderId,
        times,
      });
      return answers.map((answer) => answer.status);
    },
    async close() {
      await shop.close();
      await sandbox.close();
      await database?.drop();
      if (database) await removeKeys(prefix);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** What our meta_data on an order says, by key without prefix. */
export function written(product: Product, orderId: string): Record<string, string> {
  const entries = product.shop.order(orderId)?.meta_data ?? [];
  return Object.fromEntries(
    entries
      .filter((entry) => entry.key.startsWith('_facturapuente_'))
      .map((entry) => [entry.key.replace('_facturapuente_', ''), String(entry.value)]),
  );
}
