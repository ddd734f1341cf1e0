import { expect, it } from 'vitest';
import { whole } from '../../../support/chance.ts';
import { drawn } from './cases.ts';
import { checkSequences } from './sequence-properties.ts';

it('refunds are credited to the cent, within their factura, where prices have the tax inside', {
  timeout: 7_200_000,
}, () => {
  const seen = checkSequences(true, drawn.sequences);
  const { credits } = seen;
  if (whole) console.info(seen);
  expect(credits).toBeGreaterThan(drawn.sequences);
  // Cents no lines add up to are few, and no other document is off.
  expect(seen.money / credits).toBeGreaterThan(0.85);
  expect(seen.whole).toBeGreaterThan(drawn.sequences / 10);
});
