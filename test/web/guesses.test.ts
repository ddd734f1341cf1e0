import { expect, test } from 'vitest';
import { inQueue } from '../../src/web/guesses.ts';

/** Everybody here is new to each test, and to the other files that share the queues of a process. */
let people = 0;
const stranger = (...wider: string[]) => {
  people += 1;
  return { known: false, who: [`guesses.test ${people}`, ...wider] };
};
const owner = () => ({ ...stranger(), known: true });

/** A guess that waits until the test lets all of them go, and notes its turn. */
function openGuesses() {
  const release = Promise.withResolvers<void>();
  const turns: string[] = [];
  let running = 0;
  let most = 0;
  const guess = (name: string) => async () => {
    running += 1;
    most = Math.max(most, running);
    await release.promise;
    running -= 1;
    turns.push(name);
    return true;
  };
  return { guess, release: release.resolve, turns, most: () => most };
}

const refused = (answers: readonly (boolean | null)[]) => answers.filter((answer) => answer === null);

test('guesses run one at a time, and ten have a place: one more is turned away at once', async () => {
  const { guess, release, most } = openGuesses();
  const waiting = Array.from({ length: 10 }, () => inQueue(stranger(), guess('')));
  expect(await inQueue(stranger(), guess(''))).toBeNull();
  release();
  expect(refused(await Promise.all(waiting))).toEqual([]);
  expect(most()).toBe(1);
  expect(await inQueue(stranger(), async () => 'a place again')).toBe('a place again');
});

test('a guess that fails gives its place back', async () => {
  const one = stranger();
  for (let n = 0; n < 11; n += 1)
    await expect(inQueue(one, () => Promise.reject(new Error('ledger gone')))).rejects.toThrow('ledger gone');
  expect(await inQueue(one, async () => true)).toBe(true);
});

test('a person on a known device waits for no stranger, however many wait', async () => {
  const strangers = openGuesses();
  const waiting = Array.from({ length: 11 }, () => inQueue(stranger(), strangers.guess('stranger')));
  expect(await inQueue(owner(), async () => true)).toBe(true);
  strangers.release();
  expect(refused(await Promise.all(waiting))).toHaveLength(1);
});

test('a person who signs in again and again keeps out no other person, nor strangers', async () => {
  const { guess, release, turns } = openGuesses();
  const eager = owner();
  const many = Array.from({ length: 20 }, () => inQueue(eager, guess('eager')));
  const other = inQueue(owner(), guess('other'));
  expect(await inQueue(stranger(), async () => true)).toBe(true);
  release();
  expect(await other).toBe(true);
  expect(refused(await Promise.all(many))).toHaveLength(17);
  expect(turns).toEqual(['eager', 'eager', 'eager', 'other']);
});

test('clients of one network keep out nobody of another, however many they are', async () => {
  const { guess, release } = openGuesses();
  const many = Array.from({ length: 4_096 }, (_, n) =>
    inQueue(stranger(`/48 ${n >> 8}`, '/32'), guess('flood')),
  );
  const beside = inQueue(stranger('/48 of another', '/32 of another'), guess('newcomer'));
  release();
  expect(await beside).toBe(true);
  expect((await Promise.all(many)).filter((answer) => answer === true)).toHaveLength(6);
});
