import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { rules } from '../../src/protocol/rules.ts';
import { mutations } from '../protocol/mutations.ts';
import { table } from './markdown.ts';

const fileOf = (path: string) =>
  readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');

/** What the docstring above a guard says. */
function saidOf(name: string): string {
  const source = fileOf('src/protocol/rules.ts');
  const [, said = ''] = new RegExp(`/\\*\\* ([^*]+)\\*/\\n  ${name}\\b`).exec(source) ?? [];
  return said.replaceAll(/\s+/g, ' ').trim();
}

test('docs/exactly-once.md names each guard of the protocol, and what the model finds without it (npm run reference)', async () => {
  const names = Object.keys(rules) as (keyof typeof rules)[];
  const rows = names.map((name) => [`\`${name}\``, saidOf(name), mutations[name].breaks]);
  expect(rows.filter(([, said]) => said === '')).toEqual([]);
  const page = fileOf('docs/exactly-once.md');
  const [start, end] = ['<!-- guards -->\n', '<!-- /guards -->'];
  const before = page.slice(0, page.indexOf(start) + start.length);
  const after = page.slice(page.indexOf(end));
  const guards = table(['Guard', 'What it says', 'Without it the model finds'], rows);
  await expect(`${before}${guards}\n${after}`).toMatchFileSnapshot('../../docs/exactly-once.md');
});
