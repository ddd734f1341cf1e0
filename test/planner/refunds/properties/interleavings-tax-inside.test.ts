import { expect, it } from 'vitest';
import { drawn } from './cases.ts';
import { checkInterleavings } from './interleavings.ts';

it('refunds and factura come in any order: each is covered exactly once, where prices have the tax inside', {
  timeout: 7_200_000,
}, () => {
  const { alike, netted, odd } = checkInterleavings(true, drawn.interleavings);
  for (const count of [alike, netted, odd]) expect(count).toBeGreaterThan(drawn.interleavings / 40);
});
