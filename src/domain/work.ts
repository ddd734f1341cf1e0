import type { Ambiente, Series } from './document.ts';

/** Everything the product can be asked to do later; each kind is one file under src/jobs. */
export const workKinds = [
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
  'sweep',
  'shop-event',
  'tell-alerts',
  'announce',
] as const;
export type WorkKind = (typeof workKinds)[number];

const hourMs = 3_600_000;
const longestWaits: Partial<Record<WorkKind, number>> = {
  // A day at most by the config, and a tenth more.
  sweep: 27 * hourMs,
  'buyer-cut-off': 49 * hourMs,
  'tell-alerts': 8 * 24 * hourMs,
};

/** How long a job of a kind waits at most, whoever postpones it: what is due later was written by a clock that was ahead. */
export const longestWaitMs = (kind: WorkKind): number => longestWaits[kind] ?? 25 * hourMs;

/** A job that failed so often in a row, or has been failing for so long, is told to people. */
export const keepsFailing = { failures: 10, forMs: 6 * hourMs };

/** Those that call the shop of their store. */
export const shopKinds: ReadonlySet<WorkKind> = new Set(['sync-order', 'write-back', 'sweep', 'shop-event']);

/** Reconciliations at once in one process: shops that do not answer must not take all its workers from the orders. */
export const sweepsAtOnce = 4;

/**
 * Work to do: a row of the ledger with a due time. `kind` + `subject` is its identity: asking again for the
 * same work moves it earlier, and asking while it runs makes it run once more.
 */
export interface WorkRequest {
  kind: WorkKind;
  /** Document id, or `orderSubject` for sync-order, `shopSubject` for sweep, door and delivery for shop-event, the channel for tell-alerts, `listener/document` for announce, the series as `seriesSubject` for catch-up. */
  subject: string;
  storeId: string;
  /** Hash of the API key whose rate budget it needs one slot of; null when it calls no tax service. */
  budget: string | null;
  /** The account that is asked, when a pause of the account is to hold the work back. */
  account?: { id: string; ambiente: Ambiente };
  /** Smaller goes first: 0 emissions, 5 questions, 9 downloads and the rest. */
  priority: number;
  dueAt: Date;
  /** Small facts the step needs and cannot look up (a service event); JSON, no buyers' data. */
  payload?: unknown;
  /** The journey it belongs to; the ledger fills in the asker's own when it is left out. */
  trace?: string | null;
}

export interface ClaimedWork {
  id: string;
  kind: WorkKind;
  subject: string;
  storeId: string;
  budget: string | null;
  /** The slot booked for its first call, in milliseconds of the clock; null when it was released without. */
  slotAt?: number | null;
  payload: unknown;
  /** The journey it belongs to (src/observability/journey.ts); null when nobody's request began it. */
  trace: string | null;
  /** How often it failed before. */
  attempts: number;
  /** Fencing token: only its holder may finish or postpone the work. */
  token: string;
}

/** How a step ended. A thrown error means: again later, with backoff. */
export type StepOutcome =
  | { kind: 'done' }
  /** Done, and taken off the ledger with its last write; `held` as `WorkTable.finish` answered. */
  | { kind: 'finished'; held: boolean }
  /** Not yet: try at `dueAt` without counting a failure (waiting for the service, 429, an open account). */
  | { kind: 'again'; dueAt: Date; reason: string }
  /** As if it had never been released, where its lane is shut by a pause; where it is not, again at `dueAt`. */
  | { kind: 'put-back'; dueAt: Date; reason: string };

export type Step = (work: ClaimedWork) => Promise<StepOutcome>;

export const done: StepOutcome = { kind: 'done' };

/** The subject of sync-order work. */
export function orderSubject(order: { platform: string; shop: string; orderId: string }): string {
  return [order.platform, order.shop, order.orderId].map(encodeURIComponent).join('/');
}

export function readOrderSubject(subject: string): { platform: string; shop: string; orderId: string } {
  const [platform = '', shop = '', orderId = ''] = subject.split('/').map(decodeURIComponent);
  return { platform, shop, orderId };
}

/** The subject of sweep work. */
export function shopSubject(shop: { platform: string; shop: string }): string {
  return [shop.platform, shop.shop].map(encodeURIComponent).join('/');
}

export function readShopSubject(subject: string): { platform: string; shop: string } {
  const { platform, shop } = readOrderSubject(subject);
  return { platform, shop };
}

/** The subject of catch-up work. */
export const seriesSubject = (series: Series): string =>
  [series.ruc, series.ambiente, series.codDoc, series.establecimiento, series.puntoEmision].join('/');

export function readSeriesSubject(subject: string): Series {
  const [ruc = '', ambiente = '', codDoc = '', establecimiento = '', puntoEmision = ''] = subject.split('/');
  return { ruc, ambiente: Number(ambiente) as Ambiente, codDoc, establecimiento, puntoEmision };
}
