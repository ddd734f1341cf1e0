import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { analyse } from 'scslre';
import { expect, test } from 'vitest';
import { parseAst } from 'vitest/node';
import { root } from '../package/pack.ts';

interface Pattern {
  /** "src/domain/loose.ts:15 /\d{16}/". */
  place: string;
  source: string;
  flags: string;
}

/** Every regular expression written in a file, and every call that makes one of a text. */
function patternsOf(file: string, text: string): { written: Pattern[]; made: string[] } {
  const written: Pattern[] = [];
  const made: string[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const {
      start = 0,
      regex,
      type,
      callee,
    } = node as {
      start?: number;
      regex?: { pattern: string; flags: string };
      type?: string;
      callee?: { name?: string };
    };
    const line = () => text.slice(0, start).split('\n').length;
    if (regex) {
      const { pattern: source, flags } = regex;
      written.push({ place: `${file}:${line()} /${source}/${flags}`, source, flags });
    }
    if ((type === 'NewExpression' || type === 'CallExpression') && callee?.name === 'RegExp') made.push(file);
    for (const child of Object.values(node)) visit(child);
  };
  visit(parseAst(text, { lang: 'ts' }).body);
  return { written, made };
}

/** Places of patterns that take more than linear time on some text, with the character to repeat. */
const slow = (patterns: readonly Pattern[]): string[] =>
  patterns.flatMap(({ place, source, flags }) =>
    analyse({ source, flags }).reports.map(({ character }) => `${place} on repeated ${character.pick}`),
  );

const found = globSync('{src,adapters,mappers,sandbox}/**/*.ts', {
  cwd: root,
  exclude: ['sandbox/dist/**'],
}).map((file) => patternsOf(file.replaceAll('\\', '/'), readFileSync(join(root, file), 'utf8')));

test('no regular expression takes more than linear time, whatever it reads', () => {
  const written = found.flatMap((file) => file.written);
  expect(written.length).toBeGreaterThan(300);
  expect(slow(written)).toEqual([]);
});

test('a regular expression made of a text is one of these, made of constants or of the config', () => {
  expect(found.flatMap(({ made }) => made).sort()).toEqual(
    [
      // Rules of the config against each other.
      'src/config/resolve-stores.ts',
      'mappers/body.ts',
      'sandbox/emulator/emission/blocks.ts',
      'sandbox/emulator/http/disturb.ts',
      'src/service/authorized-xml.ts',
      'src/service/shapes.ts',
    ].sort(),
  );
});

test.each([
  ['a search that begins anew at each bracket', '/<[^>]*>/g'],
  ['a quotation that never ends', '/«([^»]{80})[^»]+»/g'],
  ['an address without its sign', String.raw`/[^\s@«»"'<>]+@[^\s@«»"'<>]+\.[^\s@«»"'<>]+/g`],
  ['two runs that share their characters', String.raw`/^\S+@\S+$/`],
  ['an end that is looked for from each slash', String.raw`/\/+$/`],
])('%s is found: %s', (_name, literal) => {
  const { written } = patternsOf('planted.ts', `export const planted = ${literal};`);
  expect(slow(written)).not.toEqual([]);
});
