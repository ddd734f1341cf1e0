import type { Clock } from '../domain/clock.ts';
import type { Scope } from '../domain/scope.ts';
import type { Ahead } from './ahead.ts';
import type { AlertTable } from './alerts.ts';
import type { Breakers } from './breakers.ts';
import type { Closes } from './closes.ts';
import type { Counts } from './counts.ts';
import type { CredentialTable } from './credentials.ts';
import type { DayTallies } from './day-tallies.ts';
import type { Days } from './days.ts';
import type { Deeds } from './deeds.ts';
import type { DocumentPages } from './document-pages.ts';
import type { Attempts, Documents, Sequences } from './document-tables.ts';
import type { Failing } from './failing.ts';
import type { FailureCounts } from './failure-counts.ts';
import type { Files } from './files.ts';
import type { Finding } from './finding.ts';
import type { HearingTable } from './hearings.ts';
import type { Installation } from './installation.ts';
import type { KeyDigits } from './key-digits.ts';
import type { LinkVersions } from './link-versions.ts';
import type { LookUps } from './look-ups.ts';
import type { OpenDocuments } from './open-documents.ts';
import type { Pauses } from './pauses.ts';
import type { Questions } from './questions.ts';
import type { Retention } from './retention.ts';
import type { SecondFactors } from './second-factors.ts';
import type { Sessions } from './sessions.ts';
import type { Deliveries, NewDelivery, Orders, Stores } from './shop-tables.ts';
import type { Shops } from './shops.ts';
import type { StoreFigures } from './store-figures.ts';
import type { Stories } from './story.ts';
import type { Sweeps } from './sweep-tables.ts';
import type { Tasks } from './tasks.ts';
import type { Turns } from './turns.ts';
import type { UnknownDocuments } from './unknown-documents.ts';
import type { LedgerView } from './view.ts';
import type { BudgetTable, Claims, WorkTable } from './work/tables.ts';

/**
 * The ledger: all state, including the work still to do, in one SQL database. SQLite inside the process or
 * PostgreSQL; the same queries, one contract suite. Nothing outside this room writes SQL.
 */
export interface Ledger extends Tables {
  readonly engine: 'sqlite' | 'postgresql';
  /**
   * Runs `task` in one transaction. It may await nothing but queries of the tables it is given; using the ledger
   * itself in there throws LedgerError `inside-transaction`. In one process transactions follow one another; the
   * door's batch goes through the same queue. `task` may run again from its start: PostgreSQL may break a deadlock
   * between processes, and on SQLite a neighbour of the same COMMIT may fail.
   */
  transaction<T>(task: (tables: Tables) => Promise<T>): Promise<T>;
  /** What workers say of their work, all day long: the same as in `work`, with as few COMMITs as the engine allows. */
  readonly claims: Claims;
  /**
   * The door's write: stores the delivery and the work it asks for, in one COMMIT shared by everything that
   * came in the same turn of the event loop; resolves after that COMMIT. A delivery whose
   * connection + dedupeKey is known already is a duplicate and asks for nothing.
   */
  accept(delivery: NewDelivery): Promise<'stored' | 'duplicate'>;
  /** Calls `listener` after every commit of this process that left work due; answers how to stop. */
  onWork(listener: () => void): () => void;
  /** What people and assistants read: all there is, or what is of a scope's stores. */
  view(scope: Scope | null): LedgerView;
  /** Seals everything anew that an older key sealed; answers how much. Throws LedgerError `seal-key`, `seal-broken`. */
  reseal(): Promise<number>;
  /** Rejects when the database does not answer, or cannot be written: a full disk, a standby (readiness). */
  check(): Promise<void>;
  /** How many milliseconds a clock is ahead of the database server's; null where there is none but ours (SQLite). */
  aheadOfServer(clock: Clock): Promise<number | null>;
  /** Our clock was moved by so much: leases last as long as before. PostgreSQL tells the time itself. */
  clockMoved(ms: number): Promise<void>;
  close(): Promise<void>;
}

export interface Tables {
  stores: Stores;
  shops: Shops;
  deliveries: Deliveries;
  orders: Orders;
  documents: Documents;
  openDocuments: OpenDocuments;
  attempts: Attempts;
  sequences: Sequences;
  keyDigits: KeyDigits;
  work: WorkTable;
  budgets: BudgetTable;
  pauses: Pauses;
  breakers: Breakers;
  counts: Counts;
  alerts: AlertTable;
  hearings: HearingTable;
  sweeps: Sweeps;
  credentials: CredentialTable;
  turns: Turns;
  questions: Questions;
  linkVersions: LinkVersions;
  lookUps: LookUps;
  files: Files;
  unknownDocuments: UnknownDocuments;
  installation: Installation;
  retention: Retention;
  closes: Closes;
  days: Days;
  finding: Finding;
  documentPages: DocumentPages;
  dayTallies: DayTallies;
  storeFigures: StoreFigures;
  stories: Stories;
  sessions: Sessions;
  secondFactors: SecondFactors;
  failureCounts: FailureCounts;
  deeds: Deeds;
  tasks: Tasks;
  ahead: Ahead;
  failing: Failing;
}

export interface LedgerOptions {
  /**
   * Directory of the SQLite ledger, or a PostgreSQL URL with `schema` ("facturapuente" unless said otherwise).
   * The URL must reach the server itself or a pooler in session mode: the schema is set per connection.
   */
  directory?: string;
  url?: string;
  schema?: string;
  /** 32 bytes each; the first seals, all of them open. */
  sealKey: Uint8Array | readonly Uint8Array[];
  /** The journey under way, for work and documents (src/observability/journey.ts); none unless given. */
  trace?: () => string | null;
  /** PostgreSQL connections besides the writing one; 4 unless said otherwise. */
  connections?: number;
}
