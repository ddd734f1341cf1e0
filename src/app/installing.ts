import { ConfigError } from '../core/errors.ts';
import type { InstallItem, Installing, InstallRequest } from '../core/install.ts';
import type { Platform, ShopContext } from '../core/platform.ts';
import type { Settings, Store } from '../core/settings.ts';
import type { Tickets } from '../core/tickets.ts';

/**
 * Installs the stores of the config, each by what its platform brings. `ready` hears of one that lacks nothing after an
 * installation: what waited for its shop may go on.
 */
export function openInstalling(
  settings: Settings,
  tickets: Tickets,
  contextOf: (platform: Platform) => ShopContext,
  ready: (store: Store) => Promise<unknown>,
): Installing {
  return {
    async install(id, apply) {
      const store = storeOf(settings, id);
      const { platform } = store;
      if (!platform.install) throw nothingToDo(store);
      const request = installRequest(settings, store, { apply, tickets });
      const found = await platform.install(request, contextOf(platform));
      if (apply && found.items.every(isFine)) await ready(store);
      return found;
    },
    async uninstall(id) {
      const store = storeOf(settings, id);
      const { platform } = store;
      if (!platform.uninstall) throw nothingToDo(store);
      return platform.uninstall(
        installRequest(settings, store, { apply: true, tickets }),
        contextOf(platform),
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
