import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

test('docs/refunds.md has a row for every code with which a refund is held or left to a person', () => {
  const sources = ['refunds', 'refund-purpose'].map((name) => read(`src/planner/${name}.ts`)).join('\n');
  const codes = [...sources.matchAll(/\b(?:hold|manual|Hold)\(\s*'([a-z-]+)'/g)].map(([, code]) => code);
  const rows = [...read('docs/refunds.md').matchAll(/^\| (?:Held|By hand) \| `([a-z-]+)`/gm)].map(
    ([, code]) => code,
  );
  expect(new Set(codes).size).toBeGreaterThan(10);
  expect([...new Set(codes)].filter((code) => !rows.includes(code))).toEqual([]);
});
