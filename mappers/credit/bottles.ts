import { Decimal, decimal, sum } from '../../src/domain/money.ts';
import { irbpnrRate } from '../tables/excise.ts';
import type { Balance, ItemLeft } from './balance.ts';
import type { Claims } from './claims.ts';

/** IRBPNR is paid by the bottle, whatever the price. */
export const bottle = decimal(irbpnrRate);

const zero = decimal(0);

export function bottlesWorth({ item }: ItemLeft, units: Decimal): Decimal {
  return item.tipo_irbpnr === undefined ? zero : units.times(bottle);
}

/**
 * How many bottles come back with their IRBPNR: whole ones, where the money asked for their line pays for them,
 * and more only where the money is more than all that is left without them.
 */
export function bottlesBack(
  { items, groups }: Balance,
  asked: Claims['asked'],
  money: Decimal,
): Map<ItemLeft, Decimal> {
  const back = new Map<ItemLeft, Decimal>();
  items.forEach((item, at) => {
    if (item.item.tipo_irbpnr === undefined) return;
    const { gross = zero, units = zero } = asked[at] ?? {};
    const whole = units.toDecimalPlaces(0, Decimal.ROUND_FLOOR);
    back.set(item, bottlesWorth(item, whole).lte(gross) ? whole : zero);
  });
  const room = sum(groups.map(({ gross }) => gross));
  const paid = sum(back.values()).times(bottle);
  let missing = missingBottles(money.minus(room).minus(paid), money.minus(paid));
  for (const [item, units] of back) {
    const more = min(missing, item.units.minus(units));
    back.set(item, units.plus(more));
    missing = missing.minus(more);
  }
  return back;
}

/** Half a bottle only where nothing but bottles is left and the money is an odd cent. */
function missingBottles(over: Decimal, atMost: Decimal): Decimal {
  if (over.lte(0)) return zero;
  const whole = over.div(bottle).toDecimalPlaces(0, Decimal.ROUND_UP);
  return whole.times(bottle).lte(atMost) ? whole : over.div(bottle);
}

const min = (a: Decimal, b: Decimal): Decimal => (a.lt(b) ? a : b);
