import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openClock } from '../config/clock.ts';
import { type Config, loadConfig } from '../config/load.ts';
import { openSecrets } from '../config/secret.ts';
import { LedgerError } from '../core/errors.ts';
import type { Installation, Installing } from '../core/install.ts';
import { silentLog } from '../core/log.ts';
import type { InstallOrder } from '../http/install-door.ts';
import { openTickets } from '../http/tickets.ts';
import { openInstalling } from '../installing.ts';
import { openLedger } from '../ledger/open.ts';
import { type LiveSettings, openLiveSettings } from '../settings.ts';
import { openShopContext } from '../shops.ts';
import { keptStores } from '../stores.ts';
import { askRunning } from './install-running.ts';
import { installationText } from './install-text.ts';

export interface InstallFlags {
  store: string;
  config?: string;
  json: boolean;
}

/**
 * Installs one store, looks at it, or takes it back; by the process that runs, where one holds the ledger. `ready` is
 * false while something keeps the store from being invoiced. Throws ConfigError and ShopError.
 */
export async function installStore(
  flags: InstallFlags,
  asked: InstallOrder,
): Promise<{ text: string; ready: boolean }> {
  const { config: path, json, store } = flags;
  const config = await loadConfig({ ...(path ? { path } : {}), cwd: process.cwd(), env: process.env });
  const live = await openLiveSettings(config);
  const found = await carryOut(config, live, store, asked);
  // Only the one who asked has the folder the files belong in.
  if (asked === 'apply')
    for (const { name, content } of found.files) await writeFile(join(process.cwd(), name), content);
  const ready = found.items.every(({ state }) => state === 'ok' || state === 'warning');
  const text = json
    ? `${JSON.stringify({ store, ready, ...found }, null, 2)}\n`
    : installationText(store, found, asked);
  return { text, ready };
}

async function carryOut(
  config: Config,
  live: LiveSettings,
  store: string,
  asked: InstallOrder,
): Promise<Installation> {
  const clock = openClock(config.testClock);
  const secrets = await openSecrets(config);
  const tickets = openTickets(secrets.tickets, clock);
  const run = async (installing: Installing): Promise<Installation> =>
    asked === 'remove'
      ? { items: await installing.uninstall(store), files: [] }
      : installing.install(store, asked === 'apply');
  const ledger = await openLedger({ ...config.ledger, sealKey: secrets.seal }, clock, silentLog).catch(
    (error) => {
      if (error instanceof LedgerError && error.code === 'ledger-held') return null;
      throw error;
    },
  );
  if (ledger === null) return askRunning(config, { tickets, clock, store, asked });
  try {
    live.adopt(await keptStores(ledger));
    const contextOf = openShopContext({ ledger, clock, log: silentLog });
    return await run(openInstalling(live.settings, tickets, contextOf));
  } finally {
    await ledger.close();
  }
}
