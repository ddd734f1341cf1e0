import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RequestHandler } from 'express';
import { onTestFinished } from 'vitest';
import { Connection as ShopifyConnection, App as ShopifySettings } from '../../adapters/shopify/settings.ts';
import { connectionSchema } from '../../adapters/woocommerce/settings.ts';
import { builtInPlatforms } from '../../src/app/platforms.ts';
import { openShopContext } from '../../src/app/stores.ts';
import { defaultPolicy } from '../../src/config/resolve-stores.ts';
import { logAlerts } from '../../src/domain/alerts.ts';
import type { BuyerPolicy } from '../../src/domain/buyer-policy.ts';
import type { ClaimedJob } from '../../src/domain/job.ts';
import { silentLog } from '../../src/domain/ports.ts';
import type { Account, App, Person, Settings, Store } from '../../src/domain/settings.ts';
import { type BodyMemory, openBodyMemory, type Queues } from '../../src/http/endpoints.ts';
import { openLinks, openTickets } from '../../src/http/links.ts';
import { createHttp, openServer } from '../../src/http/server.ts';
import { shopConnected } from '../../src/jobs/connection.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { currentTrace, tracedLog } from '../../src/observability/log.ts';
import { noSpans, openMetrics, openObserver } from '../../src/observability/observer.ts';
import { allOperations } from '../../src/operations/all.ts';
import type { Operations } from '../../src/operations/carry-out.ts';
import { addPanel } from '../../src/panel/endpoint.ts';
import type { PanelParts } from '../../src/panel/visit.ts';
import { openServiceClient } from '../../src/service/client.ts';

export const now = new Date('2026-11-20T15:00:00Z');
export const wooSecret = 'secreto-de-la-tienda';
export const appSecrets = ['secreto-nuevo-de-la-app', 'secreto-viejo-de-la-app'] as const;
export const serviceSecrets = ['secreto-nuevo', 'secreto-viejo'] as const;
export const apiKey = 'clave-de-prueba';

export interface InstallationOptions {
  /** The tax service of account `principal`; without one nothing answers. */
  serviceUrl?: string;
  /** A newer key of that account, in front of `apiKey`. */
  newestKey?: string;
  ready?: () => Promise<void>;
  metricsToken?: string;
  queues?: Queues | null;
  /** Who may open the panel; nobody unless said. */
  people?: readonly Person[];
  /** As the config's default has it unless said. */
  secondFactor?: 'required' | 'off';
  /** None unless said. */
  trustedProxies?: readonly string[];
  /** The endpoint of assistants; none unless said. */
  mcp?: RequestHandler | null;
  /** An app that merchants install, `publica`, with the store `loja` of loja.myshopify.com. */
  oauthApp?: Record<string, unknown>;
  host?: string;
  /** `https://conector.example` unless said. */
  publicUrl?: string;
  /** Parts of a test's own, for these. */
  instead?: Partial<PanelParts>;
  /** Legal names of buyers; off unless said. */
  registry?: BuyerPolicy['buyer']['registry'];
  /** Whether the WooCommerce store `cuenca` has an API; it has unless said. */
  apiAccess?: boolean;
  /** Look-ups of names for each store in a day. */
  registryPerDay?: number;
  /** What bodies may hold; as much as in production unless said. */
  bodies?: BodyMemory;
}

