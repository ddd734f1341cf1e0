import { annulBy } from '../../mappers/tables/holidays.ts';
import { type Amount, type Decimal, sum, toAmount } from '../domain/money.ts';
import { deletedStatus, type Order, worth } from '../domain/order.ts';
import {
  type Action,
  type Authorized,
  authorizedFactura,
  makeAction,
  manual,
  type PlanInput,
  type PlannedDocument,
  type SentContent,
  type Verdict,
} from './action.ts';
import { acceptable, balanceIn, isPaidStill, refundMissing } from './order-money.ts';
import { moneyLeft } from './refund-money.ts';
import { unclearWallet } from './refund-purpose.ts';
import {
  addedAndRemoved,
  addedParts,
  type Changed,
  changeSince,
  grossOf,
  isAllBack,
  isOneRate,
  type RateChange,
  rateChanges,
  refundsSince,
} from './since-factura.ts';
import { takenOver } from './split-orders.ts';

/* Refunds are credited by themselves (refunds.ts); other changes after a factura are reported, at most one at a time. */

export function laterSale(input: PlanInput, owed: Decimal): Action[] {
  const factura = authorizedFactura(input.documents);
  if (!factura) return [];
  const later =
    keptOf(input, factura) ??
    withoutRefund(input, factura) ??
    edited(input, factura, owed) ??
    noLongerPaid(input, factura);
  return later ? [laterAction(input, later.verdict, later.money)] : [];
}

interface Later {
  verdict: Verdict;
  money: Amount;
}

function keptOf({ order, store }: PlanInput, { sent, annulledAt }: Authorized): Later | null {
  // An order deleted for good cannot be changed any more; the close reports it.
  if (annulledAt || order.settlement !== 'cancelled' || order.status === deletedStatus) return null;
  if (store.policy.cancelledOrders === 'invoice' || order.refunds.some(({ amount }) => amount === null))
    return null;
  const kept = moneyLeft(order).minus(sum(order.refunds.map(({ pending }) => pending)));
  if (kept.lte(0)) return null;
  const inTrash = order.status === 'trash';
  const balance = balanceIn(order, kept);
  // The refund asks for it.
  if (balance?.rest === null && order.refunds.some((refund) => unclearWallet(order, refund) !== null))
    return null;
  const verdict = manual('cancelled-kept', {
    why: 'invoiced',
    number: sent.number,
    trashed: inTrash,
    kept: toAmount(kept),
    balance,
    // Cash on delivery may be invoiced before it is paid.
    recorded: order.paidAt !== null,
    consumer: isFinal(sent),
  });
  return { verdict, money: toAmount(kept) };
}

const returnedNothing = ({ refunds }: Order): boolean =>
  refunds.every(({ amount, ofOverpaid = '0' }) => sum([amount ?? '0', ofOverpaid]).isZero());

const isFinal = ({ comprador }: SentContent): boolean => comprador.tipo_identificacion === '07';

function noLongerPaid({ order, store, now }: PlanInput, { sent, annulledAt }: Authorized): Later | null {
  if (annulledAt || isPaidStill(order) || order.unclearEdit) return null;
  if (order.refunds.some(({ amount }) => amount === null)) return null;
  const left = moneyLeft(order).minus(sum(order.refunds.map(({ pending }) => pending)));
  if (left.lte(0)) return null;
  // Refunds of more than an edited order was owed make it paid in part.
  if (order.settlement === 'partially-paid' && !returnedNothing(order)) return null;
  const consumer = isFinal(sent);
  const { number, issueDate } = sent;
  const verdict = manual('unpaid-after-invoice', {
    why: 'unpaid',
    number,
    status: order.status,
    accepted: acceptable(order),
    consumer,
    missing: order.settlement === 'partially-paid' ? null : toAmount(left),
    annulBy: consumer ? null : annulBy(issueDate, now, store.policy.creditNotes.holidays),
  });
  return { verdict, money: toAmount(left) };
}

