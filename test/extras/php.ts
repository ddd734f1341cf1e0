import { spawnSync } from 'node:child_process';

export const php = 'php';

/** Whether there is no PHP here; says so in one line, and in CI too, which installs none. */
export function skippedWithoutPhp(): boolean {
  const absent = spawnSync(php, ['-v']).status !== 0;
  if (absent) console.warn('There is no php on this machine: what needs one is skipped.');
  return absent;
}
