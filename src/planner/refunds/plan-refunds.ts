import { type Balance, balanceOf } from '../../../mappers/credit/balance.ts';
import { mapOrHold } from '../../../mappers/hold.ts';
import { toNotaCredito } from '../../../mappers/nota-credito.ts';
import { ecuadorDay } from '../../domain/clock.ts';
import { documentReference } from '../../domain/document.ts';
import { type Amount, decimal, sum, toAmount } from '../../domain/money.ts';
import { isCreditRounding } from '../../domain/money-policy.ts';
import type { Refund } from '../../domain/order.ts';
import {
  type Action,
  hold,
  identityOf,
  makeAction,
  type PlanInput,
  type PlannedDocument,
  type SentContent,
  type Verdict,
} from '../action.ts';
import { partsOfNothing } from '../edited-rows.ts';
import { byDocument, currentFactura, isOfThatOrder, unknownKey } from '../eligibility.ts';
import { foreignParts, rerated } from '../later-sale.ts';
import { issueDayOf } from './annulment.ts';
import { addedParts, moneyOn, type OnFactura, sourcesIn } from './beside-factura.ts';
import { type Counted, holdUnclear } from './detail.ts';
import { type Authorized, authorizedFactura, creditOf, inOrder, nettedBy } from './records.ts';
import * as say from './sentences.ts';

/**
 * Plans each refund of an order, oldest first: a nota de crédito takes from what the ones before it leave of the factura, those
 * already sent first. `factura` is the action planned for the order itself.
 */
export function planRefunds(input: PlanInput, factura: Action): Action[] {
  const planned = eachRefund(input, factura, () => null);
  return [...[...planned.values()].map(({ action }) => action), ...deletedRefunds(input)];
}

/** By refund id, oldest first. `numberOf` gives the number of the one that is mapped to be sent. */
export function eachRefund(
  input: PlanInput,
  factura: Action,
  numberOf: (refundId: string) => string | null,
): Map<string, PlannedCredit> {
  const credits = countingCredits(input);
  const planned = new Map<string, PlannedCredit>();
  for (const refund of inOrder(input.order.refunds)) {
    const number = numberOf(refund.id);
    // The document being sent is read as not sent yet, with its content: it does not count against itself. It makes up for
    // cents of authorised ones alone: any other may never be authorised.
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

/** The notas de crédito that are, or may become, authorised, by refund id; a deleted refund is owed no cents. */
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
  // One whose refund id was reused takes from the same factura.
  const former = others.filter(isOfThatOrder(order));
  return new Map([...former.flatMap(counted(false)), ...documents.flatMap(counted(true))]);
}

/** Rounding cents between money and total; any other difference was a person's decision. */
function owedBy(money: Amount, { total }: SentContent): Amount {
  return isCreditRounding(money, total) ? toAmount(decimal(money).minus(total)) : '0.00';
}

export interface PlannedCredit {
  action: Action;
  /** What it would credit, for the refunds after it; null unless it is emitted. */
  credit: Counted | null;
  /** Other records whose lines it takes (records.ts). */
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
    return plain(isUnknown ? say.contentUnknown(refund) : say.unsettled(refund));
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
        ...{ issuer: store.issuer, series: store.series, policy: store.policy, secuencial },
        ...{ today: ecuadorDay(now), reference: documentReference(identity) },
      },
    );
  });
  if (!mapped.ok) {
    const { code, reason, document } = mapped;
    const held = plain(hold(code, reason), money);
    return {
      ...held,
      action: { ...held.action, document, difference: document && less(document, money) },
    };
  }
  const { body, lineReferences, total, owed, trace } = mapped;
  const reason = say.credited(refund, on, sent, trace);
  const emit = makeAction(identity, { action: 'emit', code: 'refunded', reason }, money, { credit: trace });
  return {
    action: { ...emit, body, document: total, difference: less(total, money) },
    credit: { items: body.items, totales: body.totales, lineReferences, owed, refund },
    linesFrom: refund.linesFrom ?? [],
  };
}

/** Refunds without a nota de crédito: by law, for what is left of the factura, or for what is still kept of it. */
function withoutRoute(
  { order, store, now }: PlanInput,
  refund: Refund,
  { sent, annulledAt, issuedBy = store.issuer }: Authorized,
  { money, unclear }: OnFactura,
  { total, owed, untouched }: Balance,
): Verdict | null {
  const { holidays } = store.policy.creditNotes;
  if (decimal(money).isZero()) return say.outside(refund);
  const added = addedParts(order, refund, sent);
  if (added.length > 0) return say.notInvoicedLines(refund, money, added, sent);
  const stated = new Set([...sourcesIn(sent), ...(sent.leftOut ?? []).map(({ source }) => source)]);
  const gone = partsOfNothing({ ...order, refunds: [refund] }).filter(({ of }) => !stated.has(of));
  if (order.overpaid === undefined && gone.length > 0)
    return say.notInvoicedLines(refund, money, gone, sent, true);
  if (annulledAt) return say.annulled(refund, money, sent);
  const { issuer } = store;
  if (issuedBy.ruc !== issuer.ruc || issuedBy.ambiente !== issuer.ambiente)
    return say.otherIssuer(refund, money, sent, issuedBy, issuer);
  // The buyer was removed (domain/privacy.ts), and the service accepts no document without one.
  if (sent.comprador.identificacion === '') return say.forgotten(refund, money, sent);
  if (sent.comprador.tipo_identificacion === '07') return say.finalConsumer(refund, money, sent, holidays);
  if (!unclear && owed.plus(money).gt(total))
    return say.overCredit(refund, money, toAmount(total), sent, { now, holidays, untouched });
  const changed = rerated(order, sent).filter(({ source }) => isOrMayBeOf(refund, source));
  if (changed.length > 0) return say.ofOtherRate(refund, money, changed, sent);
  const foreign = foreignParts(order, refund, sent);
  return foreign.length > 0 ? say.exchangedLines(refund, money, foreign, sent) : null;
}

