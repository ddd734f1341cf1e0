/**
 * How released work reaches a worker. A transport may lose, repeat or reorder everything it is given: the
 * ledger's claim decides who runs what, and `recover` releases again what got lost.
 */
export interface Transport {
  /** How many jobs this process runs at once. */
  readonly concurrency: number;
  /** Hands jobs over; rejects quickly when it cannot (the releases then go stale and come back). */
  send(jobs: readonly Job[]): Promise<void>;
  /** Calls `handler` for every job, up to the transport's concurrency at once. One consumer per transport. */
  consume(handler: (job: Job) => Promise<void>): Promise<void>;
  /**
   * From now on `duty` is done again and again, for the first time at once or after its interval. Each turn is done by
   * one of the processes that share the transport and have the duty; those of a closed one go on with the others. In
   * one process no turn begins beside another of the same duty; one that fails is told of and waits for the next.
   */
  repeat(duty: Duty): void;
  /**
   * Takes no further job, waits for the running handlers at most `deadlineMs` and lets go of everything. A
   * second call waits for the first.
   */
  close(deadlineMs: number): Promise<void>;
  /**
   * How many jobs lie where: `waiting` for a worker, `delayed` until their slot, `active` in a worker. Where processes
   * share the transport the next turn of a duty is one of the delayed.
   */
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

/** What has to be done now and then by one process, whichever. */
export interface Duty {
  /** The same in all processes; not the name of a job. */
  name: string;
  /** Real milliseconds from one turn to the next. */
  everyMs: number;
  run(): Promise<void>;
}

export const dutyFailed = 'What comes round failed; it is done again at its next turn.';

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
