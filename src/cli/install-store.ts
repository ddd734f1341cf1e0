import { z } from 'zod';
import { installRequest, isFine, openInstalling, storeOf } from '../app/installing.ts';
import { openOutbound } from '../app/outbound.ts';
import { type LiveSettings, openLiveSettings } from '../app/settings.ts';
import { openShopContext } from '../app/shops.ts';
import { keptIn } from '../app/stores.ts';
import { type Config, loadConfig } from '../config/load.ts';
import type { InstallFile, InstallItem } from '../domain/install.ts';
import { silentLog } from '../domain/log.ts';
import type { Store } from '../domain/settings.ts';
import type { Tickets } from '../domain/tickets.ts';
import { proveShop } from '../jobs/prove-shop.ts';
import { askRunning } from './ask-running.ts';
import { writeInstallFiles } from './install-files.ts';
import { type InstallOrder, installationText, planText } from './install-text.ts';
import { keptElsewhere, openOwnLedger } from './own-ledger.ts';
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
    const items = await installer.run(asked);
    // Made here, of our own config: whoever installs in our place names no file.
    const wanted = asked === 'remove' ? [] : installer.files();
    const files = asked === 'apply' ? await writeInstallFiles(wanted, process.cwd()) : wanted;
    const ready = items.every(isFine);
    const report = { store, ready, ...(plan && { plan }), items, files };
    const text = json
      ? `${JSON.stringify(report, null, 2)}\n`
      : installationText(store, { items, files }, asked);
    return { text, ready, items, report };
  } finally {
    await installer.close();
  }
}

/** Who carries it out: this process, or the one that holds the ledger. */
interface Installer {
  run(asked: InstallOrder): Promise<InstallItem[]>;
  files(): readonly InstallFile[];
  close(): Promise<void>;
}

const installItems = z.array(
  z.object({
    code: z.string().exactOptional(),
    what: z.string(),
    state: z.enum(['ok', 'missing', 'differs', 'problem', 'warning']),
    cure: z.string().nullable(),
    done: z.boolean().exactOptional(),
  }),
);

async function openInstaller(config: Config, store: string): Promise<Installer> {
  const live = await openLiveSettings(config);
  const { ledger, clock, tickets } = await openOwnLedger(config);
  const by = whoAmI();
  const files = () => filesOf(live, store, tickets);
  if (ledger === null) {
    live.adopt(await keptElsewhere(config));
    return {
      run: (asked) =>
        askRunning(
          config,
          asked === 'remove'
            ? { do: 'uninstall', store, by }
            : { do: 'install', store, apply: asked === 'apply', by },
          installItems,
        ),
      files,
      close: async () => {},
    };
  }
  live.adopt(await keptIn(ledger));
  const contextOf = openShopContext({
    ledger,
    clock,
    log: silentLog,
    outbound: openOutbound(config.outbound.allow),
  });
  const ready = ({ id }: Store) => ledger.stores.wake(id, clock.now());
  const { settings } = live;
  // Whoever runs this reads it here; start tells everybody else.
  const alerts = { raise: async () => {}, over: async () => {} };
  const stores = () => settings.stores.values();
  const isProven = async (one: Store) => {
    const { platform, connection, app } = one;
    const shop = platform.openShop({ connection, app: app?.settings ?? null }, contextOf(platform));
    if (shop === null) return true;
    const proving = { ledger, clock, log: silentLog, alerts, stores, contextOf };
    return (await proveShop(proving, one, shop).finally(() => shop.close())).kind !== 'held';
  };
  const installing = openInstalling({ settings, tickets, ledger, clock, contextOf, isProven, ready });
  return {
    run: (asked) =>
      asked === 'remove' ? installing.uninstall(store, by) : installing.install(store, asked === 'apply', by),
    files,
    close: () => ledger.close(),
  };
}

function filesOf({ settings }: LiveSettings, id: string, tickets: Tickets): readonly InstallFile[] {
  const store = storeOf(settings, id);
  const request = installRequest(settings, store, { apply: false, tickets });
  return store.platform.installFiles?.(request) ?? [];
}
