import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isFine, openInstalling } from '../app/installing.ts';
import { openOutbound } from '../app/outbound.ts';
import { openLiveSettings } from '../app/settings.ts';
import { openShopContext } from '../app/shops.ts';
import { keptStores } from '../app/stores.ts';
import { type Config, loadConfig } from '../config/load.ts';
import type { Installation, InstallItem } from '../core/install.ts';
import { silentLog } from '../core/log.ts';
import type { Store } from '../core/settings.ts';
import type { InstallOrder } from '../http/install-door.ts';
import { askRunning } from './install-running.ts';
import { installationText, planText } from './install-text.ts';
import { openOwnLedger } from './own-ledger.ts';
import { whoAmI } from './who-am-i.ts';

export interface InstallFlags {
  store: string;
  config?: string;
  json: boolean;
}

/**
 * Installs one store, looks at it, or takes it back; by the process that runs, where one holds the ledger. What is to
 * be installed is shown before it is. `ready` is false while something keeps the store from being invoiced. Throws
 * ConfigError and ShopError; `report` is what JSON tells.
 */
export async function installStore(
  flags: InstallFlags,
  asked: InstallOrder,
): Promise<{ text: string; ready: boolean; items: InstallItem[]; report: object }> {
  const { config: path, json, store } = flags;
  const config = await loadConfig({ ...(path ? { path } : {}), cwd: process.cwd(), env: process.env });
  const installer = await openInstaller(config, store);
  try {
    const plan = asked === 'apply' ? await installer.run('check') : null;
    if (plan && !json) process.stdout.write(planText(`en la tienda «${store}»`, plan));
    const found = await installer.run(asked);
    // Only the one who asked has the folder the files belong in.
    if (asked === 'apply')
      for (const { name, content } of found.files) await writeFile(join(process.cwd(), name), content);
    const ready = found.items.every(isFine);
    const planned = plan && { plan: plan.items };
    const report = { store, ready, ...planned, ...found };
    const text = json ? `${JSON.stringify(report, null, 2)}\n` : installationText(store, found, asked);
    return { text, ready, items: found.items, report };
  } finally {
    await installer.close();
  }
}

/** Who carries it out: this process, or the one that holds the ledger. */
interface Installer {
  run(asked: InstallOrder): Promise<Installation>;
  close(): Promise<void>;
}

async function openInstaller(config: Config, store: string): Promise<Installer> {
  const live = await openLiveSettings(config);
  const { ledger, clock, tickets } = await openOwnLedger(config);
  const by = whoAmI();
  if (ledger === null)
    return {
      run: (asked) => askRunning(config, { tickets, clock, store, asked, by }),
      close: async () => {},
    };
  live.adopt(await keptStores(ledger));
  const contextOf = openShopContext({
    ledger,
    clock,
    log: silentLog,
    outbound: openOutbound(config.outbound.allow),
  });
  const ready = ({ id }: Store) => ledger.stores.wake(id, clock.now());
  const installing = openInstalling({ settings: live.settings, tickets, ledger, clock, contextOf, ready });
  return {
    run: async (asked) =>
      asked === 'remove'
        ? { items: await installing.uninstall(store, by), files: [] }
        : installing.install(store, asked === 'apply', by),
    close: () => ledger.close(),
  };
}
