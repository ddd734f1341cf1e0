import { createHmac } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import PQueue from 'p-queue';
import type { Clock } from '../domain/clock.ts';
import { FacturapuenteError } from '../domain/errors.ts';
import type { RateLimit } from '../domain/job.ts';
import type { Tickets } from '../domain/ports.ts';
import type { Ledger } from '../ledger/ledger.ts';

/** Guesses with a place in a queue, some three seconds of hashing. */
const places = 10;
/** Places of one person or client, and of the wider networks of a client (`networksOf`). */
const shares = [3, 4, 6];

/** One password hash at a time in each queue: it takes 32 MB and a thread that others need. */
const openQueue = () => ({ hashing: new PQueue({ concurrency: 1 }), inside: new Set<readonly string[]>() });
const queues = { known: openQueue(), unknown: openQueue() };

/**
 * Queues a guess, of known devices apart from others. null where the queue is full, or `who` have their share of it, so that
 * nobody keeps out others.
 */
export async function inQueue<T>(
  { known, who }: { known: boolean; who: readonly string[] },
  guess: () => Promise<T>,
): Promise<T | null> {
  const { hashing, inside } = queues[known ? 'known' : 'unknown'];
  const held = (name: string) => [...inside].filter((names) => names.includes(name)).length;
  if (inside.size >= places || who.some((name, at) => held(name) >= (shares[at] ?? 0))) return null;
  const names = [...who];
  inside.add(names);
  try {
    return await hashing.add(guess);
  } finally {
    inside.delete(names);
  }
}

/** At most `most` failures within `withinMs`, counted under `bucket`. */
export interface FailureLimit {
  /** What is counted; names may hold any text, so its parts stay apart. */
  bucket: readonly string[];
  most: number;
  withinMs: number;
}

/**
 * Counts failures in the ledger, for all processes. The ledger has only the HMAC of a bucket under the config's secret:
 * it reveals neither the name somebody typed, perhaps a password, nor the address.
 */
export function openFailures({
  ledger,
  clock,
  tickets,
}: {
  ledger: Pick<Ledger, 'counters'>;
  clock: Clock;
  tickets: Tickets;
}) {
  // An expired ticket serves as the key: only the holder of the secret can make it.
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
    /** The failures within the window of a bucket. */
    async read({ bucket }: Pick<FailureLimit, 'bucket'>): Promise<number> {
      return (await ledger.counters.read([hashOf(bucket)], clock.now()))[0] ?? 0;
    },
    /** Counts a failure; answers the failures within the window, and when it ends. */
    count: ({ bucket, withinMs }: Pick<FailureLimit, 'bucket' | 'withinMs'>) => {
      const now = clock.now();
      return ledger.counters.add(hashOf(bucket), { endsAt: new Date(now.getTime() + withinMs), now });
    },
    clear: ({ bucket }: Pick<FailureLimit, 'bucket'>) => ledger.counters.clear(hashOf(bucket)),
  };
}

/** The rate limit of the key has no slot in time. */
export class BusyError extends FacturapuenteError {}

/** About the slots that come free while people wait. */
const defaultPlaces = 50;

/**
 * A key's rate limit for people who wait for a page: `take` rejects after `withinMs`, and at once while `places` others
 * wait, so that a link opened a thousand times takes no slots from documents.
 */
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
  return new BusyError(
    'service-busy',
    'El servicio de facturación está ocupado; vuelva a intentarlo en unos minutos.',
    'The rate limit of the API key has no slot in time; try again later.',
  );
}
