import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { staleTables } from '../../../mappers/tables/law.ts';
import { unusableRules } from '../../../mappers/tax-rules.ts';
import { userAgent } from '../../app/platforms.ts';
import { openLiveSettings } from '../../app/settings.ts';
import { type Config, openClock } from '../../config/load.ts';
import { ecuadorDay } from '../../domain/clock.ts';
import { FacturapuenteError } from '../../domain/errors.ts';
import {
  failedLists,
  inSentence,
  listLosses,
  listNames,
  type ReconciliationList,
  reconciliationLists,
} from '../../domain/listing.ts';
import type { InstallItem } from '../../domain/platform.ts';
import type { Store } from '../../domain/settings.ts';
import { jobWords, waitWords } from '../../jobs/timeline-words.ts';
import { askEviction } from '../../queue/redis.ts';
import { overrideItem } from '../../setup/account.ts';
import { item } from '../../setup/deps.ts';
import { deliveriesItem, type LedgerHealth, serverClockItem, statusItem } from '../../setup/health.ts';
import { installStore } from '../install.ts';
import { openClient, type Section, setUpService } from '../install-service.ts';
import { type Installation, openInstallation } from '../installation.ts';
import { type ConfigFlag, readConfig } from '../own-ledger.ts';
import { readableError } from '../spanish.ts';

export interface Diagnosis {
  state: 'ok' | 'warning' | 'problem';
  sections: Section[];
}

/** Checks everything an installation needs; changes nothing, but creates an empty ledger where there is none. */
export async function diagnose(flags: ConfigFlag): Promise<Diagnosis> {
  const opened = await orItem('config', 'Configuración', async () => {
    const config = await readConfig(flags);
    return { config, live: await openLiveSettings(config) };
  });
  if ('code' in opened) return judged([{ title: 'Configuración', items: [opened] }]);
  const { config, live } = opened;
  const { now } = openClock(config.testClock);
  const items = [
    item('config', `Configuración ${config.file}`, 'ok'),
    ...config.overrides.map(overrideItem),
    ...(await publicUrlItems(config.publicUrl)),
    ...secondFactorItems(config),
    ...lawItems(now()),
  ];
  const sections: Section[] = [{ title: 'Configuración', items }];
  const installation = await orItem('ledger', 'Registro', () => openInstallation(config));
  if ('code' in installation) {
    sections.push({ title: 'Instalación', items: [installation] });
    for (const store of live.settings.stores.values()) sections.push(storeSection(store, [], now()));
    return judged(sections);
  }
  try {
    await checkInstallation(installation, sections);
    for (const store of installation.live.settings.stores.values()) {
      const found = await orItem('store', 'Instalación en la tienda', () =>
        installStore(installation, store.id, 'check'),
      );
      sections.push(storeSection(store, 'code' in found ? [found] : found.report.items, now()));
    }
  } finally {
    await installation.close();
  }
  return judged(sections);
}

const storeSection = (store: Store, items: InstallItem[], now: Date): Section => ({
  title: `Tienda «${store.id}»`,
  items: [...items, ...taxRuleItems(store, now)],
});

async function checkInstallation(installation: Installation, sections: Section[]): Promise<void> {
  const { config, live, ask } = installation;
  const { now } = openClock(config.testClock);
  // The first request shows whether a `start` that holds the ledger answers.
  const asked = await orItem('ledger', 'Registro', async () => ({ health: await ask({ do: 'health' }) }));
  if ('code' in asked) return void sections.push({ title: 'Instalación', items: [asked] });
  const { breakers, reconciliations, failing, alerts } = ledgerItems(asked.health, config, now());
  sections.push({
    title: 'Instalación',
    items: [
      ...(await machineItems(installation, asked.health)),
      ...(await rightsItems(config)),
      ...breakers,
      ...reconciliations,
      ...failing,
    ],
  });
  if (alerts.length > 0) sections.push({ title: 'Avisos pendientes', items: alerts });
  for (const account of live.settings.accounts.values()) {
    const service = openClient(account);
    try {
      const items = [await clockItem(account.baseUrl, now), await statusItem(service)];
      sections.push({
        title: `Servicio en ${account.baseUrl}`,
        items: [...items, ...(await deliveriesItem(service))],
      });
    } finally {
      await service.close();
    }
  }
  const flags = { production: false, replace: false, resend: false };
  sections.push(...(await setUpService(installation, flags, false)));
}

