import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openClock, type ProcessClock } from '../config/clock.ts';
import { defaultDirectory } from '../config/ledger-place.ts';
import type { Config } from '../config/load.ts';
import { refuseUnknownStores } from '../config/resolve.ts';
import type { Secrets } from '../config/secret.ts';
import type { Alerts } from '../domain/alerts.ts';
import type { Budget, Budgets } from '../domain/budget.ts';
import type { Clock } from '../domain/clock.ts';
import type { DocumentListener } from '../domain/document-event.ts';
import { LedgerError } from '../domain/errors.ts';
import { type Log, silentLog } from '../domain/log.ts';
import type { Mailer } from '../domain/mail.ts';
import type { Outbound } from '../domain/outbound.ts';
import type { Platform, ShopContext } from '../domain/platform.ts';
import { type Account, addressOf, type Settings } from '../domain/settings.ts';
import { isShadowShop } from '../domain/shadow.ts';
import type { ShopEvent, ToldEvent } from '../domain/shop-event.ts';
import { storeOfShop } from '../domain/store-index.ts';
import { ledgerAlerts } from '../jobs/alerts.ts';
import { defaultTimings, type StepDeps, type Timings } from '../jobs/deps.ts';
import { openDoubts } from '../jobs/doubts.ts';
import { believe, endHoldsOfNobody, type ProveDeps, proveShop, type ShopProofs } from '../jobs/prove-shop.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { placeIn } from '../ledger/move/address.ts';
import { isSamePlace, movedElsewhere, moveMark } from '../ledger/moved.ts';
import { openLedger } from '../ledger/open.ts';
import { openLedgerReader } from '../ledger/read.ts';
import { currentTrace, joinJourney } from '../observability/journey.ts';
import { openNotify } from '../observability/notify/open.ts';
import type { Observer } from '../observability/observer.ts';
import { prepaid } from '../queue/key-budget.ts';
import { openBudgets } from '../queue/open.ts';
import { type Closing, openClosing } from '../reports/close/closing.ts';
import { openSigner } from '../reports/close/signing.ts';
import { type Exporting, openExporting } from '../reports/export/exporting.ts';
import type { ServiceClient } from '../service/client.ts';
import { findDoor, standingOf } from '../web/doors.ts';
import type { Links } from '../web/links.ts';
import { openAccounts } from './accounts.ts';
import { openOutbound } from './outbound.ts';
import type { LiveSettings } from './settings.ts';
import { openShopBreakers } from './shop-breakers.ts';
import { openShopContext, openShops } from './shops.ts';
import { keptUnder, openStores, type Stores } from './stores.ts';
import { correctAtStart, setClock } from './timekeeping.ts';
import { userAgent } from './version.ts';

/** What every role shares: ledger, clock, rate budgets, one client per account, one shop API per store. */
export interface Runtime {
  ledger: Ledger;
  clock: ProcessClock;
  /** How many times faster than real time the clock runs; 1 but for tests. */
  rate: number;
  budgets: Budgets;
  steps: StepDeps;
  closing: Closing;
  exporting: Exporting;
  /** The stores that count now, of the config and of the ledger. */
  stores: Stores;
  /** Whether shops are those the ledger knows. */
  proofs: ShopProofs;
  /** What a platform's shops and pages work with. */
  shopContext(platform: Platform): ShopContext;
  accounts: readonly Account[];
  /** The service under one API key's budget, the account's newest unless said otherwise; undefined for what left the config. */
  service(accountId: string, keyHash?: string): { client: ServiceClient; budget: Budget } | undefined;
  close(): Promise<void>;
}

export interface RuntimeOptions {
  config: Config;
  live: LiveSettings;
  secrets: Secrets;
  links: Links;
  log: Log;
  observer: Observer;
  /** Hear what becomes of documents, beside those of the config. */
  listeners?: readonly DocumentListener[] | undefined;
}

