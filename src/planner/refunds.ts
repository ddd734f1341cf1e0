import { type Balance, balanceOf } from '../../mappers/credit/balance.ts';
import { mapOrHold } from '../../mappers/hold.ts';
import { toNotaCredito } from '../../mappers/nota-credito.ts';
import { annulBy, annulmentDeadline } from '../../mappers/tables/holidays.ts';
import { type Day, ecuadorDay } from '../domain/clock.ts';
import { documentReference } from '../domain/document.ts';
import { type Amount, decimal, toAmount } from '../domain/money.ts';
import { isCreditRounding, roundedOff } from '../domain/money-policy.ts';
import { type Refund, type RefundPart, worth } from '../domain/order.ts';
import {
  type Action,
  type Authorized,
  authorizedFactura,
  creditDocumentOf,
  emit,
  firstAnswer,
  hold,
  identityOf,
  makeAction,
  manual,
  nettedBy,
  nothing,
  nothingLeft,
  type PlanInput,
  type PlannedDocument,
  type SentContent,
  type Verdict,
  wait,
} from './action.ts';
import { byDocument, currentFactura, isOfThatOrder, issueDayOf, unknownKey } from './eligibility.ts';
import { type MoneyOnFactura, moneyOn } from './refund-money.ts';
import { type Counted, unclearPurpose } from './refund-purpose.ts';
import { inOrder } from './refund-records.ts';
import { addedParts, exchangedParts, partsOfMissingRows, rateChanges, soldSources } from './since-factura.ts';

/* May a refund become a nota de crédito, and if not, why? Each list is asked in its order, and the first answer counts. */

/** `sale` is the action planned for the order itself. */
interface Asked {
  input: PlanInput;
  refund: Refund;
  sale: Action;
}

/** `balance` is what earlier notas de crédito leave of the factura. */
interface AskedOnFactura extends Asked {
  factura: Authorized;
  balance: Balance;
  on: MoneyOnFactura;
}

type Question<A extends Asked> = (asked: A) => Verdict | null;

/** Before it is known how much of the money is of the factura. */
const beforeMoney: readonly Question<Asked>[] = [
  alreadyCredited,
  alreadyNetted,
  moneyStillMoving,
  amountUnknown,
  noMoney,
  facturaNotAuthorised,
  idReused,
];

const onFactura: readonly Question<AskedOnFactura>[] = [
  outsideFactura,
  addedSinceFactura,
  rowsRemoved,
  annulled,
  otherIssuer,
  buyerForgotten,
  finalConsumer,
  beyondWhatIsLeft,
  rateChanged,
  exchanged,
];

export interface PlannedCredit {
  action: Action;
  credit: Counted | null;
  linesFrom: readonly string[];
}

