import type { AlertChannel, Alerts } from '../domain/alerts.ts';
import { type Clock, dayMs } from '../domain/clock.ts';
import { type Document, type DocumentListener, statesUnderWay } from '../domain/document.ts';
import type { CallKind, ClaimedJob, JobOutcome } from '../domain/job.ts';
import type { ReportedEvent, Shop, ShopEvent } from '../domain/platform.ts';
import type { Log, Mailer } from '../domain/ports.ts';
import { type Account, type IssuingKey, issuingKey, type Store } from '../domain/settings.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { OrderKey, ShopKey } from '../ledger/schema.ts';
import { type Timings as ProtocolTimings, timings } from '../protocol/state.ts';
import type { ServiceCalls } from '../service/client.ts';

export type SendingKey = Omit<IssuingKey, 'gone'>;

export interface JobDeps {
  ledger: Ledger;
  clock: Clock;
  log: Log;
  timings: Timings;
  /** The configured store of a shop; undefined when this process knows none (run-job.ts). */
  storeOf(platform: string, shop: string): Store | undefined;
  storeById(id: string): Store | undefined;
  /** The shop's API; null for a store configured without. */
  shop(store: Store): Shop | null;
  /** What an event of the endpoint with this id means; null when this process does not know the endpoint. */
  onEvent(endpoint: string, event: ReportedEvent): Promise<ShopEvent | null>;
  /** The accounts of the config by id; another process may know others (run-job.ts). */
  accounts: ReadonlyMap<string, Account>;
  /** Default: the newest key. A job's first call uses the slot booked at its release; others book their own. */
  service(account: Account, job: ClaimedJob | null, keyHash?: string): ServiceCalls;
  /** Hashes of older keys the service refused in this process: as if they were not configured. */
  revoked: Set<string>;
  alerts: Alerts;
  channels: ReadonlyMap<string, AlertChannel>;
  listeners: ReadonlyMap<string, DocumentListener>;
  failureCounter: FailureCounter;
  /** What this process checked of each series, by `seriesSubject` (older-ledger/check-series.ts). */
  seriesChecks: Map<string, SeriesCheck>;
  /** When this process began. */
  startedAt: Date;
  /** Signed addresses (http/links.ts). */
  links: {
    page(documentId: string, version: number): string;
    pdf(documentId: string, version: number): string;
    xml(documentId: string, version: number): string;
    identification(documentId: string, expiresAt: Date): string;
  };
  mailer: Mailer | null;
  /** In the ledger. */
  keepBytes: number;
  joinTrace(document: Document): void;
  /** Sales paid before this instant are not invoiced: the policy's date, else the store's first start. */
  invoiceFrom(store: Store): Date;
}

export interface Timings extends ProtocolTimings {
  reconciliation: ReconciliationTimings;
}

export interface ReconciliationTimings {
  /** From the end of one run to the next, a tenth more or less. */
  every: number;
  /** How far each run goes back behind the last: for transactions that were open then, and a search index that lags. */
  overlap: number;
  /** The most calls of the shop's API for each list in one run; the next run goes on from there. */
  calls: number;
  refunds: number;
  /** Orders that did not change for so long are no longer compared each night. */
  lookBack: number;
}

const minute = 60_000;

export const defaultTimings: Timings = {
  ...timings,
  reconciliation: {
    every: 5 * minute,
    overlap: 15 * minute,
    calls: 10,
    refunds: 60 * minute,
    lookBack: 30 * 24 * 60 * minute,
  },
};

/** Another process of the ledger may know it: during a deploy, or after `store add` (run-job.ts). */
export interface UnknownHere {
  kind: 'unknown-here';
  what: 'store' | 'account' | 'channel' | 'listener';
  name: string;
  /** Changes whenever a process that knows it was there; then the wait begins again. */
  seen?: string;
  /** Default: a day. */
  patienceMs?: number;
  /** Whether the job may end undone by then; cleans up before. Default: true. */
  mayEnd?(): Promise<boolean>;
}

export type HandlerResult = JobOutcome | UnknownHere;

export type Handler = (job: ClaimedJob) => Promise<HandlerResult>;

