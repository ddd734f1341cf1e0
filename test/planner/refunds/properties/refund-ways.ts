import { type Decimal, decimal, roundCents, sum, toAmount } from '../../../../src/domain/money.ts';
import { type Charge, type Line, type RefundPart, sourceOf } from '../../../../src/domain/order.ts';

export const ways = [
  'units',
  'units',
  'units',
  'price',
  'charge',
  'everything',
  'amount',
  'untaxed',
  'units-and-amount',
  'lost-line',
] as const;

/** What a shop still has to give back of one line or charge. */
export interface Kept {
  item: Line | Charge;
  units: Decimal;
  net: Decimal;
  tax: Decimal;
}

const zero = decimal(0);
export const min = (a: Decimal, b: Decimal): Decimal => (a.lt(b) ? a : b);
export const ofThousand = (value: Decimal, share: number): Decimal =>
  roundCents(value.times(share).div(1000));

const part = ({ item }: Kept, quantity: Decimal, net: Decimal, tax: Decimal): RefundPart => ({
  of: sourceOf(item),
  name: item.name,
  quantity: 'quantity' in item ? quantity.toFixed() : '0',
  net: toAmount(net),
  tax: toAmount(tax),
});

/** So many units of a line at its own price and tax; whole ones where the line has any. */
function unitsOf(kept: Kept, share: number): RefundPart[] {
  const { item, units, net, tax } = kept;
  if (!('quantity' in item) || units.lte(0)) return [];
  const wanted = units.isInteger() ? units.times(share).div(1000).toDecimalPlaces(0) : units;
  const count = wanted.gt(0) ? wanted : min(decimal(1), units);
  if (count.equals(units)) return [part(kept, units, net, tax)];
  return [
    part(kept, count, roundCents(net.times(count).div(units)), roundCents(tax.times(count).div(units))),
  ];
}

const priceOf = (kept: Kept, share: number): RefundPart =>
  part(kept, zero, ofThousand(kept.net, share), ofThousand(kept.tax, share));

/** What each way of giving back names. */
export const partsBy: Record<
  (typeof ways)[number],
  (chosen: Kept[], kept: Kept[], share: number) => RefundPart[]
> = {
  units: (chosen, _, share) => chosen.flatMap((one) => unitsOf(one, share)),
  price: (chosen, _, share) => chosen.slice(0, 1).map((one) => priceOf(one, share)),
  charge: (_, kept, share) =>
    kept.filter(({ item }) => !('quantity' in item)).map((one) => priceOf(one, share)),
  everything: (_, kept) => kept.map((one) => part(one, one.units, one.net, one.tax)),
  amount: () => [],
  untaxed: (chosen, _, share) =>
    chosen
      .flatMap((one) => unitsOf(one, share))
      .map((one) => ({ ...one, net: toAmount(sum([one.net, one.tax])), tax: '0.00' })),
  'units-and-amount': (chosen, _, share) =>
    chosen.flatMap((one) => unitsOf(one, share)).map((one) => ({ ...one, net: '0.00', tax: '0.00' })),
  'lost-line': (chosen, _, share) =>
    chosen
      .slice(0, 2)
      .flatMap((one) => unitsOf(one, share))
      .map((one, at) => ({ ...one, of: at === 0 ? null : one.of })),
};
