import { reasonOf } from '../../mappers/hold.ts';
import { type Day, momentInEcuador } from '../domain/clock.ts';
import { Decimal, decimal, roundsToZero, toAmount } from '../domain/money.ts';
import {
  type Charge,
  deletedStatus,
  fingerprintOf,
  hasCents,
  isSameOrder,
  isSameRefund,
  isStoredValue,
  type Line,
  type Order,
  type OrderFingerprint,
  type PaidTotal,
  paidTotalOf,
  worth,
} from '../domain/order.ts';
import {
  hold,
  type KeyOwner,
  manual,
  nothing,
  nothingLeft,
  type PlanInput,
  type PlannedDocument,
  type Verdict,
  wait,
} from './action.ts';
import {
  cancelled,
  isRestOverdue,
  notAccepted,
  notPaidYet,
  owedStill,
  refundMissing,
  unpaidAgain,
} from './order-money.ts';
import { moneyLeft, returned } from './refund-money.ts';
import { partsOfMissingRows } from './since-factura.ts';
import { soldInOtherOrder } from './split-orders.ts';

/** Decides about an order before its money is mapped; null: map it. */
export function verdictBeforeMapping(input: PlanInput, current: PlannedDocument | undefined): Verdict | null {
  return (
    (current ? byFactura(current, input) : null) ??
    history(input, current) ??
    soldInOtherOrder(input) ??
    unclearEdit(input) ??
    returnedAndRemoved(input) ??
    byMoney(input, current) ??
    emptied(input) ??
    unneeded(input) ??
    reusedId(input) ??
    suspicious(input) ??
    changedAfterPayment(input)
  );
}

export function currentFactura<D extends Pick<PlannedDocument, 'kind' | 'state'>>(
  documents: readonly D[],
): D | undefined {
  return documents.find(({ kind, state }) => kind === 'factura' && state !== 'cancelled');
}

function byFactura(current: PlannedDocument, { order }: PlanInput): Verdict | null {
  if (current.state === 'authorized' && current.annulledAt)
    return nothing('document-annulled', { why: 'factura' });
  // Everything went back, and the number was never registered: there is nothing to correct it for.
  if (current.state === 'rejected' && moneyLeft(order).lte(0)) return nothingLeft;
  return byDocument(current);
}

export function byDocument({
  kind,
  state,
  code,
  reason,
}: Pick<PlannedDocument, 'kind' | 'state' | 'code' | 'reason'>): Verdict | null {
  switch (state) {
    case 'authorized':
      return nothing('already-authorised', { why: kind });
    case 'sending':
    case 'processing':
      return wait('in-process', { why: kind });
    case 'uncertain':
      return wait('answer-lost', { why: kind });
    case 'rejected':
      return hold(code ?? 'refused', { message: reason ?? reasonOf('refused', { why: kind }) });
    case 'manual':
      return manual(code ?? 'manual', { message: reason ?? reasonOf('manual', { why: kind }) });
    default:
      return null;
  }
}

function history(
  { order, invoiceFrom, now }: PlanInput,
  current: PlannedDocument | undefined,
): Verdict | null {
  const unsettled = order.settlement === 'unpaid' || order.settlement === 'partially-paid';
  const waits = unsettled && order.notAccepted?.waits !== false && !isRestOverdue(order, now);
  const paidAt = new Date(order.paidAt ?? order.placedAt);
  if (current || waits || paidAt >= invoiceFrom) return null;
  return nothing('before-start', { refund: null });
}

/** A webhook's body does not state what was received; the order read from the shop does. */
function unclearEdit({ order }: PlanInput): Verdict | null {
  const { unclearEdit: isUnclear, settlement, refunds } = order;
  if (!isUnclear || !['paid', 'partially-refunded'].includes(settlement)) return null;
  return hold('refund-contradiction', { why: 'unclear-edit', refunds: refunds.map(({ id }) => id) });
}

/** The total may lack rows that came back and were then taken out, or not. */
function returnedAndRemoved({ order }: PlanInput): Verdict | null {
  const { overpaid, status, settlement, refunds } = order;
  if (overpaid !== undefined || status === 'refunded' || settlement === 'cancelled') return null;
  const gone = partsOfMissingRows(order);
  const money = worth(gone);
  if (gone.length === 0 || moneyLeft(order).plus(money).lte(0)) return null;
  const of = refunds.filter(({ parts }) => gone.some((one) => parts?.some((part) => part.of === one.of)));
  return hold('refund-contradiction', {
    why: 'removed',
    refunds: of.map(({ id }) => id),
    money: toAmount(money),
    items: [...new Set(gone.map(({ name }) => name))],
    total: toAmount(order.total),
  });
}

