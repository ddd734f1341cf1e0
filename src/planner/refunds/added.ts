import { type Decimal, decimal, sum } from '../../domain/money.ts';
import {
  type Charge,
  type Line,
  lineSource,
  type Order,
  type Refund,
  type RefundPart,
  sourceOf,
} from '../../domain/order.ts';
import type { SentContent } from '../action.ts';
import { cardsOutside, worth } from './records.ts';

/* What an edit added to an order after its factura, which says nothing of it. */

/** How much more the order charges now than its factura, gift cards outside and refunds taken off before aside. */
export function grownBy(order: Order, factura: SentContent): Decimal {
  const { nettedRefunds, overpaid = '0', total: invoiced } = factura;
  const before = order.refunds.filter(({ id }) => nettedRefunds.includes(id));
  const netted = sum(before.map(({ amount }) => amount ?? '0'));
  return decimal(order.total)
    .plus(order.overpaid ?? '0')
    .minus(overpaid)
    .minus(netted)
    .minus(worth(cardsOutside(order, factura)))
    .minus(invoiced);
}

/** What the factura states, was sent without, or keeps outside. */
export function knownTo(factura: SentContent, order: Order): Set<string | null> {
  const before = order.refunds.filter(({ id }) => factura.nettedRefunds.includes(id));
  return new Set([
    ...sourcesIn(factura),
    ...before.flatMap(({ parts }) => (parts ?? []).map(({ of }) => of)),
    ...order.lines.filter(({ kind }) => kind === 'gift-card').map(({ id }) => lineSource(id)),
  ]);
}

/** What the order sells and its factura does not state: an edit added it since. */
export function addedSince(order: Order, factura: SentContent): (Line | Charge)[] {
  const known = knownTo(factura, order);
  const items = [...order.lines, ...order.charges];
  return items.filter((item) => !known.has(sourceOf(item)) && worth([item]).gt(0));
}

/** The lines and charges behind a factura's items. */
export const sourcesIn = ({ lineReferences }: SentContent): string[] =>
  lineReferences.flatMap(({ source, folded = [] }) => [source, ...folded.map((one) => one.source)]);

/** Units of lines that the factura does not state. */
function unitsElsewhere({ parts }: Refund, factura: SentContent): RefundPart[] {
  const stated = new Set(sourcesIn(factura));
  return (parts ?? []).filter(
    (part) => part.of !== null && !stated.has(part.of) && decimal(part.quantity).gt(0) && worth([part]).gt(0),
  );
}

/**
 * The parts of a refund for things that an edit added to the order after its factura, which says nothing of them. Things worth
 * more than the order grew replaced others, which the factura does state.
 */
export function addedParts(order: Order, refund: Refund, factura: SentContent): RefundPart[] {
  // What was owed to the buyer then may have paid for it.
  if (decimal(factura.overpaid ?? '0').gt(0)) return unitsElsewhere(refund, factura);
  const grown = grownBy(order, factura);
  if (grown.lte('0.01')) return [];
  const added = addedSince(order, factura);
  if (worth(added).gt(grown.plus('0.01'))) return [];
  const sources = new Set(added.map(sourceOf));
  return (refund.parts ?? []).filter(
    (part) => part.of !== null && sources.has(part.of) && worth([part]).gt(0),
  );
}
