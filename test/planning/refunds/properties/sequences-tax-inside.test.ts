import { expect, it } from 'vitest';
import { runs } from './cases.ts';
import { checkSequences } from './sequence-properties.ts';

it('refunds of a shop whose prices have the tax inside are credited to the cent, within their factura', {
  timeout: 7_200_000,
}, () => {
  const { credits, whole } = checkSequences(true);
  expect(credits).toBeGreaterThan(runs);
  expect(whole).toBeGreaterThan(runs / 10);
});