/** Opens the ledger, remembers the configured stores, and prepares everything that is opened on first use. */
export async function openRuntime({
  config,
  live,
  secrets,
  links,
  log,
  observer,
  listeners,
}: RuntimeOptions): Promise<Runtime> {
  const clock = openClock(config.testClock);
  const { rate } = clock;
  const ledger = await openLedger(
    { ...config.ledger, sealKey: secrets.seal, trace: currentTrace },
    clock,
    log,
  );
  const refuseUnusable = async () => {
    await setClock(ledger, clock);
    await refuseLeftBehind(config, ledger);
    const added = await ledger.credentials.shops(keptUnder);
    refuseUnknownStores(config, new Set([...Object.keys(config.stores), ...added]));
  };
  await refuseUnusable().catch(async (error) => {
    await ledger.close();
    throw error;
  });
  const outbound = openOutbound(config.outbound.allow);
  const notification = await openNotification(config, { ledger, clock, log, outbound }, listeners);
  const { settings } = live;
  await correctAtStart({ ledger, alerts: notification.alerts }, clock, log);
  const stores = await openStores({ ledger, clock, log, live, ...notification });
  const budgets = openBudgets({ ledger, clock, log });
  const shopContext = openShopContext({ ledger, clock, log, outbound });
  const watchBreaker = openShopBreakers({ ledger, clock, log, alerts: notification.alerts });
  const proving: ProveDeps = {
    ...{ ledger, clock, log, contextOf: shopContext, alerts: notification.alerts },
    stores: () => settings.stores.values(),
  };
  const shops = openShops(shopContext, {
    observe: (store, api) => observer.shop(store.platform.name, api),
    prove: async (store, api) => believe(await proveShop(proving, store, api), store),
    watch: (store, api) => watchBreaker(store.id, api),
  });
  const accounts = openAccounts(settings, { budgets, clock, log, observer, rate });

  const access = (account: Account, keyHash: string) => {
    const found = accounts.get(account.id, keyHash);
    if (!found) throw new RangeError(`Account ${account.id} or its API key is not configured.`);
    return found;
  };
  const steps: StepDeps = {
    ledger,
    clock,
    log,
    timings: timingsOf(config),
    links,
    ...notification,
    keepBytes: config.files.keepMegabytes * 1024 * 1024,
    storeOf: (platform, shop) => storeOfShop(settings.stores, platform, shop),
    // A shadow writes nothing onto its shop, and reads it through the store behind it.
    shop: (store) => (isShadowShop(store.shop) ? null : shops.of(store)),
    onEvent: (door, event) => readEvent({ settings, ledger, contextOf: shopContext }, door, event),
    get accounts() {
      return settings.accounts;
    },
    revoked: new Set(),
    service(account, work, keyHash = account.keyHash) {
      const { client, budget } = access(account, keyHash);
      // After a rotation waiting work still bears the old key, whose slot is not the new one's.
      const slotAt = work?.budget === keyHash ? (work.slotAt ?? null) : null;
      return client.with(slotAt === null ? budget : prepaid(budget, slotAt, clock));
    },
    doubts: openDoubts(),
    seriesChecks: new Map(),
    joinJourney: ({ trace }) => joinJourney(trace),
    invoiceFrom: (store) => store.policy.invoiceFrom ?? stores.firstStart(store) ?? new Date(0),
    async newestInvoiceFrom(store) {
      if (!store.policy.invoiceFrom) await stores.readFirstStarts();
      return this.invoiceFrom(store);
    },
  };
  return {
    ledger,
    clock,
    rate,
    budgets,
    steps,
    exporting: openExporting(steps, settings),
    closing: openClosing(steps, settings, openSigner(newestOf(secrets.closes))),
    stores,
    proofs: {
      async isProven(store) {
        const shop = steps.shop(store);
        return shop === null || (await proveShop(proving, store, shop)).kind !== 'held';
      },
      endOfNobody: () => endHoldsOfNobody(proving),
    },
    shopContext,
    get accounts() {
      return [...settings.accounts.values()];
    },
    service: accounts.get,
    async close() {
      notification.mailer?.close();
      await shops.close();
      await accounts.close();
      await ledger.close();
    },
  };
}

