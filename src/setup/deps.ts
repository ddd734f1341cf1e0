import type { ServiceCalls } from '../service/index.ts';
import type { Records } from './records.ts';

/** What setting up works with, and what it may do. */
export interface SetupDeps {
  /** Under the account's newest key. */
  service: ServiceCalls;
  records: Records;
  now: Date;
  /** False only looks; a second run with it changes nothing more. */
  apply: boolean;
  /** Writes over what somebody else set in the service: a company's data, the account's webhook. */
  replace: boolean;
  /** Sends everything again, as to a service that lost it. */
  resend: boolean;
  /** A person says that documents of ambiente 2 are meant. */
  production: boolean;
}
