import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createSandbox, type Sandbox } from '../../sandbox/emulator/index.ts';
import {
  orderId as shopifyId,
  sales as shopifySales,
  toShopifyOrder,
} from '../../sandbox/shops/shopify-orders.ts';
import { openShopifyShop } from '../../sandbox/shops/shopify-shop.ts';
import { taxPolicy, toWooOrder, sales as wooSales } from '../../sandbox/shops/woocommerce-orders.ts';
import { openWooCommerceShop, type WooCommerceShop } from '../../sandbox/shops/woocommerce-shop.ts';
import { openEndpoints } from '../../src/app/connector.ts';
import { type Installation, openInstallation } from '../../src/app/installation.ts';
import { operationsOf } from '../../src/app/operating.ts';
import { demoIssuer } from '../../src/cli/given.ts';
import { parseConfig } from '../../src/config/load.ts';
import { silentLog, type Tickets } from '../../src/domain/ports.ts';
import { owner, type Store } from '../../src/domain/settings.ts';
import type { Links } from '../../src/http/links.ts';
import { enqueueSync } from '../../src/jobs/enqueue.ts';
import { openRunJob } from '../../src/jobs/run-job.ts';
import { hashPassword } from '../../src/panel/people.ts';
import { openMemoryTransport } from '../../src/queue/transport.ts';
import { cookieOf, password } from '../panel/installation.ts';
import { eventually } from './eventually.ts';
import { openJobLoop } from './job-loop.ts';
import { noonClock } from './noon.ts';

/** The config takes none that costs less. */
const passwordHash = await hashPassword(password);

/** A merchant with an issuer, an account, a Shopify and a WooCommerce store, and names of their own for everything. */
export interface Merchant {
  id: 'a' | 'b';
  ruc: string;
  name: string;
  establishment: string;
  /** Added to the numbers of the demo's orders, and taken off its prices: no two merchants share a number or an amount. */
  offset: number;
  cents: string;
  buyer: string;
}

export const merchantA: Merchant = {
  id: 'a',
  ruc: demoIssuer.issuer.ruc,
  name: 'Almacenes Aurora',
  establishment: '001',
  offset: 0,
  cents: '',
  buyer: 'Almeida',
};
export const merchantB: Merchant = {
  id: 'b',
  ruc: '1792146739001',
  name: 'Bazar Bolívar',
  establishment: '007',
  offset: 70_000,
  cents: '7',
  buyer: 'Bustamante',
};

export const storeIds = ({ id }: Merchant): [woo: string, shopify: string] => [`woo-${id}`, `shopify-${id}`];
export const tokenOf = (name: string): string => `fpmcp_${name}_0123456789`;
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const keys = { consumerKey: 'ck_prueba', consumerSecret: 'cs_prueba' };

export interface World {
  runtime: Installation;
  ledgerFile: string;
  url: string;
  day: string;
  links: Links;
  tickets: Tickets;
  store(id: string): Store;
  /** The WooCommerce shop of a store. */
  shop(id: string): WooCommerceShop;
  /** Reads an order again, and does all that follows. */
  sync(store: Store, orderId: string): Promise<void>;
  /**
   * Sells as this merchant: documents authorised, one with a nota de crédito, one held for its buyer, one rejected; an
   * alert a person may clear, and commands in the audit log.
   */
  sell(merchant: Merchant): Promise<void>;
  close(): Promise<void>;
}

/**
 * One installation of these merchants with the endpoints open and no worker, so that nothing happens by itself. `ana` and
 * the token `ana` are limited to the stores of merchant A where `limited`; `olga` is the operator.
 */