/** An error of ours becomes an item; any other is thrown. */
async function orItem<T extends object>(
  code: string,
  what: string,
  task: () => Promise<T>,
): Promise<T | (InstallItem & { code: string })> {
  try {
    return await task();
  } catch (error) {
    const reported = await readableError(error);
    if (!(reported instanceof FacturapuenteError)) throw reported;
    return { code, what, state: 'problem', resolution: reported.merchant };
  }
}

function judged(sections: Section[]): Diagnosis {
  const states = new Set(sections.flatMap(({ items }) => items.map(({ state }) => state)));
  if (states.has('problem') || states.has('missing') || states.has('differs'))
    return { state: 'problem', sections };
  return { state: states.has('warning') ? 'warning' : 'ok', sections };
}

/** Group and others read, write or enter. */
const others = 0o077;
/** Others write; many systems let the group write by default. */
const anybodyWrites = 0o002;

/**
 * Whether other users of this machine can read the ledger's folder (orders, keys, buyers) or `.env` (secrets), or change
 * the config, which names code to load. Empty on Windows, which has no such rights.
 */
export async function rightsItems({ file, ledger }: Config): Promise<InstallItem[]> {
  if (process.platform === 'win32') return [];
  const what = 'Permisos de los archivos';
  const places = [...('directory' in ledger ? [ledger.directory] : []), join(dirname(file), '.env')];
  const open = (await Promise.all(places.map(async (place) => ((await isOpen(place)) ? place : [])))).flat();
  if (await isOpen(file, anybodyWrites))
    return [
      item('file-rights', what, 'problem', {
        resolution: `Otros usuarios de esta máquina pueden cambiar ${file}: quíteles el permiso con «chmod o-w '${file}'».`,
      }),
    ];
  const [first] = open;
  if (first === undefined) return [item('file-rights', what, 'ok')];
  return [
    item('file-rights', what, 'problem', {
      resolution: `Otros usuarios de esta máquina pueden leer ${open.length === 1 ? first : `${first} y ${open.length - 1} más`}: quíteles el permiso con «chmod -R go= ${open.map((place) => `'${place}'`).join(' ')}».`,
    }),
  ];
}

async function isOpen(place: string, rights = others): Promise<boolean> {
  const found = await stat(place).catch(() => null);
  return found !== null && (found.mode & rights) !== 0;
}

/** This machine's part: the process that should run, the ledger, Redis. */
async function machineItems(
  { config, running }: Pick<Installation, 'config' | 'running'>,
  { aheadOfServerMs }: Pick<LedgerHealth, 'aheadOfServerMs'>,
): Promise<InstallItem[]> {
  const ready = await readinessOf(config.port);
  const items = [
    running || ready
      ? item('start', 'facturapuente start está en marcha', 'ok')
      : item('start', 'facturapuente start', 'warning', {
          resolution: `No responde en el puerto ${config.port} de esta máquina: inícielo, si no corre en otra.`,
        }),
    ledgerItem(config, ready?.ledger),
  ];
  // A test clock differs on purpose.
  if (aheadOfServerMs !== null && config.testClock === undefined)
    items.push(serverClockItem(aheadOfServerMs));
  if (config.redis) items.push(await redisItem(config.redis.url));
  return items;
}

function ledgerItem({ ledger }: Config, readiness: string | undefined): InstallItem {
  const what = 'directory' in ledger ? `Registro en ${ledger.directory}` : 'Registro en PostgreSQL';
  if (readiness === 'no-answer')
    return item('ledger', what, 'problem', {
      resolution: 'facturapuente start no logra usarlo: revise el disco o el servidor PostgreSQL.',
    });
  if (readiness === 'read-only')
    return item('ledger', what, 'problem', {
      resolution:
        'Se puede leer y no escribir: libere espacio en el disco, o revise por qué el servidor PostgreSQL solo deja leer.',
    });
  return item('ledger', what, 'ok');
}

