import { unusableRules } from '../../../mappers/in-force.ts';
import { type LawTable, staleTables } from '../../../mappers/tables/law.ts';
import type { Config } from '../../config/load.ts';
import { ecuadorDay } from '../../domain/calendar.ts';
import type { InstallItem } from '../../domain/install.ts';
import type { Store } from '../../domain/settings.ts';
import {
  failedLists,
  inSentence,
  listLosses,
  listNames,
  type SweepList,
  sweepLists,
} from '../../domain/sweep-lists.ts';
import { waitWords, workWords } from '../../jobs/story-words.ts';
import { askEviction } from '../../queue/eviction.ts';
import type { LedgerHealth } from '../../setup/health.ts';
import { item } from '../../setup/items.ts';
import { serverClockItem } from '../../setup/server-clock.ts';
import type { OpenDesk } from '../setup/desk.ts';
import { readinessOf } from './reach.ts';

/** This machine's part: the process that should run, the ledger, Redis. */
export async function machineItems(
  config: Config,
  desk: OpenDesk,
  { aheadOfServerMs }: Pick<LedgerHealth, 'aheadOfServerMs'>,
): Promise<InstallItem[]> {
  const ready = await readinessOf(config.port);
  const items = [startItem(desk, ready, config.port), item('ledger', ledgerName(config), 'ok')];
  if (ready?.ledger === 'no-answer')
    items[1] = item('ledger', ledgerName(config), 'problem', {
      cure: 'facturapuente start no logra usarlo: revise el disco o el servidor PostgreSQL.',
    });
  if (ready?.ledger === 'read-only')
    items[1] = item('ledger', ledgerName(config), 'problem', {
      cure: 'Se puede leer y no escribir: libere espacio en el disco, o revise por qué el servidor PostgreSQL solo deja leer.',
    });
  // A test clock is nobody's time.
  if (aheadOfServerMs !== null && config.testClock === undefined)
    items.push(serverClockItem(aheadOfServerMs));
  if (config.redis) items.push(await redisItem(config.redis.url));
  return items;
}

function startItem(
  { running }: OpenDesk,
  ready: Awaited<ReturnType<typeof readinessOf>>,
  port: number,
): InstallItem {
  const what = 'facturapuente start';
  if (running || ready) return item('start', `${what} está en marcha`, 'ok');
  return item('start', what, 'warning', {
    cure: `No responde en el puerto ${port} de esta máquina: inícielo, si no corre en otra.`,
  });
}

/** Tables of the law that nobody compared with their sources for a year. */
export function lawItems(now: Date, tables?: readonly LawTable[]): InstallItem[] {
  const stale = staleTables(ecuadorDay(now), tables);
  if (stale.length === 0) return [];
  const named = stale.map(({ title, checkedOn }) => `${title}, ${checkedOn}`).join('; ');
  return [
    item('law-tables', 'Tablas de la norma comprobadas hace más de un año', 'warning', {
      cure: `${named}. Actualice facturapuente; si ya tiene la última versión, compare «facturapuente law» con lo vigente o con su contador, y avise de lo que cambió.`,
    }),
  ];
}

/** Rules that no factura of today can follow: found before an order is held for them. */
export function taxRuleItems({ id, policy }: Pick<Store, 'id' | 'policy'>, now: Date): InstallItem[] {
  const unusable = unusableRules(policy, ecuadorDay(now));
  if (unusable.length === 0) return [];
  return [
    item('tax-rules', `Reglas de IVA y de ICE de la tienda «${id}»`, 'warning', {
      cure: `${unusable.join('; ')}. Los pedidos a los que se apliquen se retienen: corríjalas en policy de la tienda.`,
    }),
  ];
}

/** A panel whose people change things with a password alone. */
export function secondFactorItems({ panel, operator }: Pick<Config, 'panel' | 'operator'>): InstallItem[] {
  if (panel.secondFactor !== 'off' || (panel.users.length === 0 && !operator)) return [];
  return [
    item('second-factor', 'Verificación en dos pasos del panel', 'warning', {
      cure: 'Está desactivada: quien conozca una contraseña puede cambiar lo que se factura. Quite panel.secondFactor: off.',
    }),
  ];
}

const ledgerName = ({ ledger }: Config) =>
  'directory' in ledger ? `Registro en ${ledger.directory}` : 'Registro en PostgreSQL';

async function redisItem(url: string): Promise<InstallItem> {
  const policy = await askEviction(url);
  if (policy === null)
    return item('redis', 'Redis', 'problem', {
      cure: 'No responde: revise que esté en marcha y que redis.url o REDIS_URL sea correcto. Nada se pierde; el trabajo espera en el registro.',
    });
  if (policy === 'noeviction') return item('redis', 'Redis', 'ok');
  return item('redis', 'Redis', 'warning', {
    cure: `Puede borrar trabajos cuando se llene su memoria (maxmemory-policy ${policy}): configure «maxmemory-policy noeviction».`,
  });
}

/** So many searches missed, and at least so long, before a person is told; as the alert has it. */
const looks = 6;
const atLeastMs = 3_600_000;

/** What the ledger knows to be amiss: shops that do not answer or are not searched, and alerts that last. */
export function ledgerItems(
  { sweeps, breakers, alerts, failing }: LedgerHealth,
  { sweep }: Config,
  now: Date,
): { breakers: InstallItem[]; sweeps: InstallItem[]; failing: InstallItem[]; alerts: InstallItem[] } {
  const limit = Math.max(looks * sweep.everyMinutes * 60_000, atLeastMs);
  return {
    breakers: breakers.map(({ storeId, since, retryAt, reason }) =>
      item('shop-breaker', `La tienda «${storeId}» no responde desde ${since}`, 'warning', {
        cure: `${reason} Sus pedidos esperan; se prueba otra vez desde ${retryAt}, y siguen solos cuando responda.`,
      }),
    ),
    sweeps: sweeps.map(({ storeId, sweptTo, behind }) => {
      const age = now.getTime() - Date.parse(sweptTo);
      const late = sweepLists.filter((list) => behind[list]);
      const without = late.length === 0 ? '' : `; sin terminar: ${inSentence(late, listNames)}`;
      const what = `Pedidos de la tienda «${storeId}» revisados hasta ${sweptTo}${without}`;
      if (age <= limit) return item('sweep', what, 'ok');
      return item('sweep', what, 'warning', { cure: sweepCure(age, failedLists(behind)) });
    }),
    failing: failing.map(({ kind, subject, storeId, failures, since, reason, dueAt }) =>
      item('job', `No se logra ${workWords[kind]}: ${subject} (${storeId})`, 'warning', {
        cure: `${failures} intentos desde ${since}; el próximo, ${dueAt}. ${waitWords(reason)}`,
      }),
    ),
    // Those of jobs stand above, as they are now.
    alerts: alerts
      .filter(({ code }) => code !== 'job-keeps-failing')
      .map(({ what, cure, since }) => item('alert', `${what} (desde ${since})`, 'warning', { cure })),
  };
}

function sweepCure(age: number, failed: readonly SweepList[]): string {
  const hours = `Hace ${Math.floor(age / 3_600_000)} h que`;
  if (failed.length === 0 || failed.includes('changes'))
    return `${hours} no se revisa: los pedidos cuyo aviso se perdió no se facturan. «facturapuente start» debe estar en marcha, y la tienda responder.`;
  return `${hours} no se logra leer ${inSentence(failed, listNames)}: ${inSentence(failed, listLosses)}. Revise el acceso a la tienda con «facturapuente install --check».`;
}
