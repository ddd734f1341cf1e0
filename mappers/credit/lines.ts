import { type Decimal, decimal, roundCents } from '../../src/core/money.ts';
import type { Tie } from '../../src/core/refund.ts';
import type { ItemBody } from '../body.ts';
import type { CreditedItem } from './apportion.ts';

const zero = decimal(0);

/** A credited item in the words of the factura's own: codes, texts and rates are the original's. */
export function toCreditItem({ left, base, units }: CreditedItem): { item: ItemBody; tie: Tie } {
  const { item, source, sold } = left;
  const paid = base.equals(item.precio_total_sin_impuesto);
  // Paid back whole: word for word. Bottles (IRBPNR) count only where they came back.
  if (paid && (units.equals(sold) || item.tipo_irbpnr === undefined))
    return { item, tie: { source, units: units.toFixed() } };
  // A factura that sold "three for 10.00" as one line has no price per unit to give back, and it counts in millionths.
  const counted = decimal(item.cantidad).equals(sold) && units.gt(0) && units.decimalPlaces() <= 6;
  const priced = (counted ? byUnit(item, base, units) : null) ?? once(base);
  const { tipo_irbpnr, ...rest } = item;
  return {
    item: {
      ...rest,
      ...priced,
      precio_total_sin_impuesto: base.toNumber(),
      ...(tipo_irbpnr !== undefined && counted ? { tipo_irbpnr } : {}),
    },
    tie: { source, units: units.toFixed() },
  };
}

type Priced = Pick<ItemBody, 'cantidad' | 'precio_unitario' | 'descuento'>;

/** The factura's own unit price where it leads to the base, less a discount; else the price that does; else null. */
function byUnit(item: ItemBody, base: Decimal, units: Decimal): Priced | null {
  const leads = (unit: Decimal, discount: Decimal) =>
    roundCents(units.times(unit).minus(discount)).equals(base);
  const say = (unit: Decimal, discount: Decimal): Priced => ({
    cantidad: units.toNumber(),
    precio_unitario: unit.toNumber(),
    descuento: discount.toNumber(),
  });
  const unit = decimal(item.precio_unitario);
  if (leads(unit, zero)) return say(unit, zero);
  const own = base.div(units).toDecimalPlaces(6);
  const discount = roundCents(units.times(unit).minus(base));
  // A cent of rounding is no discount anybody gave.
  if (item.descuento === 0 && discount.abs().lte('0.01') && leads(own, zero)) return say(own, zero);
  if (discount.gt(0) && leads(unit, discount)) return say(unit, discount);
  if (leads(own, zero)) return say(own, zero);
  if (item.tipo_irbpnr === undefined) return null;
  // Bottles are counted, so the units stay: a price rounded up and the cents it is over taken off.
  const above = own.plus('0.000001');
  return say(above, roundCents(units.times(above).minus(base)));
}

/** A fall in price returns no unit: one line of its amount. */
const once = (base: Decimal): Priced => ({ cantidad: 1, precio_unitario: base.toNumber(), descuento: 0 });
