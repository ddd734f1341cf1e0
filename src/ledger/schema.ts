import type { ColumnType, Generated } from 'kysely';
import type { Ambiente, Attempt, Document, DocumentKind, DocumentState, Series } from '../domain/document.ts';
import type { JobKind, OpenBreaker, PauseCause } from '../domain/job.ts';
import type { ShopHoldCode } from '../domain/shop-identity.ts';
import type { SnakeCased } from '../domain/text.ts';

/**
 * The tables, each with the type of its rows, the same on both engines. Instants are ISO texts of fixed width, which
 * sort by time; amounts are decimal texts; JSON is text. A row has the columns of the type it is read into
 * (`Document`, `Attempt` …) in snake_case, and those named here.
 */
export interface Schema {
  stores: StoreRecord;
  shop_identities: { platform: string; shop: string; identity: string };
  shop_addresses: { platform: string; address: string; shop: string; since: string };
  shop_holds: ShopHoldRecord;
  marks: MarkRecord;
  deliveries: DeliveryRecord;
  orders: OrderRecord;
  documents: DocumentRecord;
  history: HistoryRecord;
  attempts: AttemptRecord;
  series: SeriesRecord;
  key_digits: KeyDigitsRecord;
  jobs: JobRecord;
  rate_limits: { key_hash: string; tat: number; slow_until: number };
  pauses: PauseRecord;
  breakers: BreakerRecord;
  alerts: AlertRecord;
  alert_deliveries: AlertDeliveryRecord;
  cursors: CursorRecord;
  reconciliations: ReconciliationRecord;
  credentials: CredentialRecord;
  locks: { name: string; holder: string; until: string };
  questions: QuestionRecord;
  link_versions: { document_id: string; version: number; revoked_at: string };
  look_ups: LookUpRecord;
  files: FileRecord;
  sessions: SessionRecord;
  second_factors: SecondFactorRecord;
  recovery_codes: { person: string; code_hash: string };
  failure_counts: { bucket: string; ends_at: string; failures: number };
  audit_log: AuditEntryRecord;
  closes: CloseRecord;
  tallies: TallyRecord;
  unknown_documents: UnknownDocumentRecord;
  installation: { name: string; id: string; began_at: string };
  write_checks: { name: string; at: string };
  migrations: { name: string; checksum: string; applied_at: string };
}

/** An identity column: numbers on SQLite, texts on PostgreSQL (64 bits do not fit a JS number). */
type Identity = ColumnType<string | number, never, never>;

/* Shops and their orders. */

interface StoreRecord {
  platform: string;
  shop: string;
  id: string;
  /** The app of the config it sells through; null for an endpoint of its own. */
  app: string | null;
  first_started_at: string;
  /** The address where the shop answered last; null while it is the shop's name. */
  address: string | null;
  /** When the shop last stated its identity; null before anything was read from it. */
  asked_at: string | null;
}

interface ShopHoldRecord {
  platform: string;
  shop: string;
  code: ShopHoldCode;
  reason: string;
  found: string;
  owner: string | null;
  since: string;
}

interface DeliveryRecord {
  id: Identity;
  connection: string;
  dedupe_key: string;
  topic: string;
  platform: string | null;
  shop: string | null;
  order_id: string | null;
  body: Uint8Array;
  received_at: string;
}

export interface OrderRecord {
  platform: string;
  shop: string;
  order_id: string;
  store_id: string;
  name: string;
  /** JSON: the Order model, as last read from the platform. */
  snapshot: string;
  source_updated_at: string;
  /** JSON: the planner's last answer, action by action. */
  decision: string | null;
  decided_at: string | null;
  synced_at: string;
  /** JSON (domain/order.ts): which order the id stands for, and what it charged when it was paid. */
  fingerprint: string | null;
  paid: string | null;
  /** The order it refers to (`Order.parentId`). */
  parent_id: string | null;
  /** How often it was saved as read. */
  readings: number;
  /** Since when the shop states an earlier time of change than before. */
  older_since: string | null;
}

interface ReconciliationRecord {
  platform: string;
  shop: string;
  version: number;
  reconciled_to: string;
  behind_since: string | null;
  behind: string | null;
  progress: string | null;
}

interface CredentialRecord {
  platform: string;
  shop: string;
  encrypted: string;
  version: number;
  updated_at: string;
}

export interface QuestionRecord {
  platform: string;
  shop: string;
  order_id: string;
  asked_at: string;
  /** From this instant the policy decides without an answer. */
  cut_off_at: string;
  /** When the link expires. */
  expires_at: string;
  mailed_at: string | null;
  /** When the policy decided. */
  passed_at: string | null;
  /** When a person was notified that nobody answered; null again once that is over. */
  notified_at: string | null;
  answered_at: string | null;
  /** The answer as JSON. */
  encrypted: string | null;
}

/** What a count belongs to: one link of a buyer, all links of a store, or the whole store. */
export type Counted = 'link' | 'links-of-store' | 'store';

interface LookUpRecord {
  day: string;
  counted: Counted;
  subject: string;
  count: number;
}

/* Documents. */

/** JSON columns: `verification` and `fingerprint`, null for documents made before they were kept. */
export type DocumentRecord = SnakeCased<Omit<Document, 'verification' | 'fingerprint'>> & {
  first_secuencial: number;
  verification: string | null;
  fingerprint: string | null;
  /** The document's own id where its number belongs to another document of ours; else ''. */
  displaced: string;
};

interface HistoryRecord {
  id: Identity;
  document_id: string;
  at: string;
  from_state: DocumentState | null;
  to_state: DocumentState;
  note: string | null;
}

