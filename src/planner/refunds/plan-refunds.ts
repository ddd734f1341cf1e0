import { type Balance, balanceOf } from '../../../mappers/credit/balance.ts';
import { mapOrHold } from '../../../mappers/hold.ts';
import { toNotaCredito } from '../../../mappers/nota-credito.ts';
import { type Day, ecuadorDay } from '../../domain/clock.ts';
import { documentReference } from '../../domain/document.ts';
import { type Amount, decimal, sum, toAmount } from '../../domain/money.ts';
import { isCreditRounding, roundedOff } from '../../domain/money-policy.ts';
import type { Refund, RefundPart } from '../../domain/order.ts';
import {
  type Action,
  emit,
  hold,
  identityOf,
  makeAction,
  manual,
  nothing,
  nothingLeft,
  type PlanInput,
  type PlannedDocument,
  type SentContent,
  type Verdict,
  wait,
} from '../action.ts';
import { partsOfNothing } from '../edited-rows.ts';
import { byDocument, currentFactura, isOfThatOrder, unknownKey } from '../eligibility.ts';
import { foreignParts, rerated } from '../later-sale.ts';
import { annulBy, annulmentDeadline, issueDayOf } from './annulment.ts';
import { addedParts, moneyOn, type OnFactura, sourcesIn } from './beside-factura.ts';
import { type Counted, holdUnclear } from './detail.ts';
import { type Authorized, authorizedFactura, creditOf, inOrder, nettedBy } from './records.ts';

/** Oldest first: each takes from what the ones before it leave, those already sent first. */
export function planRefunds(input: PlanInput, factura: Action): Action[] {
  const planned = eachRefund(input, factura, () => null);
  return [...[...planned.values()].map(({ action }) => action), ...deletedRefunds(input)];
}

export function eachRefund(
  input: PlanInput,
  factura: Action,
  numberOf: (refundId: string) => string | null,
): Map<string, PlannedCredit> {
  const credits = countingCredits(input);
  const planned = new Map<string, PlannedCredit>();
  for (const refund of inOrder(input.order.refunds)) {
    const number = numberOf(refund.id);
    // Cents owed by a document that is not authorised may never be owed, so they do not count.
    const others = [...credits].flatMap(([id, { credit, isAuthorized }]) =>
      id === refund.id ? [] : [number === null || isAuthorized ? credit : { ...credit, owed: '0.00' }],
    );
    const one = planRefund(input, refund, factura, others, number);
    planned.set(refund.id, one);
    if (one.credit) {
      credits.delete(refund.id);
      credits.set(refund.id, { credit: one.credit, isAuthorized: false });
    }
  }
  return planned;
}

/** By refund id; they are, or may become, authorised. A deleted refund is owed no cents. */
function countingCredits({
  documents,
  others = [],
  order,
}: PlanInput): Map<string, { credit: Counted; isAuthorized: boolean }> {
  const counted = (isOwn: boolean) => (document: PlannedDocument) => {
    const { kind, state, sourceId, sent, charged, ordinal } = document;
    if (kind !== 'nota-credito' || !sent) return [];
    const refund = (isOwn && order.refunds.find(({ id }) => id === sourceId)) || null;
    const owed = refund ? owedBy(charged, sent) : '0.00';
    const name = isOwn ? sourceId : `${sourceId} (${ordinal})`;
    return [[name, { credit: { ...sent, owed, refund }, isAuthorized: state === 'authorized' }] as const];
  };
  const former = others.filter(isOfThatOrder(order));
  return new Map([...former.flatMap(counted(false)), ...documents.flatMap(counted(true))]);
}

/** Any difference beyond rounding was a person's decision. */
function owedBy(money: Amount, { total }: SentContent): Amount {
  return isCreditRounding(money, total) ? toAmount(decimal(money).minus(total)) : '0.00';
}

export interface PlannedCredit {
  action: Action;
  credit: Counted | null;
  linesFrom: readonly string[];
}

