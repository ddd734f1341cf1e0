import pc from 'picocolors';
import { isFine } from '../app/installing.ts';
import type { InstallFile, InstallItem } from '../domain/install.ts';
import type { FileOutcome } from './install-files.ts';

/** Only look, install, or take back. */
export type InstallOrder = 'check' | 'apply' | 'remove';

const marks: Record<InstallItem['state'], string> = {
  ok: pc.green('✔ listo'),
  missing: pc.yellow('✘ falta'),
  differs: pc.yellow('✘ distinto'),
  problem: pc.red('✘ problema'),
  warning: pc.yellow('! aviso'),
};

const line = ({ what, state, cure, done }: InstallItem): string =>
  `  ${done ? pc.green('✔ hecho') : marks[state]}  ${what}${cure === null ? '' : `\n      ${cure}`}`;

/** What is about to be put right; nothing where nothing is. */
export function planText(where: string, items: readonly InstallItem[]): string {
  const open = items.filter(({ state }) => state === 'missing' || state === 'differs');
  if (open.length === 0) return '';
  return `${[`Por hacer ${where}:`, ...open.map(({ what, state }) => `  ${marks[state]}  ${what}`)].join('\n')}\n\n`;
}

/** A part of the list under its title. */
export function sectionText({ title, items }: { title: string; items: readonly InstallItem[] }): string {
  return [`${title}:`, ...items.map(line), ''].join('\n');
}

/** Each thing, how it stands, what to do or what was done, for a person; one sentence at the end. */
export function installationText(
  store: string,
  { items, files }: { items: readonly InstallItem[]; files: readonly (InstallFile | FileOutcome)[] },
  asked: InstallOrder,
): string {
  return [
    `Tienda «${store}»:`,
    ...items.map(line),
    ...files.map(fileLine),
    '',
    last(store, items, asked),
    '',
  ].join('\n');
}

function fileLine(file: InstallFile | FileOutcome): string {
  if (!('state' in file)) return `  ${pc.yellow('✘')}  Archivo ${file.name}`;
  if (file.state !== 'differs')
    return `  ${pc.green('✔')}  Archivo ${file.name}${file.state === 'same' ? ' (ya estaba)' : ''}`;
  const says = 'Ya existe y no se tocó. Para escribirlo de nuevo, bórrelo y repita; cambiaría:';
  return [
    `  ${pc.yellow('!')}  Archivo ${file.name}`,
    `      ${says}`,
    ...file.changes.map((one) => `      ${one}`),
  ].join('\n');
}

function last(store: string, items: readonly InstallItem[], asked: InstallOrder): string {
  const open = items.filter((item) => !isFine(item));
  if (asked === 'remove')
    return open.length === 0
      ? 'La tienda quedó desinstalada.'
      : 'No se pudo quitar todo; repita cuando esté resuelto.';
  if (open.length === 0) return 'Todo listo: la tienda factura.';
  const some = open.length === 1 ? 'Falta 1 cosa' : `Faltan ${open.length} cosas`;
  return asked === 'check'
    ? `${some}; «facturapuente install --store ${store}» hace lo que se puede hacer desde aquí.`
    : `${some}; repita este comando después de resolverlo.`;
}