export async function openWorld(
  merchants: readonly Merchant[],
  {
    limited,
    config: changed = {},
    service = async (url) => url,
  }: {
    limited: boolean;
    /** Beside the config of the merchants. */
    config?: { stores?: Record<string, unknown>; apps?: Record<string, unknown> };
    /** Where the accounts find the service, by the sandbox's address. */
    service?(sandboxUrl: string): Promise<string>;
  },
): Promise<World> {
  const noon = noonClock();
  const closers: (() => Promise<unknown>)[] = [];
  const sandbox = await createSandbox({
    accounts: merchants.map(({ id }) => ({ apiKey: `clave-${id}` })),
    authorizeDelayMs: 0,
    ...noon.sandbox,
  });
  closers.push(() => sandbox.close());
  const folder = await mkdtemp(join(tmpdir(), 'fp-merchants-'));
  closers.push(() => rm(folder, { recursive: true, force: true }));
  // Shopify stand-ins of one domain are called in turn by all worlds of a process: their orders are placed at one instant.
  const at = new Date(Math.floor(noon.now().getTime() / 60_000 - 1) * 60_000);
  const stores: Record<string, unknown> = {};
  const shops = new Map<string, WooCommerceShop>();
  for (const merchant of merchants) {
    const woo = await openWooCommerceShop({ orders: wooOrdersOf(merchant, at), ...keys, clock: noon });
    const shop = `tienda-${merchant.id}.myshopify.com`;
    const shopify = await openShopifyShop({
      shop,
      orders: shopifyOrdersOf(merchant, at),
      accessToken: 'ficha',
      clock: noon,
    });
    closers.push(woo.close, shopify.close);
    const [wooId, shopifyStoreId] = storeIds(merchant);
    shops.set(wooId, woo);
    const common = {
      issuer: merchant.id,
      invoiceFrom: '2026-01-01',
      policy: { tax: taxPolicy, buyer: { ask: true } },
    };
    const series = (puntoEmision: string) => ({ establecimiento: merchant.establishment, puntoEmision });
    stores[wooId] = {
      ...common,
      platform: 'woocommerce',
      series: series('001'),
      connection: { url: woo.url, webhookSecrets: ['secreto-de-la-tienda-0123456789abcdef'], ...keys },
    };
    stores[shopifyStoreId] = {
      ...common,
      platform: 'shopify',
      series: series('002'),
      connection: { app: `app-${merchant.id}`, shop, accessToken: 'ficha', adminUrl: shopify.url },
    };
  }
  const { ambiente, ...issuer } = demoIssuer.issuer;
  const baseUrl = await service(sandbox.url);
  const only = limited ? { stores: storeIds(merchantA) } : {};
  const raw = {
    publicUrl: 'https://conector.example',
    secret: 'un-secreto-de-al-menos-32-caracteres-para-pruebas',
    testClock: noon.testClock,
    ledger: { directory: join(folder, 'ledger') },
    reconciliation: { everyMinutes: 1440 },
    accounts: Object.fromEntries(
      merchants.map(({ id }) => [
        `cuenta-${id}`,
        {
          baseUrl,
          apiKey: `clave-${id}`,
          webhookSecrets: [`secreto-del-servicio-0123456789-${id}`],
        },
      ]),
    ),
    apps: {
      ...Object.fromEntries(
        merchants.map(({ id }) => [
          `app-${id}`,
          {
            platform: 'shopify',
            clientId: `app-${id}`,
            clientSecrets: [`secreto-de-la-app-0123456789abcdef-${id}`],
          },
        ]),
      ),
      ...changed.apps,
    },
    issuers: Object.fromEntries(
      merchants.map(({ id, ruc, name }) => [
        id,
        { account: `cuenta-${id}`, ambiente, ...issuer, ruc, razon_social: name, nombre_comercial: name },
      ]),
    ),
    stores: { ...stores, ...changed.stores },
    operator: { user: 'olga', passwordHash },
    panel: {
      secondFactor: 'off',
      users: [
        { user: 'ana', passwordHash, role: 'configure', ...only },
        { user: 'berta', passwordHash, role: 'configure' },
      ],
    },
    mcp: {
      tokens: {
        ana: limited ? { sha256: sha256(tokenOf('ana')), ...only } : sha256(tokenOf('ana')),
        berta: sha256(tokenOf('berta')),
      },
    },
  };
  const config = parseConfig(raw, { file: join(folder, 'facturapuente.config.json'), env: {} });
  const runtime = await openInstallation(config, { role: 'web', as: 'start' });
  const { live, links, tickets } = runtime;
  closers.push(() => runtime.close());
  const endpointClosers: (() => Promise<void>)[] = [];
  const endpoints = await openEndpoints(
    { config, role: 'web', log: silentLog, port: 0, host: '127.0.0.1' },
    runtime,
    {
      operations: operationsOf(runtime),
      transport: openMemoryTransport({ concurrency: 1, log: silentLog }),
      closers: endpointClosers,
    },
  );
  closers.push(...endpointClosers);
  const { ledger } = runtime;
  const loop = (aheadMs: number) =>
    openJobLoop({
      ledger,
      runJob: openRunJob(runtime.jobDeps),
      clock: { now: () => new Date(runtime.clock.now().getTime() + aheadMs) },
    });
  const store = (id: string): Store => {
    const found = live.settings.stores.get(id);
    if (!found) throw new Error(`There is no store ${id}.`);
    return found;
  };
  async function settle(): Promise<void> {
    await loop(0).run();
    await decided(sandbox);
    await loop(5 * 60_000).run();
  }
  const sync = ({ id, platform, shop }: Store, orderId: string) =>
    enqueueSync(ledger, { platform: platform.name, shop, orderId, storeId: id }, runtime.clock.now());

  async function sell(merchant: Merchant): Promise<void> {
    const [woo, shopify] = storeIds(merchant).map(store) as [Store, Store];
    const { woo: wooIds, shopify: shopifyIds } = orderIds(merchant);
    const [refunded = '', , rejected = ''] = wooIds;
    for (const id of wooIds.filter((one) => one !== rejected)) await sync(woo, id);
    for (const id of shopifyIds) await sync(shopify, id);
    await settle();
    shops.get(woo.id)?.refund(refunded, { amount: `11.5${merchant.cents || '0'}` });
    await sync(woo, refunded);
    await settle();
    sandbox.faults.add({ failBeforeStoring: 400 });
    await sync(woo, rejected);
    await settle();
    const [document] = await ledger.documents.list({ states: ['rejected'], limit: 1 });
    if (!document) throw new Error('Nothing was rejected.');
    await runtime.jobDeps.alerts.raise({
      code: 'document-differs',
      subject: document.id,
      about: owner.shop(document),
      params: { why: 'fields', order: document.orderName, number: '', fields: 'total', accessKey: '' },
    });
  }
  return {
    runtime,
    ledgerFile: join(folder, 'ledger', 'ledger.db'),
    url: endpoints.url ?? '',
    day: noon.day,
    links,
    tickets,
    store,
    shop(id) {
      const shop = shops.get(id);
      if (!shop) throw new Error(`There is no shop ${id}.`);
      return shop;
    },
    async sync(of, orderId) {
      await sync(of, orderId);
      await settle();
    },
    sell,
    async close() {
      for (const close of closers.reverse()) await close();
    },
  };
}