function planRefund(
  input: PlanInput,
  refund: Refund,
  factura: Action,
  credits: readonly Counted[],
  secuencial: string | null,
): PlannedCredit {
  const { order, store, now, documents } = input;
  const identity = identityOf(input, 'nota-credito', refund.id);
  const plain = (decided: Verdict, charged = toAmount(refund.amount ?? '0')): PlannedCredit => ({
    action: makeAction(identity, decided, charged),
    credit: null,
    linesFrom: [],
  });
  const early = refundVerdict(input, refund, factura);
  if (early) return plain(early);
  const original = authorizedFactura(documents);
  if (!original) {
    const isUnknown = documents.some(({ kind, state }) => kind === 'factura' && state === 'authorized');
    return plain(isUnknown ? manual('factura-content-unknown', { refund: refund.id }) : unsettled(refund));
  }
  const { sent } = original;
  const balance = balanceOf(sent, credits);
  const on = moneyOn(sent, order, refund, balance.total.minus(balance.owed));
  const { money } = on;
  const byHand = withoutRoute(input, refund, original, on, balance);
  if (byHand) return plain(byHand);
  const mapped = mapOrHold(() => {
    holdUnclear(order, refund, on, sent, { credits, balance }, store.policy);
    const { number, issueDate: date, accessKey, comprador } = sent;
    return toNotaCredito(
      { order, refund: on.refund, money, original: { number, date, accessKey, comprador, balance } },
      {
        issuer: store.issuer,
        series: store.series,
        policy: store.policy,
        secuencial,
        today: ecuadorDay(now),
        reference: documentReference(identity),
      },
    );
  });
  if (!mapped.ok) {
    const { code, reason, document } = mapped;
    const held = plain(hold(code, { says: reason }), money);
    return {
      ...held,
      action: { ...held.action, document, difference: document && less(document, money) },
    };
  }
  const { body, lineReferences, total, owed, trace } = mapped;
  const credited = emit('refunded', {
    why: 'credited',
    refund: refund.id,
    money,
    number: sent.number,
    whole: toAmount(refund.amount ?? money),
    cards: decimal(on.outside).isZero() ? null : on.outside,
    rounded: roundedOff(money, trace.document),
    byLine: trace.byLine || null,
  });
  const action = makeAction(identity, credited, money, { credit: trace });
  return {
    action: { ...action, body, document: total, difference: less(total, money) },
    credit: { items: body.items, totales: body.totales, lineReferences, owed, refund },
    linesFrom: refund.linesFrom ?? [],
  };
}

function withoutRoute(
  { order, store, now }: PlanInput,
  refund: Refund,
  { sent, annulledAt, issuedBy = store.issuer }: Authorized,
  { money, unclear }: OnFactura,
  { total, owed, untouched }: Balance,
): Verdict | null {
  const { holidays } = store.policy.creditNotes;
  if (decimal(money).isZero()) return nothing('outside-factura', { why: 'cards', refund: refund.id });
  const added = addedParts(order, refund, sent);
  if (added.length > 0) return notInvoiced('added', refund, money, added, sent);
  const stated = new Set([...sourcesIn(sent), ...(sent.leftOut ?? []).map(({ source }) => source)]);
  const gone = partsOfNothing({ ...order, refunds: [refund] }).filter(({ of }) => !stated.has(of));
  if (order.overpaid === undefined && gone.length > 0)
    return notInvoiced('removed', refund, money, gone, sent);
  const facts = { refund: refund.id, money, number: sent.number };
  if (annulledAt) return manual('document-annulled', { why: 'refund', ...facts });
  const { issuer } = store;
  const { ruc, ambiente } = issuedBy;
  if (ruc !== issuer.ruc || ambiente !== issuer.ambiente)
    return ruc === issuer.ruc && ambiente === 1
      ? manual('other-issuer', { why: 'test', ...facts })
      : manual('other-issuer', { why: 'issuer', ...facts, ruc, ambiente });
  // The buyer was removed (domain/privacy.ts), and the service accepts no document without one.
  if (sent.comprador.identificacion === '') return manual('buyer-forgotten', facts);
  if (sent.comprador.tipo_identificacion === '07') {
    const deadline = annulmentDeadline(sent.issueDate, holidays);
    return manual('final-consumer', { why: 'refund', ...facts, deadline });
  }
  if (!unclear && owed.plus(money).gt(total)) {
    const until = untouched ? annulBy(sent.issueDate, now, holidays) : null;
    return total.isZero()
      ? manual('over-credit', { why: 'none', ...facts, annulBy: until })
      : manual('over-credit', { why: 'less', ...facts, left: toAmount(total), annulBy: until });
  }
  const changed = rerated(order, sent).filter(({ source }) => isOrMayBeOf(refund, source));
  if (changed.length > 0)
    return hold('refund-contradiction', {
      why: 'other-rate',
      ...facts,
      items: changed.map(({ name }) => name),
    });
  const foreign = foreignParts(order, refund, sent);
  return foreign.length > 0 ? notInvoiced('exchanged', refund, money, foreign, sent) : null;
}

