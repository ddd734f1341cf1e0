import { expect, test } from 'vitest';
import { inQueue } from '../../src/http/guesses.ts';

const stranger = { known: false, client: '203.0.113.7' };

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

test('guesses run one at a time, and ten may wait: more are turned away at once', async () => {
  const { guess, release, most } = openGuesses();
  const waiting = Array.from({ length: 11 }, (_, n) =>
    inQueue({ known: false, client: `203.0.113.${n}` }, guess('')),
  );
  expect(await inQueue(stranger, guess(''))).toBeNull();
  release();
  expect(new Set(await Promise.all(waiting))).toEqual(new Set([true]));
  expect(most()).toBe(1);
});

test('one client has at most five guesses waiting, and others still find room', async () => {
  const { guess, release } = openGuesses();
  const waiting = Array.from({ length: 5 }, () => inQueue(stranger, guess('')));
  expect(await inQueue(stranger, guess(''))).toBeNull();
  waiting.push(inQueue({ known: false, client: '198.51.100.1' }, guess('')));
  release();
  expect(new Set(await Promise.all(waiting))).toEqual(new Set([true]));
  expect(await inQueue(stranger, async () => 'room again')).toBe('room again');
});

test('a known device overtakes strangers, however many wait', async () => {
  const { guess, release, turns } = openGuesses();
  const waiting = Array.from({ length: 11 }, (_, n) =>
    inQueue({ known: false, client: `203.0.113.${n}` }, guess('stranger')),
  );
  const owner = inQueue({ known: true, client: stranger.client }, guess('owner'));
  release();
  expect(await owner).toBe(true);
  await Promise.all(waiting);
  expect(turns.indexOf('owner')).toBe(1);
});

test('a guess whose turn does not come in time is turned away, and one whose turn came is let finish', async () => {
  const { guess, release, turns } = openGuesses();
  const running = inQueue(stranger, guess('first'), 1);
  expect(await inQueue(stranger, guess('late'), 20)).toBeNull();
  expect(await inQueue({ known: true, client: stranger.client }, guess('late owner'), 20)).toBeNull();
  release();
  expect(await running).toBe(true);
  expect(turns).toEqual(['first']);
  expect(await inQueue(stranger, async () => 'room again')).toBe('room again');
});
