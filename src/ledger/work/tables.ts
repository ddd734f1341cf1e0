import type { ClaimedWork, WorkRequest } from '../../domain/work.ts';

/* What the ledger keeps of work still to do, and of the rate budgets it runs under. */

/** Due work that a dispatcher may release. */
export interface DueWork {
  id: string;
  kind: WorkRequest['kind'];
  storeId: string;
  budget: string | null;
  /** What waits behind one another (ledger/work/lanes.ts). */
  lane: string;
  priority: number;
  dueAt: string;
  /** It calls a shop whose circuit breaker is half-open: it goes alone of its kind, to find out. */
  probe: boolean;
}

export interface WorkTable extends Taking {
  /** Asks for work; the same kind + subject is one row (see WorkRequest). */
  ask(request: WorkRequest): Promise<void>;
  /** Asks for what nobody has asked for; what is known already stays as it is. No two may be the same. */
  ensure(requests: readonly WorkRequest[]): Promise<void>;
  /** Of these subjects those for which such work stands: waiting, handed over or running. */
  standing(kind: WorkRequest['kind'], subjects: readonly string[]): Promise<Set<string>>;
}

/** What a worker says of each piece of work. */
export interface Claims {
  /** Wins the lease, or answers undefined because somebody else has it or it is no longer released. */
  claim(id: string, leaseMs: number, now: Date): Promise<ClaimedWork | undefined>;
  /** Prolongs a lease; false when the token no longer holds. */
  extend(id: string, token: string, leaseMs: number, now: Date): Promise<boolean>;
  /** Deletes finished work, or makes it due again when it was asked for meanwhile; false when the token no longer holds. */
  finish(id: string, token: string, now: Date): Promise<boolean>;
  /** Gives it back for later. */
  postpone(id: string, token: string, later: Later): Promise<boolean>;
}

/** When work comes back. */
export interface Later {
  dueAt: Date;
  /** As due as before where a pause shuts its lane: only there nothing releases it again at once. */
  putBack?: boolean;
  /** Counts a failure; null where it ran well, which ends a row of them, or was put back, which changes nothing. */
  failedAt: Date | null;
  /** Kept with the work. */
  reason: string;
}

/** How work goes from hand to hand. */
export interface Taking extends Claims {
  /**
   * Due and unreleased work outside of paused accounts and of open circuit breakers, at most `perLane` of each lane, by priority, then due
   * time: what a fair dispatcher looks at.
   */
  due(now: Date, perLane: number, limit: number): Promise<DueWork[]>;
  /** Marks due work as handed to the transport; answers the ids won (others were taken by another process). */
  release(ids: readonly string[], now: Date): Promise<string[]>;
  /** Of these ids those handed over or running. */
  inHand(ids: readonly string[]): Promise<Set<string>>;
  /** Whether the token holds still: nobody was given the work since. */
  holds(id: string, token: string): Promise<boolean>;
  /** Drops waiting work that lost its reason; what is already handed over runs and finds nothing to do. */
  forget(kind: WorkRequest['kind'], subject: string): Promise<void>;
  /**
   * Returns released work nobody claimed for `releasedForMs`, and work whose lease ran out, which counts as a
   * failed attempt; answers how many.
   */
  recover(now: Date, releasedForMs: number): Promise<number>;
  /** When the first waiting work is due after `after`; null when nothing waits. */
  nextDueAt(after?: Date): Promise<Date | null>;
  /** How much is handed over and not yet claimed, by budget. */
  unclaimed(): Promise<Map<string | null, number>>;
  counts(): Promise<{ waiting: number; released: number; leased: number }>;
}

/** Both in milliseconds since the epoch. */
export interface BudgetState {
  /** The theoretical arrival time (queue/gcra.ts). */
  tat: number;
  /** Until then the key is used sparingly; 0 when nothing was wrong. */
  slowUntil: number;
}

export interface BudgetTable {
  /** Compare-and-set on the state of one budget, by the key's hash or a name below it; the first use creates it. */
  read(name: string): Promise<BudgetState | null>;
  swap(name: string, expected: BudgetState | null, next: BudgetState): Promise<boolean>;
}
