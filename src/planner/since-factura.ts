import { balanceOf, type GroupLeft, type ItemLeft } from '../../mappers/credit/balance.ts';
import { Decimal, decimal, sum } from '../domain/money.ts';
import {
  type Charge,
  itemsBySource,
  type Line,
  type Order,
  type Refund,
  type RefundPart,
  sourceOf,
  worth,
} from '../domain/order.ts';
import type { SentContent } from './action.ts';
import { cardsOutside, leftOutSources, moneyLeft, moneyOn, returned, worthOutside } from './refund-money.ts';
import { inOrder } from './refund-records.ts';

/* What an order has changed since its factura was sent. */

function chargedMore(order: Order, factura: SentContent): Decimal {
  const { overpaid = '0', total: invoiced } = factura;
  const netted = sum(refundsNetted(order, factura).map((refund) => moneyOn(factura, order, refund).money));
  return decimal(order.total)
    .plus(order.overpaid ?? '0')
    .minus(overpaid)
    .minus(netted)
    .minus(worthOutside(order, factura))
    .minus(invoiced);
}

/** What the factura states, left out as a gift card, or lacks because it came back before. */
export function knownSources(order: Order, factura: SentContent): Set<string | null> {
  return new Set([
    ...soldSources(factura),
    ...refundsNetted(order, factura).flatMap(({ parts }) => (parts ?? []).map(({ of }) => of)),
    ...cardsOutside(order, factura).map(sourceOf),
  ]);
}

export function addedSince(order: Order, factura: SentContent): (Line | Charge)[] {
  const known = knownSources(order, factura);
  const items = [...order.lines, ...order.charges];
  return items.filter((item) => !known.has(sourceOf(item)) && worth([item]).gt(0));
}

export const refundsNetted = (
  { refunds }: Order,
  { nettedRefunds }: Pick<SentContent, 'nettedRefunds'>,
): Refund[] => refunds.filter(({ id }) => nettedRefunds.includes(id));

/** Percent; undefined where the factura does not state the rate. */
export const statedRate = (
  { tipo_iva }: ItemLeft['item'],
  groups: readonly GroupLeft[],
): number | undefined => groups.find(({ row }) => row.codigo_porcentaje === String(tipo_iva))?.row.tarifa;

export const statedSources = ({ lineReferences }: SentContent): string[] =>
  lineReferences.flatMap(({ source, folded = [] }) => [source, ...folded.map((one) => one.source)]);

export const soldSources = (factura: SentContent): Set<string> =>
  new Set([...statedSources(factura), ...leftOutSources(factura)]);

function unitsElsewhere({ parts }: Refund, factura: SentContent): RefundPart[] {
  const stated = soldSources(factura);
  return (parts ?? []).filter(
    (part) => part.of !== null && !stated.has(part.of) && decimal(part.quantity).gt(0) && worth([part]).gt(0),
  );
}

/** Things worth more than the order grew replaced others, which the factura does state. */
export function addedParts(order: Order, refund: Refund, factura: SentContent): RefundPart[] {
  if (decimal(factura.overpaid ?? '0').gt(0)) return unitsElsewhere(refund, factura);
  const grown = chargedMore(order, factura);
  if (grown.lte('0.01')) return [];
  const added = addedSince(order, factura);
  if (worth(added).gt(grown.plus('0.01'))) return [];
  const sources = new Set(added.map(sourceOf));
  return (refund.parts ?? []).filter(
    (part) => part.of !== null && sources.has(part.of) && worth([part]).gt(0),
  );
}

/** USD with taxes, and percent of IVA. */
export interface Changed {
  name: string;
  rate: Decimal;
  gross: Decimal;
}

interface Change {
  /** By how much the order charges more than its factura; below zero: less. */
  grown: Decimal;
  /** What the order sells and the factura does not state, less what came back of it. */
  added: Changed[];
  /** What the factura states, and the order neither sells any more nor gave back; all of it where nothing is found. */
  left: Changed[];
  exchanged: Decimal;
}

