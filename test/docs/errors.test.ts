import { expect, test } from 'vitest';
import { catalogue, lookUp } from '../../src/messages/es.ts';
import { run } from '../support/run.ts';
import { builtCodes, writtenCodes } from './codes.ts';
import { errorReference } from './error-reference.ts';

test('docs/errors.md is the catalogue (npm run reference)', async () => {
  await expect(errorReference()).toMatchFileSnapshot('../../docs/errors.md');
});

test('every code of the sources is in the catalogue', () => {
  const written = writtenCodes();
  expect(written.length).toBeGreaterThan(200);
  const missing = written.filter(({ code }) => lookUp(code).length === 0);
  expect(missing.map(({ code, file }) => `${code} (${file})`)).toEqual([]);
  expect(builtCodes.filter((code) => lookUp(code).length === 0)).toEqual([]);
});

test('the catalogue has no code that nobody uses any more', () => {
  const used = new Set([...writtenCodes().map(({ code }) => code), ...builtCodes]);
  const idle = catalogue.flatMap(({ entries }) => Object.keys(entries)).filter((code) => !used.has(code));
  expect(idle).toEqual([]);
});

test('facturapuente error tells what a code means, ours and the tax authority’s, and what resembles one it does not know', async () => {
  expect((await run(['error', 'buyer-id-missing'])).stdout).toContain('Qué hacer: Pida la identificación');
  expect((await run(['error', '39'])).stdout).toContain('39 (SRI)');
  const unknown = await run(['error', 'permalinks']);
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('shop-permalinks')]);
});
