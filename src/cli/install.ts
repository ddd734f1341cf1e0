import { lstat, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import pc from 'picocolors';
import { installRequest, isFine } from '../app/installing.ts';
import { inWords, type ShownItem } from '../domain/checks.ts';
import type { CheckState, InstallFile, InstallItem } from '../domain/platform.ts';
import { storeOf } from '../domain/settings.ts';
import { audited, outcomeOf } from '../operations/carry-out.ts';
import { jsonText } from '../operations/operation.ts';
import { type Installer, withInstaller } from './carry-out.ts';
import { type ConfigFlag, readConfig, whoAmI } from './given.ts';
import { type Section, type ServiceFlags, setUpService } from './install-service.ts';

export interface RunFlags extends ServiceFlags, ConfigFlag {
  json: boolean;
  check: boolean;
}

/** `ready` is false while something keeps a store from being invoiced. Throws FacturapuenteError. */
export async function install(flags: RunFlags): Promise<{ text: string; ready: boolean }> {
  const { json, check, config: _config, ...service } = flags;
  return withInstaller(await readConfig(flags), async (installer) => {
    const print = (text: string) => void (json || process.stdout.write(text));
    const plan = (await setUpService(installer, service, false)).map(shownSection);
    if (!check) for (const { title, items } of plan) print(planText(`(${title})`, items));
    const sections = check ? plan : (await applyService(installer, service)).map(shownSection);
    print(`${sections.map(sectionText).join('\n')}\n`);
    const ids = flags.store === undefined ? [...installer.live.settings.stores.keys()] : [flags.store];
    const stores = [];
    for (const id of ids) {
      const found = await installStore(installer, id, check ? 'check' : 'apply', print);
      stores.push(found);
      print(`${found.text}\n`);
    }
    const ready =
      sections.every(({ items }) => items.every(isFine)) && stores.every(({ report }) => report.ready);
    if (!json) return { text: '', ready };
    const reports = stores.map(({ report }) => report);
    const found =
      flags.store === undefined
        ? { ready, service: sections, stores: reports }
        : { ...reports[0], ready, service: sections };
    return { text: jsonText(found), ready };
  });
}

export interface ShownSection {
  title: string;
  items: ShownItem[];
}

export const shownSection = ({ title, items }: Section): ShownSection => ({
  title,
  items: items.map(inWords),
});

/** Goes into the audit log: it uploads a signature, and with `--production` documents begin to count. */
function applyService(installer: Installer, flags: ServiceFlags): Promise<Section[]> {
  const { production, replace, resend, store = null } = flags;
  const asked = { production, replace, resend };
  return audited(
    ({ outcome, facts }) =>
      installer.setupLedger.writeDown({
        who: whoAmI(),
        subject: store,
        outcome,
        facts: { ...asked, ...facts },
      }),
    async () => {
      const sections = await setUpService(installer, flags, true);
      return { found: sections, ...outcomeOf(sections.flatMap(({ items }) => items)) };
    },
  );
}

export async function uninstall(
  flags: ConfigFlag & { store: string; json: boolean },
): Promise<{ text: string; ready: boolean }> {
  return withInstaller(await readConfig(flags), async (installer) => {
    const { text, report } = await installStore(installer, flags.store, 'remove');
    return { text: flags.json ? jsonText(report) : text, ready: report.ready };
  });
}

type InstallOrder = 'check' | 'apply' | 'remove';

interface StoreReport {
  store: string;
  ready: boolean;
  plan?: ShownItem[];
  items: ShownItem[];
  files: readonly (InstallFile | FileOutcome)[];
}

/** Throws ConfigError and ShopError. */
export const lookInto = ({ installing }: Installer, store: string): Promise<InstallItem[]> =>
  installing.install(store, false, whoAmI());

/** `report` is what `--json` prints. Throws ConfigError and ShopError. */
export async function installStore(
  { live: { settings }, tickets, installing }: Installer,
  id: string,
  order: InstallOrder,
  print: (text: string) => void = () => {},
): Promise<{ text: string; report: StoreReport }> {
  const store = storeOf(settings, id);
  const by = whoAmI();
  const look = async (apply: boolean) => (await installing.install(id, apply, by)).map(inWords);
  const plan = order === 'apply' ? await look(false) : null;
  if (plan) print(planText(`en la tienda «${id}»`, plan));
  const items =
    order === 'remove' ? (await installing.uninstall(id, by)).map(inWords) : await look(plan !== null);
  const request = installRequest(settings, store, { apply: false, tickets });
  const wanted = order === 'remove' ? [] : (store.platform.installFiles?.(request) ?? []);
  const files = plan ? await writeInstallFiles(wanted, process.cwd()) : wanted;
  const report = { store: id, ready: items.every(isFine), ...(plan && { plan }), items, files };
  return { text: storeText(report, order), report };
}

/** `differs`: the file has other content, and was not touched. */
export type FileOutcome =
  | { name: string; state: 'created' | 'same' }
  | { name: string; state: 'differs'; changes: string[] };

/** An existing file, folder or link of that name is never replaced. */
export async function writeInstallFiles(
  files: readonly InstallFile[],
  folder: string,
): Promise<FileOutcome[]> {
  const outcomes: FileOutcome[] = [];
  for (const { name, content } of files) {
    if (name === '' || name !== basename(name) || name.startsWith('.'))
      throw new RangeError(`An installation may not write ${JSON.stringify(name)}.`);
    const path = join(folder, name);
    try {
      // Fails also for a link that leads elsewhere.
      await writeFile(path, content, { flag: 'wx', mode: 0o644 });
      outcomes.push({ name, state: 'created' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const found = (await lstat(path)).isFile() ? await readFile(path, 'utf8') : '';
      outcomes.push(
        found === content
          ? { name, state: 'same' }
          : { name, state: 'differs', changes: changesOf(found, content) },
      );
    }
  }
  return outcomes;
}

function changesOf(before: string, after: string): string[] {
  const [old, wanted] = [before, after].map((text) => text.split('\n').filter((line) => line.trim() !== ''));
  const without = (lines: string[] = [], others: string[] = [], sign: string) =>
    lines.filter((line) => !others.includes(line)).map((line) => `${sign} ${line}`);
  return [...without(old, wanted, '-'), ...without(wanted, old, '+')];
}

const marks: Record<CheckState, string> = {
  ok: pc.green('✔ listo'),
  missing: pc.yellow('✘ falta'),
  differs: pc.yellow('✘ distinto'),
  problem: pc.red('✘ problema'),
  warning: pc.yellow('! aviso'),
};

const line = ({ what, state, resolution, done }: ShownItem): string =>
  `  ${done ? pc.green('✔ hecho') : marks[state]}  ${what}${resolution === null ? '' : `\n      ${resolution}`}`;

function planText(where: string, items: readonly ShownItem[]): string {
  const open = items.filter(({ state }) => state === 'missing' || state === 'differs');
  if (open.length === 0) return '';
  return `${[`Por hacer ${where}:`, ...open.map(({ what, state }) => `  ${marks[state]}  ${what}`)].join('\n')}\n\n`;
}

export const sectionText = ({ title, items }: ShownSection): string =>
  [`${title}:`, ...items.map(line), ''].join('\n');

function storeText({ store, items, files }: StoreReport, order: InstallOrder): string {
  const parts = [`Tienda «${store}»:`, ...items.map(line), ...files.map(fileLine)];
  return [...parts, '', conclusion(store, items, order), ''].join('\n');
}

function fileLine(file: InstallFile | FileOutcome): string {
  if (!('state' in file)) return `  ${pc.yellow('✘')}  Archivo ${file.name}`;
  if (file.state !== 'differs')
    return `  ${pc.green('✔')}  Archivo ${file.name}${file.state === 'same' ? ' (ya estaba)' : ''}`;
  return [
    `  ${pc.yellow('!')}  Archivo ${file.name}`,
    '      Ya existe y no se tocó. Para escribirlo de nuevo, bórrelo y repita; cambiaría:',
    ...file.changes.map((one) => `      ${one}`),
  ].join('\n');
}

function conclusion(store: string, items: readonly ShownItem[], order: InstallOrder): string {
  const { length } = items.filter((item) => !isFine(item));
  if (order === 'remove') {
    if (length > 0) return 'No se pudo quitar todo; repita cuando esté resuelto.';
    const isOpen = items.some(({ state }) => state === 'warning');
    return isOpen
      ? 'Falta lo que dicen los avisos: solo se hace en la tienda.'
      : 'La tienda quedó desinstalada.';
  }
  if (length === 0) return 'Todo listo: la tienda factura.';
  const some = length === 1 ? 'A la tienda le falta 1 cosa' : `A la tienda le faltan ${length} cosas`;
  return order === 'check'
    ? `${some}; «facturapuente install --store ${store}» hace lo que se puede hacer desde aquí.`
    : `${some}; repita este comando después de resolverlo.`;
}
