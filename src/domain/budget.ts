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

/** Who asks for a slot, and how. */
export interface SlotRequest {
  kind: CallKind;
  /** How far ahead the slot may lie, in milliseconds of the clock. */
  lookAheadMs: number;
  /** More urgent calls of the same key wait: only what is set aside for this kind may be booked. */
  crowded?: boolean;
}

/** A key's budget as it stands: calls free at once, calls of the burst not worn off, wait of the next one. */
export interface BudgetLook {
  free: number;
  used: number;
  waitMs: number;
}

export type Slot = { booked: true; waitMs: number } | { booked: false; retryInMs: number };

/** The budgets of all keys, by the hash of the key. */
export interface Budgets {
  /**
   * Books the next free slot if it lies no further ahead than asked. Answers how long to wait for it, or, when
   * nothing was booked, in how many milliseconds to ask again.
   */
  reserve(keyHash: string, request: SlotRequest): Promise<Slot>;
  /** How a key's budget stands, without booking. */
  look(keyHash: string): Promise<BudgetLook>;
  /** No call before `forMs` from now (a 429 was answered), and slower ones for some minutes after. */
  slow(keyHash: string, forMs: number): Promise<void>;
}
