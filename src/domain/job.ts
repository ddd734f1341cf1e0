import type { Ambiente, Series } from './document.ts';

/** The kinds of calls to the tax service; emissions go before questions, questions before downloads. */
export type CallKind = 'emission' | 'question' | 'download';

/** The rate limit of one API key. `take` resolves when a call may be sent; `slow` delays it after a 429. */
export interface RateLimit {
  take(kind: CallKind): Promise<void>;
  slow(forMs: number): Promise<void>;
}

/** A request for a slot. */
export interface SlotRequest {
  kind: CallKind;
  /** How far ahead the slot may be, in milliseconds of the clock. */
  lookAheadMs: number;
  /** More urgent calls of the same key wait: only the share reserved for this kind may be booked. */
  setAsideOnly?: boolean;
}

/** The state of a key's rate limit: calls free at once, calls of the burst still counted, wait of the next call. */
export interface RateLimitLook {
  free: number;
  used: number;
  waitMs: number;
}

export type Slot = { booked: true; waitMs: number } | { booked: false; retryInMs: number };

/** The rate limits of all keys, by the hash of the key. */
export interface RateLimits {
  /** Books the next free slot within the look-ahead and returns the wait for it, or when to try again if none was booked. */
  reserve(keyHash: string, request: SlotRequest): Promise<Slot>;
  /** The state of a key's limit, without booking. */
  look(keyHash: string): Promise<RateLimitLook>;
  /** After a 429: no call for `forMs`, and slower ones for some minutes after. */
  slow(keyHash: string, forMs: number): Promise<void>;
}

/** Why an account is paused: no single document is the cause. */
export const pauseCauses = ['api-key', 'credits', 'provider-data', 'service', 'clock'] as const;
export type PauseCause = (typeof pauseCauses)[number];

/** An account that is paused until a probe finds the cause gone. */
export interface AccountPause {
  /** The config's account id. */
  account: string;
  /** Null: both. */
  ambiente: Ambiente | null;
  cause: PauseCause;
  /** ISO instant. */
  since: string;
  /** How many probes failed. */
  probes: number;
}

/** Whose emissions a cause pauses: those of production only, or of both (null). `api-key` pauses what is read as well. */
export function scopeOf(cause: PauseCause): Ambiente | null {
  return cause === 'credits' || cause === 'provider-data' ? 2 : null;
}

/*
 * The circuit breaker of a store's shop. Closed, calls go through; after `failuresToOpen` failures in a row it opens, and the
 * store's jobs that call the shop wait in the ledger; from `retryAt` on it is half-open, and one job of each kind tries.
 * A call that is answered closes it, another failure keeps it open longer. Only our own calls change it.
 */

/** Jobs of a store that wait while its breaker is open. Not `shop-event`: the shop may have uninstalled. */
export const waitsForShop: ReadonlySet<JobKind> = new Set(['sync-order', 'write-back', 'reconciliation']);

/** A breaker that is open, or half-open from `retryAt` on. A closed one has no record. */
export interface OpenBreaker {
  storeId: string;
  since: string;
  retryAt: string;
  /** How many tries failed since it opened. */
  probes: number;
  /** The merchant's sentence about the last failure. */
  reason: string;
}

/** How many different orders or lists must fail, with no call answered between, to open a breaker. One order counts once. */
export const failuresToOpen = 5;

/** Milliseconds until the first, second … try; the last repeats. */
const restsMs = [30_000, 60_000, 120_000, 300_000];

/** The breaker after one more failure; null before its next try, when nothing changes. */
export function afterFailure(
  open: OpenBreaker | undefined,
  { storeId, now, reason }: { storeId: string; now: Date; reason: string },
): OpenBreaker | null {
  if (open && Date.parse(open.retryAt) > now.getTime()) return null;
  const probes = open ? open.probes + 1 : 0;
  const rest = restsMs[Math.min(probes, restsMs.length - 1)] ?? 0;
  const retryAt = new Date(now.getTime() + rest).toISOString();
  return { storeId, since: open?.since ?? now.toISOString(), retryAt, probes, reason };
}

/** The kinds of jobs; each is one file under src/jobs. */
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
  // At most a day by the config, and a tenth more.
  reconciliation: 27 * hourMs,
  'buyer-cut-off': 49 * hourMs,
  'deliver-alerts': 8 * 24 * hourMs,
};

/** The longest wait of a kind of job; one due later was written by a clock that was ahead. */
export const longestWaitMs = (kind: JobKind): number => longestWaits[kind] ?? 25 * hourMs;