export const again = (clock: Clock, ms: number, reason: string): Extract<JobOutcome, { kind: 'again' }> => ({
  kind: 'again',
  dueAt: new Date(clock.now().getTime() + ms),
  reason,
});

export const priorities: Record<CallKind, number> = { emission: 0, question: 5, download: 9 };

export interface SeriesCheck {
  since: Date;
  asked: Promise<void>;
  isAsked: boolean;
  proof: 'created' | 'authorized';
  /** The last new document that was sent while no other was, and when. */
  sentAlone: { id: string; at: Date } | null;
  isVerified: boolean;
}

/** In this process. A document whose answer was lost counts once, however often it is repeated: it may be the cause. */
interface FailureCounter {
  /** Returns how many there are in a row. `document` null: nothing was sent. */
  add(account: string, document: string | null): number;
  clear(account: string): void;
}

export function openFailureCounter(): FailureCounter {
  const byAccount = new Map<string, { unreached: number; lost: Set<string> }>();
  return {
    add(account, document) {
      const failures = byAccount.get(account) ?? { unreached: 0, lost: new Set() };
      byAccount.set(account, failures);
      if (document === null) failures.unreached += 1;
      else failures.lost.add(document);
      return failures.unreached + failures.lost.size;
    },
    clear: (account) => void byAccount.delete(account),
  };
}

/** The API key that issued a document, in whichever account it is now; undefined when that account is not configured. */
export function issuerOf(
  deps: Pick<JobDeps, 'accounts' | 'revoked'>,
  document: Pick<Document, 'account' | 'keyHash'>,
): IssuingKey | undefined {
  const key = issuingKey(deps.accounts, document);
  if (!key || !deps.revoked.has(key.keyHash)) return key;
  return { ...key, keyHash: key.account.keyHash, gone: true };
}

/** A key sees only its own documents (spec, key rules). `gone`: no longer configured, so that "not found" means nothing. */
export function serviceOf(
  deps: Pick<JobDeps, 'accounts' | 'revoked' | 'service'>,
  document: Document,
  store: Store,
): IssuingKey & { calls(job: ClaimedJob | null): ServiceCalls } {
  const newest = { account: store.account, keyHash: store.account.keyHash, gone: true };
  const { account, keyHash, gone } = issuerOf(deps, document) ?? newest;
  return { account, keyHash, gone, calls: (job) => deps.service(account, job, keyHash) };
}

/** After a 401. False for the newest key: the account itself is the cause. */
export function isRevoked(deps: Pick<JobDeps, 'log' | 'revoked'>, { account, keyHash }: SendingKey): boolean {
  if (keyHash === account.keyHash) return false;
  if (!deps.revoked.has(keyHash))
    deps.log.warn(
      { account: account.id, key: keyHash.slice(0, 8) },
      'The service refuses an older API key; take it out of apiKeys once nothing is open under it',
    );
  deps.revoked.add(keyHash);
  return true;
}

export const unknownStore = (
  { platform, shop }: ShopKey,
  mayEnd: () => Promise<boolean> = async () => false,
): UnknownHere => ({ kind: 'unknown-here', what: 'store', name: `${platform} ${shop}`, mayEnd });

const monthMs = 30 * dayMs;

/** The jobs of a document that is not on its way may end undone a month after its last change, the others never. */
export function unknownStoreOf({ clock }: Pick<JobDeps, 'clock'>, document: Document): UnknownHere {
  const isOld = () => Date.parse(document.updatedAt) + monthMs < clock.now().getTime();
  return unknownStore(document, async () => !statesUnderWay.includes(document.state) && isOld());
}

type SilentDeps = Pick<JobDeps, 'ledger' | 'clock'>;

/** Whether the shop was not reconciled for so long. */
export async function isSilent({ ledger, clock }: SilentDeps, shop: ShopKey, ms: number): Promise<boolean> {
  const row = await ledger.reconciliations.get(shop);
  return !row || Date.parse(row.reconciledTo) + ms < clock.now().getTime();
}

export async function isForgotten(deps: SilentDeps, order: OrderKey): Promise<boolean> {
  const [newest] = await deps.ledger.deliveries.ofOrder(order, 1);
  const since = newest ? Date.parse(newest.receivedAt) : 0;
  return since + monthMs < deps.clock.now().getTime() && isSilent(deps, order, monthMs);
}
