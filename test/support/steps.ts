import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openShopContext } from '../../src/app/shops.ts';
import { wooOrders } from '../../src/cli/demo/woocommerce-orders.ts';
import type { AlertChannel } from '../../src/core/alerts.ts';
import type { Budget } from '../../src/core/budget.ts';
import type { Clock } from '../../src/core/clock.ts';
import type { Document } from '../../src/core/document.ts';
import type { DocumentListener } from '../../src/core/document-event.ts';
import { type Log, silentLog } from '../../src/core/log.ts';
import type { Mailer } from '../../src/core/mail.ts';
import type { Store } from '../../src/core/settings.ts';
import { isShadowShop } from '../../src/core/shadow.ts';
import { storeOfShop } from '../../src/core/store-index.ts';
import { type ClaimedWork, orderSubject, type WorkKind } from '../../src/core/work.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../src/sandbox/index.ts';
import { readAccessKey } from '../../src/service/access-key.ts';
import { openServiceClient, type ServiceClient } from '../../src/service/client.ts';
import { readEvent } from '../../src/service/event.ts';
import { documentBody } from '../../src/service/wire.ts';
import { ledgerAlerts } from '../../src/steps/alerts.ts';
import { allSteps } from '../../src/steps/all.ts';
import { defaultTimings, type StepDeps, type SweepTimings } from '../../src/steps/deps.ts';
import { openDoubts } from '../../src/steps/doubts.ts';
import { openWooCommerceShop, type WooCommerceShop } from '../../src/testing/woocommerce-shop.ts';
import { eventually } from './eventually.ts';
import { eventBody } from './service-event.ts';
import { stepSettings } from './step-settings.ts';
import { openWorkLoop } from './work-loop.ts';

/** The steps on the real ledger (SQLite), sandbox, client and shop; only time is the test's own. */
export interface StepBench {
  deps: StepDeps;
  store: Store;
  ledger: Ledger;
  /** Its SQLite file, for what somebody does to it by hand. */
  ledgerFile: string;
  clock: Clock;
  sandbox: Sandbox;
  /** What was told to a person: codes, and "<code> over". */
  alerts: string[];
  shop: WooCommerceShop;
  /** Runs everything due at this moment, again and again, until nothing is. Answers what ran. */
  run(): Promise<WorkKind[]>;
  sync(orderId: string): Promise<void>;
  advance(ms: number): void;
  setTime(instant: string): void;
  document(): Promise<Document>;
  /** Waits until the sandbox's authority has decided every document it holds. */
  decided(): Promise<void>;
  /**
   * Tells the product of a service event, as the webhook door does: what the sandbox would send about the document,
   * with `change` made to its fields.
   */
  event(accessKey: string, change?: Record<string, unknown>): Promise<void>;
  /** The slots of the key's rate that were taken so far, by the work or the kind of call they were for. */
  slots(): string[];
  /** What was logged as an error. */
  errors: Record<string, unknown>[];
  /** A restart with these API keys in the config, the newest first, and this shadow; null takes it out. */
  restart(keys: string[], shadow?: Record<string, unknown> | null): void;
  close(): Promise<void>;
}

const order = { platform: 'woocommerce', orderId: '1201' };

/** Alerts as the log tells them, by their codes. */
function alertLog(codes: string[]): Log {
  return {
    ...silentLog,
    error: ({ alert }) => void codes.push(String(alert)),
    info: ({ alert }) => void codes.push(`${alert} over`),
  };
}

export interface StepBenchOptions {
  sandbox?: SandboxOptions;
  now?: string;
  orders?: unknown[];
  ambiente?: 1 | 2;
  /** `stores.tienda.shadow`. */
  shadow?: Record<string, unknown>;
  policy?: Record<string, unknown>;
  /** How far the shop's clock is ahead of the product's. */
  shopAheadMs?: number;
  /** From when on orders are invoiced; all by default. */
  invoiceFrom?: Date;
  sweep?: Partial<SweepTimings>;
  channels?: AlertChannel[];
  listeners?: DocumentListener[];
  /** The newest first. */
  keys?: string[];
  /** On PostgreSQL instead of a directory of its own. */
  ledgerUrl?: string;
  mailer?: Mailer;
  /** Files of documents are kept within so many bytes; none by default. */
  keepBytes?: number;
  /** How long an answer of the service may take, real milliseconds. */
  patienceMs?: number;
}

