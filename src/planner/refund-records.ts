import { type Decimal, decimal, roundCents, sum, toAmount } from '../domain/money.ts';
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
import type { PlannedDocument } from './action.ts';

/** Some shops make two records of one refund: lines without money, and money without lines. Pure and idempotent. */
export function withRecordsCombined(order: Order, documents: readonly PlannedDocument[]): Order {
  if (order.refunds.length < 2) return order;
  const records = inOrder(order.refunds);
  const open = records.flatMap((refund) => openOf(refund, order));
  const shares = [...sharesSent(open, documents, records)];
  const facturas = documents.flatMap(({ kind, sent }) =>
    kind === 'factura' && sent ? [sent.nettedRefunds] : [],
  );
  for (const ids of facturas) {
    const netted = open.filter(({ refund }) => ids.includes(refund.id));
    shares.push(...sharesAmong(netted, order));
  }
  shares.push(...sharesAmong(open, order));
  if (shares.length === 0) return order;
  return { ...order, refunds: order.refunds.map((refund) => combined(refund, shares, open)) };
}

interface Share {
  money: string;
  lines: string;
  parts: RefundPart[];
}

/** The record that completes a group closes it, so that later ones change nothing before it. */
function sharesAmong(open: readonly Open[], order: Order): Share[] {
  const shares: Share[] = [];
  const seen: Open[] = [];
  const sold = itemsBySource(order);
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

function sharesSent(
  open: readonly Open[],
  documents: readonly PlannedDocument[],
  records: readonly Refund[],
) {
  const groups = [
    ...documents.flatMap(({ kind, sourceId, charged, sent }) =>
      kind === 'nota-credito' && sent ? [{ id: sourceId, amount: charged, from: sent.nettedRefunds }] : [],
    ),
    ...records.map(({ id, amount, linesFrom = [] }) => ({ id, amount: amount ?? '0', from: linesFrom })),
  ];
  const once = new Map(groups.filter(({ from }) => from.length > 0).map((one) => [one.id, one]));
  return [...once.values()].flatMap(({ id, amount, from }) => {
    const own = open.find(({ kind, refund }) => kind === 'money' && refund.id === id);
    // A record that was deleted, or has its parts already, is no longer open; its lines are taken all the same.
    const refund = { id } as Refund;
    const money: Open = own ?? { kind: 'money', refund, parts: [], left: decimal(amount) };
    return taken({
      money: [money],
      lines: open.filter(({ kind, refund }) => kind === 'lines' && from.includes(refund.id)),
    });
  });
}

function taken({ money, lines }: Group): Share[] {
  return money.flatMap((one) =>
    lines.flatMap((other): Share[] => {
      if (!isOpen(one) || !isOpen(other)) return [];
      const stated = worth(other.parts);
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

export function openOf(refund: Refund, order: Order): Open[] {
  const { amount, pending, parts, discrepancy } = refund;
  if (amount === null || parts === null) return [];
  const money = decimal(amount).plus(pending);
  const moved = parts.filter(
    ({ net, tax, quantity }) => ![net, tax, quantity].every((one) => decimal(one).isZero()),
  );
  if (moved.length === 0) return money.gt(0) ? [{ kind: 'money', refund, parts: [], left: money }] : [];
  const priced = pricedBy(order, moved);
  const left = worth(priced).minus(money);
  if (order.overpaid !== undefined) return [];
  const isStated = money.isZero() || isAlike(left, decimal(discrepancy).negated());
  if (!isStated || left.lte('0.01') || !isOfOrder(priced, order)) return [];
  return [{ kind: 'lines', refund, parts: priced, left }];
}

/** Units without money (WooCommerce's restock) are worth what they were sold for. */
function pricedBy({ lines }: Order, parts: readonly RefundPart[]): RefundPart[] {
  if (!worth(parts).isZero()) return [...parts];
  return parts.map((part) => {
    const line = lines.find((one) => sourceOf(one) === part.of);
    if (!line) return part;
    const share = (value: string): string =>
      toAmount(roundCents(decimal(value).times(part.quantity).div(line.quantity)));
    return { ...part, net: share(line.net), tax: share(line.tax) };
  });
}

function isOfOrder(parts: readonly RefundPart[], order: Order): boolean {
  const items = itemsBySource(order);
  return parts.every(({ of }) => of !== null && items.has(of));
}

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

function unitsBack(refund: Refund | undefined): Map<string, Decimal> {
  const units = new Map<string, Decimal>();
  if (!refund || refund.linesFrom !== undefined || decimal(refund.amount ?? '1').isZero()) return units;
  for (const { of, quantity } of refund.parts ?? [])
    if (of !== null) units.set(of, (units.get(of) ?? zero).plus(quantity));
  return units;
}

const zero = decimal(0);
const isOpen = ({ left }: Open): boolean => left.gt('0.005');
const scaled = (value: string, share: Decimal, whole: Decimal): string =>
  share.equals(whole) ? value : decimal(value).times(share).div(whole).toDecimalPlaces(8).toFixed();

interface Open {
  kind: 'money' | 'lines';
  refund: Refund;
  parts: RefundPart[];
  left: Decimal;
}

interface Group {
  money: Open[];
  lines: Open[];
}

/** Assumption: records of one refund are made within 30 days. */
const longest = 30 * 86_400_000;
/** Among several groups the nearest in time counts, if the next is further away by more than this. */
const clearly = 86_400_000;
/** With more open records than this only pairs are searched. */
const mostOpen = 12;
const mostInGroup = 5;
const cent = decimal('0.01');

function groupsWith(one: Open, open: readonly Open[]): Group[] {
  const others = open.filter((other) => other !== one && apart([one, other]) <= longest);
  const most = others.length > mostOpen ? 1 : mostInGroup - 1;
  const groups = subsetsOf(others, most).flatMap((some): Group[] => {
    const all = open.filter((other) => other === one || some.includes(other));
    const money = all.filter(({ kind }) => kind === 'money');
    const lines = all.filter(({ kind }) => kind === 'lines');
    if (money.length !== 1 && lines.length !== 1) return [];
    return lines.length > 0 && isAlike(leftOf(money), leftOf(lines)) ? [{ money, lines }] : [];
  });
  const size = ({ money, lines }: Group): number => money.length + lines.length;
  const smallest = Math.min(...groups.map(size));
  return groups.filter((group) => size(group) === smallest && span(group) <= longest);
}

/** None where it is unclear which lines the money was for. */
function countingGroups(groups: readonly Group[], open: readonly Open[], order: Order): Group[] {
  const [nearest, next] = groups.toSorted((a, b) => span(a) - span(b));
  if (!nearest) return [];
  const rates = new Set(groups.map(({ lines }) => ratesOf(lines, order)));
  if (!next || rates.size === 1 || span(next) - span(nearest) > clearly) return [nearest];
  const [money] = nearest.money;
  if (nearest.money.length > 1 || nearest.lines.length > 1 || !money) return [];
  const alike = open.filter(({ left }) => isAlike(left, money.left));
  const lines = alike.filter(({ kind }) => kind === 'lines');
  const paid = alike.filter(({ kind }) => kind === 'money');
  if (lines.length !== paid.length) return [];
  return paid.map((one, at) => ({ money: [one], lines: lines.slice(at, at + 1) }));
}

function ratesOf(lines: readonly Open[], order: Order): string {
  const items = itemsBySource(order);
  const worths = new Map<string, Decimal>();
  for (const { of, net, tax } of lines.flatMap(({ parts }) => parts)) {
    const key = String(items.get(of ?? '')?.taxes.map(({ rate }) => rate));
    worths.set(key, sum([worths.get(key) ?? '0', net, tax]));
  }
  return [...worths]
    .map(([key, gross]) => `${key} ${toAmount(gross)}`)
    .sort()
    .join();
}

function subsetsOf(some: readonly Open[], most: number): Open[][] {
  const sets: Open[][] = [[]];
  for (const one of some) for (const set of [...sets]) if (set.length < most) sets.push([...set, one]);
  return sets.slice(1);
}

const leftOf = (some: readonly Open[]): Decimal => sum(some.map(({ left }) => left));
export const isAlike = (a: Decimal, b: Decimal): boolean => a.minus(b).abs().lte(cent);
const span = ({ money, lines }: Group): number => apart([...money, ...lines]);

/** Milliseconds between the first and the last; 0 when one of them has no time. */
function apart(some: readonly Open[]): number {
  const times = some.flatMap(({ refund: { at } }) => (at === null ? [] : [Date.parse(at)]));
  return times.length < some.length ? 0 : Math.max(...times) - Math.min(...times);
}

/** Oldest first, by the shop's time when every refund has one, then by id. */
export function inOrder(refunds: readonly Refund[]): Refund[] {
  const timed = refunds.every(({ at }) => at !== null);
  return refunds.toSorted((a, b) => {
    const byTime = timed ? Date.parse(a.at ?? '') - Date.parse(b.at ?? '') : 0;
    // Ids are whole numbers of any length.
    return byTime || a.id.length - b.id.length || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
  });
}
