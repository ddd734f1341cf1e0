import { expect, test } from 'vitest';
import { inQueue } from '../../src/web/guesses.ts';

/** Everybody here is new to each test, and to the other files that share the queue of a process. */
let people = 0;
const stranger = () => {
  people += 1;
  return { known: false, who: `guesses.test ${people}` };
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
  return { guess, release: release.resolve, locks: turns, most: () => most };
}

test('guesses run one at a time, and ten may wait: who guessed as often is turned away at once', async () => {
  const { guess, release, most } = openGuesses();
  const waiting = Array.from({ length: 11 }, () => inQueue(stranger(), guess('')));
  expect(await inQueue(stranger(), guess(''))).toBeNull();
  release();
  expect(new Set(await Promise.all(waiting))).toEqual(new Set([true]));
  expect(most()).toBe(1);
});

test('who guessed least goes first, and takes the place of the one who fills the queue', async () => {
  const { guess, release, locks: turns } = openGuesses();
  const busy = stranger();
  const many = Array.from({ length: 11 }, (_, n) => inQueue(busy, guess(`busy ${n}`)));
  const newcomer = inQueue(stranger(), guess('newcomer'));
  expect(await many.at(-1)).toBeNull();
  release();
  expect(await newcomer).toBe(true);
  expect((await Promise.all(many)).filter((answer) => answer === null)).toHaveLength(1);
  expect(turns.slice(0, 2)).toEqual(['busy 0', 'newcomer']);
});

test('a person on a known device overtakes strangers, however many wait', async () => {
  const { guess, release, locks: turns } = openGuesses();
  const waiting = Array.from({ length: 11 }, () => inQueue(stranger(), guess('stranger')));
  const mine = inQueue(owner(), guess('owner'));
  release();
  expect(await mine).toBe(true);
  await Promise.all(waiting);
  expect(turns.indexOf('owner')).toBe(1);
});

test('a person who signs in again and again keeps no other person waiting, nor strangers', async () => {
  const { guess, release, locks: turns } = openGuesses();
  const eager = owner();
  const many = Array.from({ length: 20 }, () => inQueue(eager, guess('eager')));
  const other = inQueue(owner(), guess('other'));
  const unknown = inQueue(stranger(), guess('stranger'));
  release();
  expect(await other).toBe(true);
  expect(await unknown).toBe(true);
  expect((await Promise.all(many)).filter((answer) => answer === null)).toHaveLength(11);
  expect(turns.indexOf('other')).toBe(1);
  expect(turns.indexOf('stranger')).toBeLessThanOrEqual(7);
});

test('a guess whose turn does not come in time is turned away, and one whose turn came is let finish', async () => {
  const { guess, release, locks: turns } = openGuesses();
  const running = inQueue(stranger(), guess('first'), 1);
  expect(await inQueue(stranger(), guess('late'), 20)).toBeNull();
  expect(await inQueue(owner(), guess('late owner'), 20)).toBeNull();
  release();
  expect(await running).toBe(true);
  expect(turns).toEqual(['first']);
  expect(await inQueue(stranger(), async () => 'room again')).toBe('room again');
});
