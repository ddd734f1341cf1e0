import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { estados } from './estados.ts';
import { facturas } from './facturas.ts';
import { codeOf, follow, heldOf } from './following.ts';
import { notasDeCredito } from './notas-de-credito.ts';

/*
 * No sentence advises what does not help: every command in the sentence of a held document is followed, and the document is
 * not held for that any more. What a person does elsewhere is told apart; every other command must have its test.
 */

const cases = Object.entries({ ...facturas, ...notasDeCredito, 'the status of an order': estados });

describe.each(cases)('what the sentence advises about %s', (_, advised) => {
  const named = advised.map((one) => [one.name, one] as const);
  test.each(named)('%s', (_name, one) => follow(one));
});

/** What a merchant reads: what is wrong with which figures, and in the last sentence what to do. */
test('every sentence is the one in sentences.md, letter by letter', async () => {
  const sentences = cases.flatMap(([about, advised]) => [
    `## ${about}\n`,
    ...advised.map((one) => `- ${codeOf(one)}: ${heldOf(one).reason}`),
    '',
  ]);
  await expect(sentences.join('\n')).toMatchFileSnapshot('sentences.md');
});

test('every code that holds a document, or leaves it to a person, has its case', () => {
  const root = fileURLToPath(new URL('../../../', import.meta.url));
  const sources = globSync('{src/planner,mappers}/**/*.ts', { cwd: root }).map((file) =>
    readFileSync(root + file, 'utf8'),
  );
  const held = sources.flatMap((text) => [
    ...text.matchAll(/(?:\bnew Hold|\bhold|\bmanual)\(\s*'([a-z-]+)'/g),
    ...text.matchAll(/\bunnamed\(\s*'([a-z-]+)'/g),
  ]);
  const codes = new Set(held.map(([, code]) => code));
  expect(codes.size).toBeGreaterThan(50);
  for (const one of cases.flatMap(([, advised]) => advised)) codes.delete(codeOf(one));
  // The body is checked once more before it leaves: nothing is known that raises it (test/mappers/hold-sentences.test.ts).
  // An order that is not paid any more only waits.
  expect([...codes]).toEqual(['invalid-body', 'unpaid']);
});
