import { deletedStatus, type Order } from '../domain/order.ts';
import {
  fingerprintOf,
  isSameOrder,
  isSameRefund,
  type OrderFingerprint,
  type PaidTotal,
  paidTotalOf,
} from '../domain/order-fingerprint.ts';
import type { PlannedDocument } from './input.ts';

/** What the ledger has bound an order's id to; `snapshot` is the order as last read. */
export interface KnownOrder {
  snapshot: Order;
  fingerprint: OrderFingerprint | null;
  paid: PaidTotal | null;
}

/** A reading beside what is known of its id. */
export interface Bound {
  /** What its id means from now on, and the total it was paid with. */
  fingerprint: OrderFingerprint;
  paid: PaidTotal | null;
  /** The order the id belongs to, where this is another one and that one matters still; else null. */
  reused: OrderFingerprint | null;
  /** The id was another order's that nobody misses: a draft, or one that was never paid. */
  taken: boolean;
}

/**
 * Holds a reading against what its id meant when it was first read. Another order under the same id takes it only where
 * nothing came of the one before: it has no document and was never paid, or was deleted for ever. `whenPaid`: the order
 * as the shop itself told of it when it was paid, where that was kept.
 */
export function boundTo(
  order: Order,
  known: KnownOrder | undefined,
  documents: readonly PlannedDocument[],
  whenPaid: Order | null,
): Bound {
  const now = fingerprintOf(order);
  const first = { fingerprint: now, paid: paidTotalOf(whenPaid ?? order), reused: null, taken: false };
  if (!known) return first;
  const was = known.fingerprint ?? fingerprintOf(known.snapshot);
  if (isSameOrder(was, now)) {
    const fingerprint = { ...was, key: was.key ?? now.key };
    return { fingerprint, paid: paidSince(known, order, whenPaid), reused: null, taken: false };
  }
  const { paidAt, status } = known.snapshot;
  const isMissed =
    (paidAt !== null && status !== deletedStatus) ||
    documents.some(({ state, fingerprint }) => state !== 'cancelled' && !isOf(fingerprint, now));
  if (!isMissed) return { ...first, taken: true };
  return { fingerprint: was, paid: known.paid, reused: was, taken: false };
}

const isOf = (fingerprint: OrderFingerprint | null | undefined, order: OrderFingerprint): boolean =>
  fingerprint != null && isSameOrder(fingerprint, order);

/** What was charged stands, until the shop tells of money that came later. */
function paidSince({ paid, snapshot }: KnownOrder, order: Order, whenPaid: Order | null): PaidTotal | null {
  const now = paidTotalOf(order);
  if (!now || !paid) return paid ?? paidTotalOf(whenPaid ?? order);
  const cameLater = (now.at !== null && now.at !== paid.at) || snapshot.settlement === 'partially-paid';
  return cameLater ? now : paid;
}

type Made = Pick<PlannedDocument, 'orderId' | 'kind' | 'sourceId' | 'fingerprint'>;

/** Whether a document was made for this order, whichever its refunds are; what was kept before fingerprints were, is. */
export function isOfThatOrder(order: Order): (document: Made) => boolean {
  const now = fingerprintOf(order);
  return ({ orderId, fingerprint }) =>
    (orderId === undefined || orderId === order.id) && (!fingerprint || isSameOrder(fingerprint, now));
}

/** Whether a document was made for this order or refund, or for one that had its id before. */
export function isDocumentOf(order: Order): (document: Made) => boolean {
  const isOfOrder = isOfThatOrder(order);
  return (document) => {
    const { kind, sourceId, fingerprint } = document;
    if (kind !== 'nota-credito' || !fingerprint || !isOfOrder(document)) return isOfOrder(document);
    const refund = order.refunds.find(({ id }) => id === sourceId);
    return refund === undefined || isSameRefund(fingerprint, refund);
  };
}
