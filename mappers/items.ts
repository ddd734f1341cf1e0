import { Decimal, decimal, roundCents, splitCents, sum } from '../src/core/money.ts';
import type { ItemBody } from './body.ts';
import type { MappingContext } from './context.ts';
import { toDetails } from './details.ts';
import type { Entry } from './entries.ts';
import { type IceGroup, type Part, settleIce } from './ice.ts';
import { toCodes, toDescription } from './item-texts.ts';
import type { Group } from './totals.ts';

const zero = decimal(0);
const one = decimal(1);

/** An entry with its base in whole cents and the price that leads to it. */
export interface PricedEntry {
  entry: Entry;
  base: Decimal;
  quantity: Decimal;
  unit: Decimal;
  discount: Decimal;
}

/**
 * The bases of each IVA group shared over its entries in whole cents, so that they add up to the group exactly.
 * Entries with ICE first give it its part of the group's base.
 */
export function toPriced(
  groups: readonly Group[],
  entries: readonly Entry[],
): { items: PricedEntry[]; ice: IceGroup[] } {
  const parts = groups.flatMap(toParts);
  const ice = settleIce(parts.filter(bearsIce));
  const priced = new Map<Entry, PricedEntry>();
  for (const part of [...parts.filter((one) => !bearsIce(one)), ...ice]) {
    const bases = splitCents(
      part.base,
      part.entries.map(({ net }) => net),
    );
    part.entries.forEach((entry, at) => {
      priced.set(entry, price(entry, bases[at] ?? zero));
    });
  }
  return { items: entries.flatMap((entry) => priced.get(entry) ?? []), ice };
}

function toParts({ code, base, entries }: Group): Part[] {
  const keys = [...new Set(entries.map(iceKey))];
  const members = keys.map((key) => entries.filter((entry) => iceKey(entry) === key));
  const shares = splitCents(base, members.map(withIce));
  return members.map((some, at) => ({ iva: code, entries: some, base: shares[at] ?? zero }));
}

const bearsIce = ({ entries }: Part): boolean => entries[0]?.ice != null;
const iceKey = ({ ice }: Entry): string => (ice ? `${ice.codigo} ${ice.tarifa}` : '');
const withIce = (members: readonly Entry[]): Decimal =>
  sum(members.map(({ net, ice }) => (ice ? net.plus(ice.amount) : net)));

/**
 * Quantity, unit price (≤ 6 decimals) and discount (2 decimals) with round2(quantity × price − discount) =
 * base. The shop's own price is kept where it leads there; where no price of six decimals does, the line is
 * sold once at its base.
 */
function price(entry: Entry, base: Decimal): PricedEntry {
  const { quantity, subtotal } = entry;
  const discounted = !subtotal.equals(entry.net) && roundCents(subtotal.minus(entry.net)).gt(zero);
  if (quantity.decimalPlaces() <= 6) {
    const exact = subtotal.div(quantity);
    const isShort = exact.decimalPlaces() <= 6;
    const unit = isShort ? exact : exact.toDecimalPlaces(6);
    const gross = isShort ? subtotal : quantity.times(unit);
    const leads = (discount: Decimal) => roundCents(gross.minus(discount)).equals(base);
    if (discounted) {
      const off = gross.minus(base);
      const discount = off.decimalPlaces() <= 2 ? off : roundCents(off);
      const within = !off.isNegative() && discount.lte(gross);
      if (within && (discount === off || leads(discount))) return { entry, base, quantity, unit, discount };
      // Given away whole: the discount cannot exceed the price, so both are in cents.
      const inCents = quantity.times(roundCents(unit));
      if (base.isZero() && inCents.decimalPlaces() <= 2) {
        return { entry, base, quantity, unit: roundCents(unit), discount: inCents };
      }
    }
    if (leads(zero)) return { entry, base, quantity, unit, discount: zero };
    const ownPrice = base.div(quantity).toDecimalPlaces(6);
    if (roundCents(quantity.times(ownPrice)).equals(base)) {
      return { entry, base, quantity, unit: ownPrice, discount: zero };
    }
  }
  // IRBPNR is paid by the unit, so the units stay: a price rounded up, and a discount of the cents it is over.
  if (entry.irbpnr && !entry.irbpnr.isZero()) {
    const unit = base.div(quantity).toDecimalPlaces(6, Decimal.ROUND_UP);
    return { entry, base, quantity, unit, discount: roundCents(quantity.times(unit).minus(base)) };
  }
  entry.notes.push('sin precio unitario de 6 decimales que reproduzca la línea: cantidad 1');
  const whole = roundCents(subtotal);
  if (discounted && whole.gte(base)) {
    return { entry, base, quantity: one, unit: whole, discount: whole.minus(base) };
  }
  return { entry, base, quantity: one, unit: base, discount: zero };
}

/** The `items` block (spec, item block). */
export function toItem(priced: PricedEntry, context: MappingContext): ItemBody {
  const { entry, base, quantity, unit, discount } = priced;
  const { decision, ice, irbpnr } = entry;
  const details = context.policy.lineDetails ? toDetails(entry) : [];
  return {
    ...toCodes(entry),
    descripcion: toDescription(entry, quantity),
    cantidad: quantity.toNumber(),
    precio_unitario: unit.toNumber(),
    descuento: discount.toNumber(),
    precio_total_sin_impuesto: base.toNumber(),
    tipoproducto: goodsOrService(entry) === 'bien' ? 1 : 2,
    tipo_iva: decision.iva,
    ...(ice ? { tipo_ice: ice.codigo } : {}),
    ...(irbpnr && !irbpnr.isZero() ? { tipo_irbpnr: 5001 as const } : {}),
    ...(decision.unidad === null ? {} : { unidad_medida: decision.unidad }),
    ...(details.length > 0 ? { detalles_adicionales: details } : {}),
  };
}

/** Goods unless a rule or the platform says otherwise; what is charged beside the goods is a service. */
export function goodsOrService({ item, decision }: Entry): 'bien' | 'servicio' {
  if (decision.tipo) return decision.tipo.value;
  return 'quantity' in item && item.service !== true ? 'bien' : 'servicio';
}