function withoutRefund({ order, documents }: PlanInput, { sent }: Authorized): Later | null {
  const missing = refundMissing(order, sent.number);
  if (!missing || documents.some(isOfDeleted(order))) return null;
  return { verdict: { ...missing, action: 'manual' }, money: toAmount(order.total) };
}

/** A nota de crédito or reduced factura whose refund the shop no longer has is reported by itself. */
function isOfDeleted({ refunds }: Order): (document: PlannedDocument) => boolean {
  const isGone = (id: string): boolean => !refunds.some((refund) => refund.id === id);
  return ({ kind, sourceId, state, sent }) =>
    state !== 'cancelled' &&
    (kind === 'nota-credito' ? isGone(sourceId) : (sent?.nettedRefunds ?? []).some(isGone));
}

function edited(
  { order, documents, relatives = [] }: PlanInput,
  { sent, annulledAt }: Authorized,
  owed: Decimal,
): Later | null {
  if (annulledAt || order.status === deletedStatus || order.unclearEdit) return null;
  const changed = rateChanges(order, sent);
  if (changed.length > 0 && !isAllBack(order))
    return { verdict: otherRate(sent, changed), money: toAmount(sum(changed.map(({ was }) => was))) };
  const { grown, added, left, exchanged } = changeSince(order, sent, owed);
  const moved = takenOver(order, documents, relatives, sent);
  if (
    grown.lt('-0.01') &&
    grown
      .plus(moved)
      .abs()
      .gt(moved.isZero() ? '0.01' : '0.02')
  ) {
    const verdict = reduced(order, sent, toAmount(grown.negated()));
    return { verdict, money: toAmount(order.total) };
  }
  if (isAllBack(order)) return null;
  if (exchanged.gt('0.01') && !isOneRate([...left, ...added]))
    return { verdict: exchange(order, sent, added, exchanged), money: toAmount(grossOf(added)) };
  const back = refundsSince(order, sent).flatMap((refund) => addedParts(order, refund, sent));
  const more = grown.minus(worth(back)).minus(addedAndRemoved(order, sent));
  return more.gt('0.01') ? { verdict: grew(order, sent, toAmount(more)), money: toAmount(more) } : null;
}

const reduced = ({ total }: Order, { number }: SentContent, less: Amount): Verdict =>
  manual('edited-after-invoice', { why: 'reduced', number, total: toAmount(total), less });

function exchange(order: Order, sent: SentContent, added: readonly Changed[], money: Decimal): Verdict {
  return manual('edited-after-invoice', {
    why: 'items',
    number: sent.number,
    items: added.map(({ name }) => name),
    credit: toAmount(money),
    invoice: toAmount(grossOf(added)),
    refunds: refundsSince(order, sent).map(({ id }) => id),
  });
}

function otherRate({ number }: SentContent, changed: readonly RateChange[]): Verdict {
  const [credit, invoice] = [changed.map(({ was }) => was), changed.map(({ now }) => now)].map((some) =>
    toAmount(sum(some)),
  ) as [Amount, Amount];
  const items = changed.map(({ name }) => name);
  return manual('edited-after-invoice', { why: 'rate', number, items, credit, invoice });
}

function grew({ refunds, settlement, status }: Order, sent: SentContent, more: Amount): Verdict {
  const { number, nettedRefunds } = sent;
  const gone = nettedRefunds.filter((id) => !refunds.some((refund) => refund.id === id));
  if (gone.length > 0) return manual('refund-deleted', { why: 'netted', number, refunds: gone, more });
  return ['paid', 'partially-refunded', 'refunded'].includes(settlement)
    ? manual('edited-after-invoice', { why: 'paid', number, more })
    : manual('edited-after-invoice', { why: 'unpaid', number, more, status });
}

function laterAction({ order, store, documents }: PlanInput, decided: Verdict, money: Amount): Action {
  const { platform, shop, id: sourceId } = order;
  const { ambiente } = store.issuer;
  const ordinal = documents.filter(({ kind }) => kind === 'factura').length + 1;
  return makeAction({ platform, shop, ambiente, kind: 'factura', sourceId, ordinal }, decided, money);
}
