import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { root } from './pages.ts';

const read = (path: string) => readFileSync(`${root}${path}`, 'utf8');
const enginesOf = (path: string) => (JSON.parse(read(path)) as { engines: { node: string } }).engines.node;
const least = enginesOf('package.json').replace('>=', '');

test.each([
  'README.md',
  'docs/README.es.md',
  'docs/tutorial.md',
  'CONTRIBUTING.md',
  'docs/woocommerce.md',
  'docs/shopify.md',
])('%s names the oldest Node of package.json, and no other', (path) => {
  const named = [...read(path).matchAll(/\bNode(?:\]\(https:\/\/nodejs\.org\))?\s+(\d[\d.]*\d)/g)].map(
    ([, version]) => version,
  );
  expect(new Set(named)).toEqual(new Set([least]));
});

test('the sandbox asks for the same Node, and images and tests run on that or a newer one', () => {
  expect(enginesOf('sandbox/package.json')).toBe(`>=${least}`);
  const images = [...read('Dockerfile').matchAll(/^FROM node:([\d.]+)/gm)].map(([, version = '']) => version);
  const { node = '' } = (JSON.parse(read('package.json')) as { devDependencies: Record<string, string> })
    .devDependencies;
  expect(images.length).toBeGreaterThan(0);
  for (const version of [...images, node.replace('^', '')]) {
    expect(version.localeCompare(least, 'en', { numeric: true }), version).toBeGreaterThanOrEqual(0);
    expect(version.split('.')[0]).toBe(least.split('.')[0]);
  }
});
