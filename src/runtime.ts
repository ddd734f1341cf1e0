import { openAccounts } from './accounts.ts';
import { openClock } from './config/clock.ts';
import type { Config } from './config/load.ts';
import type { Secrets } from './config/secret.ts';
import type { Alerts } from './core/alerts.ts';
import type { Budget, Budgets } from './core/budget.ts';
import { type Clock, parseTestClock } from './core/clock.ts';
import type { Log } from './core/log.ts';
import type { Platform, ShopContext } from './core/platform.ts';
import { firstNumber, seriesOf } from './core/series.ts';
import type { Account, Settings, Store } from './core/settings.ts';
import { prepaid } from './dispatch/key-budget.ts';
import { openBudgets } from './dispatch/open.ts';
import { readEvent } from './events.ts';
import type { Links } from './http/links.ts';
import type { Ledger } from './ledger/ledger.ts';
import { openLedger } from './ledger/open.ts';
import { openNotification } from './notification.ts';
import { currentTrace, joinJourney } from './observe/journey.ts';
import type { Observer } from './observe/observer.ts';
import type { ServiceClient } from './service/client.ts';
import { openShopContext, openShops } from './shops.ts';
import { defaultTimings, type StepDeps, type Timings } from './steps/deps.ts';
import { openDoubts } from './steps/doubts.ts';
import { seriesAlert } from './steps/foreign.ts';

/** What every role shares: ledger, clock, rate budgets, one client per account, one shop API per store. */
export interface Runtime {
  ledger: Ledger;
  clock: Clock;
  /** How many times faster than real time the clock runs; 1 but for tests. */
  rate: number;
  budgets: Budgets;
  steps: StepDeps;
  /** What a platform's shops and pages work with. */
  shopContext(platform: Platform): ShopContext;
  accounts: readonly Account[];
  /** The service under one API key's budget, the account's newest unless said otherwise; undefined for what left the config. */
  service(accountId: string, keyHash?: string): { client: ServiceClient; budget: Budget } | undefined;
  close(): Promise<void>;
}

export interface RuntimeOptions {
  config: Config;
  settings: Settings;
  secrets: Secrets;
  links: Links;
  log: Log;
  observer: Observer;
}

/** Opens the ledger, remembers the configured stores, and prepares everything that is opened on first use. */
export async function openRuntime({
  config,
  settings,
  secrets,
  links,
  log,
  observer,
}: RuntimeOptions): Promise<Runtime> {
  const clock = openClock(config.testClock);
  const rate = config.testClock === undefined ? 1 : parseTestClock(config.testClock).rate;
  const ledger = await openLedger(
    { ...config.ledger, sealKey: secrets.seal, trace: currentTrace },
    clock,
    log,
  );
  const notification = openNotification(config, { ledger, clock, log });
  const firstStart = await registerStores({ ledger, clock, ...notification }, settings);
  const budgets = openBudgets({ ledger, clock, log });
  const shopContext = openShopContext({ ledger, clock, log });
  const shops = openShops(shopContext, observer);
  const accounts = openAccounts(settings, { budgets, clock, log, observer, rate });
  const byShop = new Map(
    [...settings.stores.values()].map((store) => [shopKey(store.platform.name, store.shop), store]),
  );

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
    storeOf: (platform, shop) => byShop.get(shopKey(platform, shop)),
    shop: (store) => shops.of(store),
    onEvent: (door, event) => readEvent(settings, door, event, shopContext),
    accounts: settings.accounts,
    revoked: new Set(),
    service(account, work, keyHash = account.keyHash) {
      const { client, budget } = access(account, keyHash);
      // After a rotation waiting work still bears the old key, whose slot is not the new one's.
      const slotAt = work?.budget === keyHash ? (work.slotAt ?? null) : null;
      return client.with(slotAt === null ? budget : prepaid(budget, slotAt, clock));
    },
    doubts: openDoubts(),
    joinJourney: ({ trace }) => joinJourney(trace),
    invoiceFrom: (store) => store.policy.invoiceFrom ?? firstStart.get(store.id) ?? new Date(0),
  };
  return {
    ledger,
    clock,
    rate,
    budgets,
    steps,
    shopContext,
    accounts: [...settings.accounts.values()],
    service: accounts.get,
    async close() {
      notification.mailer?.close();
      await shops.close();
      await accounts.close();
      await ledger.close();
    },
  };
}

function timingsOf({ sweep }: Config): Timings {
  return { ...defaultTimings, sweep: { ...defaultTimings.sweep, every: sweep.everyMinutes * 60_000 } };
}

const shopKey = (platform: string, shop: string): string => `${platform} ${shop}`;

async function registerStores(
  { ledger, clock, alerts }: { ledger: Ledger; clock: Clock; alerts: Alerts },
  settings: Settings,
): Promise<Map<string, Date>> {
  const first = new Map<string, Date>();
  for (const store of settings.stores.values()) {
    const { id, shop, platform } = store satisfies Store;
    const { firstStartedAt } = await ledger.stores.register({
      id,
      platform: platform.name,
      shop,
      now: clock.now(),
    });
    first.set(id, new Date(firstStartedAt));
    // The answer to a series that met a foreign number: the merchant names a free one and starts again.
    for (const kind of ['factura', 'nota-credito'] as const)
      if (await ledger.sequences.raise(seriesOf(store, kind), firstNumber(store, kind)))
        await alerts.over(seriesAlert(seriesOf(store, kind)));
  }
  return first;
}
