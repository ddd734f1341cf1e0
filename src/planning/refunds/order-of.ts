import type { Refund } from '../../core/refund.ts';

/** Oldest first, and the same for whoever asks: by the shop's time, then by id. */
export function inOrder(refunds: readonly Refund[]): Refund[] {
  return refunds.toSorted((a, b) => {
    const byTime = a.at !== null && b.at !== null ? Date.parse(a.at) - Date.parse(b.at) : 0;
    // Ids are whole numbers of any length.
    return byTime || a.id.length - b.id.length || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
  });
}
