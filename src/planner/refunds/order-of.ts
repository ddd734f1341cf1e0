import type { Refund } from '../../domain/refund.ts';

/** Oldest first, and the same for whoever asks: by the shop's time where every refund has one, then by id. */
export function inOrder(refunds: readonly Refund[]): Refund[] {
  const timed = refunds.every(({ at }) => at !== null);
  return refunds.toSorted((a, b) => {
    const byTime = timed ? Date.parse(a.at ?? '') - Date.parse(b.at ?? '') : 0;
    // Ids are whole numbers of any length.
    return byTime || a.id.length - b.id.length || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
  });
}
