import fc from 'fast-check';
import { type Decimal, decimal, roundCents, sum, toAmount } from '../../../../src/domain/money.ts';
import {
  bareRefund,
  type Order,
  type Refund,
  type RefundPart,
  sourceOf,
} from '../../../../src/domain/order.ts';
import { type Kept, min, ofThousand, partsBy, ways } from './refund-ways.ts';

/**
 * Refunds as merchants make them: units of lines, a price let down, a shipping or a fee, everything, only an
 * amount; with a fee kept or goodwill on top, the tax forgotten, nothing but units, no money, money still on its
 * way, nothing known at all, and more than there was.
 */
const twists = ['none', 'none', 'none', 'none', 'fee-kept', 'goodwill'] as const;
const oddities = ['no-money', 'pending', 'no-detail', 'no-amount', 'contradiction', 'over'] as const;

const seed = fc.record({
  way: fc.constantFrom(...ways),
  twist: fc.constantFrom(...twists),
  odd: fc.oneof({ weight: 14, arbitrary: fc.constant(null) }, fc.constantFrom(...oddities)),
  /** Of a thousand, of what is left. */
  share: fc.integer({ min: 1, max: 1000 }),
  /** Which lines; every bit one of them. */
  some: fc.integer({ min: 1, max: 0xfff }),
});
export type RefundSeed = typeof seed extends fc.Arbitrary<infer S> ? S : never;

export const refundSeeds = (most: number): fc.Arbitrary<RefundSeed[]> =>
  fc.array(seed, { minLength: 1, maxLength: most });

/** Many small ones, of orders that are returned bit by bit. */
export const smallRefundSeeds = (most: number): fc.Arbitrary<RefundSeed[]> =>
  fc.array(
    fc.tuple(seed, fc.integer({ min: 1, max: 60 })).map(([one, share]) => ({ ...one, odd: null, share })),
    { minLength: most, maxLength: most },
  );

const zero = decimal(0);
const half = (value: Decimal): Decimal => roundCents(value.div(2));

/** The refunds of one order in the order they are made, none of money that is gone already unless it is `over`. */
export function refundsOf(order: Order, seeds: readonly RefundSeed[]): Refund[] {
  let money = decimal(order.total);
  let kept = [...order.lines, ...order.charges].map((item): Kept => {
    const units = decimal('quantity' in item ? item.quantity : '1');
    return { item, units, net: roundCents(decimal(item.net)), tax: roundCents(decimal(item.tax)) };
  });
  return seeds.flatMap((one, at) => {
    const refund = refundOf(one, String(at + 1), kept, money);
    if (decimal(refund.amount ?? '0').isZero() && one.odd === null) return [];
    kept = kept.map((each) => less(each, refund.parts ?? []));
    money = money.minus(refund.amount ?? '0');
    if (money.isNegative()) money = zero;
    return [refund];
  });
}

/** A last refund of whatever the others left. */
export function restOf(order: Order, refunds: readonly Refund[]): Refund | null {
  const rest = decimal(order.total).minus(sum(refunds.map(({ amount }) => amount ?? '0')));
  return rest.gt(0) ? { ...bareRefund('99', toAmount(rest)), parts: [] } : null;
}

function less(kept: Kept, parts: readonly RefundPart[]): Kept {
  const own = parts.filter(({ of }) => of === sourceOf(kept.item));
  if (own.length === 0) return kept;
  const [units, net, tax] = (['quantity', 'net', 'tax'] as const).map((key) =>
    sum(own.map((part) => part[key])),
  );
  return {
    ...kept,
    units: kept.units.minus(units ?? zero),
    net: kept.net.minus(net ?? zero),
    tax: kept.tax.minus(tax ?? zero),
  };
}

function refundOf(
  { way, twist, odd, share, some }: RefundSeed,
  id: string,
  kept: Kept[],
  left: Decimal,
): Refund {
  const chosen = kept.filter((_, at) => (some >> (at % 12)) % 2 === 1);
  const named = partsBy[way](chosen, kept, share);
  const stated = sum(named.flatMap(({ net, tax }) => [net, tax]));
  const wanted = {
    none: stated,
    'fee-kept': half(stated),
    goodwill: stated.plus(half(left.minus(min(stated, left)))),
  }[twist];
  // Nobody gives back a discount alone.
  const byAmount = way === 'amount' || way === 'units-and-amount' || stated.lte(0);
  const amount = min(byAmount ? ofThousand(left, share) : roundCents(wanted), left);
  const refund = {
    ...bareRefund(id, toAmount(amount)),
    parts: stated.isNegative() ? [] : named,
    discrepancy: byAmount ? '0.00' : apart(amount, stated, twist !== 'none'),
  };
  switch (odd) {
    case 'no-money':
      return { ...refund, amount: '0.00' };
    case 'pending':
      return { ...refund, amount: share % 2 ? '0.00' : refund.amount, pending: toAmount(amount) };
    case 'no-detail':
      return { ...refund, parts: null, discrepancy: '0.00' };
    case 'no-amount':
      return { ...refund, amount: null, parts: null };
    case 'contradiction':
      return { ...refund, amount: toAmount(min(amount.plus('3.21'), left)), discrepancy: '0.00' };
    case 'over':
      return { ...bareRefund(id, toAmount(left.plus(share))), parts: [] };
    default:
      return refund;
  }
}

/** Shops say a difference only where there is one beyond rounding. */
function apart(amount: Decimal, stated: Decimal, said: boolean): string {
  const difference = amount.minus(stated);
  return said || difference.abs().gt('0.01') ? toAmount(difference) : '0.00';
}
