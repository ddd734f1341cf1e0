import { Decimal, decimal, sum, toAmount } from '../../domain/money.ts';
import type { CreditPolicy } from '../../domain/money-policy.ts';
import {
  type Charge,
  type Line,
  type Order,
  type Refund,
  type RefundPart,
  sourceOf,
} from '../../domain/order.ts';
import type { SentContent } from '../action.ts';
import { addedSince, knownTo } from './beside-factura.ts';
import { inOrder, isAlike, worth } from './records.ts';

/*
 * Shopify refunds no lines that an edit took out: their money goes back by amount. Removed things of just that worth say what it was
 * for.
 */

type Item = Line | Charge;

/**
 * The order with such money named. `sent`: its factura; what an edit added after it and took out again is on no document, so money
 * that may be for that is never the factura's alone. Applied to its own result it changes nothing. Pure.
 */
export function withRemovedNamed(
  order: Order,
  sent: SentContent | undefined,
  { creditNotes: { amountOnly } }: CreditPolicy,
): Order {
  let open = (order.removed ?? []).filter(({ kind }) => kind !== 'gift-card');
  if (open.length === 0 || isExchanged(order, sent)) return order;
  const rates = new Set([...order.lines, ...order.charges, ...open].map(rateOf));
  const isMixed = rates.size > 1;
  // Everything that was ever on the order was paid.
  const isWhole = order.overpaid === undefined;
  const known = sent && knownTo(sent, order);
  const named = new Map<string, RefundPart[]>();
  for (const refund of inOrder(order.refunds)) {
    if (!isUnnamed(refund)) continue;
    const money = decimal(refund.amount ?? '0');
    const isAdded = (item: Item): boolean => known !== undefined && !known.has(sourceOf(item));
    const added = isWhole || isMixed ? open.filter(isAdded) : [];
    const of = ofWorth(added, money);
    const stated = ofWorth(
      open.filter((item) => !isAdded(item)),
      money,
    );
    if (of || (!stated && isWhole && added.length > 0)) {
      const share = Decimal.min(1, money.div(worth(of ?? added)));
      named.set(
        refund.id,
        (of ?? added).map((item) => partOf(item, share)),
      );
      open = open.flatMap((item) => ((of ?? added).includes(item) ? restOf(item, share) : [item]));
    } else if (stated) {
      if (isMixed && amountOnly !== 'prorate')
        named.set(
          refund.id,
          stated.map((item) => partOf(item, decimal(1))),
        );
      open = open.filter((item) => !stated.includes(item));
    }
  }
  if (named.size === 0) return order;
  const refunds = order.refunds.map((refund) => withParts(refund, named.get(refund.id)));
  return { ...order, refunds, removed: open };
}

/** What was taken out went for something else, or was never on a factura: then it is not what the money was for. */
function isExchanged(order: Order, sent: SentContent | undefined): boolean {
  if (order.overpaid === undefined) return false;
  return !sent || decimal(sent.overpaid ?? '0').gt(0) || addedSince(order, sent).length > 0;
}

/** Paid after the factura, which does not state it, and taken out since: it needs none. */
export function addedAndRemoved(order: Order, sent: SentContent): Decimal {
  if (order.overpaid !== undefined) return decimal(0);
  const known = knownTo(sent, order);
  return worth((order.removed ?? []).filter((item) => !known.has(sourceOf(item))));
}

function isUnnamed({ amount, pending, parts }: Refund): boolean {
  if (amount === null || parts === null || !decimal(pending).isZero()) return false;
  return decimal(amount).gt(0) && parts.every(({ net, tax, quantity }) => sum([net, tax, quantity]).isZero());
}

/** The one thing of that worth, or any of several of one rate, or all of them together. */
function ofWorth(items: readonly Item[], money: Decimal): readonly Item[] | null {
  const alike = items.filter((item) => isAlike(worth([item]), money));
  if (alike.length > 0) return new Set(alike.map(rateOf)).size === 1 ? alike.slice(0, 1) : null;
  return items.length > 1 && isAlike(worth(items), money) ? items : null;
}

const rateOf = ({ taxes }: Item): string => sum(taxes.map(({ rate }) => rate ?? '0')).toString();

function partOf(item: Item, share: Decimal): RefundPart {
  const [net, tax] = [toAmount(share.times(item.net)), toAmount(share.times(item.tax))];
  const units = 'quantity' in item && share.eq(1) ? item.quantity : '0';
  return { of: sourceOf(item), name: item.name, quantity: units, net, tax };
}

function restOf(item: Item, share: Decimal): Item[] {
  if (share.eq(1)) return [];
  const { net, tax } = partOf(item, share);
  return [
    { ...item, net: toAmount(decimal(item.net).minus(net)), tax: toAmount(decimal(item.tax).minus(tax)) },
  ];
}

function withParts(refund: Refund, parts: RefundPart[] | undefined): Refund {
  if (!parts) return refund;
  return { ...refund, parts, discrepancy: toAmount(decimal(refund.amount ?? '0').minus(worth(parts))) };
}
