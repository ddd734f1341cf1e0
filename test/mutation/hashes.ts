import { createHash } from 'node:crypto';
import { globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const hash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 20);

const texts = new Map<string, string>();
export function textOf(file: string): string {
  const text = texts.get(file) ?? readFileSync(file, 'utf8');
  texts.set(file, text);
  return text;
}

/** The files that `file` imports, directly or not, itself included; relative to the repository. */
export function closureOf(file: string, into = new Set<string>()): Set<string> {
  if (into.has(file)) return into;
  into.add(file);
  for (const [, path] of textOf(file).matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+\.ts)'/g)) {
    const imported = join(dirname(file), path ?? '');
    if (statSync(imported, { throwIfNoEntry: false })) closureOf(imported, into);
  }
  return into;
}

/** What a test reads besides its imports: the cases beside it, and recordings. */
const dataOf = (test: string): string[] =>
  ['test/fixtures', ...(/^test\/(golden|planner\/recorded)\//.test(test) ? ['test/golden'] : [])].flatMap(
    (folder) => globSync(`${folder}/**/*.{json,md,xml,txt}`),
  );

/** Of the test with its helpers and data, and, where `sources`, of what it tests. */
export function hashOfTest(test: string, sources: boolean): string {
  const files = [...closureOf(test)].filter((file) => sources || file.startsWith('test/'));
  return hash([...files, ...dataOf(test)].sort().map(textOf).join('\0'));
}