const isOrMayBeOf = ({ parts }: Refund, source: string): boolean =>
  parts === null || parts.length === 0 || parts.some(({ of }) => of === source);

/** Notas de crédito whose refund the shop no longer has. */
function deletedRefunds(input: PlanInput): Action[] {
  const known = new Set(input.order.refunds.map(({ id }) => id));
  const gone = input.documents.filter(
    ({ kind, sourceId, state }) => kind === 'nota-credito' && state !== 'cancelled' && !known.has(sourceId),
  );
  return gone.map(({ sourceId, sent }) => {
    const identity = identityOf(input, 'nota-credito', sourceId);
    return makeAction(identity, say.deleted(sourceId, sent?.number ?? null), sent?.total ?? '0.00');
  });
}

const less = (document: string, charged: string): string => toAmount(decimal(document).minus(charged));

/**
 * Decides about a refund before its money is divided over the factura: what exists already, money that did not move, and a factura
 * that is not authorised. `factura` is the action planned for the order itself. null: go on.
 */
function refundVerdict(input: PlanInput, refund: Refund, factura: Action): Verdict | null {
  const { documents } = input;
  const before = nettedBy(documents, refund.id);
  const current = creditOf(documents, refund.id);
  // A document without a number that needs a person follows the plan, which may have changed.
  const isFinal = current && (current.state !== 'manual' || current.secuencial !== null);
  return (
    (isFinal ? (sinceCredited(refund, current) ?? byDocument(current)) : null) ??
    (before ? say.netted(refund, before.number) : null) ??
    byMoney(refund) ??
    byFactura(input, refund, factura) ??
    reusedId(input, refund)
  );
}

/** The shop says now that less went back, or nothing: the transfer failed after the nota de crédito was authorised. */
function sinceCredited(
  { id, amount, ofOverpaid = '0', pending }: Refund,
  credit: PlannedDocument,
): Verdict | null {
  if (credit.state !== 'authorized' || credit.sent === null || amount === null) return null;
  const back = sum([amount, ofOverpaid]);
  return back.plus(pending).lt(credit.charged)
    ? say.failed(id, toAmount(back), credit.charged, credit.sent.number)
    : null;
}

/** Its id belongs to a refund of another order, or to another one of this order; a reused order id is reported with the order. */
function reusedId({ documents, others = [] }: PlanInput, refund: Refund): Verdict | null {
  const other = creditOf(others, refund.id);
  if (!other || others.some(({ kind }) => kind === 'factura')) return null;
  return creditOf(documents, refund.id)?.fingerprint?.accepted ? null : say.reusedId(refund, other);
}

function byMoney(refund: Refund): Verdict | null {
  const { amount, pending } = refund;
  if (!decimal(pending).isZero()) return say.pendingMoney(refund);
  if (amount === null) return say.unknownMoney(refund);
  if (!decimal(toAmount(amount)).isZero()) return null;
  if (refund.ofOverpaid) return say.overpaidReturned(refund, refund.ofOverpaid);
  return refund.moneyIn ? say.moneyElsewhere(refund, refund.moneyIn) : say.noMoney(refund);
}

function byFactura(input: PlanInput, refund: Refund, factura: Action): Verdict | null {
  const current = currentFactura(input.documents);
  switch (current?.state) {
    case 'authorized':
      return null;
    case 'sending':
    case 'processing':
    case 'uncertain':
      return say.inProcess(refund);
    case 'rejected':
    case 'manual':
      return factura.code === say.nothingLeft.code ? say.nothingToInvoice(refund) : say.unsettled(refund);
    default:
      return withoutFactura(input, refund, factura);
  }
}

function withoutFactura(input: PlanInput, refund: Refund, factura: Action): Verdict {
  const { order, now, store, invoiceFrom } = input;
  const at = { now, holidays: store.policy.creditNotes.holidays };
  const paid = ecuadorDay(new Date(order.paidAt ?? order.placedAt));
  const money = toAmount(refund.amount ?? '0');
  const key = unknownKey(input);
  if (key !== undefined) return say.elsewhere(refund, money, issueDayOf(key) ?? paid, at);
  switch (factura.code) {
    case 'before-start':
      // Without a time from the source, it was made at the latest when the order last changed.
      return new Date(refund.at ?? order.updatedAt) >= invoiceFrom
        ? say.elsewhere(refund, money, paid, at)
        : say.history(refund);
    case 'fully-refunded':
      return say.nothingToInvoice(refund);
    case 'invoiced-with-parent':
    case 'invoiced-with-children':
      return say.ofOtherOrder(refund, money, factura.reason);
    case 'sub-orders':
      return say.ofUndecided(refund, money);
    default:
      return factura.action === 'nothing'
        ? say.notInvoiced(refund)
        : say.beforeInvoice(refund, factura.action === 'hold');
  }
}