/** JSON columns: `netted_refunds`, `left_out`, `line_references`, `errors`. */
export type AttemptRecord = SnakeCased<
  Omit<Attempt, 'body' | 'nettedRefunds' | 'leftOut' | 'lineReferences' | 'errors' | 'serviceId'>
> & {
  encrypted_body: string;
  netted_refunds: string;
  left_out: string;
  line_references: string | null;
  errors: string;
  service_id: string | null;
  ended_at: string | null;
};

export interface SeriesRecord extends SnakeCased<Series> {
  /** The next number to give; null while the series was stopped before its first use. */
  next: number | null;
  stopped_reason: string | null;
  stopped_secuencial: string | null;
  stopped_at: string | null;
  /** The document that was last sent alone, in a series that is not verified. */
  sent_alone: string | null;
}

interface KeyDigitsRecord {
  account: string;
  ruc: string;
  ambiente: Ambiente;
  cod_doc: string;
  digits: string;
  /** How many documents in a row had them. */
  seen: number;
  /** When a key was last answered with other digits. */
  varied_at: string | null;
}

interface FileRecord {
  document_id: string;
  kind: string;
  size: number;
  kept_at: string;
  encrypted: Uint8Array;
  /** SHA-256 of its bytes; null where it was kept before there was one. */
  digest: string | null;
}

export interface UnknownDocumentRecord {
  access_key: string;
  platform: string;
  shop: string;
  kind: DocumentKind;
  /** Order or refund id, as the document's reference names it. */
  source_id: string;
  /** Null where it is not known yet, of a refund. */
  order_id: string | null;
  /** The account and API key under which the service showed it. */
  account: string;
  key_hash: string;
  seen_at: string;
  bound_at: string | null;
}

/* Jobs and what they wait for. */

/** `held`: waits for a person, because processes died while they ran it. */
export type JobState = 'waiting' | 'released' | 'leased' | 'held';

export interface JobRecord {
  id: string;
  kind: JobKind;
  subject: string;
  store_id: string;
  rate_limit: string | null;
  /** The partition it is served in turn with (jobs/partitions.ts). */
  partition: string;
  priority: number;
  due_at: string;
  state: Generated<JobState>;
  payload: string | null;
  attempts: Generated<number>;
  /** When it first failed since its last success. */
  failing_since: string | null;
  reason: string | null;
  /** When it was released, and once it is claimed, when that was. */
  released_at: string | null;
  token: string | null;
  lease_until: string | null;
  /** Enqueued again while it ran: due at this time once it is finished. */
  asked_again_at: string | null;
  /** The trace that enqueued it. */
  trace: string | null;
  /** How often in a row a process died while it ran the job. */
  deaths: Generated<number>;
}

export interface PauseRecord {
  account: string;
  /** 0 for both. */
  ambiente: Ambiente | 0;
  cause: PauseCause;
  since: string;
  probes: number;
  /** The beginnings of the partitions it pauses. */
  emissions: string;
  questions: string | null;
}

export type BreakerRecord = SnakeCased<OpenBreaker>;

/* Alerts and listeners. */

export interface AlertRecord {
  code: string;
  subject: string;
  what: string;
  resolution: string;
  /** Whose it is (domain/settings.ts); null for the whole installation's. */
  about: string | null;
  since: string;
  /** Null while it lasts. */
  over_at: string | null;
}

interface AlertDeliveryRecord {
  channel: string;
  code: string;
  subject: string;
  /** How often the channel was notified that it lasts. */
  times: number;
  notified_at: string;
}

interface CursorRecord {
  document_id: string;
  listener: string;
  state: DocumentState;
  version: number;
  moved_at: string;
}

/* Closes of days. */

export interface CloseRecord {
  /** Hex SHA-256 of `content`. */
  hash: string;
  /** Counts all closes of the ledger from 1, without a gap. */
  n: number;
  day: string;
  /** The store it is about, several ids with commas, or "*" for all of them. */
  scope: string;
  /** "green", "red", "incomplete" or "partial". */
  result: string;
  /** The close as canonical JSON, with the hash of the one before it. */
  content: string;
  /** Ed25519 over the bytes of `content`, base64. */
  signature: string;
  /** The raw public key, base64. */
  public_key: string;
  closed_at: string;
}

interface TallyRecord {
  /** "2026-11-21": the day in Ecuador. "h2026-11-21T14": the hour in UTC. */
  span: string;
  /** How many of its documents were not final yet when it was tallied. */
  open: number;
  /** JSON: of its final documents. */
  tallies: string;
}

/* People. */

/**
 * How far a sign-in has come: `pending` after the password where a code is still needed, `password` where the
 * password was enough, `code` after both.
 */
export type SessionStage = 'pending' | 'password' | 'code';

export interface SessionRecord {
  /** SHA-256 of the token, which only the browser holds. */
  token_hash: string;
  person: string;
  /** Changes with the password: the caller compares it with that of today. */
  mark: string;
  began_at: string;
  seen_at: string;
  /** A sentence for the next page. */
  notice: string | null;
  stage: SessionStage;
  /** The secret of a second factor this session is about to enrol. */
  encrypted_secret: string | null;
}

interface SecondFactorRecord {
  person: string;
  encrypted: string;
  /** The latest time step whose code was accepted (RFC 6238). */
  last_step: number;
  enrolled_at: string;
}

interface AuditEntryRecord {
  id: Identity;
  at: string;
  who: string | null;
  what: string;
  subject: string | null;
  /** Whose it is (domain/settings.ts); null for the whole installation's. */
  about: string | null;
  outcome: string;
  facts: string | null;
}

/** A position in an order by time: the instant as the rows have it, and the id among those of one instant. */
export interface Mark {
  at: string;
  id: string;
}

interface MarkRecord extends Mark {
  walk: string;
}
