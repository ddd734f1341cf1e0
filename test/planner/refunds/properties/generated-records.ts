import fc from 'fast-check';
import { bareRefund, type Order, type Refund, type RefundPart } from '../../../../src/domain/order.ts';
import { line, order } from '../../../support/orders.ts';

/*
 * Orders and what came back of them, in whole cents and with no arithmetic of the sources. A line costs 0.20 times a
 * power of two, so that its 15 % is whole cents and no two choices of lines have one sum.
 */

/** How a shop records one giving back. */
const rateClass = [
  'one',
  'lines-and-money',
  'money-and-lines',
  'two-of-lines',
  'two-of-money',
  'restock',
] as const;
type Manner = (typeof rateClass)[number];

interface Sold {
  /** Cents without tax. */
  base: number;
  percent: 0 | 15;
}

export interface Timeline {
  order: Order;
  /** In the order the shop made them. */
  records: Refund[];
  /** Cents with tax that are kept after all of it, by code of IVA. */
  kept: Record<string, number>;
  /** Records of lines or money alone, and which giving back each is part of. */
  open: { kind: 'money' | 'lines'; cents: number; giving: number }[];
  /** Whether an amount was split where no base may lead: then cents are nobody's. */
  isSplit: boolean;
}

const taxOf = ({ base, percent }: Sold): number => (base * percent) / 100;
const grossOf = (sold: Sold): number => sold.base + taxOf(sold);
const text = (cents: number): string => (cents / 100).toFixed(2);
const sumOf = (some: readonly Sold[]): number => some.reduce((all, one) => all + grossOf(one), 0);

const seed = fc.record({
  percents: fc.array(fc.constantFrom<0 | 15>(0, 15), { minLength: 2, maxLength: 7 }),
  /** Which giving back each line belongs to; 3 is kept. */
  of: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 7, maxLength: 7 }),
  rateClass: fc.array(fc.constantFrom(...rateClass), { minLength: 3, maxLength: 3 }),
  /** Of a thousand, what the first of two moneys is. */
  share: fc.integer({ min: 1, max: 999 }),
  /** Hours between records: all at one time, or days apart. */
  hours: fc.constantFrom(0, 1, 30),
});

export const timelines = seed.map((one) => timelineOf(one, (at) => 20 * 2 ** at));
/** Lines of two prices only: many sums are equal, and mean other lines. */
export const alikeTimelines = seed.map((one) => timelineOf(one, (at) => (at % 2 === 0 ? 2000 : 2300)));

type Seed = typeof seed extends fc.Arbitrary<infer S> ? S : never;

function timelineOf(
  { percents, of, rateClass: how, share, hours }: Seed,
  priceOf: (at: number) => number,
): Timeline {
  const lines = percents.map((percent, at): Sold => ({ base: priceOf(at), percent }));
  const sold = order({
    lines: lines.map(({ base, percent }, at) =>
      line({ id: String(at + 1), sku: `L${at}`, price: text(base), rate: String(percent) }),
    ),
  });
  const records: Refund[] = [];
  const open: Timeline['open'] = [];
  let isSplit = false;
  for (const giving of [0, 1, 2]) {
    const back = lines.flatMap((one, at) => (of[at] === giving ? [{ ...one, at }] : []));
    if (back.length === 0) continue;
    isSplit ||= how[giving] === 'two-of-money';
    for (const [kind, amount, parts, apart] of recorded(how[giving] ?? 'one', back, share)) {
      const id = String(records.length + 1);
      const at = new Date(Date.UTC(2026, 10, 21, 10) + records.length * hours * 3_600_000).toISOString();
      records.push({
        ...bareRefund(id, text(kind === 'lines' ? 0 : amount)),
        at,
        parts,
        discrepancy: text(apart),
      });
      if (kind !== 'both') open.push({ kind, cents: amount, giving });
    }
  }
  const kept = { 0: 0, 4: 0 };
  lines.forEach((one, at) => {
    if (of[at] === 3) kept[one.percent === 0 ? 0 : 4] += grossOf(one);
  });
  return { order: sold, records, kept, open, isSplit };
}

type Back = readonly (Sold & { at: number })[];
/** What it has, its worth in cents, its parts, and by how much Shopify says that more (or less) went back. */
type Written = ['both' | 'money' | 'lines', number, RefundPart[], number];

function recorded(manner: Manner, back: Back, share: number): Written[] {
  const parts = (some: Back, isBare = false): RefundPart[] =>
    some.map((one) => ({
      of: `line:${one.at + 1}`,
      name: 'Camiseta',
      quantity: '1',
      net: text(isBare ? 0 : one.base),
      tax: text(isBare ? 0 : taxOf(one)),
    }));
  const all = sumOf(back);
  const lines = (some: Back): Written => ['lines', sumOf(some), parts(some), -sumOf(some)];
  const money = (amount: number): Written => ['money', amount, [], amount];
  switch (manner) {
    case 'one':
      return [['both', all, parts(back), 0]];
    case 'lines-and-money':
      return [lines(back), money(all)];
    case 'money-and-lines':
      return [money(all), lines(back)];
    case 'restock':
      return [
        ['lines', all, parts(back, true), 0],
        ['money', all, [], 0],
      ];
    case 'two-of-lines':
      return back.length < 2
        ? [lines(back), money(all)]
        : [lines(back.slice(0, 1)), lines(back.slice(1)), money(all)];
    case 'two-of-money': {
      const first = Math.max(1, Math.floor((all * share) / 1000));
      return [lines(back), money(first), money(all - first)];
    }
  }
}

/**
 * Whether sums alone could join records of different givings back: one of money with lines, or one of lines with moneys, a
 * cent apart at most; or one cent of money, which the rounding of the rest explains as well. Then nobody can tell, and
 * nothing is asked of the planner here: it holds that cent.
 */
export function isAmbiguous({ open }: Timeline): boolean {
  if (open.some(({ cents }) => cents <= 1)) return true;
  for (let set = 1; set < 2 ** open.length; set += 1) {
    const some = open.filter((_, at) => (set >> at) % 2 === 1);
    const money = some.filter(({ kind }) => kind === 'money');
    const lines = some.filter(({ kind }) => kind === 'lines');
    if (money.length === 0 || lines.length === 0 || (money.length > 1 && lines.length > 1)) continue;
    const worth = (records: typeof open) => records.reduce((all, { cents }) => all + cents, 0);
    const isTrue = some.every(({ giving }) => giving === some[0]?.giving);
    if (!isTrue && Math.abs(worth(money) - worth(lines)) <= 1) return true;
  }
  return false;
}
