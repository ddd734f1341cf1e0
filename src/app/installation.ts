import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, defaultDirectory, openClock, type ProcessClock } from '../config/load.ts';
import { refuseUnknownStores } from '../config/resolve.ts';
import { openSecrets, type Secrets } from '../config/secret.ts';
import type { Alerts } from '../domain/alerts.ts';
import type { Clock } from '../domain/clock.ts';
import type { DocumentListener } from '../domain/document.ts';
import { LedgerError } from '../domain/errors.ts';
import type { RateLimit, RateLimits } from '../domain/job.ts';
import type { Platform, ReportedEvent, ShopContext, ShopEvent } from '../domain/platform.ts';
import { type Log, type Mailer, type Outbound, silentLog, type Tickets } from '../domain/ports.ts';
import { addressOf, type Settings, storeOfShop } from '../domain/settings.ts';
import { accessOfShop, findEndpoint } from '../http/endpoints.ts';
import { type Links, openTickets } from '../http/links.ts';
import { ledgerAlerts } from '../jobs/alerts.ts';
import { defaultTimings, type JobDeps, openFailureCounter } from '../jobs/deps.ts';
import {
  assertVerified,
  endHoldsOfNobody,
  type ShopProofs,
  type VerifyShopDeps,
  verifyShop,
} from '../jobs/verify-shop.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { isSamePlace, movedElsewhere, moveMark, placeIn } from '../ledger/moved.ts';
import { openLedger } from '../ledger/open.ts';
import { currentTrace, joinTrace } from '../observability/log.ts';
import { openNotify } from '../observability/notify/open.ts';
import type { Metrics, Observer } from '../observability/observer.ts';
import { prepaid, rateLimitsOver } from '../queue/rate-limit.ts';
import { type Closing, openClosing } from '../reports/close/close.ts';
import { openSigner } from '../reports/close/keep-close.ts';
import { type Exporting, openExporting } from '../reports/export/export-month.ts';
import type { ServiceClient } from '../service/client.ts';
import { type ClockCheck, lookEveryMs, openClockCheck, setClock } from './clock-check.ts';
import { openObservation } from './observation.ts';
import { openOutbound } from './outbound.ts';
import { linksOf, userAgent } from './platforms.ts';
import { type LiveSettings, openAccounts, openLiveSettings } from './settings.ts';
import { keptUnder, openShopContext, openShops, openStores, type Stores } from './stores.ts';

export interface Installation {
  config: Config;
  live: LiveSettings;
  settings: Settings;
  log: Log;
  metrics: Metrics;
  observer: Observer;
  secrets: Secrets;
  links: Links;
  tickets: Tickets;
  ledger: Ledger;
  clock: ProcessClock;
  clockCheck: ClockCheck;
  rateLimits: RateLimits;
  jobDeps: JobDeps;
  closing: Closing;
  exporting: Exporting;
  stores: Stores;
  proofs: ShopProofs;
  shopContext(platform: Platform): ShopContext;
  /** The default is the account's newest key; undefined for a key that was removed from the config. */
  service(accountId: string, keyHash?: string): { client: ServiceClient; rateLimit: RateLimit } | undefined;
  close(): Promise<void>;
}

export interface InstallationOptions {
  /** Of this process, in the metrics. */
  role: string;
  /** `start` runs jobs or serves endpoints; a command works beside it. Default: `command`. */
  as?: 'start' | 'command';
  /** A command may begin a ledger where there is none. */
  mayBegin?: boolean;
  log?: Log;
  /** Added to the built-in platforms and those the config names. */
  platforms?: readonly Platform[] | undefined;
  listeners?: readonly DocumentListener[] | undefined;
}