export function changeSince(order: Order, sent: SentContent, owed: Decimal): Change {
  const grown = grownSince(order, sent, owed);
  // Units that came back are still in the lines of an order, unless it was edited.
  const isCurrent = order.overpaid !== undefined;
  const refunds = refundsSince(order, sent);
  const rows = addedSince(order, sent).map((item) => ({
    name: item.name,
    rate: rateOf(item),
    gross: worth([item]).minus(isCurrent ? 0 : givenBack(refunds, sourceOf(item))),
  }));
  const before = refundsNetted(order, sent);
  const sold = itemsBySource(order);
  const { items, groups } = balanceOf(sent, []);
  const stated = items.map(({ source, item, gross }) => {
    const own = sold.get(source);
    const back = own && !isCurrent ? givenBack(before, source).negated() : givenBack(refunds, source);
    const now = own ? worth([own]).plus(back) : back;
    return { name: item.descripcion, rate: decimal(statedRate(item, groups) ?? 0), gross: gross.minus(now) };
  });
  const left = [...stated.filter(({ gross }) => gross.gt(mostRounding)), ...discountsIn(order, sent)];
  const isNamed = before.every(({ parts }) => parts !== null && parts.length > 0);
  const risen = stated.flatMap(({ gross, ...row }) =>
    isNamed && left.length > 0 && gross.lt(`-${mostRounding}`) ? [{ ...row, gross: gross.negated() }] : [],
  );
  const added = [...rows.filter(({ gross }) => gross.gt('0.01')), ...risen];
  return {
    grown,
    added,
    left: left.length > 0 ? left : stated,
    exchanged: grossOf(added).minus(Decimal.max(0, grown)),
  };
}

export const grossOf = (some: readonly Changed[]): Decimal => sum(some.map(({ gross }) => gross));
export const isOneRate = ([first, ...rest]: readonly Changed[]): boolean =>
  rest.every(({ rate }) => first !== undefined && rate.eq(first.rate));

const discountsIn = ({ charges }: Order, { lineReferences }: SentContent): Changed[] =>
  charges.flatMap((charge) => {
    const isStated = lineReferences.some(({ source }) => source === sourceOf(charge));
    const gross = worth([charge]).negated();
    return isStated || gross.lte(0) ? [] : [{ name: charge.name, rate: rateOf(charge), gross }];
  });

function givenBack(refunds: readonly Refund[], source: string): Decimal {
  return sum(
    refunds.map(({ amount, parts }) => {
      const whole = worth(parts ?? []);
      const own = worth((parts ?? []).filter(({ of }) => of === source));
      return whole.gt(0) && whole.gt(amount ?? whole) ? own.times(amount ?? whole).div(whole) : own;
    }),
  );
}

function grownSince(order: Order, sent: SentContent, owed: Decimal): Decimal {
  // Money owed when the factura was sent, and neither back nor owed now, paid for what an edit added.
  const before = decimal(sent.overpaid ?? '0').minus(returned(order));
  const paid = chargedMore(order, sent).plus(Decimal.max(0, before.minus(owed)));
  const { ofLines, others } = takenOut(order, sent);
  const grown = paid.plus(ofLines);
  return grown.plus(Decimal.min(others, Decimal.max(0, grown.negated())));
}

/** What went back and was then removed: neither the order's total nor the factura's notas de crédito lack it. */
function takenOut(order: Order, sent: SentContent): { ofLines: Decimal; others: Decimal } {
  if (order.settlement === 'cancelled' || isAllBack(order))
    return { ofLines: decimal(0), others: Decimal.max(0, moneyLeft(order).negated()) };
  const there = itemsBySource(order);
  const isGone = ({ of }: RefundPart): boolean => of !== null && !there.has(of);
  const later = refundsSince(order, sent);
  const before = refundsNetted(order, sent);
  const stated = new Set(statedSources(sent));
  const [known, others] = [
    [...before.flatMap(partsIn), ...later.flatMap(partsIn).filter(({ of }) => stated.has(of ?? ''))],
    later.flatMap(partsIn).filter(({ of }) => !stated.has(of ?? '')),
  ].map((parts) => worth(parts.filter(isGone))) as [Decimal, Decimal];
  const amounts = sum(later.flatMap(({ parts, amount }) => (parts?.length === 0 ? [amount ?? '0'] : [])));
  // Units that came back are not in the lines of an edited order, whose total does not contain them.
  return order.overpaid === undefined
    ? { ofLines: known, others: amounts.plus(others) }
    : { ofLines: decimal(0), others: sum([amounts, known, others]) };
}

const partsIn = ({ parts }: Refund): RefundPart[] => parts ?? [];

