import { setTimeout as wait } from 'node:timers/promises';
import { FacturapuenteError } from '../domain/errors.ts';
import type { RateLimit } from '../domain/job.ts';

/** The rate limit of the key has no slot in time. */
export class BusyError extends FacturapuenteError {}

const defaultPlaces = 50;

/** `take` rejects after `withinMs`, and at once while `places` others wait: links opened often take no slots. */
export function impatientRateLimit(
  rateLimit: RateLimit,
  places = defaultPlaces,
  withinMs = 15_000,
): RateLimit {
  let waiting = 0;
  return {
    async take(kind) {
      if (waiting >= places) throw busy();
      waiting += 1;
      const slot = rateLimit.take(kind).finally(() => {
        waiting -= 1;
      });
      const timeout = wait(withinMs, undefined, { ref: false }).then(() => {
        throw busy();
      });
      await Promise.race([slot, timeout]);
    },
    slow: (forMs) => rateLimit.slow(forMs),
  };
}

function busy(): BusyError {
  return new BusyError('busy-elsewhere', { why: 'service' });
}