/** Without an answer, and with a clear purpose (refund-purpose.ts), the refund is credited. */
function planRefund(asked: Asked, credits: readonly Counted[], secuencial: string | null): PlannedCredit {
  const { input, refund } = asked;
  const { order, store, now, documents } = input;
  const identity = identityOf(input, 'nota-credito', refund.id);
  const uncredited = (answer: Verdict, charged = toAmount(refund.amount ?? '0')): PlannedCredit => ({
    action: makeAction(identity, answer, charged),
    credit: null,
    linesFrom: [],
  });
  const early = firstAnswer(beforeMoney, asked);
  if (early) return uncredited(early);
  const factura = authorizedFactura(documents);
  if (!factura) return uncredited(manual('factura-content-unknown', { refund: refund.id }));
  const { sent } = factura;
  const balance = balanceOf(sent, credits);
  const on = moneyOn(sent, order, refund, balance.total.minus(balance.owed));
  const answer = firstAnswer(onFactura, { ...asked, factura, balance, on });
  if (answer) return uncredited(answer);
  const { money } = on;
  const mapped = mapOrHold(() => {
    const unclear = unclearPurpose({ order, refund, on, factura: sent, credits, balance }, store.policy);
    if (unclear) throw unclear;
    return toNotaCredito(
      { order, refund: on.refund, money, factura: sent, credits },
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
    const held = uncredited(hold(code, { message: reason }), money);
    return {
      ...held,
      action: { ...held.action, document, difference: document && minus(document, money) },
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
    action: { ...action, body, document: total, difference: minus(total, money) },
    credit: { items: body.items, totales: body.totales, lineReferences, owed, refund },
    linesFrom: refund.linesFrom ?? [],
  };
}

const minus = (document: Amount, charged: Amount): Amount => toAmount(decimal(document).minus(charged));

/** Has it a nota de crédito, and did its money go back as that states? */
function alreadyCredited({ input, refund }: Asked): Verdict | null {
  const credit = creditDocumentOf(input.documents, refund.id);
  // A document without a number that needs a person follows the plan, which may have changed.
  if (!credit || (credit.state === 'manual' && credit.secuencial === null)) return null;
  return failedSince(refund, credit) ?? byDocument(credit);
}

/** The transfer failed after the nota de crédito was authorised: less went back, or nothing. */
function failedSince(
  { id, amount, ofOverpaid = '0', pending }: Refund,
  { state, sent, charged }: PlannedDocument,
): Verdict | null {
  if (state !== 'authorized' || sent === null || amount === null) return null;
  const back = decimal(amount).plus(ofOverpaid);
  if (back.plus(pending).gte(charged)) return null;
  const { number } = sent;
  return manual('refund-deleted', {
    why: 'failed',
    refund: id,
    money: toAmount(back),
    number,
    credited: charged,
  });
}

/** Was the factura sent without what came back? */
function alreadyNetted({ input, refund: { id } }: Asked): Verdict | null {
  const before = nettedBy(input.documents, id);
  return before ? nothing('netted', { why: 'sent', refund: id, number: before.number }) : null;
}

function moneyStillMoving({ refund: { id, pending } }: Asked): Verdict | null {
  return decimal(pending).isZero() ? null : wait('refund-pending', { why: 'refund', refund: id, pending });
}

function amountUnknown({ refund: { id, amount } }: Asked): Verdict | null {
  return amount === null ? hold('refund-contradiction', { why: 'unknown', refund: id }) : null;
}

function noMoney({ refund: { id, amount, ofOverpaid, moneyIn = [] } }: Asked): Verdict | null {
  if (!decimal(toAmount(amount ?? '0')).isZero()) return null;
  if (ofOverpaid) return nothing('outside-factura', { why: 'overpaid', refund: id, money: ofOverpaid });
  return moneyIn.length === 0
    ? nothing('no-money', { why: 'refund', refund: id })
    : nothing('no-money', { why: 'lines', refund: id, records: moneyIn });
}

/** Only an authorised factura is credited. Where does the order stand without one? */
function facturaNotAuthorised(asked: Asked): Verdict | null {
  const { input, refund, sale } = asked;
  switch (currentFactura(input.documents)?.state) {
    case 'authorized':
      return null;
    case 'sending':
    case 'processing':
    case 'uncertain':
      return wait('factura-in-process', { refund: refund.id });
    case 'rejected':
    case 'manual':
      return sale.code === nothingLeft.code
        ? nothing('fully-refunded', { why: 'refund', refund: refund.id })
        : wait('factura-unsettled', { why: 'factura', refund: refund.id });
    default:
      return facturaNotSent(asked);
  }
}

function facturaNotSent({ input, refund: { id, at, amount }, sale }: Asked): Verdict {
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
  switch (sale.code) {
    case 'before-start':
      // Without a time from the source, it was made at the latest when the order last changed.
      return new Date(at ?? order.updatedAt) >= invoiceFrom
        ? elsewhere(paid)
        : nothing('before-start', { refund: id });
    case 'fully-refunded':
      return nothing('fully-refunded', { why: 'refund', refund: id });
    case 'invoiced-with-other':
      return manual('refund-of-split-order', { why: 'other', ...refund, where: sale.reason });
    case 'sub-orders':
      return wait('factura-unsettled', { why: 'undecided', ...refund });
    default:
      return sale.action === 'nothing'
        ? nothing('not-invoiced', { refund: id })
        : nothing('netted', { why: 'before', refund: id, held: sale.action === 'hold' });
  }
}

/** Did another refund have this id? A reused order id is reported with the order. */
function idReused({ input: { documents, others = [] }, refund }: Asked): Verdict | null {
  const other = creditDocumentOf(others, refund.id);
  if (!other || others.some(({ kind }) => kind === 'factura')) return null;
  if (creditDocumentOf(documents, refund.id)?.fingerprint?.accepted) return null;
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

/** Was all of it for gift cards that the factura left out? */
function outsideFactura({ refund, on }: AskedOnFactura): Verdict | null {
  return decimal(on.money).isZero() ? nothing('outside-factura', { why: 'cards', refund: refund.id }) : null;
}

/** Is it for rows that an edit added after the factura? */
function addedSinceFactura(asked: AskedOnFactura): Verdict | null {
  const { input, refund, factura } = asked;
  return notInvoiced('added', addedParts(input.order, refund, factura.sent), asked);
}

/** Is it for rows that neither the order nor the factura has? */
function rowsRemoved(asked: AskedOnFactura): Verdict | null {
  const { input, refund, factura } = asked;
  const { order } = input;
  if (order.overpaid !== undefined) return null;
  const sold = soldSources(factura.sent);
  const gone = partsOfMissingRows({ ...order, refunds: [refund] }).filter(({ of }) => !sold.has(of));
  return notInvoiced('removed', gone, asked);
}

/** Did a person annul the factura at the portal? */
function annulled(asked: AskedOnFactura): Verdict | null {
  if (!asked.factura.annulledAt) return null;
  return manual('document-annulled', { why: 'refund', ...factsOf(asked) });
}

function otherIssuer(asked: AskedOnFactura): Verdict | null {
  const { issuer } = asked.input.store;
  const { ruc, ambiente } = asked.factura.issuedBy ?? issuer;
  if (ruc === issuer.ruc && ambiente === issuer.ambiente) return null;
  return ruc === issuer.ruc && ambiente === 1
    ? manual('other-issuer', { why: 'test', ...factsOf(asked) })
    : manual('other-issuer', { why: 'issuer', ...factsOf(asked), ruc, ambiente });
}

/** Was the buyer removed (domain/privacy.ts)? The service accepts no document without one. */
function buyerForgotten(asked: AskedOnFactura): Verdict | null {
  if (asked.factura.sent.comprador.identificacion !== '') return null;
  return manual('buyer-forgotten', factsOf(asked));
}

function finalConsumer(asked: AskedOnFactura): Verdict | null {
  const { comprador, issueDate } = asked.factura.sent;
  if (comprador.tipo_identificacion !== '07') return null;
  const deadline = annulmentDeadline(issueDate, asked.input.store.policy.creditNotes.holidays);
  return manual('final-consumer', { why: 'refund', ...factsOf(asked), deadline });
}

function beyondWhatIsLeft(asked: AskedOnFactura): Verdict | null {
  const { input, factura, on, balance } = asked;
  const { total, owed, untouched } = balance;
  if (on.cardsOrGoods || owed.plus(on.money).lte(total)) return null;
  const { holidays } = input.store.policy.creditNotes;
  const until = untouched ? annulBy(factura.sent.issueDate, input.now, holidays) : null;
  return total.isZero()
    ? manual('over-credit', { why: 'none', ...factsOf(asked), annulBy: until })
    : manual('over-credit', { why: 'less', ...factsOf(asked), left: toAmount(total), annulBy: until });
}

/** Did the shop change the rate of a row in place that it is, or may be, for? */
function rateChanged(asked: AskedOnFactura): Verdict | null {
  const { input, refund, factura } = asked;
  const { parts } = refund;
  const isOrMayBeOf = (source: string): boolean =>
    parts === null || parts.length === 0 || parts.some(({ of }) => of === source);
  const changed = rateChanges(input.order, factura.sent).filter(({ source }) => isOrMayBeOf(source));
  if (changed.length === 0) return null;
  const items = changed.map(({ name }) => name);
  return hold('refund-contradiction', { why: 'other-rate', ...factsOf(asked), items });
}

/** Is it for what came in for rows of the factura at another rate, or worth more? */
function exchanged(asked: AskedOnFactura): Verdict | null {
  const { input, refund, factura } = asked;
  return notInvoiced('exchanged', exchangedParts(input.order, refund, factura.sent), asked);
}

function notInvoiced(
  why: 'added' | 'removed' | 'exchanged',
  parts: readonly RefundPart[],
  asked: AskedOnFactura,
): Verdict | null {
  if (parts.length === 0) return null;
  const { refund, money, number } = factsOf(asked);
  const items = parts.map(({ name }) => name);
  const rest = worth(parts).gte(money) ? null : number;
  return manual('refund-not-invoiced', { why, refund, money, items, number, rest });
}

const factsOf = ({ refund, on, factura }: AskedOnFactura) => ({
  refund: refund.id,
  money: on.money,
  number: factura.sent.number,
});

/** Oldest first: each takes from what the ones before it leave, those already sent first. */
export function planRefunds(input: PlanInput, sale: Action): Action[] {
  const planned = eachRefund(input, sale, () => null);
  return [...[...planned.values()].map(({ action }) => action), ...deletedRefunds(input)];
}

export function eachRefund(
  input: PlanInput,
  sale: Action,
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
    const one = planRefund({ input, refund, sale }, others, number);
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