/** `exchanged` came in for what the factura states, of another rate, or worth more. */
function notInvoiced(
  why: 'added' | 'removed' | 'exchanged',
  { id }: Refund,
  money: Amount,
  parts: readonly RefundPart[],
  { number }: { number: string },
): Verdict {
  const isAll = sum(parts.flatMap(({ net, tax }) => [net, tax])).gte(money);
  const items = parts.map(({ name }) => name);
  return manual('refund-not-invoiced', {
    why,
    refund: id,
    money,
    items,
    number,
    rest: isAll ? null : number,
  });
}

const isOrMayBeOf = ({ parts }: Refund, source: string): boolean =>
  parts === null || parts.length === 0 || parts.some(({ of }) => of === source);

function deletedRefunds(input: PlanInput): Action[] {
  const known = new Set(input.order.refunds.map(({ id }) => id));
  const gone = input.documents.filter(
    ({ kind, sourceId, state }) => kind === 'nota-credito' && state !== 'cancelled' && !known.has(sourceId),
  );
  return gone.map(({ sourceId, sent }) => {
    const identity = identityOf(input, 'nota-credito', sourceId);
    const deleted = sent
      ? manual('refund-deleted', { why: 'after', refund: sourceId, number: sent.number })
      : nothing('refund-deleted', { why: 'before', refund: sourceId });
    return makeAction(identity, deleted, sent?.total ?? '0.00');
  });
}

const less = (document: string, charged: string): string => toAmount(decimal(document).minus(charged));

/** Null: the money can be divided over the factura. `factura` is the action planned for the order itself. */
function refundVerdict(input: PlanInput, refund: Refund, factura: Action): Verdict | null {
  const { documents } = input;
  const before = nettedBy(documents, refund.id);
  const current = creditOf(documents, refund.id);
  // A document without a number that needs a person follows the plan, which may have changed.
  const isFinal = current && (current.state !== 'manual' || current.secuencial !== null);
  return (
    (isFinal ? (sinceCredited(refund, current) ?? byDocument(current)) : null) ??
    (before ? nothing('netted', { why: 'sent', refund: refund.id, number: before.number }) : null) ??
    byMoney(refund) ??
    byFactura(input, refund, factura) ??
    reusedId(input, refund)
  );
}

/** The transfer failed after the nota de crédito was authorised: less went back, or nothing. */
function sinceCredited(
  { id, amount, ofOverpaid = '0', pending }: Refund,
  credit: PlannedDocument,
): Verdict | null {
  if (credit.state !== 'authorized' || credit.sent === null || amount === null) return null;
  const back = sum([amount, ofOverpaid]);
  return back.plus(pending).lt(credit.charged)
    ? manual('refund-deleted', {
        why: 'failed',
        refund: id,
        money: toAmount(back),
        number: credit.sent.number,
        credited: credit.charged,
      })
    : null;
}

