import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ShopError } from '../../src/domain/errors.ts';
import { backoffMs, retryOf, waitAfter } from '../../src/queue/worker.ts';

test('every pause lies between one second and fifteen minutes', () => {
  fc.assert(
    fc.property(fc.nat(5_000), fc.double({ min: 0, max: 0.999999, noNaN: true }), (attempts, luck) => {
      const pause = backoffMs(attempts, () => luck);
      expect(pause).toBeGreaterThanOrEqual(1_000);
      expect(pause).toBeLessThanOrEqual(900_000);
    }),
  );
});

test('the longest pause doubles with every failure until it reaches fifteen minutes', () => {
  const longest = [0, 1, 2, 3, 20].map((attempts) => backoffMs(attempts, () => 1));
  expect(longest).toEqual([2_000, 4_000, 8_000, 16_000, 900_000]);
});

test('an error says itself how long to wait and whether waiting helps', () => {
  const options = { retryable: true, retryAfterMs: 2_500 };
  expect(retryOf(new ShopError('x', { message: 'x' }, options))).toEqual(options);
  expect(retryOf(new ShopError('x', { message: 'x' }, { retryable: false }))).toEqual({
    retryable: false,
    retryAfterMs: null,
  });
});

test('an error that says nothing, or nonsense, is worth another try', () => {
  const silent = { retryable: true, retryAfterMs: null };
  for (const error of [new Error('x'), null, 'text', { retryAfterMs: Number.NaN }, { retryAfterMs: -1 }])
    expect(retryOf(error)).toEqual(silent);
});

test('who names a time to come back is believed three times in a row, and never for longer than a day', () => {
  const named = (retryAfterMs: number) =>
    new ShopError('x', { message: 'x' }, { retryable: true, retryAfterMs });
  expect([0, 1, 2].map((failures) => waitAfter(named(2_000), failures))).toEqual([2_000, 2_000, 2_000]);
  expect(waitAfter(named(2_000), 40, () => 1)).toBe(900_000);
  expect(waitAfter(named(10 * 365 * 86_400_000), 0)).toBe(86_400_000);
});
