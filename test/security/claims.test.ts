import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../package/pack.ts';

const page = readFileSync(join(root, 'docs/security.md'), 'utf8');

const rowsOf = (text: string): string[][] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('|') && !/^\|[\s|-]+\|$/.test(line))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );

/** The rows of tables with a column "Test": threat, answer, code, tests. */
const rows = rowsOf(page).filter(([, ...rest]) => rest.length === 3 && rest[1] !== 'Code');

const namedFiles = (cell: string) =>
  [...cell.matchAll(/`([\w./-]+\/[\w.-]+|package[\w-]*\.json|docker-compose\.yml|Dockerfile)`/g)].map(
    ([, path = '']) => path,
  );
const namedTests = (cell: string) =>
  [...cell.matchAll(/`(test\/[\w./-]+\.ts)` "([^"]+)"/g)].map(([, file = '', name = '']) => ({ file, name }));

test('docs/security.md has a table of threats', () => expect(rows.length).toBeGreaterThan(30));

describe.each(rows)('%s', (_threat, answer = '', code = '', tests = '') => {
  test('is answered by code that exists and by tests of these names', () => {
    expect(answer).not.toBe('');
    const files = namedFiles(code);
    expect(files).not.toEqual([]);
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
    expectTests(tests);
  });
});

const promises =
  readFileSync(join(root, 'docs/exactly-once.md'), 'utf8').split(/<!-- \/?promises -->/)[1] ?? '';
const [, ...promised] = rowsOf(promises);

test('docs/exactly-once.md has a table of promises', () => expect(promised.length).toBeGreaterThan(15));

test.each(promised)('%s: is proved by tests of these names', (_promise, tests = '') => expectTests(tests));

function expectTests(cell: string): void {
  const named = namedTests(cell);
  expect(named).not.toEqual([]);
  // Nothing else stands in the cell: a name that was not understood would not be looked for.
  expect(cell.replace(/`[^`]+` "[^"]+"/g, '').replace(/[;\s]/g, '')).toBe('');
  expect(named.filter(({ file, name }) => !hasTest(file, name))).toEqual([]);
}

test('every test of test/security is named there, so that the page tells all of it', () => {
  const files = globSync('test/security/*.test.ts', { cwd: root }).filter(
    (file) => !file.endsWith('claims.test.ts'),
  );
  expect(files.length).toBeGreaterThan(6);
  expect(files.filter((file) => !page.includes(`\`${file}\``))).toEqual([]);
});

/** Whether the file declares a test, or a group of tests, of this name; of `test.each` the name as it is written. */
function hasTest(file: string, name: string): boolean {
  const path = join(root, file);
  if (!existsSync(path)) return false;
  const text = readFileSync(path, 'utf8');
  return [`'${name}'`, `"${name}"`, `\`${name}\``].some((quoted) =>
    new RegExp(`(?:\\b(?:test|it|describe)(?:\\.\\w+)*|\\))\\(\\s*${escaped(quoted)}`).test(text),
  );
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
