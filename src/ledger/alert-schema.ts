import type { DocumentState } from '../domain/document.ts';

/* The rows of what was told to whom; see schema.ts for how values are written. */

export interface AlertRecord {
  code: string;
  subject: string;
  what: string;
  cure: string;
  /** Whose it is (domain/scope.ts); null for the whole installation's. */
  about: string | null;
  since: string;
  /** Null while it lasts. */
  over_at: string | null;
}

export interface TellingRecord {
  channel: string;
  code: string;
  subject: string;
  /** How often it was told that it lasts. */
  times: number;
  told_at: string;
}

export interface HearingRecord {
  document_id: string;
  listener: string;
  state: DocumentState;
  version: number;
  heard_at: string;
}
