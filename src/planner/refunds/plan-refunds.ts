import { balanceOf, type Issued } from '../../../mappers/credit/balance.ts';
import { Hold } from '../../../mappers/hold.ts';
import { type MappedCredit, type Original, toNotaCredito } from '../../../mappers/nota-credito.ts';
import { ecuadorDay } from '../../domain/calendar.ts';
import { isCreditRounding } from '../../domain/credit-rounding.ts';
import { type DocumentIdentity, documentReference } from '../../domain/document.ts';
import { type Amount, type Decimal, decimal, toAmount } from '../../domain/money.ts';
import type { Order } from '../../domain/order.ts';
import { isForgotten } from '../../domain/privacy.ts';
import type { Refund } from '../../domain/refund.ts';
import type { Store } from '../../domain/settings.ts';
import type { Action } from '../action.ts';
import { isOfThatOrder } from '../bound.ts';
import type { PlanInput, PlannedDocument, SentContent } from '../input.ts';
import { identityOf, makeAction, type Verdict } from '../make-action.ts';
import { type Authorized, addedParts, authorizedFactura, moneyOn } from './covered.ts';
import { demandClear } from './detail.ts';
import { inOrder } from './order-of.ts';
import * as say from './sentences.ts';
import { refundVerdict } from './verdict.ts';
import type { Counted } from './within-rate.ts';

/**
 * What each refund of an order asks for, oldest first: every nota de crédito is laid upon what the ones before it
 * leave of the factura, those that have left first. `factura` is the planner's word on the order itself.
 */
export function planRefunds(input: PlanInput, factura: Action): Action[] {
  const planned = eachRefund(input, factura, () => null);
  return [...[...planned.values()].map(({ action }) => action), ...deletedRefunds(input)];
}

/** By refund id, oldest first. `numberOf` says which are to be mapped with the number they were given. */
export function eachRefund(
  input: PlanInput,
  factura: Action,
  numberOf: (refundId: string) => string | null,
): Map<string, PlannedCredit> {
  const credits = countingCredits(input);
  const planned = new Map<string, PlannedCredit>();
  for (const refund of inOrder(input.order.refunds)) {
    const number = numberOf(refund.id);
    // One that leaves while the documents are read stands there as not yet sent, with what was sent: it is not counted
    // against itself. What leaves makes up for cents of authorised ones alone: any other may never come to be.
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

/** By refund id, the notas de crédito that left and are, or may become, authorised; of deleted refunds no cent is owed. */
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
  // One of a refund whose id was given again takes from the same factura.
  const former = others.filter(isOfThatOrder(order));
  return new Map([...former.flatMap(counted(false)), ...documents.flatMap(counted(true))]);
}

/** Cents a nota de crédito came out below the money, or above it; any other difference was a person's decision. */
function owedBy(money: Amount, { total }: SentContent): Amount {
  return isCreditRounding(money, total) ? toAmount(decimal(money).minus(total)) : '0.00';
}

export interface PlannedCredit {
  action: Action;
  /** What it would credit, for the refunds after it; null unless it is to be emitted. */
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
  const identity = identityOf(input, 'nota-credito', refund.id);
  const charged = toAmount(refund.amount ?? '0');
  const plain = (said: Verdict): PlannedCredit => ({
    action: makeAction(identity, said, charged),
    credit: null,
    linesFrom: [],
  });
  const early = refundVerdict(input, refund, factura);
  if (early) return plain(early);
  const original = authorizedFactura(input.documents);
  if (!original) {
    const isUnknown = input.documents.some(({ kind, state }) => kind === 'factura' && state === 'authorized');
    return plain(isUnknown ? say.contentUnknown(refund) : say.unsettled(refund));
  }
  const byHand = withoutRoute(input, refund, original, credits);
  if (byHand) return plain(byHand);
  const on = moneyOn(original.sent, input.order, refund, leftOf(original.sent, credits));
  const { money } = on;
  const mapped = mapNotaCredito(input.order, refund, original.sent, credits, input.store, identity, {
    now: input.now,
    secuencial,
  });
  if (!mapped.ok) {
    const { code, reason, document } = mapped;
    const held = makeAction(identity, { action: 'hold', code, reason }, money);
    return {
      action: { ...held, document, difference: document && less(document, money) },
      credit: null,
      linesFrom: [],
    };
  }
  const { body, ties, total, owed, trace } = mapped;
  const reason = say.credited(refund, on, original.sent, trace);
  const emit = makeAction(identity, { action: 'emit', code: 'refunded', reason }, money, { credit: trace });
  return {
    action: { ...emit, body, document: total, difference: less(total, money) },
    credit: { items: body.items, totales: body.totales, ties, owed, refund },
    linesFrom: refund.linesFrom ?? [],
  };
}

/** Refunds the law, what is left of the factura, or what is still kept of it gives no nota de crédito to. */
function withoutRoute(
  { order, store, now }: PlanInput,
  refund: Refund,
  { sent, annulledAt, issuedBy = store.issuer }: Authorized,
  credits: readonly Issued[],
): Verdict | null {
  const { holidays } = store.policy.creditNotes;
  const { money, unclear } = moneyOn(sent, order, refund, leftOf(sent, credits));
  if (decimal(money).isZero()) return say.outside(refund);
  const added = addedParts(order, refund, sent);
  if (added.length > 0) return say.notInvoicedLines(refund, money, added, sent);
  if (annulledAt) return say.annulled(refund, money, sent);
  const { issuer } = store;
  if (issuedBy.ruc !== issuer.ruc || issuedBy.ambiente !== issuer.ambiente)
    return say.otherIssuer(refund, money, sent, issuedBy, issuer);
  if (isForgotten(sent)) return say.forgotten(refund, money, sent);
  if (sent.comprador.tipo_identificacion === '07') return say.finalConsumer(refund, money, sent, holidays);
  const { total, owed, untouched } = balanceOf(sent, credits);
  if (unclear || owed.plus(money).lte(total)) return null;
  return say.overCredit(refund, money, toAmount(total), sent, { now, holidays, untouched });
}

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

function leftOf(factura: Issued, credits: readonly Issued[]): Decimal {
  const { total, owed } = balanceOf(factura, credits);
  return total.minus(owed);
}

const less = (document: string, charged: string): string => toAmount(decimal(document).minus(charged));

/**
 * The nota de crédito one refund asks for now, beside those that already count. Used to plan (no number yet) and
 * again at sending time. The refund's money must not exceed what is left of the factura.
 */
function mapNotaCredito(
  order: Order,
  given: Refund,
  factura: SentContent,
  credits: readonly Counted[],
  store: Pick<Store, 'issuer' | 'series' | 'policy'>,
  identity: DocumentIdentity,
  at: { now: Date; secuencial: string | null },
): MappedCredit {
  const balance = balanceOf(factura, credits);
  const on = moneyOn(factura, order, given, balance.total.minus(balance.owed));
  const { number, issueDate: date, accessKey, comprador } = factura;
  const original: Original = { number, date, accessKey, comprador, balance };
  try {
    demandClear(order, given, on, factura, { credits, balance }, store.policy);
  } catch (error) {
    if (!(error instanceof Hold)) throw error;
    const { code, reason, document } = error;
    return { ok: false, code, reason, document };
  }
  return toNotaCredito(order, on.refund, on.money, original, {
    issuer: store.issuer,
    series: store.series,
    secuencial: at.secuencial,
    today: ecuadorDay(at.now),
    policy: store.policy,
    reference: documentReference(identity),
  });
}
