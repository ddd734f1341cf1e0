import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type LiveSettings, openLiveSettings } from '../../app/settings.ts';
import { openClock } from '../../config/clock.ts';
import { type Config, loadConfig } from '../../config/load.ts';
import { FacturapuenteError } from '../../domain/errors.ts';
import type { InstallItem } from '../../domain/install.ts';
import { item } from '../../setup/items.ts';
import { overrideItem } from '../../setup/overrides.ts';
import { deliveriesItem, statusItem } from '../../setup/service-health.ts';
import { installStore } from '../install-store.ts';
import { findDesk, type OpenDesk } from '../setup/desk.ts';
import { openClient, type Section, setUpService } from '../setup/service.ts';
import { tellable } from '../tellable.ts';
import { lawItems, ledgerItems, machineItems, secondFactorItems, taxRuleItems } from './installation.ts';
import { clockItem, publicUrlItems } from './reach.ts';

export interface Diagnosis {
  state: 'ok' | 'warning' | 'problem';
  sections: Section[];
}

/** Looks at everything an installation needs, changing nothing but an empty ledger where there is none. */
export async function diagnose({ config: path }: { config?: string }): Promise<Diagnosis> {
  const sections: Section[] = [];
  const opened = await orItem('config', 'Configuración', async () => {
    const config = await loadConfig({ ...(path ? { path } : {}), cwd: process.cwd(), env: process.env });
    return { config, live: await openLiveSettings(config) };
  });
  if ('code' in opened) return judged([{ title: 'Configuración', items: [opened] }]);
  const { config, live } = opened;
  const stores = new Set(live.settings.stores.keys());
  const found = item('config', `Configuración ${config.file}`, 'ok');
  const items = [
    found,
    ...config.overrides.map(overrideItem),
    ...(await publicUrlItems(config.publicUrl)),
    ...secondFactorItems(config),
    ...lawItems(openClock(config.testClock).now()),
  ];
  sections.push({ title: 'Configuración', items });
  const desk = await orItem('ledger', 'Registro', () => findDesk(config, live));
  if ('code' in desk) sections.push({ title: 'Instalación', items: [desk] });
  else await withDesk(desk, { config, live, stores }, sections).finally(() => desk.close());
  const now = openClock(config.testClock).now();
  for (const id of stores) {
    const { title, items } = await storeSection(id, path);
    const store = live.settings.stores.get(id);
    sections.push({ title, items: [...items, ...(store ? taxRuleItems(store, now) : [])] });
  }
  return judged(sections);
}

async function withDesk(
  desk: OpenDesk,
  { config, live, stores }: { config: Config; live: LiveSettings; stores: Set<string> },
  sections: Section[],
): Promise<void> {
  const { now } = openClock(config.testClock);
  // A start that holds the ledger and does not answer is found out with the first question.
  const asked = await orItem('ledger', 'Registro', async () => ({ health: await desk.health() }));
  if ('code' in asked) return void sections.push({ title: 'Instalación', items: [asked] });
  for (const id of asked.health.stores) stores.add(id);
  const { breakers, sweeps, failing, alerts } = ledgerItems(asked.health, config, now());
  sections.push({
    title: 'Instalación',
    items: [
      ...(await machineItems(config, desk, asked.health)),
      ...(await rightsItems(config)),
      ...breakers,
      ...sweeps,
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
  const only = { production: false, replace: false, resend: false };
  sections.push(...(await setUpService({ config, live, desk }, only, false)));
}

/** What the platform's own installation finds. */
async function storeSection(store: string, path: string | undefined): Promise<Section> {
  const flags = { store, json: true, ...(path === undefined ? {} : { config: path }) };
  const found = await orItem('store', 'Instalación en la tienda', async () => ({
    items: (await installStore(flags, 'check')).items,
  }));
  return { title: `Tienda «${store}»`, items: 'code' in found ? [found] : found.items };
}

/** What a failure of ours says becomes a finding; anything else is a defect. */
async function orItem<T extends object>(
  code: string,
  what: string,
  task: () => Promise<T>,
): Promise<T | (InstallItem & { code: string })> {
  try {
    return await task();
  } catch (error) {
    const told = await tellable(error);
    if (!(told instanceof FacturapuenteError)) throw told;
    return { code, what, state: 'problem', cure: told.merchant };
  }
}

function judged(sections: Section[]): Diagnosis {
  const states = new Set(sections.flatMap(({ items }) => items.map(({ state }) => state)));
  if (states.has('problem') || states.has('missing') || states.has('differs'))
    return { state: 'problem', sections };
  return { state: states.has('warning') ? 'warning' : 'ok', sections };
}

/** What others of this machine may do with a place: read, write or enter. */
const others = 0o077;
/** The group too may write where a group of one's own is the system's default. */
const anybodyWrites = 0o002;

/**
 * Whether others of this machine may read what is the owner's alone: orders, keys and buyers lie in the folder of the
 * ledger, secrets in `.env`; or change the config, which names code to load. Nothing is said where the system has no such rights.
 */
export async function rightsItems({ file, ledger }: Config): Promise<InstallItem[]> {
  if (process.platform === 'win32') return [];
  const what = 'Permisos de los archivos';
  const folder = 'directory' in ledger ? ledger.directory : null;
  const inside = folder === null ? [] : await readdir(folder).catch(() => []);
  const places = [
    ...(folder === null ? [] : [folder, ...inside.map((name) => join(folder, name))]),
    join(dirname(file), '.env'),
  ];
  const open = (await Promise.all(places.map(async (place) => ((await isOpen(place)) ? place : [])))).flat();
  if (await isOpen(file, anybodyWrites))
    return [
      item('file-rights', what, 'problem', {
        cure: `Otros usuarios de esta máquina pueden cambiar ${file}: quíteles el permiso con «chmod o-w '${file}'».`,
      }),
    ];
  const [first] = open;
  if (first === undefined) return [item('file-rights', what, 'ok')];
  return [
    item('file-rights', what, 'problem', {
      cure: `Otros usuarios de esta máquina pueden leer ${open.length === 1 ? first : `${first} y ${open.length - 1} más`}: quíteles el permiso con «chmod -R go= ${open.map((place) => `'${place}'`).join(' ')}».`,
    }),
  ];
}

async function isOpen(place: string, rights = others): Promise<boolean> {
  const found = await stat(place).catch(() => null);
  return found !== null && (found.mode & rights) !== 0;
}