/** WooCommerce compares what came back with a total that no longer has the rows it came back for. */
export function isAllBack(order: Order): boolean {
  if (order.settlement !== 'refunded') return false;
  return (
    order.status.includes('refunded') ||
    moneyLeft(order)
      .plus(worth(partsOfMissingRows(order)))
      .lte(0)
  );
}

export const refundsSince = ({ refunds }: Order, { nettedRefunds }: SentContent): Refund[] =>
  refunds.filter(({ id, amount }) => !decimal(amount ?? '1').isZero() && !nettedRefunds.includes(id));

/** Empty where what was taken out is worth as much at the same rate: then the parts came in for that. */
export function exchangedParts(order: Order, refund: Refund, sent: SentContent): RefundPart[] {
  const known = knownSources(order, sent);
  const items = itemsBySource(order);
  const parts = (refund.parts ?? []).filter(
    ({ of, ...money }) => of !== null && !known.has(of) && isThing(of) && worth([money]).gt(0),
  );
  if (parts.length === 0) return [];
  const before = inOrder(order.refunds);
  const upTo = before.slice(0, before.findIndex(({ id }) => id === refund.id) + 1);
  const { left } = changeSince({ ...order, refunds: upTo }, sent, decimal(0));
  const isOf = (part: RefundPart, rate: Decimal): boolean => {
    const item = items.get(part.of ?? '');
    return item ? rateOf(item).eq(rate) : isTaxedAt(part, rate);
  };
  const isExchanged =
    left.every(({ rate }) => parts.every((part) => isOf(part, rate))) &&
    worth(parts).lte(grossOf(left).plus(mostRounding));
  return isExchanged ? [] : parts;
}

/** The shop changed the rate in place: the net is the factura's, the tax is not. */
export function rateChanges(order: Order, sent: SentContent): RateChange[] {
  const sold = itemsBySource(order);
  const { items, groups } = balanceOf(sent, []);
  return items.flatMap(({ source, item, gross, base }) => {
    const own = sold.get(source);
    const rate = statedRate(item, groups);
    if (!own || rate === undefined || rateOf(own).eq(rate)) return [];
    const isSameNet = base.minus(own.net).abs().lte('0.02');
    const isSameWorth = gross
      .minus(worth([own]))
      .abs()
      .lte(mostRounding);
    return isSameNet && !isSameWorth ? [{ source, name: own.name, was: gross, now: worth([own]) }] : [];
  });
}

export interface RateChange {
  source: string;
  name: string;
  /** With IVA, on the factura and in the order. */
  was: Decimal;
  now: Decimal;
}

/** Fees and duties of Shopify have no ids of their own in every reading. */
const isThing = (source: string): boolean => /^(line|shipping):/.test(source);

const isTaxedAt = ({ net, tax }: RefundPart, rate: Decimal): boolean =>
  decimal(net).times(rate).div(100).minus(tax).abs().lte('0.02');

/** Parts worth something: a fee that is a payment lowers the total. */
export function partsOfMissingRows(order: Order): (RefundPart & { of: string })[] {
  const { refunds, platform } = order;
  const there = itemsBySource(order);
  // Shopify's fees and duties have no ids of their own in every reading.
  const kinds = platform === 'woocommerce' ? ['line', 'shipping', 'fee'] : ['line', 'shipping'];
  return refunds.flatMap(({ parts }) =>
    (parts ?? []).flatMap((part) => {
      const { of } = part;
      if (of === null || there.has(of) || !kinds.includes(kindOf(of))) return [];
      return worth([part]).gt(0) ? [{ ...part, of }] : [];
    }),
  );
}

export const rateOf = ({ taxes }: Line | Charge): Decimal => sum(taxes.map(({ rate }) => rate ?? '0'));

/** USD. IVA rounded by line moves a line this far from the shop's price: 12 cents under 5 % (mappers/cents.ts). */
export const mostRounding = '0.12';

/** Paid after the factura, which does not state it, and taken out since: no document is needed. */
export function addedAndRemoved(order: Order, sent: SentContent): Decimal {
  if (order.overpaid !== undefined) return decimal(0);
  const known = knownSources(order, sent);
  return worth((order.removed ?? []).filter((item) => !known.has(sourceOf(item))));
}

export const kindOf = (source: string): string => source.slice(0, source.indexOf(':'));
