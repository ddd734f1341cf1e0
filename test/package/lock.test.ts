import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './pack.ts';

interface Locked {
  version?: string;
  resolved?: string;
  link?: boolean;
  optionalDependencies?: Record<string, string>;
}
const text = readFileSync(join(root, 'package-lock.json'), 'utf8');
const { packages } = JSON.parse(text) as { packages: Record<string, Locked> };

// npm writes such a lock when a registry mirror lacks the packages of other platforms, and then its own
// `npm ci` refuses it. After `npm install`, put the missing entries back (git diff package-lock.json).
test('the lock holds every optional package of every platform, so that npm ci works', () => {
  const missing = Object.entries(packages).flatMap(([place, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) => !(packages[`node_modules/${name}`] ?? packages[`${place}/node_modules/${name}`])?.version,
    ),
  );
  expect(missing).toEqual([]);
});

test('the lock names no registry', () => {
  const named = Object.values(packages).filter(({ resolved, link }) => resolved !== undefined && !link);
  expect(named).toEqual([]);
});
