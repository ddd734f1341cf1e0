import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export const php = 'php';
let absent: boolean | undefined;

/** Whether there is no PHP here, and says so in one line. `.ci/run` installs one where it may. */
export function skippedWithoutPhp(): boolean {
  const folders = process.env.PATH?.split(delimiter) ?? [];
  absent ??= !folders.some((folder) => existsSync(join(folder, php)));
  if (absent) console.warn('There is no php on this machine: what needs one is skipped.');
  return absent;
}
