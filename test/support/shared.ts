import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../shared/', import.meta.url));

/** Reference data beside the checkout; a user's clone has none, then the tests that need it skip and say so. */
export const sharedPath = (path: string): string => `${root}${path}`;
export const hasShared = existsSync(sharedPath('data'));

export function readShared(path: string): string {
  return readFileSync(sharedPath(path), 'utf8');
}

/** For `describe.skipIf(!hasShared)`: the one line that says why. */
if (!hasShared && process.env.CI === 'true')
  throw new Error('CI must have the shared data beside the checkout.');
if (!hasShared)
  console.log('Skipping tests on shared recordings: ../shared/data is not here (only CI has it).');
