import { expect, test } from 'vitest';
import { ecuadorDay, parseTestClock, runTestClock } from '../../src/domain/clock.ts';
import { fastClock } from './fast-clock.ts';

test.each([
  ['2026-11-22T17:00:00Z', '2026-11-22T17:00:00.000Z'],
  ['2026-11-22T04:58:00Z', '2026-11-22T05:00:00.000Z'],
  ['2026-11-22T02:00:00Z', '2026-11-22T05:00:00.000Z'],
  ['2026-11-22T05:00:00Z', '2026-11-22T05:00:00.000Z'],
])('a fast clock of %s begins at %s, and its next three hours are of one day', (at, begins) => {
  let real = new Date(at);
  const clock = runTestClock(parseTestClock(fastClock(60, real)), { now: () => real });
  const first = clock.now();
  expect(first.toISOString()).toBe(begins);
  real = new Date(real.getTime() + 179_000);
  expect(ecuadorDay(clock.now())).toBe(ecuadorDay(first));
});
