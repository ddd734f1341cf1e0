import { createHmac } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import PQueue from 'p-queue';
import type { Clock } from '../domain/clock.ts';
import { FacturapuenteError } from '../domain/errors.ts';
import type { RateLimit } from '../domain/job.ts';
import type { Tickets } from '../domain/ports.ts';
import type { Ledger } from '../ledger/ledger.ts';

/** The last guess waits for some three seconds of hashing. */
const places = 10;

/** One password hash takes 32 MB and a thread that others need. */
const queues = { known: new PQueue({ concurrency: 1 }), unknown: new PQueue({ concurrency: 1 }) };

export async function inQueue<T>(of: keyof typeof queues, guess: () => Promise<T>): Promise<T | null> {
  const queue = queues[of];
  return queue.size + queue.pending < places ? queue.add(guess) : null;
}

export interface FailureLimit {
  /** Names may hold any text, so the parts stay apart. */
  bucket: readonly string[];
  most: number;
  withinMs: number;
}

/** The ledger has only the HMAC of a bucket: it reveals neither the typed name, perhaps a password, nor the address. */
export function openFailures({
  ledger,
  clock,
  tickets,
}: {
  ledger: Pick<Ledger, 'counters'>;
  clock: Clock;
  tickets: Tickets;
}) {
  // An expired ticket is the key: only the holder of the secret can make it.
  const key = tickets.issue('failure counts', new Date(0));
  const hashOf = (bucket: readonly string[]) =>
    createHmac('sha256', key).update(JSON.stringify(bucket)).digest('base64url').slice(0, 22);
  return {
    hashOf,
    async isReached(limits: readonly FailureLimit[]): Promise<boolean> {
      const counts = await ledger.counters.read(
        limits.map(({ bucket }) => hashOf(bucket)),
        clock.now(),
      );
      return limits.some(({ most }, at) => (counts[at] ?? 0) >= most);
    },
    async read({ bucket }: Pick<FailureLimit, 'bucket'>): Promise<number> {
      return (await ledger.counters.read([hashOf(bucket)], clock.now()))[0] ?? 0;
    },
    count: ({ bucket, withinMs }: Pick<FailureLimit, 'bucket' | 'withinMs'>) => {
      const now = clock.now();
      return ledger.counters.add(hashOf(bucket), { endsAt: new Date(now.getTime() + withinMs), now });
    },
    clear: ({ bucket }: Pick<FailureLimit, 'bucket'>) => ledger.counters.clear(hashOf(bucket)),
  };
}

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
