import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Config } from '../../config/load.ts';
import type { InstallItem } from '../../domain/install.ts';
import { item } from '../../setup/items.ts';

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
