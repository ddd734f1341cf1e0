import type { Clock } from '../core/clock.ts';
import { ConfigError } from '../core/errors.ts';
import type { InstallItem, Installing, InstallRequest } from '../core/install.ts';
import type { Platform, ShopContext } from '../core/platform.ts';
import { owner } from '../core/scope.ts';
import type { Settings, Store } from '../core/settings.ts';
import type { Tickets } from '../core/tickets.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { outcomeOf, writtenDown } from './written-down.ts';

export interface InstallingDeps {
  settings: Settings;
  tickets: Tickets;
  ledger: Pick<Ledger, 'deeds'>;
  clock: Clock;
  contextOf(platform: Platform): ShopContext;
  /** Hears of a store that lacks nothing after an installation: what waited for its shop may go on. */
  ready(store: Store): Promise<unknown>;
}

/** Installs the stores of the config, each by what its platform brings, and writes down who had what changed. */
export function openInstalling(deps: InstallingDeps): Installing {
  const { settings, tickets, contextOf, ready } = deps;
  return {
    async install(id, apply, by) {
      const store = storeOf(settings, id);
      const { platform } = store;
      if (!platform.install) throw nothingToDo(store);
      const request = installRequest(settings, store, { apply, tickets });
      if (!apply) return platform.install(request, contextOf(platform));
      const { install } = platform;
      const found = await writtenDown(
        deps,
        { what: 'install', who: by, subject: id, about: owner.store(id) },
        async () => {
          const found = await install(request, contextOf(platform));
          return { found, ...outcomeOf(found) };
        },
      );
      if (found.every(isFine)) await ready(store);
      return found;
    },
    async uninstall(id, by) {
      const store = storeOf(settings, id);
      const { platform } = store;
      if (!platform.uninstall) throw nothingToDo(store);
      const request = installRequest(settings, store, { apply: true, tickets });
      const { uninstall } = platform;
      return writtenDown(
        deps,
        { what: 'uninstall', who: by, subject: id, about: owner.store(id) },
        async () => {
          const items = await uninstall(request, contextOf(platform));
          return { found: items, ...outcomeOf(items) };
        },
      );
    },
  };
}

/** Nothing about it keeps a store from being invoiced. */
export const isFine = ({ state }: InstallItem): boolean => state === 'ok' || state === 'warning';

/** What a platform is told about the store it installs or tends. */
export function installRequest(
  { publicUrl }: Settings,
  { id, shop, app, connection }: Store,
  { apply, tickets }: Pick<InstallRequest, 'apply' | 'tickets'>,
): InstallRequest {
  const store = { id, shop, app: app?.id ?? null, connection };
  return { store, app: app?.settings ?? null, publicUrl, tickets, apply };
}

/** Throws ConfigError `unknown-store`. */
export function storeOf({ stores }: Settings, id: string): Store {
  const store = stores.get(id);
  if (store) return store;
  const known = [...stores.keys()].join(', ');
  throw new ConfigError(
    'unknown-store',
    `No hay ninguna tienda «${id}» en la configuración; hay: ${known}.`,
    `Store ${id} is not configured; known are ${known}.`,
  );
}

function nothingToDo({ id, platform }: Store): ConfigError {
  return new ConfigError(
    'no-install',
    `La tienda «${id}» es de ${platform.title} y no tiene nada que instalar o quitar desde aquí.`,
    `Platform ${platform.name} brings no such step; nothing was done for store ${id}.`,
  );
}
