import type { Identity } from './shop-schema.ts';

/* The rows of who is signed in and who did what; see schema.ts for how values are written. */

export interface SessionRecord {
  /** SHA-256 of the token, which only the browser holds. */
  token_hash: string;
  person: string;
  /** Changes with the password. */
  mark: string;
  began_at: string;
  seen_at: string;
  notice: string | null;
}

export interface DeedRecord {
  id: Identity;
  at: string;
  who: string | null;
  what: string;
  subject: string | null;
  outcome: string;
  facts: string | null;
}
