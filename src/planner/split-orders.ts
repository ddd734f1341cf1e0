import { momentInEcuador } from '../domain/clock.ts';
import { type Decimal, decimal, sum, toAmount } from '../domain/money.ts';
import { isThrownAway, type Order } from '../domain/order.ts';
import type { Policy } from '../domain/settings.ts';
import {
  type Billed,
  hold,
  nothing,
  nothingLeft,
  type PlanInput,
  type PlannedDocument,
  type Relative,
  type Verdict,
} from './action.ts';

import {
  apartFromIn,
  isApart,
  isSame,
  isSplitFrom,
  isWithin,
  lineageOf,
  lostBy,
  repeats,
  type Seller,
  sellSame,
  soldIn,
} from './order-tree.ts';
import { moneyLeft } from './refund-money.ts';

/* Parent and sub-orders of marketplaces are paid orders with the same things; policy decides which one is invoiced. */

/** Null: the lines of this order are sold once, or this is the order that is invoiced for them. */
export function soldInOtherOrder(input: PlanInput): Verdict | null {
  const { order, documents, relatives = [], store } = input;
  const split = splitOf(order, apartFromIn(documents), relatives);
  const beside = [...split.above, ...split.below];
  if (isAllBack(order) && beside.every(isAllBack)) return null;
  if (isPaid(order)) return besideRelatives(split, input);
  if (!isKept(order)) return null;
  const verdict = besideRelatives(split, input);
  if (verdict?.action === 'nothing') return verdict;
  if (isThrownAway(order)) return null;
  const decided = whoseMoney(input);
  // A cancelled order is no sale to ask about, unless it would be invoiced, or gave back another's money.
  const counts = store.policy.cancelledOrders === 'invoice' || order.refunds.length > 0;
  return decided ?? (counts && beside.length > 0 ? verdict : null);
}

function whoseMoney({ order, documents, relatives = [], store }: PlanInput): Verdict | null {
  const split = splitOf(order, apartFromIn(documents), relatives, {
    isPart: (one) => isSale(one) || isKept(one),
  });
  const head = split.above.findLast(isKept);
  if (head && isPaidWith(split, head) && isWithin(partsOf(split, head), head) && isCopyOf(split, head))
    return head.isInvoiced ? invoicedWithParent(head) : nothing('cancelled', { parent: head.name });
  const { children } = split;
  const isUnknown = order.refunds.some(({ amount }) => amount === null);
  if (isUnknown || store.policy.cancelledOrders !== 'hold') return null;
  if (!arePaidWith(split) || !areCopies(split)) return null;
  const sold = children.filter(isCharged);
  const all = sum(children.filter((one) => isCharged(one) || isAllBack(one)).map(({ total }) => total));
  if (children.length > 0 && covers(all, order, children))
    return sold.length > 0 ? invoicedWithChildren(sold) : nothingLeft;
  if (sold.length === 0) return null;
  const kept = moneyLeft(order).minus(sum(sold.map(({ total }) => total)));
  return kept.lte(0)
    ? invoicedWithChildren(sold)
    : hold('cancelled-kept', { why: 'beside-others', kept: toAmount(kept), others: names(sold).join(', ') });
}

function besideRelatives(split: Split, { store, invoiceFrom }: PlanInput): Verdict | null {
  const verdict = byPolicy(split, store.policy);
  if (verdict?.action !== 'nothing') return verdict;
  const billers = store.policy.subOrders === 'parent' ? billersOf(split) : split.children;
  const early = billers.filter(
    (one) => !one.isInvoiced && one.paidAt !== null && new Date(one.paidAt) < invoiceFrom,
  );
  if (early.length === 0)
    return billers.every(isAllBack)
      ? nothing('fully-refunded', { why: 'others', others: names(billers) })
      : verdict;
  return heldBeside(split, hold('sub-orders', { why: 'early', others: names(early) }));
}

function byPolicy(split: Split, { subOrders }: Pick<Policy, 'subOrders'>): Verdict | null {
  switch (subOrders) {
    case 'parent':
      return split.above.length > 0 ? withParent(split) : besideBelow(split, split.below.some(isInvoiced));
    case 'children':
      return besideAbove(split, split.above.some(isInvoiced)) ?? besideLoser(split) ?? withChildren(split);
    default:
      return (
        besideAbove(split, split.above.length > 0) ??
        besideBelow(split, split.below.length > 0 || split.isMarked)
      );
  }
}

interface Split {
  order: Order;
  above: readonly Relative[];
  below: readonly Relative[];
  children: readonly Relative[];
  siblings: readonly Relative[];
  /** Of `siblings`, those whose factura billed something of this order that they sell no more. */
  losers: readonly Relative[];
  /** By a plugin, and no person contradicted it. */
  isMarked: boolean;
}