/** Real endpoints on loopback before a real SQLite ledger and the real platforms; all gone after the test. */
export async function openInstallation({
  serviceUrl = 'http://127.0.0.1:9',
  newestKey = apiKey,
  ready = async () => {},
  metricsToken,
  queues = null,
  people = [],
  secondFactor = 'required',
  trustedProxies,
  mcp = null,
  instead = {},
  host = '127.0.0.1',
  publicUrl = 'https://conector.example',
  registry = 'off',
  registryPerDay = 200,
  apiAccess = true,
  oauthApp,
  bodies = openBodyMemory(),
}: InstallationOptions = {}) {
  const directory = await mkdtemp(join(tmpdir(), 'fp-http-'));
  const lines: { level: string; fields: Record<string, unknown>; message: string }[] = [];
  const note = (level: string) => (fields: Record<string, unknown>, message: string) => {
    lines.push({ level, fields, message });
  };
  const log = tracedLog({ info: note('info'), warn: note('warn'), error: note('error') });
  const metrics = openMetrics({ version: 'test', role: 'web' });
  const observer = openObserver({ metrics, spans: noSpans, log });
  const clock = { now: () => now };
  const options = { directory, encryptionKey: Buffer.alloc(32, 1), trace: currentTrace };
  const ledger = await openLedger(options, clock, silentLog);
  const settings = { ...buildSettings({ serviceUrl, newestKey, oauthApp, apiAccess }), publicUrl };
  for (const { policy } of settings.stores.values())
    Object.assign(policy.buyer, { registry, registryPerDay });
  const clients = new Map(
    [...settings.accounts.values()].flatMap(({ baseUrl, keys }) =>
      keys.map((key) => [
        key.keyHash,
        openServiceClient({ baseUrl, apiKey: key.apiKey, userAgent: 'facturapuente-test', log }),
      ]),
    ),
  );
  const links = openLinks([Buffer.alloc(32, 7)], 'https://conector.example');
  const rateLimit = { take: async () => {}, slow: async () => {} };
  const service = (id: string, keyHash = settings.accounts.get(id)?.keyHash) => {
    const client = clients.get(keyHash ?? '');
    return client && { client, rateLimit };
  };
  const shopContext = openShopContext({ ledger, clock, log });
  const tickets = openTickets(Buffer.alloc(32, 3), clock);
  const parts: PanelParts = {
    settings,
    ledger,
    clock,
    log,
    alerts: logAlerts(log),
    mailer: null,
    links,
    keepFiles: true,
    ready,
    service,
    observer,
    bodies,
    shopContext,
    tickets,
    connected: ({ name }, shop) => {
      const storeOf = (platform: string, domain: string) =>
        [...settings.stores.values()].find((one) => one.platform.name === platform && one.shop === domain);
      return shopConnected({ ledger, clock, storeOf, alerts: logAlerts(log) }, name, shop);
    },
    operations: noOperations,
    exporting: {
      download: () => () => Promise.reject(new Error('Nothing is exported here.')),
    },
    ...instead,
  };
  const app = createHttp(parts, {
    metrics: { metrics, token: metricsToken },
    queues,
    addPanel: people.length === 0 ? null : (app) => addPanel(app, parts, people, secondFactor),
    mcp,
    ...(trustedProxies && { trustedProxies }),
  });
  const server = await openServer(app, { port: 0, host, setting: '--port' });
  onTestFinished(async () => {
    await server.close();
    for (const client of clients.values()) await client.close();
    await ledger.close().catch(() => {});
    await rm(directory, { recursive: true });
  });
  return {
    url: server.url,
    directory,
    ledger,
    context: (name: string) => {
      const platform = builtInPlatforms.find((one) => one.name === name);
      if (!platform) throw new Error(`There is no platform ${name}.`);
      return shopContext(platform);
    },
    links,
    tickets,
    lines,
    metrics,
    app,
    server,
    post: (path: string, body: string | Uint8Array, headers: Record<string, string> = {}) =>
      fetch(`${server.url}${path}`, {
        method: 'POST',
        body: typeof body === 'string' ? body : Buffer.from(body),
        headers: { 'content-type': 'application/json', connection: 'close', ...headers },
      }),
    get: (path: string, headers: Record<string, string> = {}) =>
      fetch(`${server.url}${path}`, { redirect: 'manual', headers: { connection: 'close', ...headers } }),
    /** Everything waiting to be done, claimed so that its payload can be seen. */
    async jobs(): Promise<ClaimedJob[]> {
      const due = await ledger.jobs.due(now, 100, 100);
      await ledger.jobs.release(
        due.map(({ id }) => id),
        now,
      );
      const claimed = await Promise.all(due.map(({ id }) => ledger.jobs.claim(id, 60_000, now)));
      return claimed.filter((one) => one !== undefined);
    },
  };
}
export type Installation = Awaited<ReturnType<typeof openInstallation>>;

function buildSettings({
  serviceUrl,
  newestKey,
  oauthApp,
  apiAccess,
}: {
  oauthApp: Record<string, unknown> | undefined;
  serviceUrl: string;
  newestKey: string;
  apiAccess: boolean;
}): Settings {
  const [shopify, woocommerce] = builtInPlatforms;
  if (!shopify || !woocommerce) throw new Error('The built-in platforms are missing.');
  const named = (key: string) => ({ apiKey: key, keyHash: createHash('sha256').update(key).digest('hex') });
  const keys = [...new Set([newestKey, apiKey])].map(named);
  const account: Account = {
    id: 'principal',
    baseUrl: serviceUrl,
    keys,
    keyHash: keys[0]?.keyHash ?? '',
    reprocess: { route: 'current', idField: 'id_comprobante' },
    webhookSecrets: serviceSecrets,
  };
  const app: App = {
    id: 'mi-app',
    platform: shopify,
    settings: ShopifySettings.parse({ clientId: 'id', clientSecrets: [...appSecrets] }),
  };
  const publica: App | null = oauthApp
    ? { id: 'publica', platform: shopify, settings: ShopifySettings.parse({ access: 'oauth', ...oauthApp }) }
    : null;
  const common = {
    account,
    issuer: {
      ambiente: 1 as const,
      ruc: '1792146739001',
      nombre_comercial: 'Tienda',
      direccion_matriz: 'Quito',
      direccion_establecimiento: 'Quito',
      obligado_contabilidad: 'SI' as const,
    },
    series: { establecimiento: '001', puntoEmision: '001', first: 1, firstCreditNote: 1 },
    policy: defaultPolicy(),
    writesBack: true,
  };
  const stores: Store[] = [
    {
      ...common,
      id: 'quito',
      platform: shopify,
      app,
      connection: ShopifyConnection.parse({ app: 'mi-app', shop: 'quito.myshopify.com' }),
      shop: 'quito.myshopify.com',
    },
    {
      ...common,
      id: 'cuenca',
      platform: woocommerce,
      app: null,
      connection: connectionSchema.parse({
        url: 'https://cuenca.example.ec',
        webhookSecrets: [wooSecret],
        apiAccess,
      }),
      shop: 'https://cuenca.example.ec',
      series: { establecimiento: '002', puntoEmision: '001', first: 1, firstCreditNote: 1 },
    },
  ];
  if (publica)
    stores.push({
      ...common,
      id: 'loja',
      platform: shopify,
      app: publica,
      connection: ShopifyConnection.parse({ app: 'publica', shop: 'loja.myshopify.com' }),
      shop: 'loja.myshopify.com',
    });
  return {
    publicUrl: 'https://conector.example',
    accounts: new Map([[account.id, account]]),
    apps: new Map([app, publica].flatMap((one) => (one ? [[one.id, one]] : []))),
    stores: new Map(stores.map((store) => [store.id, store])),
    platforms: builtInPlatforms,
  };
}

/** Where a test opens no real ones. */
const noOperations: Operations = {
  all: allOperations,
  run: () => Promise.reject(new Error('No operation is carried out here.')),
  look: () => Promise.reject(new Error('No operation is carried out here.')),
  storesOf: () => new Map(),
};
