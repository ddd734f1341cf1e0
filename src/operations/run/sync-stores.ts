import { readInstant } from '../../domain/clock.ts';
import { FacturapuenteError } from '../../domain/errors.ts';
import { listNames } from '../../domain/listing.ts';
import { owner, type Store, storeOf } from '../../domain/settings.ts';
import type { JobDeps } from '../../jobs/deps.ts';
import { reconcileOnce } from '../../jobs/reconciliation/reconciliation.ts';
import type { Carried, Context } from '../operation.ts';

/** Reads the lists to their end; `start` syncs the orders that were found. Throws ConfigError. */
export async function reconcileStores(
  { jobDeps, stores }: Pick<Context, 'jobDeps' | 'stores'>,
  asked: { store?: string | undefined; since?: string | undefined },
): Promise<Carried> {
  const { store: id } = asked;
  const since = readInstant(asked.since ?? '') ?? undefined;
  const done: StoreSynced[] = [];
  for (const store of id === undefined ? stores.values() : [storeOf({ stores }, id)])
    done.push(await reconcileStore(jobDeps, store, since));
  const found = done.reduce((sum, one) => sum + one.found, 0);
  const failed = done.some((one) => one.failed);
  return {
    done: true,
    code: failed ? 1 : 0,
    message: done.map(({ line }) => line).join('\n'),
    data: { stores: done },
    outcome: failed ? 'failed' : found === 0 ? 'nothing' : 'done',
    facts: {
      since: since?.toISOString() ?? null,
      stores: Object.fromEntries(done.map((one) => [one.store, one.failed ? 'failed' : one.found])),
    },
    ...(id !== undefined && { subject: id, about: owner.store(id) }),
  };
}

interface StoreSynced {
  store: string;
  line: string;
  failed: boolean;
  found: number;
}

async function reconcileStore(jobDeps: JobDeps, store: Store, since: Date | undefined): Promise<StoreSynced> {
  const shop = jobDeps.shop(store);
  if (shop === null) {
    const line = `${store.id}: no tiene acceso a la API de la tienda y no se puede preguntar.`;
    return { store: store.id, line, failed: false, found: 0 };
  }
  try {
    const calls = Number.POSITIVE_INFINITY;
    const { asked, failed } = await reconcileOnce(jobDeps, store, shop, { calls, ...(since && { since }) });
    const missed = [...failed].map(
      ([list, error]) => ` No se pudo leer ${listNames[list]}: ${merchantOf(error)}`,
    );
    return {
      store: store.id,
      line: `${store.id}: ${foundText(asked)}${missed.join('')}`,
      failed: failed.size > 0,
      found: asked,
    };
  } catch (error) {
    return { store: store.id, line: `${store.id}: ${merchantOf(error)}`, failed: true, found: 0 };
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
