import type { Identity } from './shop-schema.ts';

/* The rows of who is signed in and who did what; see schema.ts for how values are written. */

/**
 * How far a sign-in has come: `pending` after the password where a code is still asked for, `password` where the
 * password was enough, `code` after both.
 */
export type SessionStage = 'pending' | 'password' | 'code';

export interface SessionRecord {
  /** SHA-256 of the token, which only the browser holds. */
  token_hash: string;
  person: string;
  /** Changes with the password. */
  mark: string;
  began_at: string;
  seen_at: string;
  notice: string | null;
  stage: SessionStage;
  /** The secret of a second factor this session is about to enrol. */
  sealed_secret: string | null;
}

export interface SecondFactorRecord {
  person: string;
  sealed: string;
  /** The latest time step whose code was accepted (RFC 6238). */
  last_step: number;
  enrolled_at: string;
}

export interface RecoveryCodeRecord {
  person: string;
  code_hash: string;
}

export interface FailureCountRecord {
  bucket: string;
  ends_at: string;
  failures: number;
}

export interface DeedRecord {
  id: Identity;
  at: string;
  who: string | null;
  what: string;
  subject: string | null;
  /** Whose it is (domain/scope.ts); null for the whole installation's. */
  about: string | null;
  outcome: string;
  facts: string | null;
}
