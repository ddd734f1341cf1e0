import { openInstalling } from '../app/installing.ts';
import { openOutbound } from '../app/outbound.ts';
import { type LiveSettings, openLiveSettings } from '../app/settings.ts';
import { keptIn, openShopContext } from '../app/stores.ts';
import { openStoring } from '../app/storing.ts';
import type { Config } from '../config/load.ts';
import type { Installing } from '../domain/platform.ts';
import { silentLog, type Tickets } from '../domain/ports.ts';
import { type Store, storeOfShop } from '../domain/settings.ts';
import type { Storing } from '../domain/storing.ts';
import { ledgerAlerts } from '../jobs/alerts.ts';
import { shopConnected } from '../jobs/connection.ts';
import { verifyShop } from '../jobs/verify-shop.ts';
import { openSetupLedger, type SetupLedger } from '../setup/health.ts';
import { type OwnLedger, openOwnLedger } from './own-ledger.ts';

/** An installation as a command sees and changes it. */
export interface Installation {
  config: Config;
  /** With the stores of the ledger. */
  live: LiveSettings;
  tickets: Tickets;
  installing: Installing;
  storing: Storing;
  setupLedger: SetupLedger;
  close(): Promise<void>;
}

/** Opens the ledger for a command, also beside a running `start`. Throws ConfigError and LedgerError. */
export async function openInstallation(config: Config): Promise<Installation> {
  const live = await openLiveSettings(config);
  const own = await openOwnLedger(config);
  const { ledger, tickets } = own;
  live.adopt(await keptIn(ledger));
  return { config, live, tickets, ...openParts(config, live, own), close: () => ledger.close() };
}

/** Runs a task with the installation and closes it. */
export async function withInstallation<T>(
  config: Config,
  task: (installation: Installation) => Promise<T>,
): Promise<T> {
  const installation = await openInstallation(config);
  try {
    return await task(installation);
  } finally {
    await installation.close();
  }
}

/** What a command does runs no job and notifies nobody: `start` does. */
function openParts(
  config: Config,
  live: LiveSettings,
  { ledger, clock, tickets }: OwnLedger,
): Pick<Installation, 'installing' | 'storing' | 'setupLedger'> {
  const { settings } = live;
  const log = silentLog;
  const contextOf = openShopContext({ ledger, clock, log, outbound: openOutbound(config.outbound.allow) });
  // `start` raises what it finds, and notifies.
  const noAlerts = { raise: async () => {}, over: async () => {} };
  const verifying = {
    ledger,
    clock,
    log,
    alerts: noAlerts,
    stores: () => settings.stores.values(),
    contextOf,
  };
  const isVerified = async (store: Store) => {
    const { platform, connection, app } = store;
    const shop = platform.openShop({ connection, app: app?.settings ?? null }, contextOf(platform));
    if (shop === null) return true;
    return (await verifyShop(verifying, store, shop).finally(() => shop.close())).kind !== 'held';
  };
  const alerts = ledgerAlerts({ ledger, clock, log, channels: new Map() });
  const storeOf = (platform: string, shop: string) => storeOfShop(settings.stores, platform, shop);
  const ready = ({ platform, shop }: Store) =>
    shopConnected({ ledger, clock, alerts, storeOf }, platform.name, shop);
  return {
    installing: openInstalling({ settings, tickets, ledger, clock, contextOf, isVerified, ready }),
    storing: openStoring({ ledger, clock, live, alerts, contextOf }),
    setupLedger: openSetupLedger(ledger, { settings, now: clock.now }),
  };
}
