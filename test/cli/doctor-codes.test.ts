import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../package/pack.ts';

/** What the files of all patterns say; each pattern has files. */
const textOf = (patterns: string[]) =>
  patterns
    .flatMap((pattern) => {
      const files = globSync(pattern, { cwd: root });
      if (files.length === 0) throw new Error(`No file is called ${pattern}.`);
      return files;
    })
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('\n');

/** Every code a finding of doctor can have: its own, those of setting up, and those of the platforms. */
const known = new Set(
  [
    ...textOf(['src/setup/*.ts', 'src/cli/doctor/*.ts', 'adapters/*/install*.ts']).matchAll(
      /(?:\b(?:item|did|failed|failedBy|orItem)\(\s*|\bcode(?::| =) )'([a-z][a-z-]+)'/g,
    ),
  ].map(([, code = '']) => code),
);

test('each fault that doctor knows is produced by a test', () => {
  expect(known.size).toBeGreaterThan(25);
  const tests = textOf([
    'test/cli/doctor*.test.ts',
    'test/setup/*.test.ts',
    'test/adapters/*/install*.test.ts',
    'test/adapters/*/connect*.test.ts',
    'test/extras/*.test.ts',
  ]);
  const named = (code: string) => new RegExp(`['"\`.]${code}['"\`?.!)]|\\b${code}: '`).test(tests);
  expect([...known].filter((code) => !named(code))).toEqual([]);
});
