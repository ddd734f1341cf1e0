import { type Amount, type Decimal, decimal, sum, toAmount } from '../../domain/money.ts';
import type { Order } from '../../domain/order.ts';
import { lineSource, type Refund, type RefundPart, sourceOf } from '../../domain/refund.ts';
import type { PlannedDocument, SentContent } from '../input.ts';

/** The factura whose fate is final and good. */
export interface Authorized extends PlannedDocument {
  sent: SentContent;
}

export function authorizedFactura(documents: readonly PlannedDocument[]): Authorized | undefined {
  return documents.find(
    (document): document is Authorized =>
      document.kind === 'factura' && document.state === 'authorized' && document.sent !== null,
  );
}

/** The nota de crédito of a refund that counts; cancelled ones keep their identity, but nothing more. */
export function creditOf(
  documents: readonly PlannedDocument[],
  refundId: string,
): PlannedDocument | undefined {
  return documents.find(
    ({ kind, sourceId, state }) => kind === 'nota-credito' && sourceId === refundId && state !== 'cancelled',
  );
}

/** The factura that left without what a refund gave back. */
export function nettedBy(documents: readonly PlannedDocument[], refundId: string): SentContent | undefined {
  return (
    documents.find(({ kind, sent }) => kind === 'factura' && sent?.nettedRefunds.includes(refundId))?.sent ??
    undefined
  );
}

/** What of a refund's money concerns the factura, where gift cards that were sold stand outside of it by policy. */
export interface OnFactura {
  money: Amount;
  /** Without the parts that are outside. */
  refund: Refund;
  /** What went back for gift cards, which credits nothing. */
  outside: Amount;
  /** Gift cards the money may be for as well as for the factura: nobody says which. */
  unclear: { names: string; amount: Amount } | null;
}

/**
 * `left`: what can be credited of the factura. Lines say what is outside. An amount alone does only where it is all that
 * is left, of the factura and of the cards.
 */
export function moneyOn(
  factura: Pick<SentContent, 'ties'>,
  order: Order,
  refund: Refund,
  left: Decimal | null = null,
): OnFactura {
  const cards = order.lines.filter(
    ({ kind, id }) => kind === 'gift-card' && !factura.ties.some(({ source }) => source === lineSource(id)),
  );
  const sources = new Set(cards.map(({ id }) => lineSource(id)));
  const isOutside = ({ of }: RefundPart): boolean => of !== null && sources.has(of);
  const parts = refund.parts === null ? null : refund.parts.filter((part) => !isOutside(part));
  const stated = worth((refund.parts ?? []).filter(isOutside));
  const others = order.refunds.filter(
    ({ id, amount }) => id !== refund.id && !decimal(amount ?? '0').isZero(),
  );
  const gone = worth(others.flatMap((one) => (one.parts ?? []).filter(isOutside)));
  const open = worth(cards).minus(gone);
  const says = (refund.parts ?? []).some(({ net, tax, quantity }) => !sum([net, tax, quantity]).isZero());
  const given = decimal(refund.amount ?? '0');
  const on = (off: Decimal, unclear: OnFactura['unclear'] = null): OnFactura => {
    const money = given.minus(off);
    return {
      money: toAmount(money.isNegative() ? '0' : money),
      refund: { ...refund, parts },
      outside: toAmount(off),
      unclear,
    };
  };
  if (says || open.lte(0) || left === null) return on(stated);
  if (given.gte(left.plus(open))) return on(open);
  const names = cards.map(({ name }) => `«${name}»`).join(', ');
  return on(stated, { names, amount: toAmount(open) });
}

/** What an order charges now beyond its factura and what is told of elsewhere: gift cards, refunds taken off before it left. */
export function grownBy(
  { total, lines, refunds }: Order,
  { ties, nettedRefunds, total: invoiced }: SentContent,
): Decimal {
  const cards = lines.filter(
    ({ kind, id }) => kind === 'gift-card' && !ties.some(({ source }) => source === lineSource(id)),
  );
  const netted = refunds.filter(({ id }) => nettedRefunds.includes(id)).map(({ amount }) => amount ?? '0');
  return decimal(total).minus(sum(netted)).minus(worth(cards)).minus(invoiced);
}

/**
 * What a refund gives back of things an edit added to the order after its factura: that says nothing of them. Things that
 * are worth more than the order grew took the place of others, which it does say.
 */
export function addedParts(order: Order, refund: Refund, factura: SentContent): RefundPart[] {
  const grown = grownBy(order, factura);
  if (grown.lte('0.01')) return [];
  const before = order.refunds.filter(({ id }) => factura.nettedRefunds.includes(id));
  const known = new Set([
    ...factura.ties.flatMap(({ source, folded = [] }) => [source, ...folded.map((one) => one.source)]),
    ...before.flatMap(({ parts }) => (parts ?? []).map(({ of }) => of)),
    ...order.lines.filter(({ kind }) => kind === 'gift-card').map(({ id }) => lineSource(id)),
  ]);
  const items = [...order.lines, ...order.charges];
  const added = items.filter((item) => !known.has(sourceOf(item)) && worth([item]).gt(0));
  if (worth(added).gt(grown.plus('0.01'))) return [];
  const sources = new Set(added.map(sourceOf));
  return (refund.parts ?? []).filter(
    (part) => part.of !== null && sources.has(part.of) && worth([part]).gt(0),
  );
}

export const worth = (parts: readonly { net: Amount; tax: Amount }[]): Decimal =>
  sum(parts.flatMap(({ net, tax }) => [net, tax]));
