import { createHmac } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import PQueue from 'p-queue';
import type { Clock } from '../domain/clock.ts';
import { FacturapuenteError } from '../domain/errors.ts';
import type { RateLimit } from '../domain/job.ts';
import type { Tickets } from '../domain/ports.ts';
import type { Ledger } from '../ledger/ledger.ts';

/** One password hash at a time in a process: each takes 32 MB and a thread that others need. */
const queue = new PQueue({ concurrency: 1 });

/** Guesses in the queue, some three seconds of hashing. */
const longest = 10;
/** How long a guess waits at most. */
const longestWaitMs = 5_000;
/** The advantage of a person on a known device over a stranger, in guesses. */
const headStart = 5;
const minute = 60_000;

interface Waiting {
  priority: number;
  giveUp(): void;
}
const waiting = new Set<Waiting>();
/** The guesses of the last minute: of people on known devices, and of clients. */
const recent = new Map<string, number[]>();

/**
 * Queues a guess: the client that guessed least within the last minute goes first, people on known devices before strangers, so
 * that frequent guesses delay nobody else. null where the queue is full of others who guessed less, or after `waitMs`.
 */
export async function inQueue<T>(
  { known, who }: { known: boolean; who: string },
  guess: () => Promise<T>,
  waitMs = longestWaitMs,
): Promise<T | null> {
  const priority = (known ? headStart : 0) - guessedBefore(`${known ? 'person' : 'client'} ${who}`);
  const [last] = [...waiting].sort((a, b) => a.priority - b.priority);
  if (last && waiting.size >= longest) {
    if (last.priority >= priority) return null;
    last.giveUp();
  }
  return inTime(guess, priority, waitMs);
}

/** How often somebody guessed within the last minute; counts this guess. */
function guessedBefore(who: string): number {
  const since = performance.now() - minute;
  if (recent.size >= 1_000)
    for (const [one, times] of recent) if ((times.at(-1) ?? 0) < since) recent.delete(one);
  const times = (recent.get(who) ?? []).filter((time) => time >= since);
  recent.set(who, [...times, performance.now()]);
  return times.length;
}

/** Runs the guess unless it is given up, or has not begun within `waitMs`: then null. */
async function inTime<T>(guess: () => Promise<T>, priority: number, waitMs: number): Promise<T | null> {
  const late = new AbortController();
  const timer = setTimeout(() => one.giveUp(), waitMs);
  const leave = () => {
    clearTimeout(timer);
    waiting.delete(one);
  };
  const one: Waiting = {
    priority,
    giveUp() {
      leave();
      late.abort();
    },
  };
  waiting.add(one);
  const begin = () => {
    leave();
    return guess();
  };
  try {
    return await queue.add(begin, { priority, signal: late.signal });
  } catch (error) {
    if (late.signal.aborted) return null;
    throw error;
  }
}

/** At most `most` failures within `withinMs`, counted under `bucket`. */
export interface FailureLimit {
  bucket: string;
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
  ledger: Pick<Ledger, 'failureCounts'>;
  clock: Clock;
  tickets: Tickets;
}) {
  // An expired ticket serves as the key: only the holder of the secret can make it.
  const key = tickets.issue('failure counts', new Date(0));
  const hashOf = (bucket: string) =>
    createHmac('sha256', key).update(bucket).digest('base64url').slice(0, 22);
  return {
    hashOf,
    async isReached(limits: readonly FailureLimit[]): Promise<boolean> {
      const counts = await ledger.failureCounts.read(
        limits.map(({ bucket }) => hashOf(bucket)),
        clock.now(),
      );
      return limits.some(({ most }, at) => (counts[at] ?? 0) >= most);
    },
    /** The failures within the window of a bucket. */
    async read({ bucket }: Pick<FailureLimit, 'bucket'>): Promise<number> {
      return (await ledger.failureCounts.read([hashOf(bucket)], clock.now()))[0] ?? 0;
    },
    /** Counts a failure; answers the failures within the window, and when it ends. */
    count: ({ bucket, withinMs }: Pick<FailureLimit, 'bucket' | 'withinMs'>) =>
      ledger.failureCounts.add(hashOf(bucket), { ms: withinMs, now: clock.now() }),
    clear: ({ bucket }: Pick<FailureLimit, 'bucket'>) => ledger.failureCounts.clear(hashOf(bucket)),
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
