import type { Clock } from '../domain/clock.ts';
import { ConfigError, ShopError } from '../domain/errors.ts';
import type { InstallItem, Installing, InstallRequest } from '../domain/install.ts';
import type { Platform, ShopContext } from '../domain/platform.ts';
import { owner } from '../domain/scope.ts';
import { addressOf, type Settings, type Store } from '../domain/settings.ts';
import { holdResolution } from '../domain/shop-identity.ts';
import type { Tickets } from '../domain/tickets.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { outcomeOf, writtenDown } from './written-down.ts';

export interface InstallingDeps {
  settings: Settings;
  tickets: Tickets;
  ledger: Pick<Ledger, 'deeds' | 'shops'>;
  clock: Clock;
  contextOf(platform: Platform): ShopContext;
  /** Asks the shop who it is, and writes it down; false where it is held. Throws ShopError. */
  isProven(store: Store): Promise<boolean>;
  /** Hears of a store that lacks nothing after an installation: what waited for its shop may go on. */
  ready(store: Store): Promise<unknown>;
}

/** Installs the stores of the config, each by what its platform brings, and writes down who had what changed. */
export function openInstalling(deps: InstallingDeps): Installing {
  const { settings, tickets, contextOf, isProven, ready, ledger } = deps;
  return {
    async install(id, apply, by) {
      const store = storeOf(settings, id);
      const { platform } = store;
      if (!platform.install) throw nothingToDo(store);
      const request = installRequest(settings, store, { apply, tickets });
      const look = async () => [
        ...((await platform.install?.(request, contextOf(platform))) ?? []),
        ...(await identityItems(ledger, store)),
      ];
      if (!apply) return look();
      const found = await writtenDown(
        deps,
        { what: 'install', who: by, subject: id, about: owner.store(id) },
        async () => {
          // First: into a copy of the shop nothing is put. What keeps us from asking is told below.
          const may = await isProven(store).catch((error: unknown) => {
            if (error instanceof ShopError) return true;
            throw error;
          });
          request.apply = may;
          const found = await look();
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

/** Which shop it is, as the ledger has it; nothing before it was asked. */
async function identityItems(
  { shops }: Pick<Ledger, 'shops'>,
  { id, platform, shop }: Store,
): Promise<InstallItem[]> {
  const key = { platform: platform.name, shop };
  const about = { code: 'shop-identity', what: 'Identidad de la tienda' };
  const held = await shops.held(key);
  if (held) return [{ ...about, state: 'problem', cure: `${held.reason} ${holdResolution(held, id)}` }];
  const known = await shops.get(key);
  if (!known?.askedAt) return [];
  if (known.identity === null)
    return [
      {
        ...about,
        state: 'warning',
        cure: 'La tienda no dice cuál es, y solo se la reconoce por su dirección: si esta cambia, empieza como otra tienda.',
      },
    ];
  const addresses = (await shops.addresses()).filter(
    (one) => one.platform === key.platform && one.shop === shop,
  );
  const names = [...new Set([shop, ...addresses.map(({ address }) => address)])];
  return [
    {
      code: about.code,
      what: `${about.what}: ${known.identity}`,
      state: 'ok',
      cure: names.length === 1 ? null : `Se la conoce por estas direcciones: ${names.join(', ')}.`,
    },
  ];
}

/** Nothing about it keeps a store from being invoiced. */
export const isFine = ({ state }: InstallItem): boolean => state === 'ok' || state === 'warning';

/** What a platform is told about the store it installs or tends. */
export function installRequest(
  { publicUrl }: Settings,
  store: Store,
  { apply, tickets }: Pick<InstallRequest, 'apply' | 'tickets'>,
): InstallRequest {
  const { id, app, connection } = store;
  const asked = { id, shop: addressOf(store), app: app?.id ?? null, connection };
  return { store: asked, app: app?.settings ?? null, publicUrl, tickets, apply };
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