function emptied({ order, store }: PlanInput): Verdict | null {
  if (!decimal(order.total).isZero() || decimal(order.overpaid ?? '0').isZero()) return null;
  const owed = owedStill(order);
  if (owed.lte(0)) return nothingLeft;
  return store.policy.cancelledOrders === 'nothing'
    ? nothing('no-money', { why: 'emptied', owed: toAmount(owed) })
    : hold('cancelled-kept', { why: 'emptied', owed: toAmount(owed) });
}

function unneeded({ order, store }: PlanInput): Verdict | null {
  if (roundsToZero(order.total) && store.policy.freeOrders === 'nothing') {
    return nothing('no-money', { why: 'free' });
  }
  const cards = cardsAlone({ order, store });
  if (cards) return cards;
  if (!roundsToZero(order.total) && !isNegative(order) && moneyLeft(order).lte(0)) return nothingLeft;
  if (order.test && store.issuer.ambiente === 2) {
    return nothing('test-order', {});
  }
  return null;
}

function ofCancelled(input: PlanInput): Verdict | null {
  const decided = cancelled(input);
  return decided?.action === 'hold' ? (cardsAlone(input) ?? decided) : decided;
}

function cardsAlone({ order, store }: Pick<PlanInput, 'order' | 'store'>): Verdict | null {
  const { as } = store.policy.giftCardsSold;
  if ((as !== 'nothing' && as !== 'exclude') || !onlyGiftCards(order)) return null;
  return nothing('only-gift-cards', {});
}

function onlyGiftCards(order: Order): boolean {
  const { lines, charges } = order;
  const cards = lines.filter(({ kind }) => kind === 'gift-card');
  const rest = [...lines.filter(({ kind }) => kind !== 'gift-card'), ...charges];
  const isOff = ({ net }: Line | Charge): boolean => decimal(net).lt(0) && !isNegative(order);
  return (
    cards.length > 0 &&
    cards.every((card) => isStoredValue(card, order)) &&
    rest.every((item) => roundsToZero(item.tax) && (roundsToZero(item.net) || isOff(item)))
  );
}

/** An access key that no document of ours has: the sale may already be invoiced. */
export function unknownKey({ order, documents, keyOwners = [] }: PlanInput): string | undefined {
  const known = [...documents, ...keyOwners.filter(isCopied(order))];
  const ours = new Set([...known.map(({ accessKey }) => accessKey), ...confirmedKeys({ documents })]);
  return order.accessKeys.find((key) => !ours.has(key));
}

/** The first digits of an access key (ficha técnica SRI, tabla 1). Null for any other text. */
export function issueDayOf(accessKey: string): Day | null {
  const [, day, month, year] = /^(\d{2})(\d{2})(\d{4})\d{41}$/.exec(accessKey) ?? [];
  const written = `${year}-${month}-${day}`;
  return Number.isNaN(Date.parse(written)) ? null : written;
}

/** Keys on the order when a person accepted it are of other sales. */
const confirmedKeys = ({ documents }: Pick<PlanInput, 'documents'>): string[] =>
  documents.flatMap(({ fingerprint }) => fingerprint?.foreignKeys ?? []);

/** A renewal or duplicate paid by itself, at another instant: the key came with copied meta data. */
const isCopied =
  ({ paidAt }: Order) =>
  (owner: KeyOwner): boolean =>
    owner.orderName !== null && owner.paidAt !== null && paidAt !== null && owner.paidAt !== paidAt;

function reusedId({ order, reused }: PlanInput): Verdict | null {
  if (!reused) return null;
  return hold('order-id-reused', {
    why: 'other',
    id: order.id,
    was: dated(reused),
    now: dated(fingerprintOf(order)),
  });
}

/** "#104, del 22/11/2026 a las 09:39:04": two orders with one number may be of the same day. */
const dated = ({ name, placedAt }: OrderFingerprint): string => `${name}, del ${momentInEcuador(placedAt)}`;

