import type { SandboxClock } from '../clock.ts';

export interface RateLimit {
  /** Counts one request; when it is one too many, answers how many seconds to wait. */
  take(apiKey: string): { retryAfterSeconds: number } | undefined;
  clear(): void;
}

/** At most `limit` requests in any 60 seconds per API key (spec, "Limits"); refused ones do not count. */
export function openRateLimit(clock: Pick<SandboxClock, 'now'>, limit = 300): RateLimit {
  const windowMs = 60_000;
  const taken = new Map<string, number[]>();
  return {
    take(apiKey) {
      const now = clock.now().getTime();
      const times = taken.get(apiKey) ?? [];
      taken.set(apiKey, times);
      // The clock was set back: what lies ahead of it now would count for longer than a minute.
      if ((times.at(-1) ?? 0) > now) times.length = 0;
      while (times[0] !== undefined && times[0] <= now - windowMs) times.shift();
      const oldest = times[0];
      if (oldest !== undefined && times.length >= limit) {
        return { retryAfterSeconds: Math.max(1, Math.ceil((oldest + windowMs - now) / 1000)) };
      }
      times.push(now);
      return undefined;
    },
    clear: () => taken.clear(),
  };
}
