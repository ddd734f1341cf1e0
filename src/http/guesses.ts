import { createHmac } from 'node:crypto';
import PQueue from 'p-queue';
import type { Clock } from '../core/clock.ts';
import type { Tickets } from '../core/tickets.ts';
import type { Ledger } from '../ledger/ledger.ts';

/** One password hash at a time in a process: each takes 32 MB and a thread that others need. */
const queue = new PQueue({ concurrency: 1 });

/** Waiting guesses of each kind, some three seconds of work: whoever comes later is told at once instead of waiting. */
const longest = 10;
/** What a guess waits at most, however slow the machine is and however many overtake it. */
const longestWaitMs = 5_000;
/** Waiting guesses of one client on an unknown device. */
const longestOfOne = 5;
const waiting = new Map<string, number>();

/**
 * Runs a guess when those before it are through; null where too many wait already, or its turn does not come in time.
 * Guesses of known devices overtake all others and have a limit of their own, so that nobody's guesses keep them waiting.
 */
export async function inQueue<T>(
  { known, client }: { known: boolean; client: string },
  guess: () => Promise<T>,
  waitMs = longestWaitMs,
): Promise<T | null> {
  const priority = known ? 1 : 0;
  const mine = waiting.get(client) ?? 0;
  if (queue.sizeBy({ priority }) >= longest || (!known && mine >= longestOfOne)) return null;
  if (known) return inTime(guess, priority, waitMs);
  waiting.set(client, mine + 1);
  try {
    return await inTime(guess, priority, waitMs);
  } finally {
    const left = (waiting.get(client) ?? 1) - 1;
    if (left > 0) waiting.set(client, left);
    else waiting.delete(client);
  }
}

/** A guess whose turn comes is let finish; null where it does not come within `waitMs`. */
async function inTime<T>(guess: () => Promise<T>, priority: number, waitMs: number): Promise<T | null> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), waitMs);
  const begin = () => {
    clearTimeout(timer);
    return guess();
  };
  try {
    return await queue.add(begin, { priority, signal: late.signal });
  } catch (error) {
    if (late.signal.aborted) return null;
    throw error;
  }
}

/** So many failures within so long, counted under `bucket`. */
export interface FailureLimit {
  bucket: string;
  most: number;
  withinMs: number;
}

/**
 * Failures counted in the ledger, for all processes. A bucket is kept as its HMAC under the config's secret: the ledger
 * tells no reader what somebody typed as a name, perhaps a password, nor where from.
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
  // A ticket that ended long ago opens nothing; nobody without the secret can make it.
  const key = tickets.issue('failure counts', new Date(0));
  const hashOf = (bucket: string) =>
    createHmac('sha256', key).update(bucket).digest('base64url').slice(0, 22);
  return {
    hashOf,
    /** Whether one of the limits is reached. */
    async isReached(limits: readonly FailureLimit[]): Promise<boolean> {
      const counts = await ledger.failureCounts.read(
        limits.map(({ bucket }) => hashOf(bucket)),
        clock.now(),
      );
      return limits.some(({ most }, at) => (counts[at] ?? 0) >= most);
    },
    /** Counts a failure. Answers how many there are within the window, and when that ends. */
    count: ({ bucket, withinMs }: Pick<FailureLimit, 'bucket' | 'withinMs'>) =>
      ledger.failureCounts.add(hashOf(bucket), { ms: withinMs, now: clock.now() }),
    clear: ({ bucket }: Pick<FailureLimit, 'bucket'>) => ledger.failureCounts.clear(hashOf(bucket)),
  };
}
export type Failures = ReturnType<typeof openFailures>;
