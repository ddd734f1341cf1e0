import { audited, auditIn } from '../app/commands.ts';
import type { Runtime } from '../app/runtime.ts';
import { FacturapuenteError } from '../domain/errors.ts';
import { listNames } from '../domain/listing.ts';
import { type Store, storeOf } from '../domain/settings.ts';
import { reconcileOnce } from '../jobs/reconciliation/reconciliation.ts';
import { withProcess } from './carry-out.ts';
import { type ConfigFlag, readConfig, whoAmI } from './own-ledger.ts';

export interface SyncFlags extends ConfigFlag {
  store?: string;
  since?: Date;
}

/**
 * Reconciles stores to the end of their lists and answers one line for each. `start` syncs the orders that were
 * found. Throws ConfigError.
 */
export async function reconcileStores(flags: SyncFlags): Promise<{ text: string; failed: boolean }> {
  const { store: id, since } = flags;
  const config = await readConfig(flags);
  const synced = await withProcess(config, 'sync', async ({ runtime, live: { settings } }) => {
    const done: StoreSynced[] = [];
    for (const store of id === undefined ? settings.stores.values() : [storeOf(settings, id)])
      done.push(await syncStore(runtime, store, since));
    return done;
  });
  return {
    text: synced.map(({ line }) => `${line}\n`).join(''),
    failed: synced.some(({ failed }) => failed),
  };
}

/** Each store goes into the audit log. */
function syncStore(runtime: Runtime, store: Store, since: Date | undefined): Promise<StoreSynced> {
  const add = auditIn(runtime, { who: whoAmI(), what: 'sync', subject: store.id });
  return audited(add, async () => {
    const found = await reconcileStore(runtime, store, since);
    const outcome = found.failed ? 'failed' : found.found === 0 ? 'nothing' : 'done';
    return { found, outcome, facts: { since: since?.toISOString() ?? null, found: found.found } };
  });
}

interface StoreSynced {
  line: string;
  failed: boolean;
  /** Orders that are new or have changed. */
  found: number;
}

async function reconcileStore(
  { handlers }: Runtime,
  store: Store,
  since: Date | undefined,
): Promise<StoreSynced> {
  const shop = handlers.shop(store);
  if (shop === null) {
    const line = `${store.id}: no tiene acceso a la API de la tienda y no se puede preguntar.`;
    return { line, failed: false, found: 0 };
  }
  try {
    const calls = Number.POSITIVE_INFINITY;
    const { asked, failed } = await reconcileOnce(handlers, store, shop, { calls, ...(since && { since }) });
    const missed = [...failed].map(
      ([list, error]) => ` No se pudo leer ${listNames[list]}: ${merchantOf(error)}`,
    );
    return {
      line: `${store.id}: ${foundText(asked)}${missed.join('')}`,
      failed: failed.size > 0,
      found: asked,
    };
  } catch (error) {
    return { line: `${store.id}: ${merchantOf(error)}`, failed: true, found: 0 };
  }
}

function merchantOf(error: unknown): string {
  if (error instanceof FacturapuenteError) return error.merchant;
  throw error;
}

function foundText(count: number): string {
  if (count === 0) return 'no hay nada que no se supiera.';
  const what = count === 1 ? 'hay 1 pedido nuevo o cambiado' : `hay ${count} pedidos nuevos o cambiados`;
  return `${what}; facturapuente start los revisa.`;
}