/**
 * Jobs that are never held for a person: nobody would know of a hold without alerts, and without its probe an account stays
 * paused for good. A reconciliation may be held: it reads the most, and webhooks still bring the shop's orders.
 */
export const neverHeld: ReadonlySet<JobKind> = new Set(['deliver-alerts', 'probe-account']);

/** A job with so many failures in a row, or failing for so long, raises an alert. */
export const keepsFailing = { failures: 10, forMs: 6 * hourMs };

/** Jobs that call the shop of their store. */
export const shopKinds: ReadonlySet<JobKind> = new Set([
  'sync-order',
  'write-back',
  'reconciliation',
  'shop-event',
]);

/** Reconciliations at once in one process: shops that do not answer must not take every worker. */
export const reconciliationsAtOnce = 4;

/**
 * A job to enqueue: a row of the ledger with a due time. `kind` and `subject` identify it: enqueuing it again makes it due
 * earlier, and enqueuing it while it runs makes it run once more.
 */
export interface JobRequest {
  kind: JobKind;
  /**
   * Document id; `orderSubject` for sync-order, `shopSubject` for reconciliation, endpoint and delivery for shop-event, the channel
   * for deliver-alerts, `listener/document` for announce, `seriesSubject` for catch-up, `eventSubject` for settle-document.
   */
  subject: string;
  storeId: string;
  /** Hash of the API key whose rate limit it needs one slot of; null when it does not call the tax service. */
  rateLimit: string | null;
  /** The account it waits for while that is paused. */
  account?: { id: string; ambiente: Ambiente };
  /** Smaller goes first: 0 emissions, 5 questions, 9 downloads and the rest. */
  priority: number;
  dueAt: Date;
  /** Small facts the handler cannot look up (a service event); JSON, no buyers' data. */
  payload?: unknown;
  /** Its correlation id; default: that of the run that enqueues it. */
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
  /** Its correlation id (src/observability/log.ts); null when no request began it. */
  trace: string | null;
  /** How often it failed before. */
  attempts: number;
  /** Fencing token: only its holder may finish or postpone the job. */
  token: string;
}

/** How a job handler ended. A thrown error means again later, with backoff. */
export type JobOutcome =
  | { kind: 'done' }
  /** Done, and removed from the ledger with its last write; `held` as `finish` of the jobs table answered. */
  | { kind: 'finished'; held: boolean }
  /** Not yet: again at `dueAt` without counting a failure (waiting for the service, 429, a paused account). */
  | { kind: 'again'; dueAt: Date; reason: string }
  /** As if never released, when a pause stops its partition; else again at `dueAt`. */
  | { kind: 'put-back'; dueAt: Date; reason: string };

export type JobHandler = (job: ClaimedJob) => Promise<JobOutcome>;

export const done: JobOutcome = { kind: 'done' };

/** The subject of a sync-order job. */
export function orderSubject(order: { platform: string; shop: string; orderId: string }): string {
  return [order.platform, order.shop, order.orderId].map(encodeURIComponent).join('/');
}

/** Why the sync of an order waits that another source of the shop contradicts (src/jobs/read-order.ts). */
export const orderUnread = 'what the shop answers about the order is older than what is known of it';

export function readOrderSubject(subject: string): { platform: string; shop: string; orderId: string } {
  const [platform = '', shop = '', orderId = ''] = subject.split('/').map(decodeURIComponent);
  return { platform, shop, orderId };
}

/** The subject of a reconciliation job. */
export function shopSubject(shop: { platform: string; shop: string }): string {
  return [shop.platform, shop.shop].map(encodeURIComponent).join('/');
}

export function readShopSubject(subject: string): { platform: string; shop: string } {
  const { platform, shop } = readOrderSubject(subject);
  return { platform, shop };
}

/** The subject of a settle-document job: one for each event of a key, as a late error must not replace an authorisation. */
export const eventSubject = (accessKey: string, evento: string): string => `clave:${accessKey}:${evento}`;

export const keyOfEvent = (subject: string): string => subject.split(':')[1] ?? '';

/** The subject of a catch-up job. */
export const seriesSubject = (series: Series): string =>
  [series.ruc, series.ambiente, series.codDoc, series.establecimiento, series.puntoEmision].join('/');

export function readSeriesSubject(subject: string): Series {
  const [ruc = '', ambiente = '', codDoc = '', establecimiento = '', puntoEmision = ''] = subject.split('/');
  return { ruc, ambiente: Number(ambiente) as Ambiente, codDoc, establecimiento, puntoEmision };
}
