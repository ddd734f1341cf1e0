import type { Ambiente, Series } from './document.ts';

/** Emissions go before questions, questions before downloads. */
export type CallKind = 'emission' | 'question' | 'download';

/** The rate limit of one API key. `take` resolves when a call may be sent; `slow` delays it after a 429. */
export interface RateLimit {
  take(kind: CallKind): Promise<void>;
  slow(forMs: number): Promise<void>;
}

export interface SlotRequest {
  kind: CallKind;
  /** In milliseconds of the clock. */
  lookAheadMs: number;
  /** Only what is reserved for questions may be booked, since emissions of the key wait. */
  reserveOnly?: boolean;
}

/** Calls free at once, calls of the burst still counted, wait of the next call. */
export interface RateLimitLook {
  free: number;
  used: number;
  waitMs: number;
}

export type Slot = { booked: true; waitMs: number } | { booked: false; retryInMs: number };

export interface RateLimits {
  /** Books the next free slot within the look-ahead and returns its wait, or when to try again if none was booked. */
  reserve(keyHash: string, request: SlotRequest): Promise<Slot>;
  look(keyHash: string): Promise<RateLimitLook>;
  /** No call for `forMs`, and slower ones for some minutes after. */
  slow(keyHash: string, forMs: number): Promise<void>;
}

/** Causes that concern no single document. */
export const pauseCauses = ['api-key', 'credits', 'provider-data', 'service', 'clock'] as const;
export type PauseCause = (typeof pauseCauses)[number];

export interface AccountPause {
  account: string;
  ambiente: Ambiente | null;
  cause: PauseCause;
  since: string;
  probes: number;
}

/** null: both ambientes. `api-key` pauses what is read as well. */
export function scopeOf(cause: PauseCause): Ambiente | null {
  return cause === 'credits' || cause === 'provider-data' ? 2 : null;
}

export const jobKinds = [
  'sync-order',
  'submit-document',
  'settle-document',
  'follow-up',
  'reprocess-document',
  'catch-up',
  'verify-document',
  'keep-files',
  'write-back',
  'ask-buyer',
  'buyer-cut-off',
  'probe-account',
  'reconciliation',
  'shop-event',
  'deliver-alerts',
  'announce',
] as const;
export type JobKind = (typeof jobKinds)[number];

const hourMs = 3_600_000;
const longestWaits: Partial<Record<JobKind, number>> = {
  reconciliation: 27 * hourMs,
  'buyer-cut-off': 49 * hourMs,
  'deliver-alerts': 8 * 24 * hourMs,
};

/** A job due later was written by a clock that was ahead. */
export const longestWaitMs = (kind: JobKind): number => longestWaits[kind] ?? 25 * hourMs;

/** Without alerts nobody would know of a hold, and without its probe an account stays paused for good. */
export const neverHeld: ReadonlySet<JobKind> = new Set(['deliver-alerts', 'probe-account']);

export const keepsFailing = { failures: 10, forMs: 6 * hourMs };

export const shopKinds: ReadonlySet<JobKind> = new Set([
  'sync-order',
  'write-back',
  'reconciliation',
  'shop-event',
]);

/** Shops that do not answer must not take every slot. */
export const reconciliationsAtOnce = 4;

/** `kind` and `subject` identify it: enqueuing it again makes it due earlier, and while it runs makes it run once more. */
export interface JobRequest {
  kind: JobKind;
  /**
   * Document id; `orderSubject` for sync-order, `shopSubject` for reconciliation, endpoint and delivery for shop-event, the channel
   * for deliver-alerts, `listener/document` for announce, `seriesSubject` for catch-up, `eventSubject` for settle-document.
   */
  subject: string;
  storeId: string;
  /** Hash of the API key; null when it does not call the tax service. */
  rateLimit: string | null;
  account?: { id: string; ambiente: Ambiente };
  /** Smaller goes first: 0 emissions, 5 questions, 9 downloads and the rest. */
  priority: number;
  dueAt: Date;
  payload?: unknown;
  trace?: string | null;
}

export interface ClaimedJob {
  id: string;
  kind: JobKind;
  subject: string;
  storeId: string;
  rateLimit: string | null;
  /** The slot booked for its first call, in milliseconds of the clock; null when none was booked. */
  slotAt?: number | null;
  payload: unknown;
  trace: string | null;
  attempts: number;
  /** Fencing token: only its holder may finish or postpone the job. */
  token: string;
}

/** A thrown error means again later, with backoff. */
export type JobOutcome =
  | { kind: 'done' }
  /** Removed from the ledger with its last write; `held` as `finish` of the jobs table answered. */
  | { kind: 'finished'; held: boolean }
  /** It does not count as a failure (waiting for the service, 429, a paused account). */
  | { kind: 'again'; dueAt: Date; reason: string }
  /** When a pause stops its partition, the job is as if never released; else it runs again at `dueAt`. */
  | { kind: 'put-back'; dueAt: Date; reason: string };

export type JobHandler = (job: ClaimedJob) => Promise<JobOutcome>;

export const done: JobOutcome = { kind: 'done' };

export function orderSubject(order: { platform: string; shop: string; orderId: string }): string {
  return [order.platform, order.shop, order.orderId].map(encodeURIComponent).join('/');
}

/** Another source of the shop contradicts the read order (src/jobs/read-order.ts). */
export const orderUnread = 'what the shop answers about the order is older than what is known of it';

export function readOrderSubject(subject: string): { platform: string; shop: string; orderId: string } {
  const [platform = '', shop = '', orderId = ''] = subject.split('/').map(decodeURIComponent);
  return { platform, shop, orderId };
}

export function shopSubject(shop: { platform: string; shop: string }): string {
  return [shop.platform, shop.shop].map(encodeURIComponent).join('/');
}

export function readShopSubject(subject: string): { platform: string; shop: string } {
  const { platform, shop } = readOrderSubject(subject);
  return { platform, shop };
}

/** One for each event of a key: a late error must not replace an authorisation. */
export const eventSubject = (accessKey: string, evento: string): string => `clave:${accessKey}:${evento}`;

export const keyOfEvent = (subject: string): string => subject.split(':')[1] ?? '';

export const seriesSubject = (series: Series): string =>
  [series.ruc, series.ambiente, series.codDoc, series.establecimiento, series.puntoEmision].join('/');

export function readSeriesSubject(subject: string): Series {
  const [ruc = '', ambiente = '', codDoc = '', establecimiento = '', puntoEmision = ''] = subject.split('/');
  return { ruc, ambiente: Number(ambiente) as Ambiente, codDoc, establecimiento, puntoEmision };
}
