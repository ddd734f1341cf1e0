import { randomBytes } from 'node:crypto';
import { access, constants, lstat, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { CommandError } from '../domain/errors.ts';

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

export const newPrivate = { flags: 'wx', mode: 0o600 } as const;

/** Follows no links and creates no folders: a mistyped name must not expose buyers' data. Throws `export-out`. */
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
    throw new CommandError('export-out', { file, why, code }, { cause: error });
  }
}

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
