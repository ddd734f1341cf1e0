import { spawnSync } from 'node:child_process';

export const php = 'php';
let absent: boolean | undefined;

/** Whether there is no PHP here, and says so in one line. `.ci/run` installs one where it may. */
export function skippedWithoutPhp(): boolean {
  absent ??= spawnSync(php, ['-v']).status !== 0;
  if (absent) console.warn('There is no php on this machine: what needs one is skipped.');
  return absent;
}
