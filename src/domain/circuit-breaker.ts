import type { WorkKind } from './work.ts';

/*
 * The circuit breaker of a store's shop. Closed, calls go through; after `failuresToOpen` failures in a row it is open,
 * and the store's jobs that call the shop wait in the ledger; from `retryAt` on it is half-open, and one job of each kind
 * goes to find out. A call that is answered closes it, one more failure keeps it open for longer. Nothing but our own
 * calls' outcomes moves it.
 */

/** Jobs of a store that wait while its breaker is open. What a shop tells of itself does not: it may be that it left. */
export const waitsForShop: ReadonlySet<WorkKind> = new Set(['sync-order', 'write-back', 'sweep']);

/** A breaker that is open, or half-open from `retryAt` on. A closed one has no such record. */
export interface OpenBreaker {
  storeId: string;
  since: string;
  retryAt: string;
  /** How often it was tried in vain since it opened. */
  probes: number;
  /** The merchant's sentence of the failure that opened it or kept it open. */
  reason: string;
}

/**
 * So many different orders or lists whose call failed, with no call answered in between, open a breaker. One order
 * counts once however often it fails: it may be the one thing the shop cannot digest.
 */
export const failuresToOpen = 5;

/** Milliseconds until the first, second … try; the last repeats. */
const restsMs = [30_000, 60_000, 120_000, 300_000];

/** What one more failure makes of a breaker that opens or is open; null where nothing changes, before its next try. */
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