function splitOf(
  order: Order,
  apartFrom: readonly string[] | undefined,
  relatives: readonly Relative[],
  { seller = order, isPart = isSale }: { seller?: Seller; isPart?: (one: Relative) => boolean } = {},
): Split {
  const one = { ...order, ...(apartFrom && { apartFrom }) };
  const tree = lineageOf(one, relatives, isSplitFrom);
  const isBeside = (other: Relative): boolean =>
    isPart(other) && !isApart(one, other) && sellSame(seller, other);
  const below = tree.below.filter(isBeside);
  const [parent] = tree.above;
  const siblings = relatives.filter(
    (other) => parent && other.parentId === parent.id && isCharged(other) && isSplitFrom(other, parent),
  );
  const firstBelow = (id: string): Relative[] =>
    tree.below
      .filter(({ parentId }) => parentId === id)
      .flatMap((child) => (below.includes(child) ? [child] : firstBelow(child.id)));
  const hasLost = (other: Relative): boolean =>
    other.id !== order.id &&
    !isApart(one, other) &&
    lostBy(other).some((lost) => soldIn(order).some(isSame(lost)));
  return {
    order,
    above: tree.above.filter(isBeside),
    below,
    children: firstBelow(order.id),
    siblings,
    losers: siblings.filter(hasLost),
    isMarked: order.hasSubOrders === true && apartFrom === undefined,
  };
}

const isPaid = ({ settlement }: Pick<Order, 'settlement'>): boolean =>
  settlement === 'paid' || settlement === 'partially-refunded' || settlement === 'refunded';
const isMarkedSplit = ({ hasSubOrders }: Relative): boolean => hasSubOrders === true;
const isInvoiced = (one: Relative): boolean => one.isInvoiced;
const isCharged = (one: Relative): boolean => one.isInvoiced || isPaid(one);
/** An order that may yet be paid is a sale as well. */
const isSale = (one: Relative): boolean =>
  isCharged(one) || one.settlement === 'unpaid' || one.settlement === 'partially-paid';
const isKept = ({ settlement, paidAt, thrownAway }: Partial<Relative>): boolean =>
  settlement === 'cancelled' && paidAt !== null && !thrownAway;
const isAllBack = (one: Pick<Relative, 'total' | 'refunds'> & { isInvoiced?: boolean }): boolean =>
  !one.isInvoiced && one.refunds.length > 0 && moneyLeft(one).lte(0);

function billersOf({ above }: Split): Relative[] {
  const biller = above.findLast(isInvoiced) ?? above.findLast(isCharged);
  return biller ? [biller] : [];
}

function withParent(split: Split): Verdict {
  const { order, above } = split;
  const [biller] = billersOf(split);
  if (!biller)
    return heldBeside(split, hold('sub-orders', { why: 'parent-unpaid', parent: above[0]?.name ?? '' }));
  const parent = biller.name;
  if (!isPaidWith(split, biller))
    return heldBeside(
      split,
      hold('sub-orders', { why: 'parent-apart', parent, times: paidTimes([order, biller]) }),
    );
  if (isWithin(partsOf(split, biller), biller))
    return isCopyOf(split, biller) ? invoicedWithParent(biller) : heldUnclear(split, [biller]);
  const held = hold('sub-orders', {
    why: 'more',
    total: toAmount(order.total),
    parent,
    parentTotal: toAmount(biller.total),
    others: names(siblingsOf(split, biller)),
    canChange: !biller.isInvoiced,
  });
  return heldBeside(split, held);
}

/** Null: this order is invoiced. */
function withChildren(split: Split): Verdict | null {
  const { order, below, children, isMarked } = split;
  const open = children.filter((child) => !isCharged(child));
  const all = sum(children.map(({ total }) => total));
  // Once one of them has its factura, the other policy would hold this order as well.
  const canChange = !below.some(isInvoiced);
  if (children.length === 0)
    return isMarked ? heldBeside(split, hold('sub-orders', { why: 'no-children' })) : null;
  if (arePaidWith(split) && !areCopies(split)) return heldUnclear(split, children);
  if (!covers(all, order, children)) {
    const more = all.minus(order.total);
    const sums = { total: toAmount(order.total), sum: toAmount(all), less: more.lt(0) };
    const held = hold('sub-orders', {
      why: 'other-sum',
      ...sums,
      difference: toAmount(more.abs()),
      children: names(children),
      canChange,
    });
    return heldBeside(split, held);
  }
  if (open.length > 0)
    return heldBeside(split, hold('sub-orders', { why: 'children-unpaid', open: names(open), canChange }));
  if (arePaidWith(split)) return invoicedWithChildren(children);
  const times = paidTimes([order, ...children]);
  return heldBeside(split, hold('sub-orders', { why: 'children-apart', children: names(children), times }));
}

const invoicedWithParent = ({ name }: Relative): Verdict =>
  nothing('invoiced-with-other', { why: 'parent', parent: name });

const invoicedWithChildren = (children: readonly Relative[]): Verdict =>
  nothing('invoiced-with-other', { why: 'children', children: names(children) });

