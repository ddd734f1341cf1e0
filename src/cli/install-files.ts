import { lstat, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { InstallFile } from '../domain/install.ts';

/** What became of a file: created; there already, the same; or there already and otherwise, and left as it is. */
export type FileOutcome =
  | { name: string; state: 'created' | 'same' }
  | { name: string; state: 'differs'; changes: string[] };

/** Writes the files of an installation into a folder: only new ones, never over or through what is there. */
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
      // Fails where anything bears the name, a link that leads elsewhere too.
      await writeFile(path, content, { flag: 'wx', mode: 0o644 });
      outcomes.push({ name, state: 'created' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const found = await contentOf(path);
      outcomes.push(
        found === content
          ? { name, state: 'same' }
          : { name, state: 'differs', changes: changesOf(found, content) },
      );
    }
  }
  return outcomes;
}

/** Empty where it is no file of its own: a folder, a link. */
async function contentOf(path: string): Promise<string> {
  return (await lstat(path)).isFile() ? readFile(path, 'utf8') : '';
}

/** The lines that would go and those that would come. */
function changesOf(before: string, after: string): string[] {
  const [old, wanted] = [before, after].map((text) => text.split('\n').filter((line) => line.trim() !== ''));
  const without = (lines: string[] = [], others: string[] = [], sign: string) =>
    lines.filter((line) => !others.includes(line)).map((line) => `${sign} ${line}`);
  return [...without(old, wanted, '-'), ...without(wanted, old, '+')];
}
