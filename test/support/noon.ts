import { readTestClock } from '../../sandbox/emulator/index.ts';
import { ecuadorDay, parseTestClock, runTestClock, startOfEcuadorDay } from '../../src/domain/clock.ts';

const halfDayMs = 12 * 3_600_000;
const real = { now: () => new Date() };

/** Noon of today in Ecuador, from where time goes on: what a test makes of a day, no midnight cuts in two. */
export function noonClock() {
  const anchor = real.now();
  const day = ecuadorDay(anchor);
  const offset = startOfEcuadorDay(day).getTime() + halfDayMs - anchor.getTime();
  const testClock = `anchor=${anchor.toISOString()},offset=${offset},rate=1`;
  const { now } = runTestClock(parseTestClock(testClock), real);
  return { day, now, testClock, sandbox: { now: readTestClock(testClock) } };
}
