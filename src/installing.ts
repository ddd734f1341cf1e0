import { ConfigError } from './core/errors.ts';
import type { Installing, InstallRequest } from './core/install.ts';
import type { Platform, ShopContext } from './core/platform.ts';
import type { Settings, Store } from './core/settings.ts';
import type { Tickets } from './core/tickets.ts';

/** Installs the stores of the config, each by what its platform brings. */
export function openInstalling(
  settings: Settings,
  tickets: Tickets,
  contextOf: (platform: Platform) => ShopContext,
): Installing {
  return {
    async install(id, apply) {
      const store = storeOf(settings, id);
      const { platform } = store;
      if (!platform.install) throw nothingToDo(store);
      return platform.install(installRequest(settings, store, { apply, tickets }), contextOf(platform));
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
