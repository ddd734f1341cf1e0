import { expect, test } from 'vitest';
import { inLine } from '../../src/http/guesses.ts';

test('guesses run one at a time, and a hundred may wait: more are turned away at once', async () => {
  let running = 0;
  let most = 0;
  const release = Promise.withResolvers<void>();
  const guess = async () => {
    running += 1;
    most = Math.max(most, running);
    await release.promise;
    running -= 1;
    return true;
  };
  const waiting = Array.from({ length: 101 }, () => inLine(guess));
  expect(await inLine(guess)).toBeNull();
  release.resolve();
  expect(new Set(await Promise.all(waiting))).toEqual(new Set([true]));
  expect(most).toBe(1);
  expect(await inLine(guess)).toBe(true);
});
