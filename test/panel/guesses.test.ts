import { expect, test } from 'vitest';
import { inQueue } from '../../src/panel/guesses.ts';

/** A guess that waits until the test lets all of them go. */
function openGuesses() {
  const release = Promise.withResolvers<void>();
  let running = 0;
  let most = 0;
  const guess = async () => {
    running += 1;
    most = Math.max(most, running);
    await release.promise;
    running -= 1;
    return true;
  };
  return { guess, release: release.resolve, most: () => most };
}

const refused = (answers: readonly (boolean | null)[]) => answers.filter((answer) => answer === null);

test('guesses run one at a time, and ten have a place: one more is turned away at once', async () => {
  const { guess, release, most } = openGuesses();
  const waiting = Array.from({ length: 10 }, () => inQueue('unknown', guess));
  expect(await inQueue('unknown', guess)).toBeNull();
  release();
  expect(refused(await Promise.all(waiting))).toEqual([]);
  expect(most()).toBe(1);
  expect(await inQueue('unknown', async () => 'a place again')).toBe('a place again');
});

test('a guess that fails gives its place back', async () => {
  for (let n = 0; n < 11; n += 1)
    await expect(inQueue('unknown', () => Promise.reject(new Error('ledger gone')))).rejects.toThrow(
      'ledger gone',
    );
  expect(await inQueue('unknown', async () => true)).toBe(true);
});

test('a person on a known device waits for no stranger, however many wait', async () => {
  const strangers = openGuesses();
  const waiting = Array.from({ length: 11 }, () => inQueue('unknown', strangers.guess));
  expect(await inQueue('known', async () => true)).toBe(true);
  strangers.release();
  expect(refused(await Promise.all(waiting))).toHaveLength(1);
});
