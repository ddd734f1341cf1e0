import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { loadedBy } from '../architecture/imports.ts';

export const hash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 20);

const texts = new Map<string, string>();
export function textOf(file: string): string {
  const text = texts.get(file) ?? readFileSync(file, 'utf8');
  texts.set(file, text);
  return text;
}

/** What a test reads besides its imports: the cases beside it, and recordings. */
const dataOf = (test: string): string[] =>
  ['test/fixtures', ...(/^test\/(golden|planner\/recorded)\//.test(test) ? ['test/golden'] : [])].flatMap(
    (folder) => globSync(`${folder}/**/*.{json,md,xml,txt}`),
  );

/** Of the test with its helpers and data, and, where `sources`, of what it tests. */
export function hashOfTest(test: string, sources: boolean): string {
  const files = loadedBy([test])
    .map(({ path }) => path)
    .filter((path) => sources || path.startsWith('test/'));
  return hash([...files, ...dataOf(test)].sort().map(textOf).join('\0'));
}
