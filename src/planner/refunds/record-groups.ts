import { type Decimal, decimal, sum } from '../../domain/money.ts';
import type { Order } from '../../domain/order.ts';
import { type Refund, type RefundPart, sourceOf } from '../../domain/refund.ts';

/** Money no lines explain yet, or lines no money came back for yet. */
export interface Open {
  kind: 'money' | 'lines';
  refund: Refund;
  /** What its lines are worth, taxes included; empty for money. */
  parts: RefundPart[];
  /** Of it no other record has taken its share of. */
  left: Decimal;
}

/** Records of one giving back: one of money with all lines it paid for, or one of lines with all money they got. */
export interface Group {
  money: Open[];
  lines: Open[];
}

/** Records of one giving back are made within this time. */
const longest = 30 * 86_400_000;
/** Of several, the nearest in time counts where the next is so much further away. */
const clearly = 86_400_000;
/** Of more open records than this only pairs are searched. */
const mostOpen = 12;
const mostInGroup = 5;
const cent = decimal('0.01');

/** The smallest groups `one` makes with others that are open: their sums are equal, give or take a cent of rounding. */
export function groupsWith(one: Open, open: readonly Open[]): Group[] {
  const others = open.filter((other) => other !== one && apart([one, other]) <= longest);
  const most = others.length > mostOpen ? 1 : mostInGroup - 1;
  const groups = subsetsOf(others, most).flatMap((some): Group[] => {
    const all = open.filter((other) => other === one || some.includes(other));
    const money = all.filter(({ kind }) => kind === 'money');
    const lines = all.filter(({ kind }) => kind === 'lines');
    if (money.length !== 1 && lines.length !== 1) return [];
    return lines.length > 0 && isAlike(worth(money), worth(lines)) ? [{ money, lines }] : [];
  });
  const size = ({ money, lines }: Group): number => money.length + lines.length;
  const smallest = Math.min(...groups.map(size));
  return groups.filter((group) => size(group) === smallest && span(group) <= longest);
}

/**
 * Which of several groups counts. They may all credit the same; else one is clearly the nearest in time; else there is as
 * much money of that sum as there are lines, and all of them count, the oldest with the oldest. None where that is
 * unclear: then nobody knows which lines the money was for.
 */
export function countingGroups(groups: readonly Group[], open: readonly Open[], order: Order): Group[] {
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

/** What lines are worth by the rates they were sold with. */
function ratesOf(lines: readonly Open[], { lines: sold, charges }: Order): string {
  const rates = new Map(
    [...sold, ...charges].map((item) => [sourceOf(item), item.taxes.map(({ rate }) => rate)]),
  );
  const worths = new Map<string, Decimal>();
  for (const { of, net, tax } of lines.flatMap(({ parts }) => parts)) {
    const key = String(rates.get(of ?? ''));
    worths.set(key, sum([worths.get(key) ?? '0', net, tax]));
  }
  return [...worths]
    .map(([key, gross]) => `${key} ${gross.toFixed(2)}`)
    .sort()
    .join();
}

/** Every choice of at most so many of them, none left out and none twice. */
function subsetsOf(some: readonly Open[], most: number): Open[][] {
  const sets: Open[][] = [[]];
  for (const one of some) for (const set of [...sets]) if (set.length < most) sets.push([...set, one]);
  return sets.slice(1);
}

const worth = (some: readonly Open[]): Decimal => sum(some.map(({ left }) => left));
export const isAlike = (a: Decimal, b: Decimal): boolean => a.minus(b).abs().lte(cent);
const span = ({ money, lines }: Group): number => apart([...money, ...lines]);

/** Milliseconds between the first and the last; nothing is known of records without a time. */
function apart(some: readonly Open[]): number {
  const times = some.flatMap(({ refund: { at } }) => (at === null ? [] : [Date.parse(at)]));
  return times.length < some.length ? 0 : Math.max(...times) - Math.min(...times);
}
