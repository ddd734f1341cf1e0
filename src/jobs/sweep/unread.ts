import type { ListedOrder } from '../../domain/listing.ts';
import type { Reading } from '../../ledger/shop-tables.ts';
import { isGone } from '../gone-order.ts';

/** Platforms write the time of a change in whole seconds, and the shop's clock is known to about one. */
const samePointMs = 2_000;

/** Of the listed orders, the ids of those the ledger has not read in this state. */
export function unreadOrders(
  rows: readonly ListedOrder[],
  readings: readonly Reading[],
  skewMs: number,
): string[] {
  const byId = new Map(readings.map((reading) => [reading.orderId, reading]));
  const unread = rows.filter((row) => !isRead(row, byId.get(row.id), skewMs));
  return [...new Set(unread.map(({ id }) => id))];
}

/**
 * A list that lags behind what was read since costs one more reading. A refund that was deleted leaves the order's time as it was
 * (WooCommerce), and an order may change once more in the second in which it was read.
 */
function isRead(row: ListedOrder, reading: Reading | undefined, skewMs: number): boolean {
  // A shop that did not find an order of its own for a while has it again, and its time is the same.
  if (reading === undefined || isGone(reading)) return false;
  const changed = Date.parse(row.updatedAt);
  const known = Date.parse(reading.sourceUpdatedAt);
  // Another time is another state: a clock that was put right, or a restore, makes newer ones look older.
  if (known !== changed) return false;
  const sameRefunds = row.refunds === null || isSame(row.refunds, reading.refunds);
  const readAt = Date.parse(reading.syncedAt) + skewMs;
  return sameRefunds && Math.abs(readAt - changed) >= samePointMs;
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((id) => other.includes(id));
}
