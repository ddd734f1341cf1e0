import { randomBytes } from 'node:crypto';
import { access, constants, lstat, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { LedgerError } from '../domain/errors.ts';

/** What keeps a file from being written, by the system's code. */
const words: Readonly<Record<string, string>> = {
  ENOENT: 'no existe la carpeta',
  ENOTDIR: 'lo que debería ser su carpeta es un archivo',
  EISDIR: 'es una carpeta: diga también el nombre del archivo',
  ELOOP: 'es un enlace a otro archivo: bórrelo o diga otro nombre',
  EINVAL: 'no es un archivo común: bórrelo o diga otro nombre',
  EOWNER: 'el archivo es de otro usuario de esta máquina: diga otro nombre',
  EACCES: 'falta el permiso de escribir en la carpeta',
  EPERM: 'falta el permiso de escribir en la carpeta',
  EROFS: 'la carpeta es de solo lectura',
  ENAMETOOLONG: 'el nombre es demasiado largo',
  ENOSPC: 'el disco está lleno',
};

/** How a draft is created: exclusively, for its owner alone. */
export const newPrivate = { flags: 'wx', mode: 0o600 } as const;

/**
 * Writes a file for a person, which only its owner may read and write, whole or not at all: `write` makes a draft under a
 * name nobody can foresee in the same folder (`newPrivate`), which then takes the place of `file`. What stands there is
 * replaced where it is a regular file of the same owner; a link is never followed. No folder is made: a name written
 * wrongly would leave buyers' data where nobody looks. Throws LedgerError `export-out`.
 */
export async function withDraft<T>(file: string, write: (draft: string) => Promise<T>): Promise<T> {
  const draft = join(dirname(file), `.${basename(file)}.${randomBytes(6).toString('hex')}.part`);
  try {
    await refuseUnfit(file);
    const made = await write(draft);
    await rename(draft, file);
    return made;
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const why = words[code];
    if (why === undefined) throw error;
    throw new LedgerError(
      'export-out',
      `No se puede escribir ${file}: ${why} (${code}).`,
      `${file} cannot be written: ${code}.`,
      { cause: error },
    );
  }
}

/** The same for a text. */
export function writePrivate(file: string, text: string): Promise<void> {
  return withDraft(file, (draft) =>
    writeFile(draft, text, { flag: newPrivate.flags, mode: newPrivate.mode }),
  );
}

async function refuseUnfit(file: string): Promise<void> {
  const folder = dirname(file);
  const unfit = (code: string) => Object.assign(new Error(`${file} is unfit.`), { code });
  if (!(await stat(folder)).isDirectory()) throw unfit('ENOTDIR');
  await access(folder, constants.W_OK | constants.X_OK);
  const there = await lstat(file).catch(() => null);
  if (there === null) return;
  if (there.isDirectory()) throw unfit('EISDIR');
  if (there.isSymbolicLink()) throw unfit('ELOOP');
  if (!there.isFile()) throw unfit('EINVAL');
  const user = process.getuid?.();
  if (user !== undefined && there.uid !== user) throw unfit('EOWNER');
}
