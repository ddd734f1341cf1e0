import { expect, it } from 'vitest';
import { drawn } from './cases.ts';
import { checkNetting } from './netting.ts';

it('refunds before the factura and after it leave the same rows standing, where prices have the tax outside', {
  timeout: 7_200_000,
}, () => {
  const { netted, compared } = checkNetting(false, drawn.netting);
  expect(Math.min(netted, compared)).toBeGreaterThan(drawn.netting / 3);
});
