/** What a call to the tax service is for; emissions go before questions, questions before downloads. */
export type CallKind = 'emission' | 'question' | 'download';

/**
 * The rate budget of one API key (spec, limits: 300 requests a minute). `take` resolves when the call may
 * leave. A 429 all the same is told with `slow`, which holds the key back.
 */
export interface Budget {
  take(kind: CallKind): Promise<void>;
  slow(forMs: number): Promise<void>;
}

/** The budgets of all keys, by the hash of the key. */
export interface Budgets {
  /**
   * Books the next free slot if it lies no further ahead than `lookAheadMs`. Answers how long to wait for it,
   * or, when nothing was booked, in how many milliseconds to ask again.
   */
  reserve(
    keyHash: string,
    lookAheadMs: number,
  ): Promise<{ booked: true; waitMs: number } | { booked: false; retryInMs: number }>;
  /** No call before `forMs` from now (a 429 was answered). */
  slow(keyHash: string, forMs: number): Promise<void>;
}
