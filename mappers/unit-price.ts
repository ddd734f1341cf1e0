import { Decimal, decimal, roundCents } from '../src/domain/money.ts';

/** How a line says its base: round2(quantity × unit − discount). */
export interface UnitPrice {
  quantity: Decimal;
  /** At most 6 decimals. */
  unit: Decimal;
  /** Whole cents, never below zero. */
  discount: Decimal;
}

interface Wanted {
  quantity: Decimal;
  /** The price of a unit before the discount, however exact. */
  unit: Decimal;
  /** Whole cents. */
  base: Decimal;
  /** Whether somebody gave a discount, which the line then shows. */
  discounted: boolean;
}

const zero = decimal(0);
/** USD; so little on each line that the sum of a document's lines stays on its cent (see ways.ts). */
const hair = decimal('0.0003');

/**
 * A price that leads to the base: exactly in cents where one does, of two decimals if it can be, else five, else six
 * (some services take no more than five). Where none is exact, one rounded up that is a hair over. null where the
 * quantity has more than six decimals or no price leads there.
 */
export function unitPrice(wanted: Wanted): UnitPrice | null {
  const { quantity, base, discounted } = wanted;
  if (quantity.decimalPlaces() > 6) return null;
  const exact = [2, 5, 6].flatMap((places) =>
    discounted ? withDiscount(wanted, places) : withoutDiscount(wanted, places),
  );
  const [first] = exact;
  if (first) return first;
  if (discounted) return roundedDiscount(wanted) ?? unitPrice({ ...wanted, discounted: false });
  for (const places of [5, 6]) {
    const unit = base.div(quantity).toDecimalPlaces(places, Decimal.ROUND_UP);
    if (quantity.times(unit).minus(base).lte(hair)) return { quantity, unit, discount: zero };
  }
  return null;
}

/** Whether the line is in whole cents before anything is rounded. */
export const isExact = ({ quantity, unit }: UnitPrice): boolean => quantity.times(unit).decimalPlaces() <= 2;

/** For what is counted (IRBPNR): the units stay, the price is rounded up to cents and what it is over taken off. */
export function counted(quantity: Decimal, base: Decimal): UnitPrice {
  const unit = base.div(quantity).toDecimalPlaces(2, Decimal.ROUND_UP);
  return { quantity, unit, discount: quantity.times(unit).minus(base) };
}

function withoutDiscount({ quantity, unit, base }: Wanted, places: number): UnitPrice[] {
  return [unit, base.div(quantity)]
    .map((one) => ({ quantity, unit: one.toDecimalPlaces(places), discount: zero }))
    .filter((one) => quantity.times(one.unit).equals(base));
}

/** The shop's own price, rounded by a hundredth of itself at the most; the discount is what it is over. */
function withDiscount({ quantity, unit, base }: Wanted, places: number): UnitPrice[] {
  const own = unit.toDecimalPlaces(places);
  const discount = quantity.times(own).minus(base);
  const near = own.minus(unit).abs().times(100).lte(unit);
  return near && !discount.isNegative() && discount.decimalPlaces() <= 2
    ? [{ quantity, unit: own, discount }]
    : [];
}

function roundedDiscount({ quantity, unit, base }: Wanted): UnitPrice | null {
  const own = unit.toDecimalPlaces(6);
  const discount = roundCents(quantity.times(own).minus(base));
  const leads = roundCents(quantity.times(own).minus(discount)).equals(base);
  return discount.isNegative() || !leads ? null : { quantity, unit: own, discount };
}
