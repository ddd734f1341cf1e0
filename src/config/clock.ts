import { type Clock, parseTestClock, runTestClock } from '../core/clock.ts';

const systemClock: Clock = { now: () => new Date() };

/**
 * The clock of a process: the system's, or a test clock over it (config `testClock`, environment
 * FACTURAPUENTE_TEST_CLOCK). That no issuer in ambiente 2 meets a test clock is checked in resolve.ts.
 */
export function openClock(testClock?: string): Clock {
  return testClock === undefined ? systemClock : runTestClock(parseTestClock(testClock), systemClock);
}

/** How many times faster than real time that clock runs; 1 but for tests. */
export function clockRate(testClock?: string): number {
  return testClock === undefined ? 1 : parseTestClock(testClock).rate;
}
