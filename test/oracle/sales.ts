import fc from 'fast-check';

/*
 * Sales as a shop makes them, in whole cents and without a line of the product: what each line was sold for, at which
 * rate, and what the shop charged for it, its tax rounded line by line.
 */

/** Half-up, for what is not below zero. */
export const halfUp = (numerator: number, denominator: number): number =>
  Math.floor((2 * numerator + denominator) / (2 * denominator));

/** Codes of SRI table 17 and the percent of each. */
export const percents = { 0: 0, 4: 15, 5: 5, 6: 0, 7: 0 } as const;
export type Code = keyof typeof percents;

export interface SoldItem {
  id: number;
  kind: 'line' | 'shipping';
  code: Code;
  /** As listed; contains the tax where the shop's prices do. */
  unit: number;
  quantity: number;
  discount: number;
  net: number;
  tax: number;
}

/** Where the goods go: Ecuador, or a country with a tax of its own name. */
export interface Destination {
  country: string;
  tax: string;
  percent: number;
}

export interface Sale {
  platform: 'shopify' | 'woocommerce';
  included: boolean;
  /** null: at home. */
  abroad: Destination | null;
  items: SoldItem[];
  /** Of the total, paid with a gift card. */
  card: number;
}

const abroad: readonly Destination[] = [
  { country: 'CA', tax: 'GST', percent: 5 },
  { country: 'ZA', tax: 'VAT', percent: 15 },
  { country: 'JP', tax: 'Consumption tax', percent: 8 },
  { country: 'CO', tax: 'IVA', percent: 19 },
  { country: 'US', tax: 'IVA', percent: 15 },
  { country: 'US', tax: '', percent: 0 },
];

const cents = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 10, max: 999 }) },
  { weight: 3, arbitrary: fc.integer({ min: 1_000, max: 250_000 }) },
);
const itemSeed = (codes: readonly Code[]) =>
  fc.record({
    unit: cents,
    quantity: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 12 })),
    percentOff: fc.constantFrom(0, 0, 0, 10, 33),
    code: fc.constantFrom(...codes),
  });
type ItemSeed = ReturnType<typeof itemSeed> extends fc.Arbitrary<infer S> ? S : never;

function soldItem(
  { unit, quantity, percentOff, code }: ItemSeed,
  id: number,
  kind: SoldItem['kind'],
  included: boolean,
  percent: number,
): SoldItem {
  const discount = halfUp(unit * quantity * percentOff, 100);
  const paid = unit * quantity - discount;
  const tax = included ? halfUp(paid * percent, 100 + percent) : halfUp(paid * percent, 100);
  return { id, kind, code, unit, quantity, discount, net: included ? paid - tax : paid, tax };
}

/** Sales of every kind, with two taxed rates; those that are `refunded` later go to Ecuador. */
export function sales(refunded = false): fc.Arbitrary<Sale> {
  const seed = itemSeed([4, 4, 4, 4, 0, 0, 5, 6, 7]);
  return fc
    .record({
      platform: fc.constantFrom('shopify', 'woocommerce'),
      included: fc.boolean(),
      to: refunded ? fc.constant(-1) : fc.integer({ min: -12, max: abroad.length - 1 }),
      lines: fc.array(seed, { minLength: 1, maxLength: refunded ? 5 : 7 }),
      shipping: fc.option(seed),
      card: fc.constantFrom(0, 0, 0, 25, 100),
    })
    .map(({ platform, included, to, lines, shipping, card }): Sale => {
      const destination = abroad[to] ?? null;
      const percent = (code: Code) => destination?.percent ?? percents[code];
      const items = lines.map((seed, at) => soldItem(seed, at + 1, 'line', included, percent(seed.code)));
      if (shipping) {
        const seed: ItemSeed = { ...shipping, quantity: 1, percentOff: 0, code: 4 };
        items.push(soldItem(seed, 90, 'shipping', included, percent(4)));
      }
      const sale = { platform, included, abroad: destination, items, card: 0 } as const;
      return { ...sale, card: Math.floor((totalOf(sale) * card) / 100) };
    });
}

export const grossOf = ({ net, tax }: Pick<SoldItem, 'net' | 'tax'>): number => net + tax;

export const totalOf = ({ items }: Pick<Sale, 'items'>): number =>
  items.reduce((all, item) => all + grossOf(item), 0);

/** What was charged under each code, taxes included. */
export function byCode(items: readonly Pick<SoldItem, 'code' | 'net' | 'tax'>[]): Map<Code, number> {
  const sums = new Map<Code, number>();
  for (const item of items) sums.set(item.code, (sums.get(item.code) ?? 0) + grossOf(item));
  return sums;
}