/** Tables of the tax law whose last check against their sources is more than a year old. */
function lawItems(now: Date): InstallItem[] {
  const stale = staleTables(ecuadorDay(now));
  if (stale.length === 0) return [];
  const named = stale.map(({ title, checkedOn }) => `${title}, ${checkedOn}`).join('; ');
  const resolution = `${named}. Actualice facturapuente; si ya tiene la última versión, compare «facturapuente law» con lo vigente o con su contador, y avise de lo que cambió.`;
  return [item('law-tables', 'Tablas de la norma comprobadas hace más de un año', 'warning', { resolution })];
}

/** Tax rules that no factura of today can follow; orders they apply to are held. */
function taxRuleItems({ id, policy }: Pick<Store, 'id' | 'policy'>, now: Date): InstallItem[] {
  const unusable = unusableRules(policy, ecuadorDay(now));
  if (unusable.length === 0) return [];
  const resolution = `${unusable.join('; ')}. Los pedidos a los que se apliquen se retienen: corríjalas en policy de la tienda.`;
  return [item('tax-rules', `Reglas de IVA y de ICE de la tienda «${id}»`, 'warning', { resolution })];
}

/** A panel where a password is enough to change something. */
function secondFactorItems({ panel, operator }: Pick<Config, 'panel' | 'operator'>): InstallItem[] {
  if (panel.secondFactor !== 'off' || (panel.users.length === 0 && !operator)) return [];
  const resolution =
    'Está desactivada: quien conozca una contraseña puede cambiar lo que se factura. Quite panel.secondFactor: off.';
  return [item('second-factor', 'Verificación en dos pasos del panel', 'warning', { resolution })];
}

async function redisItem(url: string): Promise<InstallItem> {
  const policy = await askEviction(url);
  if (policy === null)
    return item('redis', 'Redis', 'problem', {
      resolution:
        'No responde: revise que esté en marcha y que redis.url o REDIS_URL sea correcto. Nada se pierde; el trabajo espera en el registro.',
    });
  if (policy === 'noeviction') return item('redis', 'Redis', 'ok');
  return item('redis', 'Redis', 'warning', {
    resolution: `Puede borrar trabajos cuando se llene su memoria (maxmemory-policy ${policy}): configure «maxmemory-policy noeviction».`,
  });
}

/** As the alert: a reconciliation is late after so many missed runs, and at least after so long. */
const looks = 6;
const atLeastMs = 3_600_000;

/** Problems the ledger knows of: shops that do not answer or are not reconciled, jobs that fail, and open alerts. */
function ledgerItems(
  { reconciliations, breakers, alerts, failing }: LedgerHealth,
  { reconciliation }: Config,
  now: Date,
) {
  const limit = Math.max(looks * reconciliation.everyMinutes * 60_000, atLeastMs);
  // Their alert says why they are not reconciled.
  const disconnected = alerts.flatMap(({ code, subject }) => (code === 'shop-disconnected' ? [subject] : []));
  return {
    breakers: breakers.map(({ storeId, since, retryAt, reason }) =>
      item('shop-breaker', `La tienda «${storeId}» no responde desde ${since}`, 'warning', {
        resolution: `${reason} Sus pedidos esperan; se prueba otra vez desde ${retryAt}, y siguen solos cuando responda.`,
      }),
    ),
    reconciliations: reconciliations.map(({ storeId, reconciledTo, behind }) => {
      const age = now.getTime() - Date.parse(reconciledTo);
      const late = reconciliationLists.filter((list) => behind[list]);
      const without = late.length === 0 ? '' : `; sin terminar: ${inSentence(late, listNames)}`;
      const what = `Pedidos de la tienda «${storeId}» revisados hasta ${reconciledTo}${without}`;
      if (age <= limit || disconnected.includes(storeId)) return item('reconciliation', what, 'ok');
      return item('reconciliation', what, 'warning', {
        resolution: reconciliationResolution(age, failedLists(behind)),
      });
    }),
    failing: failing.map(({ kind, subject, storeId, failures, since, reason, dueAt }) =>
      item('job', `No se logra ${jobWords[kind]}: ${subject} (${storeId})`, 'warning', {
        resolution: `${failures} intentos desde ${since}; el próximo, ${dueAt}. ${waitWords(reason)}`,
      }),
    ),
    // Failing jobs are listed above.
    alerts: alerts
      .filter(({ code }) => code !== 'job-keeps-failing')
      .map(({ what, resolution, since }) =>
        item('alert', `${what} (desde ${since})`, 'warning', { resolution }),
      ),
  };
}

