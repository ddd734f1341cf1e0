import { type Decimal, decimal, roundCents, sum, toAmount } from '../../domain/money.ts';
import type { Charge, Line, Order } from '../../domain/order.ts';
import { type Refund, type RefundPart, sourceOf } from '../../domain/refund.ts';
import type { PlannedDocument } from '../input.ts';
import { inOrder } from './order-of.ts';
import { countingGroups, type Group, groupsWith, isAlike, type Open } from './record-groups.ts';

/**
 * The order with its refunds as givings back, where the shop made several records of one: the lines in one (returned or
 * restocked, no money), the money in another (an amount, no lines). Money takes the lines whose sum it is as its
 * parts, each line once; the record of the lines says where their money is. What documents were sent with stays. Asked
 * again of its own answer it changes nothing. Pure.
 */
export function withRecordsCombined(order: Order, documents: readonly PlannedDocument[]): Order {
  if (order.refunds.length < 2) return order;
  const records = inOrder(order.refunds);
  const open = records.flatMap((refund) => openOf(refund, order));
  const shares = [...sharesSent(open, documents, records)];
  const facturas = documents.flatMap(({ kind, sent }) =>
    kind === 'factura' && sent ? [sent.nettedRefunds] : [],
  );
  for (const ids of facturas)
    shares.push(
      ...sharesAmong(
        open.filter(({ refund }) => ids.includes(refund.id)),
        order,
      ),
    );
  shares.push(...sharesAmong(open, order));
  if (shares.length === 0) return order;
  return { ...order, refunds: order.refunds.map((refund) => combined(refund, shares, open)) };
}

/** What money takes of the lines of another record. */
interface Share {
  money: string;
  lines: string;
  parts: RefundPart[];
}

/** Each record in its turn: whoever completes a group closes it, so that what comes later changes nothing before it. */
function sharesAmong(open: readonly Open[], order: Order): Share[] {
  const shares: Share[] = [];
  const seen: Open[] = [];
  const sold = itemsOf(order);
  const records = inOrder(order.refunds);
  const returned = new Map<string, Decimal>();
  let next = 0;
  for (const one of open) {
    const upTo = records.findIndex(({ id }) => id === one.refund.id);
    for (; next <= upTo; next += 1)
      for (const [of, units] of unitsBack(records[next]))
        returned.set(of, (returned.get(of) ?? zero).plus(units));
    seen.push(one);
    if (!isOpen(one)) continue;
    const still = seen.filter((other) => isOpen(other) && isSoldStill(other, sold, returned));
    for (const group of countingGroups(groupsWith(one, still), still, order)) shares.push(...taken(group));
  }
  return shares;
}

/** What notas de crédito that were sent, or earlier answers of ours, took. */
function sharesSent(
  open: readonly Open[],
  documents: readonly PlannedDocument[],
  records: readonly Refund[],
): Share[] {
  const groups = [
    ...documents.flatMap(({ kind, sourceId, charged, sent }) =>
      kind === 'nota-credito' && sent ? [{ id: sourceId, amount: charged, from: sent.nettedRefunds }] : [],
    ),
    ...records.map(({ id, amount, linesFrom = [] }) => ({ id, amount: amount ?? '0', from: linesFrom })),
  ];
  const once = new Map(groups.filter(({ from }) => from.length > 0).map((one) => [one.id, one]));
  return [...once.values()].flatMap(({ id, amount, from }) => {
    const own = open.find(({ kind, refund }) => kind === 'money' && refund.id === id);
    // One that was deleted since, or has its parts already, is no longer open; its lines are gone all the same.
    const money = own ?? {
      kind: 'money' as const,
      refund: { id } as Refund,
      parts: [],
      left: decimal(amount),
    };
    return taken({
      money: [money],
      lines: open.filter(({ kind, refund }) => kind === 'lines' && from.includes(refund.id)),
    });
  });
}

/** Money takes lines, as long as there are both; the units go with the first money. */
function taken({ money, lines }: Group): Share[] {
  return money.flatMap((one) =>
    lines.flatMap((other): Share[] => {
      if (!isOpen(one) || !isOpen(other)) return [];
      const stated = grossOf(other.parts);
      const whole = isAlike(one.left, other.left);
      const share = whole || one.left.gt(other.left) ? other.left : one.left;
      const untouched = other.left.equals(stated);
      const parts = other.parts.map((part) => ({
        ...part,
        quantity: untouched ? part.quantity : '0',
        net: scaled(part.net, share, stated),
        tax: scaled(part.tax, share, stated),
      }));
      one.left = whole ? zero : one.left.minus(share);
      other.left = other.left.minus(share);
      return [{ money: one.refund.id, lines: other.refund.id, parts }];
    }),
  );
}