function newestOf<T>([newest]: readonly T[]): T {
  if (newest === undefined) throw new RangeError('There is no secret to sign with.');
  return newest;
}

function timingsOf({ sweep }: Config): Timings {
  return { ...defaultTimings, sweep: { ...defaultTimings.sweep, every: sweep.everyMinutes * 60_000 } };
}

/**
 * The platform of an endpoint reads the event; null when this process knows no such endpoint. Whether the endpoint
 * speaks for the shop is asked again: its store may have changed hands since the event came.
 */
async function readEvent(
  deps: { settings: Settings; ledger: Pick<Ledger, 'stores'>; contextOf(platform: Platform): ShopContext },
  id: string,
  event: ToldEvent,
): Promise<ShopEvent | null> {
  const door = findDoor(deps.settings, id);
  if (!door) return null;
  const { platform, app, connection } = door;
  if (!platform.onEvent) return { kind: 'nothing', reason: 'The platform knows of no events.' };
  const context = deps.contextOf(platform);
  const known = storeOfShop(deps.settings.stores, platform.name, event.shop);
  // The platform knows the shop by where it is, the ledger by where it was first.
  const told = known ? { ...event, shop: addressOf(known) } : event;
  const standing = await standingOf(door, told.shop, { ...deps, credentials: context.credentials });
  if (standing.kind === 'none')
    return { kind: 'nothing', reason: 'The shop does not belong to this endpoint.' };
  const store = { connection: connection ?? standing.store?.connection ?? null, app };
  return platform.onEvent(told, store, context);
}

/**
 * Whoever sets DATABASE_URL and forgets `move`, or names another place than it went to, would start with an empty
 * ledger, which gives the numbers of the one in the directory a second time. Throws LedgerError `ledger-left-behind`, or
 * `ledger-moved`, while PostgreSQL knows no document, and the directory beside the config does, or did.
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
  throw new LedgerError(
    'ledger-left-behind',
    `La base PostgreSQL está vacía y el registro con sus comprobantes sigue en ${directory}: llévelo con «facturapuente move --to DIRECCIÓN», sin DATABASE_URL ni ledger.url. Si esos comprobantes son de otra instalación, saque de ahí la carpeta.`,
    `The PostgreSQL ledger is empty while ${directory} holds documents that were not moved; run \`facturapuente move\`, or take that directory away.`,
  );
}

/** Of a move whose end nobody knows as well: the reader refuses to show it, and it must not be passed over. */
async function hasDocuments(directory: string): Promise<boolean> {
  if (moveMark(directory)) return true;
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

/** What sends letters takes 5 MB, which whoever sends none is spared. */
async function letters(mail: NonNullable<Config['mail']>): Promise<Mailer> {
  const { openMail } = await import('../observability/notify/mail.ts');
  return openMail(mail);
}

/** Who outside hears of what: the channels and listeners of the config, beside `more` of the program around. */
async function openNotification(
  { publicUrl, mail, notify }: Pick<Config, 'publicUrl' | 'mail' | 'notify'>,
  { ledger, clock, log, outbound }: { ledger: Ledger; clock: Clock; log: Log; outbound: Outbound },
  more: readonly DocumentListener[] = [],
): Promise<Notification> {
  const mailer = mail === undefined ? null : await letters(mail);
  const webhooks = Object.entries(notify.webhooks).map(([id, endpoint]) => ({ id, ...endpoint }));
  const { channels, listeners } = openNotify(
    { publicUrl, alertsTo: notify.alertsTo, webhooks },
    { mailer, clock, userAgent, outbound },
  );
  for (const listener of more) listeners.set(listener.id, listener);
  return { alerts: ledgerAlerts({ ledger, clock, log, channels }), channels, listeners, mailer };
}