function changedAfterPayment({ order, paid, store }: PlanInput): Verdict | null {
  if (!paid || store.policy.changedAfterPayment === 'current') return null;
  const { total, currency } = paid;
  // What an edit took out and the shop gave back explains a lower total.
  const less = Decimal.max(0, Decimal.min(returned(order), decimal(total).minus(order.total)));
  const now = decimal(order.total).plus(less);
  if (currency === order.currency && now.minus(total).abs().lt('0.01')) return null;
  return hold('changed-after-payment', {
    why: hasCents(order.total) ? 'edited' : 'without-cents',
    paid: `${toAmount(total)} ${currency}`,
    now: `${hasCents(order.total) ? toAmount(order.total) : order.total} ${order.currency}`,
  });
}

function suspicious(input: PlanInput): Verdict | null {
  const { order } = input;
  const key = unknownKey(input);
  if (key) {
    const owner = input.keyOwners?.find((one) => one.accessKey === key);
    return owner
      ? hold('unknown-access-key', { why: 'copied', key, order: owner.orderName })
      : hold('unknown-access-key', { why: 'unknown', key });
  }
  const { notAKey } = order;
  if (notAKey !== undefined && !confirmedKeys(input).includes(notAKey))
    return hold('unknown-access-key', { why: 'not-a-key', text: notAKey });
  const { total, currency } = order;
  return currency === 'USD' ? null : hold('currency', { total: toAmount(total), currency });
}

function byMoney(input: PlanInput, current: PlannedDocument | undefined): Verdict | null {
  const { order } = input;
  switch (order.settlement) {
    case 'draft':
      return nothing('draft', {});
    case 'cancelled':
      return ofCancelled(input);
    case 'refunded':
      return refundMissing(order) ?? (isNegative(order) ? null : nothingLeft);
    case 'partially-refunded':
      return refundMissing(order);
    case 'unpaid':
    case 'partially-paid':
      // A document that waits for its account would be sent for money that was not received.
      if (current?.state === 'ready') return unpaidAgain(order, order.settlement);
      return order.notAccepted
        ? (unneeded(input) ?? notAccepted(order, order.notAccepted))
        : notPaidYet(order, order.settlement, input.now);
    default:
      return null;
  }
}

const isNegative = ({ total }: Order): boolean => decimal(total).lt(0);

export interface KnownOrder {
  snapshot: Order;
  fingerprint: OrderFingerprint | null;
  paid: PaidTotal | null;
}

export interface Bound {
  fingerprint: OrderFingerprint;
  paid: PaidTotal | null;
  /** The order the id belongs to, when the reading is another order and that one still matters. */
  reused: OrderFingerprint | null;
  /** The id belonged to another order that does not matter: a draft, or one that was never paid. */
  taken: boolean;
}

/** Another order takes over the id only when the one before has no document and was never paid, or was deleted. */
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
  const matters =
    (paidAt !== null && status !== deletedStatus) ||
    documents.some(({ state, fingerprint }) => state !== 'cancelled' && !isOf(fingerprint, now));
  if (!matters) return { ...first, taken: true };
  return { fingerprint: was, paid: known.paid, reused: was, taken: false };
}

const isOf = (fingerprint: OrderFingerprint | null | undefined, order: OrderFingerprint): boolean =>
  fingerprint != null && isSameOrder(fingerprint, order);

/** The charged total stays until the shop states a later payment. */
function paidSince({ paid, snapshot }: KnownOrder, order: Order, whenPaid: Order | null): PaidTotal | null {
  const now = paidTotalOf(order);
  if (!now || !paid) return paid ?? paidTotalOf(whenPaid ?? order);
  const cameLater = (now.at !== null && now.at !== paid.at) || snapshot.settlement === 'partially-paid';
  return cameLater ? now : paid;
}

type Made = Pick<PlannedDocument, 'orderId' | 'kind' | 'sourceId' | 'fingerprint'>;

export function isOfThatOrder(order: Order): (document: Made) => boolean {
  const now = fingerprintOf(order);
  return ({ orderId, fingerprint }) =>
    (orderId === undefined || orderId === order.id) && (!fingerprint || isSameOrder(fingerprint, now));
}

export function isDocumentOf(order: Order): (document: Made) => boolean {
  const isOfOrder = isOfThatOrder(order);
  return (document) => {
    const { kind, sourceId, fingerprint } = document;
    if (kind !== 'nota-credito' || !fingerprint || !isOfOrder(document)) return isOfOrder(document);
    const refund = order.refunds.find(({ id }) => id === sourceId);
    return refund === undefined || isSameRefund(fingerprint, refund);
  };
}
