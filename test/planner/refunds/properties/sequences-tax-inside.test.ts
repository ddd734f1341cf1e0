import { expect, it } from 'vitest';
import { draws } from './cases.ts';
import { checkSequences } from './sequence-properties.ts';

it('refunds are credited to the cent, within their factura, where prices have the tax inside', {
  timeout: 7_200_000,
}, () => {
  const seen = checkSequences(true, draws.sequences);
  const { credits, whole } = seen;
  if (process.env.FACTURAPUENTE_REFUNDED_ORDERS) console.info(seen);
  expect(credits).toBeGreaterThan(draws.sequences);
  // Cents no lines add up to are few, and no other document is off.
  expect(seen.money / credits).toBeGreaterThan(0.9);
  expect(whole).toBeGreaterThan(draws.sequences / 10);
});