export async function openSteps(options: StepBenchOptions = {}): Promise<StepBench> {
  let time = new Date(options.now ?? '2026-11-20T15:00:00Z').getTime();
  const clock = { now: () => new Date(time) };
  const folder = await mkdtemp(join(tmpdir(), 'facturapuente-steps-'));
  const sandbox = await createSandbox({
    accounts: [{ apiKey: 'clave-1' }],
    authorizeDelayMs: 0,
    now: clock.now,
    ...options.sandbox,
  });
  const keys = { consumerKey: 'ck_prueba', consumerSecret: 'cs_prueba' };
  const shop = await openWooCommerceShop({
    orders: options.orders ?? wooOrders(clock.now()),
    ...keys,
    clock: { now: () => new Date(time + (options.shopAheadMs ?? 0)) },
  });
  const place = options.ledgerUrl ? { url: options.ledgerUrl } : { directory: join(folder, 'ledger') };
  const ledger = await openLedger({ ...place, sealKey: new Uint8Array(32).fill(7) }, clock, silentLog);
  const { ambiente, policy } = options;
  const configured = (apiKeys: string[], shadow: Record<string, unknown> | null = options.shadow ?? null) =>
    stepSettings({
      serviceUrl: sandbox.url,
      shopUrl: shop.url,
      apiKeys,
      ambiente,
      policy,
      shadow: shadow ?? undefined,
      shopKeys: keys,
    });
  let { settings, store } = configured(options.keys ?? ['clave-1']);
  const { id, shop: shopId, platform } = store;
  await ledger.stores.register({ id, shop: shopId, platform: platform.name, now: clock.now() });
  const api = store.platform.openShop(
    { connection: store.connection, app: null },
    openShopContext({ ledger, clock, log: silentLog })(store.platform),
  );
  const clients = new Map<string, ServiceClient>();
  const clientOf = (apiKey: string): ServiceClient => {
    const opened =
      clients.get(apiKey) ??
      openServiceClient({
        baseUrl: sandbox.url,
        apiKey,
        userAgent: 'test',
        timeouts: { headers: options.patienceMs ?? 400 },
      });
    clients.set(apiKey, opened);
    return opened;
  };
  const alerts: string[] = [];
  const channels = new Map(options.channels?.map((one) => [one.id, one]));
  const noted = ledgerAlerts({ ledger, clock, log: alertLog(alerts), channels });
  const slots: string[] = [];
  /** A slot booked at release pays for the first call; every other one takes its own. */
  const countSlots = (prepaid: boolean): Budget => {
    let paid = prepaid;
    return {
      async take(kind) {
        if (!paid) slots.push(kind);
        paid = false;
      },
      slow: async () => {},
    };
  };
  const errors: Record<string, unknown>[] = [];
  const log = { ...silentLog, error: (fields: Record<string, unknown>) => void errors.push(fields) };
  const deps: StepDeps = {
    ledger,
    clock,
    log,
    timings: { ...defaultTimings, sweep: { ...defaultTimings.sweep, ...options.sweep } },
    links: {
      page: (id) => `http://127.0.0.1:1/d/${id}`,
      pdf: (id) => `http://127.0.0.1:1/d/${id}.pdf`,
      xml: (id) => `http://127.0.0.1:1/d/${id}.xml`,
      identification: (id, at) => `http://127.0.0.1:1/identificacion/${id}@${at.toISOString()}`,
    },
    mailer: options.mailer ?? null,
    keepBytes: options.keepBytes ?? 0,
    get accounts() {
      return settings.accounts;
    },
    storeOf: (platform, shopId) => storeOfShop(settings.stores, platform, shopId),
    shop: (one) => (isShadowShop(one.shop) ? null : api),
    onEvent: async () => null,
    service(account, work, keyHash = account.keyHash) {
      const key = account.keys.find((one) => one.keyHash === keyHash);
      if (!key) throw new Error('The account has no such key.');
      return clientOf(key.apiKey).with(countSlots(work?.budget === keyHash));
    },
    revoked: new Set(),
    alerts: noted,
    channels,
    listeners: new Map(options.listeners?.map((one) => [one.id, one])),
    doubts: openDoubts(),
    joinJourney: () => {},
    invoiceFrom: () => options.invoiceFrom ?? new Date(0),
  };
  const onClaim = ({ budget, kind }: ClaimedWork) => void (budget !== null && slots.push(kind));
  const { run } = openWorkLoop({ ledger, steps: allSteps(deps), clock, onClaim });

  return {
    deps,
    store,
    ledger,
    ledgerFile: join(folder, 'ledger', 'ledger.db'),
    clock,
    alerts,
    sandbox,
    shop,
    run,
    async sync(orderId) {
      const subject = orderSubject({ ...order, shop: shop.url, orderId });
      await ledger.work.ask({
        kind: 'sync-order',
        subject,
        storeId: 'tienda',
        budget: null,
        priority: 5,
        dueAt: clock.now(),
      });
    },
    advance(ms) {
      time += ms;
    },
    setTime(instant) {
      time = new Date(instant).getTime();
    },
    async document() {
      const [document] = await ledger.documents.list({ limit: 1 });
      if (!document) throw new Error('There is no document.');
      return document;
    },
    async decided() {
      await eventually(
        () => sandbox.documents().every((document) => document.estado !== 1),
        'the authority to decide',
      );
    },
    async event(accessKey, change = {}) {
      const stored = sandbox.documents().find((document) => document.claveacceso === accessKey);
      if (!stored) throw new Error('The sandbox has no such document.');
      const { account = 'cuenta', ...fields } = change;
      const event = readEvent(documentBody.parse({ ...eventBody(stored), ...fields }));
      if (event === 'contradictory') return;
      await ledger.work.ask({
        kind: 'settle-document',
        subject: `clave:${accessKey}:${event.evento}`,
        storeId: 'tienda',
        budget: null,
        priority: 5,
        dueAt: clock.now(),
        payload: { account, ...event, ...readAccessKey(accessKey) },
      });
    },
    slots: () => [...slots],
    errors,
    restart(keys, shadow) {
      ({ settings, store } = configured(keys, shadow));
    },
    async close() {
      await ledger.close();
      for (const client of clients.values()) await client.close();
      await api?.close();
      await shop.close();
      await sandbox.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
