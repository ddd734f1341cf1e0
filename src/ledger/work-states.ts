import { sql } from 'kysely';
import type { WorkState } from './work-schema.ts';

// Literals, not parameters: only then may the engines use the partial indexes.
export const waiting = sql.lit<WorkState>('waiting');
export const released = sql.lit<WorkState>('released');
export const leased = sql.lit<WorkState>('leased');

/** Back in the queue with nobody's mark on it. */
export const unmarked = {
  state: waiting,
  released_at: null,
  token: null,
  lease_until: null,
  asked_again_at: null,
} as const;
