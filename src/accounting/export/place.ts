import { access, constants, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { LedgerError } from '../../core/errors.ts';

/** What keeps a file from being written, by the system's code. */
const words: Readonly<Record<string, string>> = {
  ENOENT: 'no existe la carpeta',
  ENOTDIR: 'lo que debería ser su carpeta es un archivo',
  EISDIR: 'es una carpeta: diga también el nombre del archivo',
  EACCES: 'falta el permiso de escribir en la carpeta',
  EPERM: 'falta el permiso de escribir en la carpeta',
  EROFS: 'la carpeta es de solo lectura',
  ENAMETOOLONG: 'el nombre es demasiado largo',
  ENOSPC: 'el disco está lleno',
};

/**
 * Writes `out`, after a look whether it can be: a month takes long to read. No folder is made: a name written wrongly
 * would leave the buyers' data where nobody looks. Throws LedgerError `export-out`.
 */
export async function inPlace<T>(out: string, write: () => Promise<T>): Promise<T> {
  const folder = dirname(out);
  try {
    if (!(await stat(folder)).isDirectory())
      throw Object.assign(new Error('No folder.'), { code: 'ENOTDIR' });
    await access(folder, constants.W_OK | constants.X_OK);
    const there = await stat(out).catch(() => null);
    if (there?.isDirectory()) throw Object.assign(new Error('A folder.'), { code: 'EISDIR' });
    return await write();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const why = words[code];
    if (why === undefined) throw error;
    throw new LedgerError(
      'export-out',
      `No se puede escribir ${out}: ${why} (${code}).`,
      `${out} cannot be written: ${code}.`,
      { cause: error },
    );
  }
}
