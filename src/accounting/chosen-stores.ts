import { LedgerError } from '../core/errors.ts';
import type { Store } from '../core/settings.ts';

/** The store of this id, or all that issue: of a store before production nothing is due yet. Throws LedgerError `close-store`. */
export function chosenStores(stores: ReadonlyMap<string, Store>, id: string | undefined): Store[] {
  if (id === undefined) return [...stores.values()].filter(({ shadow }) => !shadow?.only);
  const store = stores.get(id);
  if (store) return [store];
  throw new LedgerError(
    'close-store',
    `No hay ninguna tienda «${id}» en la configuración: están ${[...stores.keys()].join(', ')}.`,
    `There is no store ${id} in the config.`,
  );
}
