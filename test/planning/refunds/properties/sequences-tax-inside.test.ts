import { expect, it } from 'vitest';
import { draws } from './cases.ts';
import { checkSequences } from './sequence-properties.ts';

it('refunds are credited to the cent, within their factura, where prices have the tax inside', {
  timeout: 7_200_000,
}, () => {
  const { credits, whole } = checkSequences(true, draws.sequences);
  expect(credits).toBeGreaterThan(draws.sequences);
  expect(whole).toBeGreaterThan(draws.sequences / 10);
});