/** For server, commands, tests and programs that embed the connector. Throws ConfigError and LedgerError; closes what it opened. */
export async function openInstallation(config: Config, options: InstallationOptions): Promise<Installation> {
  const closers: (() => unknown)[] = [];
  const close = async () => {
    for (const closeOne of closers.splice(0).reverse()) await closeOne();
  };
  try {
    return { ...(await open(config, options, closers)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function open(
  config: Config,
  {
    role,
    as = 'command',
    mayBegin = false,
    log: given = silentLog,
    platforms,
    listeners,
  }: InstallationOptions,
  closers: (() => unknown)[],
): Promise<Omit<Installation, 'close'>> {
  const live = await openLiveSettings(config, platforms);
  const { settings } = live;
  const { log, metrics, observer, close: closeObservation } = await openObservation(config, role, given);
  closers.push(closeObservation);
  const secrets = await openSecrets(config);
  const links = linksOf(config, secrets);
  const clock = openClock(config.testClock);
  const ledger = await openLedger(
    {
      ...config.ledger,
      encryptionKey: secrets.cipher,
      trace: currentTrace,
      as,
      begins: as === 'start' || mayBegin,
    },
    clock,
    log,
  );
  closers.push(ledger.close);
  await setClock(ledger, clock);
  await refuseLeftBehind(config, ledger);
  const added = await ledger.credentials.shops(keptUnder);
  refuseUnknownStores(config, new Set([...Object.keys(config.stores), ...added]));

  const outbound = openOutbound(config.outbound.allow);
  const notification = await openNotification(config, { ledger, clock, log, outbound }, listeners);
  const { alerts, mailer } = notification;
  if (mailer) closers.push(mailer.close);
  const rateLimits = rateLimitsOver(ledger.rateLimits, { clock, log });
  const accounts = openAccounts(settings, { rateLimits, clock, log, observer });
  closers.push(accounts.close);
  const clockCheck = openClockCheck({
    ...{ ledger, clock, log, alerts },
    services: () => servicesOf(settings, accounts),
    // A worker renews each third of its lease.
    restMs: lookEveryMs[ledger.engine] + (config.worker.leaseSeconds * 1_000 * 2) / 3,
  });
  // Stores are dated by it, and jobs released.
  if (as === 'start') await clockCheck.start();
  const stores = await openStores({
    ...{ ledger, clock, log, live, alerts },
    registers: as === 'start',
    firstStartNow: clockCheck.earlierNow,
  });
  const shopContext = openShopContext({ ledger, clock, log, outbound });
  const proving: VerifyShopDeps = {
    ...{ ledger, clock, log, alerts },
    contextOf: shopContext,
    stores: () => settings.stores.values(),
  };
  const shops = openShops(shopContext, {
    observe: (store, api) => observer.shop(store.platform.name, api),
    verify: async (store, api) => assertVerified(await verifyShop(proving, store, api), store),
  });
  closers.push(shops.close);

  const every = config.reconciliation.everyMinutes * 60_000;
  const jobDeps: JobDeps = {
    ledger,
    clock,
    log,
    timings: { ...defaultTimings, reconciliation: { ...defaultTimings.reconciliation, every } },
    links,
    ...notification,
    keepBytes: config.files.keepMegabytes * 1024 * 1024,
    storeOf: (platform, shop) => storeOfShop(settings.stores, platform, shop),
    storeById: (id) => settings.stores.get(id),
    shop: (store) => shops.of(store),
    onEvent: (endpoint, event) => readEvent({ settings, ledger, contextOf: shopContext }, endpoint, event),
    get accounts() {
      return settings.accounts;
    },
    revoked: new Set(),
    service(account, job, keyHash = account.keyHash) {
      const found = accounts.get(account.id, keyHash);
      if (!found) throw new RangeError(`Account ${account.id} or its API key is not configured.`);
      const { client, rateLimit } = found;
      // After a rotation a waiting job has a slot of the old key, which is not one of the new key.
      const slotAt = job?.rateLimit === keyHash ? (job.slotAt ?? null) : null;
      return client.with(slotAt === null ? rateLimit : prepaid(rateLimit, slotAt, clock));
    },
    failureCounter: openFailureCounter(),
    seriesChecks: new Map(),
    startedAt: clockCheck.earlierNow(),
    joinTrace: ({ trace }) => joinTrace(trace),
    invoiceFrom: (store) => store.policy.invoiceFrom ?? stores.firstStart(store) ?? clock.now(),
  };
  return {
    ...{ config, live, settings, log, metrics, observer, secrets, links },
    tickets: openTickets(secrets.tickets, clock),
    ...{ ledger, clock, clockCheck, rateLimits, jobDeps, stores, shopContext },
    exporting: openExporting(jobDeps, settings),
    closing: openClosing(jobDeps, settings, openSigner(secrets.closes[0])),
    proofs: {
      async isVerified(store) {
        const shop = jobDeps.shop(store);
        return shop === null || (await verifyShop(proving, store, shop)).kind !== 'held';
      },
      endOfNobody: () => endHoldsOfNobody(proving),
    },
    service: accounts.get,
  };
}

/** One for each address: what it says of the time is the same for all accounts. */
function* servicesOf(
  settings: Settings,
  accounts: ReturnType<typeof openAccounts>,
): Generator<Pick<ServiceClient, 'ping'>> {
  const byUrl = new Map([...settings.accounts.values()].map(({ id, baseUrl }) => [baseUrl, id]));
  for (const id of byUrl.values()) {
    const found = accounts.get(id);
    if (found) yield found.client;
  }
}

/** Checks again that the endpoint belongs to the shop: the store may have changed. null where there is no such endpoint. */
async function readEvent(
  deps: { settings: Settings; ledger: Pick<Ledger, 'stores'>; contextOf(platform: Platform): ShopContext },
  id: string,
  event: ReportedEvent,
): Promise<ShopEvent | null> {
  const endpoint = findEndpoint(deps.settings, id);
  if (!endpoint) return null;
  const { platform, app, connection } = endpoint;
  if (!platform.onEvent) return { kind: 'nothing', reason: 'The platform has no events.' };
  const context = deps.contextOf(platform);
  const known = storeOfShop(deps.settings.stores, platform.name, event.shop);
  // The platform names the shop by its current address, the ledger by its first one.
  const reported = known ? { ...event, shop: addressOf(known) } : event;
  const access = await accessOfShop(endpoint, reported.shop, { ...deps, credentials: context.credentials });
  if (access.kind === 'none')
    return { kind: 'nothing', reason: 'The shop does not belong to this endpoint.' };
  const store = { connection: connection ?? access.store?.connection ?? null, app };
  return platform.onEvent(reported, store, context);
}

/**
 * A person forgot `move`, and an empty PostgreSQL ledger would give the same numbers again. Throws LedgerError
 * `ledger-left-behind` or `ledger-moved`.
 */
async function refuseLeftBehind(
  config: Pick<Config, 'file' | 'ledger'>,
  ledger: Pick<Ledger, 'documents'>,
): Promise<void> {
  const directory = defaultDirectory(config.file);
  if ('directory' in config.ledger || !existsSync(join(directory, 'ledger.db'))) return;
  const mark = moveMark(directory);
  const place = placeIn(config.ledger.url, config.ledger.schema);
  if (mark?.finished && place && isSamePlace(mark, place)) return;
  if ((await ledger.documents.list({ limit: 1 })).length > 0) return;
  if (mark?.finished) throw movedElsewhere(directory, mark);
  if (!(await hasDocuments(directory))) return;
  throw new LedgerError('ledger-left-behind', { directory });
}

/** True also after a move that may not be finished, which the reader refuses to open. */
async function hasDocuments(directory: string): Promise<boolean> {
  if (moveMark(directory)) return true;
  const { openLedgerReader } = await import('../ledger/read.ts');
  const reader = openLedgerReader({ directory }, silentLog);
  try {
    return (await reader.documents.list({ limit: 1 })).length > 0;
  } finally {
    await reader.close();
  }
}

interface Notification extends ReturnType<typeof openNotify> {
  alerts: Alerts;
  mailer: Mailer | null;
}

/** Loaded only where mail is configured, because it takes 5 MB. */
async function openMailer(mail: NonNullable<Config['mail']>): Promise<Mailer> {
  const { openMail } = await import('../observability/notify/mail.ts');
  return openMail(mail);
}

async function openNotification(
  { publicUrl, mail, notify }: Pick<Config, 'publicUrl' | 'mail' | 'notify'>,
  { ledger, clock, log, outbound }: { ledger: Ledger; clock: Clock; log: Log; outbound: Outbound },
  more: readonly DocumentListener[] = [],
): Promise<Notification> {
  const mailer = mail === undefined ? null : await openMailer(mail);
  const webhooks = Object.entries(notify.webhooks).map(([id, endpoint]) => ({ id, ...endpoint }));
  const { channels, listeners } = openNotify(
    { publicUrl, alertsTo: notify.alertsTo, webhooks },
    { mailer, clock, userAgent, outbound },
  );
  for (const listener of more) listeners.set(listener.id, listener);
  return { alerts: ledgerAlerts({ ledger, clock, log, channels }), channels, listeners, mailer };
}
