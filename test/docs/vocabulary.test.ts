import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Words of the table "Not used" of docs/glossary.md. */
const unused = new Set(
  (readFileSync('docs/glossary.md', 'utf8').split('## Not used')[1] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| Not '))
    .flatMap((line) => line.split('|')[1]?.split(',') ?? [])
    .map((word) => word.trim()),
);

const wordsOf = (name: string): string[] =>
  (name.match(/[A-Z]?[a-z]+/g) ?? []).map((word) => word.toLowerCase());

const withoutTexts = (source: string): string =>
  source
    .replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
    .replace(/'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|"(?:[^"\\\n]|\\.)*"/g, "''");

/** Test names and code are quoted as they are; rows of docs/sandbox.md name tests behind `›`. */
const prose = (page: string): string =>
  (page.split('## Not used')[0] ?? '').replace(/```[\s\S]*?```|`[^`\n]*`|"[^"\n]*"|^\|.*›.*$/gm, ' ');

function found(files: readonly string[], names: (text: string) => readonly string[]): string[] {
  return files.flatMap((file) =>
    names(readFileSync(file, 'utf8')).flatMap((name) =>
      wordsOf(name).some((word) => unused.has(word)) ? [`${file}: ${name}`] : [],
    ),
  );
}

test('no name in the code has a word that is not used', () => {
  expect(unused.size).toBeGreaterThan(20);
  const files = globSync('{src,adapters,mappers}/**/*.ts');
  expect(found(files, (text) => withoutTexts(text).match(/[A-Za-z_]\w*/g) ?? [])).toEqual([]);
});

test('no page has one', () => {
  expect(
    found(globSync(['README.md', 'docs/**/*.md']), (text) => prose(text).match(/[A-Za-z]+/g) ?? []),
  ).toEqual([]);
});
