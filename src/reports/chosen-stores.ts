import { LedgerError } from '../domain/errors.ts';
import type { Scope } from '../domain/scope.ts';
import type { Store } from '../domain/settings.ts';

/** Stores something is about, and its name for them: a store's id, several ids with commas, or "*" for all. */
export interface ChosenStores {
  stores: Store[];
  scope: string;
}

/**
 * The store of this id, or all that issue: of a store before production nothing is due yet. Of a scope only its own.
 * Throws LedgerError `close-store`.
 */
export function chosenStores(
  all: ReadonlyMap<string, Store>,
  id: string | undefined,
  scope: Scope | null = null,
): ChosenStores {
  const stores = scope?.stores ?? all;
  const store = stores.get(id ?? '');
  if (store) return { stores: [store], scope: store.id };
  if (id === undefined && (scope === null || stores.size > 0))
    return {
      stores: [...stores.values()].filter(({ shadow }) => !shadow?.only),
      scope: scope?.label ?? '*',
    };
  const which = id === undefined ? 'ninguna de sus tiendas' : `ninguna tienda «${id}»`;
  throw new LedgerError(
    'close-store',
    `No hay ${which} en la configuración: están ${[...stores.keys()].join(', ')}.`,
    `There is no store ${id ?? scope?.label} in the config.`,
  );
}
