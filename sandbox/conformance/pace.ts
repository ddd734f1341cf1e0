import { setTimeout as wait } from 'node:timers/promises';

export interface Pace {
  /** Waits for a turn of this key; answers how many turns it has had in the last minute, this one included. */
  turn(key: string): Promise<number>;
}

const windowMs = 60_000;

/** At most `perMinute` requests in any minute per key: the service refuses from 300 on, and others share it. */
export function openPace(perMinute = 240): Pace {
  const taken = new Map<string, number[]>();
  return {
    async turn(key) {
      const times = taken.get(key) ?? [];
      taken.set(key, times);
      for (;;) {
        const now = Date.now();
        while (times[0] !== undefined && times[0] <= now - windowMs) times.shift();
        const oldest = times[0];
        if (oldest === undefined || times.length < perMinute) {
          times.push(now);
          return times.length;
        }
        await wait(oldest + windowMs - now);
      }
    },
  };
}
