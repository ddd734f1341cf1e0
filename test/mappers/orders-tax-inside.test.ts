import { expect, it } from 'vitest';
import { checkOrders, runs } from './order-properties.ts';

it('every order of a shop whose prices have the tax inside reaches its total or is held', {
  timeout: 7_200_000,
}, () => {
  const { emitted } = checkOrders(true);
  expect(emitted / runs).toBeGreaterThan(0.9);
});
