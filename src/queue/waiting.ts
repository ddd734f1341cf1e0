import type { Clock } from '../domain/clock.ts';

/** What waiting goes by: real time, or the time of a simulation. */
export interface Timers {
  /** Milliseconds since some moment; it never goes back. */
  passed(): number;
  /** Calls `then` once, in so many milliseconds; answers what calls it off. */
  after(ms: number, then: () => void): () => void;
}

export const realTimers: Timers = {
  passed: () => performance.now(),
  after(ms, then) {
    const timer = setTimeout(then, ms);
    return () => clearTimeout(timer);
  },
};

export const nap = ({ after }: Timers, ms: number): Promise<void> =>
  new Promise((resolve) => {
    after(ms, resolve);
  });

/** Calls `run` each `ms` milliseconds, until it is called off. */
export function every({ after }: Timers, ms: number, run: () => void): () => void {
  const turn = () => {
    callOff = after(ms, turn);
    run();
  };
  let callOff = after(ms, turn);
  return () => callOff();
}

/**
 * Resolves when `clock` has gone on by `ms`. A test clock may run faster than real time, so a first short nap
 * shows its pace and the rest follows it; never early, at most a nap late.
 */
export async function clockPassed(clock: Clock, ms: number, timers = realTimers): Promise<void> {
  let start = clock.now().getTime();
  let begun = timers.passed();
  for (;;) {
    const passed = clock.now().getTime() - start;
    if (passed >= ms) return;
    // The clock was set back: what has passed is not known, and the wait begins anew.
    if (passed < 0) [start, begun] = [start + passed, timers.passed()];
    const pace = Math.max(passed, 0) / Math.max(timers.passed() - begun, 1);
    const rest = pace > 0 ? (ms - passed) / pace : 5;
    await nap(timers, Math.min(Math.max(Math.ceil(rest), 1), pace > 0 ? 1000 : 5));
  }
}

/** A sleeper that can be woken; waking it while it is awake makes its next sleep end at once. */
export interface Alarm {
  ring(): void;
  sleep(ms: number): Promise<void>;
}

export function openAlarm({ after }: Timers = realTimers): Alarm {
  let rung = false;
  let wake: (() => void) | undefined;
  return {
    ring() {
      rung = true;
      wake?.();
    },
    async sleep(ms) {
      if (!rung) {
        const { promise, resolve } = Promise.withResolvers<void>();
        const callOff = after(ms, resolve);
        wake = resolve;
        await promise;
        callOff();
        wake = undefined;
      }
      rung = false;
    },
  };
}