/** Somebody signed in to the panel. */
export async function enter({ url }: Pick<World, 'url'>, user: string) {
  const own = { connection: 'close', 'sec-fetch-site': 'same-origin' };
  const post = (path: string, fields: Record<string, string>, cookie = '') =>
    fetch(`${url}${path}`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams(fields),
      headers: { ...own, cookie },
    });
  const cookie = cookieOf(await post('/panel/entrar', { usuario: user, clave: password }));
  const get = (path: string) => fetch(`${url}${path}`, { redirect: 'manual', headers: { ...own, cookie } });
  if ((await get('/panel')).status !== 200) throw new Error(`${user} could not sign in.`);
  return {
    cookie,
    get,
    post: (path: string, fields: Record<string, string>) => post(path, fields, cookie),
  };
}
export type Visitor = Awaited<ReturnType<typeof enter>>;

/** An assistant with a token; answers what a tool says, as text. */
export async function assist({ url }: Pick<World, 'url'>, name: string) {
  const client = new Client({ name: 'prueba', version: '1.0.0' });
  const headers = { Authorization: `Bearer ${tokenOf(name)}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }),
  );
  return {
    close: () => client.close(),
    async call(tool: string, given: Record<string, unknown>): Promise<string> {
      const { content } = await client.callTool({ name: tool, arguments: given });
      return (content as { text: string }[]).map(({ text }) => text).join('\n');
    },
  };
}
export type Assistant = Awaited<ReturnType<typeof assist>>;

const decided = (sandbox: Sandbox) =>
  eventually(() => sandbox.documents().every(({ estado }) => estado !== 1), 'the authority to decide');

const renamed = <B extends { first: string; last: string; email: string } | null>(
  buyer: B,
  last: string,
): B => buyer && { ...buyer, last, email: `${last.toLowerCase()}@example.ec` };
const priced = <L extends { price: string }>(lines: readonly L[], cents: string): L[] =>
  lines.map((line) =>
    cents === '' ? line : { ...line, price: line.price.replace(/\.\d(\d)$/, `.${cents}$1`) },
  );

/** The third names no buyer; the last one is too large for that. */
const wooDemo = wooSales
  .slice(0, 3)
  .flatMap((sale, at) =>
    at < 2
      ? [sale]
      : [sale, { ...sale, id: 1209, lines: sale.lines.map((line) => ({ ...line, quantity: 40 })) }],
  );
const wooOf = ({ offset, cents, buyer }: Merchant) =>
  wooDemo.map((sale) => ({
    ...sale,
    id: sale.id + offset,
    buyer: renamed(sale.buyer, buyer),
    lines: priced(sale.lines, cents),
  }));
const shopifyOf = ({ offset, cents, buyer }: Merchant) =>
  shopifySales.slice(0, 2).map((sale) => ({
    ...sale,
    number: sale.number + offset,
    buyer: renamed(sale.buyer, buyer),
    lines: priced(sale.lines, cents),
  }));
const wooOrdersOf = (merchant: Merchant, at: Date) => wooOf(merchant).map((sale) => toWooOrder(sale, at));
const shopifyOrdersOf = (merchant: Merchant, at: Date) =>
  shopifyOf(merchant).map((sale) => toShopifyOrder(sale, at.toISOString()));

/** Ids of a merchant's orders in each store. */
export const orderIds = (merchant: Merchant): { woo: string[]; shopify: string[] } => ({
  woo: wooOf(merchant).map(({ id }) => String(id)),
  shopify: shopifyOf(merchant).map((sale) => String(shopifyId(sale))),
});