function combined(refund: Refund, shares: readonly Share[], open: readonly Open[]): Refund {
  const own = shares.filter(({ money }) => money === refund.id);
  if (own.length > 0 && refund.linesFrom === undefined)
    return {
      ...refund,
      parts: own.flatMap(({ parts }) => parts),
      discrepancy: '0.00',
      linesFrom: own.map(({ lines }) => lines),
    };
  const paid = shares.filter(({ lines }) => lines === refund.id).map(({ money }) => money);
  if (paid.length === 0 || !decimal(refund.amount ?? '0').isZero()) return refund;
  const rest = open.find((one) => one.refund.id === refund.id);
  return { ...refund, moneyIn: paid, ...(rest && isOpen(rest) ? {} : { parts: [], discrepancy: '0.00' }) };
}

/** Money without lines, lines without (all of) their money, or neither. */
export function openOf(refund: Refund, order: Order): Open[] {
  const { amount, pending, parts, discrepancy } = refund;
  if (amount === null || parts === null) return [];
  const money = decimal(amount).plus(pending);
  const moved = parts.filter(
    ({ net, tax, quantity }) => ![net, tax, quantity].every((one) => decimal(one).isZero()),
  );
  if (moved.length === 0) return money.gt(0) ? [{ kind: 'money', refund, parts: [], left: money }] : [];
  const priced = pricedBy(order, moved);
  const left = grossOf(priced).minus(money);
  const isStated = money.isZero() || isAlike(left, decimal(discrepancy).negated());
  if (!isStated || left.lte('0.01') || !isOfOrder(priced, order)) return [];
  return [{ kind: 'lines', refund, parts: priced, left }];
}

/** Units that state no money (WooCommerce's restock) are worth what they were sold for. */
function pricedBy({ lines }: Order, parts: readonly RefundPart[]): RefundPart[] {
  if (!grossOf(parts).isZero()) return [...parts];
  return parts.map((part) => {
    const line = lines.find((one) => sourceOf(one) === part.of);
    if (!line) return part;
    const share = (value: string): string =>
      toAmount(roundCents(decimal(value).times(part.quantity).div(line.quantity)));
    return { ...part, net: share(line.net), tax: share(line.tax) };
  });
}

const itemsOf = ({ lines, charges }: Order): Map<string, Line | Charge> =>
  new Map([...lines, ...charges].map((item) => [sourceOf(item), item]));

function isOfOrder(parts: readonly RefundPart[], order: Order): boolean {
  const items = itemsOf(order);
  return parts.every(({ of }) => of !== null && items.has(of));
}

/** Lines in units that other money has not given back until then. */
function isSoldStill(
  { refund, parts }: Open,
  sold: ReadonlyMap<string, Line | Charge>,
  returned: ReadonlyMap<string, Decimal>,
): boolean {
  const own = unitsBack(refund);
  return parts.every(({ of, quantity }) => {
    const item = sold.get(of ?? '');
    if (!item || !('quantity' in item)) return true;
    const others = (returned.get(of ?? '') ?? zero).minus(own.get(of ?? '') ?? zero);
    return others.plus(quantity).lte(item.quantity);
  });
}

/** Units of lines that money of the same record gave back. */
function unitsBack(refund: Refund | undefined): Map<string, Decimal> {
  const units = new Map<string, Decimal>();
  if (!refund || refund.linesFrom !== undefined || decimal(refund.amount ?? '1').isZero()) return units;
  for (const { of, quantity } of refund.parts ?? [])
    if (of !== null) units.set(of, (units.get(of) ?? zero).plus(quantity));
  return units;
}

const zero = decimal(0);
const isOpen = ({ left }: Open): boolean => left.gt('0.005');
const grossOf = (parts: readonly RefundPart[]): Decimal => sum(parts.flatMap(({ net, tax }) => [net, tax]));
const scaled = (value: string, share: Decimal, whole: Decimal): string =>
  share.equals(whole) ? value : decimal(value).times(share).div(whole).toDecimalPlaces(8).toFixed();
