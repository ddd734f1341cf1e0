/**
 * How released work reaches a worker. A transport may lose, repeat or reorder everything it is given: the
 * ledger's claim decides who runs what, and `recover` releases again what got lost.
 */
export interface Transport {
  /** Hands jobs over; rejects quickly when it cannot (the releases then go stale and come back). */
  send(jobs: readonly Job[]): Promise<void>;
  /** Calls `handler` for every job, up to the transport's concurrency at once. One consumer per transport. */
  consume(handler: (job: Job) => Promise<void>): Promise<void>;
  /**
   * Takes no further job, waits for the running handlers at most `deadlineMs` and lets go of everything. A
   * second call waits for the first.
   */
  close(deadlineMs: number): Promise<void>;
  /** How many jobs lie where: `waiting` for a worker, `delayed` until their slot, `active` in a worker. */
  counts(): Promise<{ waiting: number; delayed: number; active: number }>;
  /** Rejects when nothing can be sent now (readiness). */
  check(): Promise<void>;
}

/** A hint to run one piece of work: its id and its slot, never facts, keys or buyers' data. */
export interface Job {
  /** Id of the work in the ledger. */
  id: string;
  /** Not before so many real milliseconds from now. */
  delayMs?: number;
  /** The slot booked for it, in milliseconds of the clock: a worker that comes too late books another. */
  slotAt?: number | null;
}

/** Resolves with `ended`, or after `deadlineMs`; the answer is whether it ended in time. */
export async function endsWithin(ended: Promise<unknown>, deadlineMs: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(resolve, deadlineMs, false);
  ended.then(
    () => resolve(true),
    () => resolve(true),
  );
  const inTime = await promise;
  clearTimeout(timer);
  return inTime;
}