function reconciliationResolution(age: number, failed: readonly ReconciliationList[]): string {
  const hours = `Hace ${Math.floor(age / 3_600_000)} h que`;
  if (failed.length === 0 || failed.includes('changes'))
    return `${hours} no se revisa: los pedidos cuyo aviso se perdió no se facturan. «facturapuente start» debe estar en marcha, y la tienda responder.`;
  return `${hours} no se logra leer ${inSentence(failed, listNames)}: ${inSentence(failed, listLosses)}. Revise el acceso a la tienda con «facturapuente install --check».`;
}

const patienceMs = 10_000;
const alive = z.object({ status: z.literal('alive'), proxy: z.literal('untrusted').optional() });
const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Whether the public address leads to facturapuente, and its proxy is trusted. */
async function publicUrlItems(publicUrl: string): Promise<InstallItem[]> {
  const what = `Dirección pública ${publicUrl}`;
  const answer = await get(`${publicUrl}/healthz`);
  if (answer === null)
    return [
      item('public-url', what, 'problem', {
        resolution:
          'Nadie responde ahí: inicie «facturapuente start» y revise el DNS, el certificado y el proxy.',
      }),
    ];
  const { data: said } = alive.safeParse(await answer.json().catch(() => null));
  if (!said)
    return [
      item('public-url', what, 'problem', {
        resolution: `Responde otro programa (${answer.status}): el proxy debe llevar esta dirección entera a facturapuente, sin redirigir.`,
      }),
    ];
  const proxy = item('trusted-proxies', 'Proxy de la dirección pública', 'warning', {
    resolution:
      'El proxy dice por quién habla y no está en trustedProxies: todos sus clientes cuentan como uno, y los intentos fallidos de un extraño limitan a los demás. Escriba en trustedProxies la red desde la que llama (docs/operations.md).',
  });
  return [publicUrlItem(what, publicUrl), ...(said.proxy === 'untrusted' ? [proxy] : [])];
}

function publicUrlItem(what: string, publicUrl: string): InstallItem {
  if (loopback.test(new URL(publicUrl).hostname))
    return item('public-url', what, 'warning', {
      resolution: 'Es esta misma máquina: sirve para probar, pero nadie de fuera llega a ella.',
    });
  if (!publicUrl.startsWith('https:'))
    return item('public-url', what, 'warning', { resolution: 'Va sin cifrar: use https://.' });
  return item('public-url', what, 'ok');
}

/** Readiness of the process on this machine; null where none answers. */
async function readinessOf(port: number): Promise<{ ledger: string; transport: string } | null> {
  const answer = await get(`http://127.0.0.1:${port}/readyz`);
  const shape = z.object({ ledger: z.string(), transport: z.string() });
  return shape.safeParse(await answer?.json().catch(() => null)).data ?? null;
}

/** V2 signatures of the service are valid for so many seconds (spec, "Events"). */
const tolerance = 300;
const suspicious = 60;

/** Compares our clock with the service's, by the Date header of a route without a key. */
async function clockItem(baseUrl: string, now: () => Date): Promise<InstallItem> {
  const what = 'Reloj de esta máquina frente al del servicio';
  const answer = await get(`${baseUrl}/api/ping`, 'POST');
  const theirs = Date.parse(answer?.headers.get('date') ?? '');
  await answer?.body?.cancel();
  if (Number.isNaN(theirs))
    return item('clock', what, 'warning', {
      resolution: 'El servicio no dice su hora; no se pudo comparar.',
    });
  const seconds = Math.round((now().getTime() - theirs) / 1000);
  const apart = Math.abs(seconds);
  if (apart <= suspicious) return item('clock', what, 'ok');
  const resolution = `El de esta máquina ${seconds > 0 ? 'adelanta' : 'atrasa'} ${apart} s: sincronícelo (NTP). Desde ${tolerance} s se rechazan los avisos del servicio, y a medianoche las facturas llevarían otro día.`;
  return item('clock', what, apart > tolerance ? 'problem' : 'warning', { resolution });
}

async function get(url: string, method = 'GET'): Promise<Response | null> {
  const signal = AbortSignal.timeout(patienceMs);
  const headers = { 'user-agent': userAgent, connection: 'close' };
  return fetch(url, { method, headers, redirect: 'manual', signal }).catch(() => null);
}
