import { existsSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/emulator/index.ts';
import { wooOrders } from '../../sandbox/shops/woocommerce-orders.ts';
import { openWooCommerceShop, type WooCommerceShop } from '../../sandbox/shops/woocommerce-shop.ts';
import { openShopContext } from '../../src/app/stores.ts';
import type { Clock } from '../../src/domain/clock.ts';
import type { Document } from '../../src/domain/document.ts';
import type { JobKind } from '../../src/domain/job.ts';
import { silentLog } from '../../src/domain/ports.ts';
import type { Store } from '../../src/domain/settings.ts';
import { openRunJob } from '../../src/jobs/run-job.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { eventually } from './eventually.ts';
import { type HostileProxy, openHostileProxy } from './hostile.ts';
import { type JobDepsOptions, jobDeps, type ReportedJobs } from './job-deps.ts';
import { openJobLoop } from './job-loop.ts';
import { type JobNews, jobNews } from './job-news.ts';
import { jobSettings } from './job-settings.ts';
import { type JobVerbs, jobVerbs } from './job-verbs.ts';
import { openServiceAccess } from './service-access.ts';

const encryptionKey = new Uint8Array(32).fill(7);

/** Making the tables is a third of opening a bench: the worker makes them once, and each bench gets a copy (whole-run.ts). */
let newLedger: Promise<string> | undefined;
async function makeNewLedger(): Promise<string> {
  const directory = join(process.env.RUN_FOLDER ?? tmpdir(), `ledger-${process.pid}`);
  await (await openLedger({ directory, encryptionKey }, { now: () => new Date() }, silentLog)).close();
  return directory;
}

async function copyNewLedger(directory: string): Promise<void> {
  newLedger ??= makeNewLedger();
  await cp(await newLedger, directory, { recursive: true });
}

/** The steps on the real ledger (SQLite), sandbox, client and shop; only time is the test's own. */
export interface JobBench extends ReportedJobs, JobNews, JobVerbs {
  store: Store;
  ledger: Ledger;
  /** Its SQLite file, for what somebody does to it by hand. */
  ledgerFile: string;
  clock: Clock;
  sandbox: Sandbox;
  shop: WooCommerceShop;
  /** What stands before service and shop, where it was asked for. */
  hostile: { service: HostileProxy; shop: HostileProxy } | null;
  /** Runs everything due at this moment, again and again, until nothing is. Answers what ran. */
  run(): Promise<JobKind[]>;
  advance(ms: number): void;
  setTime(instant: string): void;
  document(): Promise<Document>;
  /** Waits until the sandbox's authority has decided every document it holds. */
  decided(): Promise<void>;
  /** So many minutes go by, one wait after the other; after each all due work is done and the authority has decided. */
  pass(...minutes: number[]): Promise<void>;
  /** The slots of the key's rate that were taken so far, by the work or the kind of call they were for. */
  slots(): string[];
  /** A restart with these API keys in the config, the newest first, and this name of the account. */
  restart(keys: string[], account?: string): void;
  close(): Promise<void>;
}

export interface JobBenchOptions extends JobDepsOptions {
  sandbox?: SandboxOptions;
  now?: string;
  orders?: unknown[];
  ambiente?: 1 | 2;
  /** `stores.tienda.writeBack`. */
  writeBack?: 'off';
  policy?: Record<string, unknown>;
  /** How far the shop's clock is ahead of the product's. */
  shopAheadMs?: number;
  /** The newest first. */
  keys?: string[];
  /** On PostgreSQL instead of a directory of its own. */
  ledgerUrl?: string;
  /** How long an answer of the service may take, real milliseconds; a busy machine draws a PDF slowly. */
  patienceMs?: number;
  /** Stands before service and shop. */
  hostile?: boolean;
  /** Another bench whose service, shop and time these are too; it lives longer. */
  beside?: JobBench;
  /** Of the SQLite ledger, instead of one of its own. */
  directory?: string;
}

export async function openJobBench(options: JobBenchOptions = {}): Promise<JobBench> {
  let time = new Date(options.now ?? '2026-11-20T15:00:00Z').getTime();
  const clock = { now: () => new Date(time) };
  const folder = await mkdtemp(join(tmpdir(), 'facturapuente-steps-'));
  const { beside } = options;
  const sandbox =
    beside?.sandbox ??
    (await createSandbox({
      accounts: [{ apiKey: 'clave-1' }],
      authorizeDelayMs: 0,
      now: clock.now,
      ...options.sandbox,
    }));
  const shopKeys = { consumerKey: 'ck_prueba', consumerSecret: 'cs_prueba' };
  let origin = '';
  const hostile = options.hostile
    ? {
        service: await openHostileProxy(() => sandbox.url),
        shop: await openHostileProxy(() => origin),
      }
    : null;
  const shop =
    beside?.shop ??
    (await openWooCommerceShop({
      ...(hostile && { home: hostile.shop.url }),
      orders: options.orders ?? wooOrders(clock.now()),
      ...shopKeys,
      clock: { now: () => new Date(time + (options.shopAheadMs ?? 0)) },
    }));
  origin = shop.origin;
  const [serviceUrl, shopUrl] = [hostile?.service.url ?? sandbox.url, hostile?.shop.url ?? shop.url];
  const place = options.ledgerUrl
    ? { url: options.ledgerUrl }
    : { directory: options.directory ?? join(folder, 'ledger') };
  if ('directory' in place && !existsSync(place.directory)) await copyNewLedger(place.directory);
  const ledger = await openLedger({ ...place, encryptionKey }, clock, silentLog);
  const { ambiente, policy } = options;
  const configured = (apiKeys: string[], account?: string) =>
    jobSettings({
      account,
      ...{ serviceUrl, shopUrl, apiKeys, shopKeys },
      ...{ ambiente, policy, writeBack: options.writeBack },
    });
  let { settings, store } = configured(options.keys ?? ['clave-1']);
  const { id, shop: shopId, platform } = store;
  await ledger.stores.register({ id, shop: shopId, platform: platform.name, now: clock.now() });
  const api = store.platform.openShop(
    { connection: store.connection, app: null },
    openShopContext({ ledger, clock, log: silentLog })(store.platform),
  );
  const access = openServiceAccess(serviceUrl, options.patienceMs ?? 10_000);
  const parts = { ledger, clock, service: access.service };
  const reported = jobDeps(parts, { settings: () => settings, shop: api }, options);
  const { run } = openJobLoop({
    ledger,
    runJob: openRunJob(reported.deps),
    clock,
    onClaim: access.onClaim,
  });
  const decided = async () => {
    const isDecided = () => sandbox.documents().every((document) => document.estado !== 1);
    await eventually(isDecided, 'the authority to decide');
  };

  const news = jobNews({ ledger, clock, sandbox, shopUrl });
  const advance = (ms: number) => {
    time += ms;
    beside?.advance(ms);
  };
  const document = async () => {
    const [newest] = await ledger.documents.list({ limit: 1 });
    if (!newest) throw new Error('There is no document.');
    return newest;
  };

  return {
    ...reported,
    ...news,
    ...jobVerbs({ ...news, ledger, sandbox, deps: reported.deps, run, advance, decided, document }),
    store,
    ledger,
    ledgerFile: join(folder, 'ledger', 'ledger.db'),
    clock,
    sandbox,
    shop,
    hostile,
    run,
    advance,
    setTime(instant) {
      time = new Date(instant).getTime();
      beside?.setTime(instant);
    },
    document,
    decided,
    async pass(...minutes) {
      for (const wait of minutes) {
        advance(wait * 60_000);
        await run();
        await decided();
      }
    },
    slots: () => [...access.slots],
    restart(keys, account) {
      ({ settings, store } = configured(keys, account));
    },
    async close() {
      await ledger.close();
      await access.close();
      await api?.close();
      await hostile?.shop.close();
      await hostile?.service.close();
      if (!beside) {
        await shop.close();
        await sandbox.close();
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}
