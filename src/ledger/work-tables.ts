import type { ClaimedWork, WorkRequest } from '../core/work.ts';

/* What the ledger keeps of work still to do, and of the rate budgets it runs under. */

/** Due work that a dispatcher may release. */
export interface DueWork {
  id: string;
  kind: WorkRequest['kind'];
  budget: string | null;
  /** Whom it competes with: its budget, or its store when it needs none. */
  lane: string;
  priority: number;
  dueAt: string;
}

export interface WorkTable {
  /** Asks for work; the same kind + subject is one row (see WorkRequest). */
  ask(request: WorkRequest): Promise<void>;
  /**
   * Due and unreleased work, at most `perBudget` of each budget (each null-budget store counts as one), by
   * priority, then due time: what a fair dispatcher looks at.
   */
  due(now: Date, perBudget: number, limit: number): Promise<DueWork[]>;
  /** Marks due work as handed to the transport; answers the ids won (others were taken by another process). */
  release(ids: readonly string[], now: Date): Promise<string[]>;
  /** One UPDATE: wins the lease, or answers undefined because somebody else has it or it is no longer released. */
  claim(id: string, leaseMs: number, now: Date): Promise<ClaimedWork | undefined>;
  /** Prolongs a lease; false when the token no longer holds. */
  extend(id: string, token: string, leaseMs: number, now: Date): Promise<boolean>;
  /** Deletes finished work, or makes it due again when it was asked for meanwhile; false when the token no longer holds. */
  finish(id: string, token: string, now: Date): Promise<boolean>;
  /** Gives it back for later; `failed` counts an attempt and keeps the reason. */
  postpone(
    id: string,
    token: string,
    later: { dueAt: Date; failed: boolean; reason: string },
  ): Promise<boolean>;
  /** Drops waiting work that lost its reason; what is already handed over runs and finds nothing to do. */
  forget(kind: WorkRequest['kind'], subject: string): Promise<void>;
  /**
   * Returns released work nobody claimed for `releasedForMs`, and work whose lease ran out, which counts as a
   * failed attempt; answers how many.
   */
  recover(now: Date, releasedForMs: number): Promise<number>;
  /** When the next waiting work is due, null when nothing waits. */
  nextDueAt(): Promise<Date | null>;
  counts(): Promise<{ waiting: number; released: number; leased: number }>;
}

export interface BudgetTable {
  /** Compare-and-set on the theoretical arrival time of a key (milliseconds); creates the row at first use. */
  read(keyHash: string): Promise<number | null>;
  swap(keyHash: string, expected: number | null, next: number): Promise<boolean>;
}