/** A reused order id is reported with the order. */
function reusedId({ documents, others = [] }: PlanInput, refund: Refund): Verdict | null {
  const other = creditOf(others, refund.id);
  if (!other || others.some(({ kind }) => kind === 'factura')) return null;
  if (creditOf(documents, refund.id)?.fingerprint?.accepted) return null;
  const { orderName = '', fingerprint } = other;
  return hold('refund-id-reused', {
    why: 'other',
    refund: refund.id,
    day: dayOf(refund.at),
    order: orderName,
    otherDay: dayOf(fingerprint?.refundAt),
  });
}

const dayOf = (at: string | null | undefined): string | null =>
  at ? ecuadorDay(new Date(at)).split('-').reverse().join('/') : null;

function byMoney(refund: Refund): Verdict | null {
  const { id, amount, pending, ofOverpaid, moneyIn = [] } = refund;
  if (!decimal(pending).isZero()) return wait('refund-pending', { why: 'refund', refund: id, pending });
  if (amount === null) return hold('refund-contradiction', { why: 'unknown', refund: id });
  if (!decimal(toAmount(amount)).isZero()) return null;
  if (ofOverpaid) return nothing('outside-factura', { why: 'overpaid', refund: id, money: ofOverpaid });
  return moneyIn.length === 0
    ? nothing('no-money', { why: 'refund', refund: id })
    : nothing('no-money', { why: 'lines', refund: id, records: moneyIn });
}

function byFactura(input: PlanInput, refund: Refund, factura: Action): Verdict | null {
  const current = currentFactura(input.documents);
  switch (current?.state) {
    case 'authorized':
      return null;
    case 'sending':
    case 'processing':
    case 'uncertain':
      return wait('factura-in-process', { refund: refund.id });
    case 'rejected':
    case 'manual':
      return factura.code === nothingLeft.code ? nothingToInvoice(refund) : unsettled(refund);
    default:
      return withoutFactura(input, refund, factura);
  }
}

const nothingToInvoice = ({ id }: Refund): Verdict =>
  nothing('fully-refunded', { why: 'refund', refund: id });
const unsettled = ({ id }: Refund): Verdict => wait('factura-unsettled', { why: 'factura', refund: id });

function withoutFactura(input: PlanInput, { id, at, amount }: Refund, factura: Action): Verdict {
  const { order, now, store, invoiceFrom } = input;
  const paid = ecuadorDay(new Date(order.paidAt ?? order.placedAt));
  const refund = { refund: id, money: toAmount(amount ?? '0') };
  const elsewhere = (issued: Day): Verdict =>
    manual('invoiced-elsewhere', {
      why: 'refund',
      ...refund,
      annulBy: annulBy(issued, now, store.policy.creditNotes.holidays),
    });
  const key = unknownKey(input);
  if (key !== undefined) return elsewhere(issueDayOf(key) ?? paid);
  switch (factura.code) {
    case 'before-start':
      // Without a time from the source, it was made at the latest when the order last changed.
      return new Date(at ?? order.updatedAt) >= invoiceFrom
        ? elsewhere(paid)
        : nothing('before-start', { refund: id });
    case 'fully-refunded':
      return nothing('fully-refunded', { why: 'refund', refund: id });
    case 'invoiced-with-other':
      return manual('refund-of-split-order', { why: 'other', ...refund, where: factura.reason });
    case 'sub-orders':
      return wait('factura-unsettled', { why: 'undecided', ...refund });
    default:
      return factura.action === 'nothing'
        ? nothing('not-invoiced', { refund: id })
        : nothing('netted', { why: 'before', refund: id, held: factura.action === 'hold' });
  }
}
