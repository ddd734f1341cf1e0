import { type Amount, Decimal, decimal, roundCents, splitCents, sum } from '../src/core/money.ts';
import type { ItemBody } from './body.ts';
import type { MappingContext } from './context.ts';
import { toDetails } from './details.ts';
import type { Entry } from './entries.ts';
import { toCodes, toDescription } from './item-texts.ts';
import { type Group, type Settled, settle } from './totals.ts';

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

/** ICE of one code and rate; several IVA groups may each have some. */
export interface IceGroup extends Settled {
  codigo: number;
  tarifa: Amount;
}

/** Entries of one IVA group that bear the same ICE, or none, and their part of the group's base. */
interface Bucket {
  members: Entry[];
  base: Decimal;
  ice: IceGroup | null;
}

/**
 * The bases of each IVA group shared over its entries in whole cents, so that they add up to the group exactly.
 * Entries with ICE first give it its part of the group's base.
 */
export function toPriced(
  groups: readonly Group[],
  entries: readonly Entry[],
): { items: PricedEntry[]; ice: IceGroup[] } {
  const buckets = groups.flatMap(toBuckets);
  const ice = buckets.flatMap((bucket) => bucket.ice ?? []);
  for (const codigo of new Set(ice.map((group) => group.codigo))) {
    evenOut(ice.filter((group) => group.codigo === codigo));
  }
  const priced = new Map<Entry, PricedEntry>();
  for (const { members, base, ice: own } of buckets) {
    const nets = members.map(({ net }) => net);
    const bases = splitCents(own?.base ?? base, nets);
    members.forEach((entry, at) => {
      priced.set(entry, price(entry, bases[at] ?? zero));
    });
  }
  return { items: entries.flatMap((entry) => priced.get(entry) ?? []), ice };
}

function toBuckets(group: Group): Bucket[] {
  const keys = [...new Set(group.entries.map(iceKey))];
  const buckets = keys.map((key) => group.entries.filter((entry) => iceKey(entry) === key));
  const shares = splitCents(group.base, buckets.map(withIce));
  return buckets.map((members, at) => {
    const base = shares[at] ?? zero;
    const first = members[0]?.ice;
    if (!first) return { members, base, ice: null };
    const { codigo, tarifa } = first;
    const settled = settle(base, decimal(tarifa).div(100), sum(members.map(({ net }) => net)));
    return { members, base, ice: { codigo, tarifa, ...settled } };
  });
}

/** ICE of one code stands in one row: what its groups are off together goes from one's tax to its base. */
function evenOut(groups: IceGroup[]): void {
  const [largest] = groups.toSorted((a, b) => b.base.comparedTo(a.base));
  if (!largest || groups.length === 1) return;
  const fraction = decimal(largest.tarifa).div(100);
  const due = roundCents(sum(groups.map(({ base }) => base)).times(fraction));
  const shift = roundCents(
    sum(groups.map(({ valor }) => valor))
      .minus(due)
      .div(fraction.plus(1)),
  );
  largest.base = largest.base.plus(shift);
  largest.valor = largest.valor.minus(shift);
  largest.difference = largest.valor.minus(roundCents(largest.base.times(fraction)));
}

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
