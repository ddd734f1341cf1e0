import type { Generated } from 'kysely';
import type { PauseCause } from '../../domain/account-pause.ts';
import type { Ambiente } from '../../domain/document.ts';
import type { WorkKind } from '../../domain/work.ts';

/* The rows of the work to do and of what it waits for; see schema.ts for how values are written. */

export type WorkState = 'waiting' | 'released' | 'leased';

export interface WorkRecord {
  id: string;
  kind: WorkKind;
  subject: string;
  store_id: string;
  budget: string | null;
  /** Whose turn it takes when released fairly (lanes.ts). */
  lane: string;
  priority: number;
  due_at: string;
  state: Generated<WorkState>;
  payload: string | null;
  attempts: Generated<number>;
  /** When it failed first, since it last ran well. */
  failing_since: string | null;
  reason: string | null;
  released_at: string | null;
  token: string | null;
  lease_until: string | null;
  /** Asked for while it ran: due again at this time once it is finished. */
  asked_again_at: string | null;
  /** The journey that asked for it. */
  trace: string | null;
}

export interface BudgetRecord {
  key_hash: string;
  tat: number;
  slow_until: number;
}

export interface PauseRecord {
  account: string;
  /** 0 for both. */
  ambiente: Ambiente | 0;
  cause: PauseCause;
  since: string;
  probes: number;
  /** How the lanes begin that it shuts. */
  emissions: string;
  questions: string | null;
}
