import { createHmac } from 'node:crypto';
import PQueue from 'p-queue';
import type { Clock } from '../domain/clock.ts';
import type { Tickets } from '../domain/tickets.ts';
import type { Ledger } from '../ledger/ledger.ts';

/** One password hash at a time in a process: each takes 32 MB and a thread that others need. */
const queue = new PQueue({ concurrency: 1 });

/** Waiting guesses, some three seconds of work. */
const longest = 10;
/** What a guess waits at most, however slow the machine is and however many overtake it. */
const longestWaitMs = 5_000;
/** Guesses by which a person on a known device goes before a stranger. */
const headStart = 5;
const minute = 60_000;

interface Waiting {
  priority: number;
  giveUp(): void;
}
const waiting = new Set<Waiting>();
/** When each of them guessed within the last minute: people on known devices, and clients. */
const recent = new Map<string, number[]>();

/**
 * Runs a guess when its turn comes: who guessed least within the last minute goes first, a person on a known device
 * before strangers. So nobody keeps others waiting by guessing often, with right passwords or wrong ones. null where
 * ten who guessed less wait already, or come while it waits, or its turn does not come in time.
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

/** How often somebody guessed within the last minute; this guess counts from now on. */
function guessedBefore(who: string): number {
  const since = performance.now() - minute;
  if (recent.size >= 1_000)
    for (const [one, times] of recent) if ((times.at(-1) ?? 0) < since) recent.delete(one);
  const times = (recent.get(who) ?? []).filter((time) => time >= since);
  recent.set(who, [...times, performance.now()]);
  return times.length;
}

/** A guess whose turn comes is let finish; null where it does not come within `waitMs`, or others take its place. */
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
