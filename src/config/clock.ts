import { type Clock, parseTestClock, runTestClock, type SteadyClock, steadyClock } from '../domain/clock.ts';

/** The clock of a process. */
export interface ProcessClock extends Clock {
  /** The real time below it, which whoever knows better moves (src/app/timekeeping.ts). */
  real: SteadyClock;
  /** How many times faster than real time it runs; 1 but for tests. */
  rate: number;
}

/**
 * The steady clock of a process, or a test clock over it (config `testClock`, environment FACTURAPUENTE_TEST_CLOCK). That
 * no issuer in ambiente 2 meets a test clock is checked in resolve.ts.
 */
export function openClock(testClock?: string): ProcessClock {
  const real = steadyClock(
    () => Date.now(),
    () => performance.now(),
  );
  if (testClock === undefined) return { now: real.now, real, rate: 1 };
  const test = parseTestClock(testClock);
  return { ...runTestClock(test, real), real, rate: test.rate };
}