function heldUnclear(split: Split, others: readonly Relative[]): Verdict {
  const named = others.map(({ name, total }) => ({ order: name, total: toAmount(total) }));
  const total = toAmount(split.order.total);
  return heldBeside(split, hold('sub-orders', { why: 'unclear', total, others: named }));
}

/** Each of them may be a cent off. */
const covers = (all: Decimal, { total }: Order, children: readonly Relative[]): boolean =>
  all.minus(total).abs().lte(decimal('0.01').times(children.length));

function besideAbove(split: Split, isHeld: boolean): Verdict | null {
  if (!isHeld) return null;
  const invoiced = split.above.find(isInvoiced);
  if (!invoiced)
    return heldBeside(split, hold('sub-orders', { why: 'parent', parent: split.above[0]?.name ?? '' }));
  const within = withParent(split);
  return within.action === 'nothing'
    ? heldBeside(split, hold('sub-orders', { why: 'parent-invoiced', ...ownFactura(invoiced) }))
    : within;
}

function besideLoser(split: Split): Verdict | null {
  const [loser] = split.losers;
  if (!loser) return null;
  const number = loser.billed?.number ?? '';
  return heldBeside(split, hold('sub-orders', { why: 'lost', other: loser.name, number }));
}

function besideBelow(split: Split, isHeld: boolean): Verdict | null {
  if (!isHeld) return null;
  const { below, children } = split;
  const invoiced = below.find(isInvoiced);
  if (!invoiced) return heldBeside(split, hold('sub-orders', { why: 'children', children: names(below) }));
  const rest = withChildren(split);
  if (rest?.action !== 'nothing' && children.every(isInvoiced)) return rest;
  const held = hold('sub-orders', {
    why: 'child-invoiced',
    children: names(below),
    ...ownFactura(invoiced),
    others: rest?.action !== 'nothing',
  });
  return heldBeside(split, held);
}

const ownFactura = ({ name, billed }: Relative): { invoiced: string; number: string | null } => ({
  invoiced: name,
  number: billed?.number ?? null,
});

const heldBeside = ({ above, below, losers }: Split, held: Verdict): Verdict => ({
  ...held,
  besides: [...above, ...below, ...losers].map(({ id }) => id),
});

const names = (some: readonly Relative[]): string[] => some.map(({ name }) => name);

/** Assumption: parts of one sale are paid at once; a plugin copies the time, or sets it within seconds. */
const togetherMs = 15 * 60_000;

const isPaidWith = ({ order, above }: Split, other: Relative): boolean =>
  above.some(isMarkedSplit) || isPaidTogether(order, [other]);

const arePaidWith = ({ order, children, isMarked }: Split): boolean =>
  isMarked || isPaidTogether(order, children);

const isPaidTogether = ({ paidAt }: Order, others: readonly Relative[]): boolean =>
  others.every((other) =>
    paidAt === null || other.paidAt === null
      ? paidAt === other.paidAt
      : Math.abs(Date.parse(paidAt) - Date.parse(other.paidAt)) <= togetherMs,
  );

const isCopyOf = (split: Split, other: Relative): boolean =>
  split.above.some(isMarkedSplit) || repeats(partsOf(split, other), other);

const areCopies = ({ order, children, isMarked }: Split): boolean => isMarked || repeats(children, order);

const paidTimes = (some: readonly Pick<Order, 'name' | 'paidAt'>[]): { order: string; at: string | null }[] =>
  some.map(({ name, paidAt }) => ({ order: name, at: paidAt === null ? null : momentInEcuador(paidAt) }));

export function soldTwice(
  order: Order,
  documents: readonly PlannedDocument[],
  relatives: readonly Relative[],
): Relative | undefined {
  const apartFrom = apartFromIn(documents);
  const one = { ...order, ...(apartFrom && { apartFrom }) };
  const sent =
    documents.find(({ kind, state }) => kind === 'factura' && state === 'authorized')?.sent ?? null;
  return lineageOf(one, relatives, isSplitFrom).above.find(
    (other) => other.isInvoiced && !isApart(one, other) && sellSame({ ...order, billed: sent }, other),
  );
}

/** What its factura billed and orders split from it sell since, if that is all that was taken out. */
export function takenOver(
  order: Order,
  documents: readonly PlannedDocument[],
  relatives: readonly Relative[],
  sent: Billed,
): Decimal {
  const { children } = splitOf(order, apartFromIn(documents), relatives, {
    seller: { lines: [], billed: sent },
  });
  return sum(children.map(({ total }) => total));
}

const siblingsOf = ({ siblings }: Split, biller: Relative): Relative[] =>
  siblings.filter((sibling) => sibling.id !== biller.id && sellSame(sibling, biller));

const partsOf = (split: Split, biller: Relative): [Order, ...Relative[]] => [
  split.order,
  ...siblingsOf(split, biller),
];
