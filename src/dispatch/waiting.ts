import { setTimeout as nap } from 'node:timers/promises';
import type { Clock } from '../core/clock.ts';

/**
 * Resolves when `clock` has gone on by `ms`. A test clock may run faster than real time, so a first short nap
 * shows its pace and the rest follows it; never early, at most a nap late.
 */
export async function clockPassed(clock: Clock, ms: number): Promise<void> {
  let start = clock.now().getTime();
  let begun = performance.now();
  for (;;) {
    const passed = clock.now().getTime() - start;
    if (passed >= ms) return;
    // The clock was set back: what has passed is not known, and the wait begins anew.
    if (passed < 0) [start, begun] = [start + passed, performance.now()];
    const pace = Math.max(passed, 0) / Math.max(performance.now() - begun, 1);
    const rest = pace > 0 ? (ms - passed) / pace : 5;
    await nap(Math.min(Math.max(Math.ceil(rest), 1), pace > 0 ? 1000 : 5));
  }
}

/** A sleeper that can be woken; waking it while it is awake makes its next sleep end at once. */
export interface Alarm {
  ring(): void;
  sleep(ms: number): Promise<void>;
}

export function openAlarm(): Alarm {
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
        const timer = setTimeout(resolve, ms);
        wake = resolve;
        await promise;
        clearTimeout(timer);
        wake = undefined;
      }
      rung = false;
    },
  };
}
