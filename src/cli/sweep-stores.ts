import { storeOf } from '../app/installing.ts';
import { linksOf } from '../app/links.ts';
import { openObservation } from '../app/observation.ts';
import { openRuntime, type Runtime } from '../app/runtime.ts';
import { openLiveSettings } from '../app/settings.ts';
import { writtenDown } from '../app/written-down.ts';
import { type Config, loadConfig } from '../config/load.ts';
import { openSecrets } from '../config/secret.ts';
import { FacturapuenteError, LedgerError } from '../domain/errors.ts';
import { silentLog } from '../domain/log.ts';
import type { Settings, Store } from '../domain/settings.ts';
import { listNames } from '../domain/sweep-lists.ts';
import { sweepOnce } from '../jobs/sweep/sweep.ts';
import { whoAmI } from './who-am-i.ts';

export interface SweepFlags {
  config?: string;
  store?: string;
  since?: Date;
}

/**
 * Sweeps stores to the end of their lists and answers what was found, a line for each. What was found is synced by
 * the next `start`. Throws ConfigError, and LedgerError `sweep-running` while `start` holds the ledger.
 */
export async function sweepStores(flags: SweepFlags): Promise<{ text: string; failed: boolean }> {
  const config = await loadConfig({
    ...(flags.config ? { path: flags.config } : {}),
    cwd: process.cwd(),
    env: process.env,
  });
  const live = await openLiveSettings(config);
  const observation = await openObservation(config, 'sweep', silentLog);
  try {
    const { log, observer } = observation;
    const secrets = await openSecrets(config);
    const links = linksOf(config, secrets);
    const runtime = await openRuntime({ config, live, secrets, links, log, observer }).catch((error) => {
      throw error instanceof LedgerError && error.code === 'ledger-held'
        ? alreadyRunning(config, error)
        : error;
    });
    try {
      const stores = chosen(live.settings, flags.store);
      const lines: { line: string; failed: boolean }[] = [];
      for (const store of stores) lines.push(await writtenSweep(runtime, store, flags.since));
      return {
        text: lines.map(({ line }) => `${line}\n`).join(''),
        failed: lines.some(({ failed }) => failed),
      };
    } finally {
      await runtime.close();
    }
  } finally {
    await observation.close();
  }
}

function chosen(settings: Settings, id: string | undefined): Store[] {
  return id === undefined ? [...settings.stores.values()] : [storeOf(settings, id)];
}

/** Of each store it is written down who asked, since when and with what success. */
function writtenSweep(runtime: Runtime, store: Store, since: Date | undefined): Promise<Swept> {
  const deed = { who: whoAmI(), what: 'sweep', subject: store.id };
  return writtenDown(runtime, deed, async () => {
    const found = await sweepStore(runtime, store, since);
    const outcome = found.failed ? 'failed' : found.asked === 0 ? 'nothing' : 'done';
    return { found, outcome, facts: { since: since?.toISOString() ?? null, found: found.asked } };
  });
}

interface Swept {
  line: string;
  failed: boolean;
  /** Orders that were new or had changed. */
  asked: number;
}

async function sweepStore({ steps }: Runtime, store: Store, since: Date | undefined): Promise<Swept> {
  const shop = steps.shop(store);
  if (shop === null)
    return {
      line: `${store.id}: no tiene acceso a la API de la tienda y no se puede preguntar.`,
      failed: false,
      asked: 0,
    };
  try {
    const calls = Number.POSITIVE_INFINITY;
    const { asked, failed } = await sweepOnce(steps, store, shop, { calls, ...(since && { since }) });
    const missed = [...failed].map(
      ([list, error]) => ` No se pudo leer ${listNames[list]}: ${merchantOf(error)}`,
    );
    return { line: `${store.id}: ${found(asked)}${missed.join('')}`, failed: failed.size > 0, asked };
  } catch (error) {
    return { line: `${store.id}: ${merchantOf(error)}`, failed: true, asked: 0 };
  }
}

function merchantOf(error: unknown): string {
  if (error instanceof FacturapuenteError) return error.merchant;
  throw error;
}

function found(asked: number): string {
  if (asked === 0) return 'no hay nada que no se supiera.';
  const what = asked === 1 ? 'hay 1 pedido nuevo o cambiado' : `hay ${asked} pedidos nuevos o cambiados`;
  return `${what}; facturapuente start los revisa en cuanto arranque.`;
}

function alreadyRunning({ sweep }: Config, cause: LedgerError): LedgerError {
  const every = sweep.everyMinutes === 1 ? 'cada minuto' : `cada ${sweep.everyMinutes} minutos`;
  return new LedgerError(
    'sweep-running',
    `facturapuente start está en marcha y ya pregunta a las tiendas ${every}: espere, o deténgalo para preguntar ahora. ${cause.merchant}`,
    `The ledger is held, so start sweeps by itself; asking a running instance is not possible yet. ${cause.message}`,
    { cause },
  );
}
