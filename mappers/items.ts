import { type Amount, type Decimal, decimal, roundCents, splitCents, sum } from '../src/core/money.ts';
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

/**
 * The bases of each IVA group shared over its entries in whole cents, so that they add up to the group exactly.
 * Entries with ICE first give it its part of the group's base.
 */
export function toPriced(
  groups: readonly Group[],
  entries: readonly Entry[],
): { items: PricedEntry[]; ice: IceGroup[] } {
  const priced = new Map<Entry, PricedEntry>();
  const ice: IceGroup[] = [];
  for (const group of groups) {
    const kinds = [...new Set(group.entries.map(iceKey))].map((key) =>
      group.entries.filter((entry) => iceKey(entry) === key),
    );
    const shares = splitCents(group.base, kinds.map(withIce));
    kinds.forEach((members, at) => {
      let base = shares[at] ?? decimal(0);
      const first = members[0]?.ice;
      if (first) {
        const { codigo, tarifa } = first;
        const settled = settle(base, decimal(tarifa).div(100), sum(members.map(({ net }) => net)));
        ice.push({ codigo, tarifa, ...settled });
        base = settled.base;
      }
      const bases = splitCents(
        base,
        members.map(({ net }) => net),
      );
      members.forEach((entry, index) => {
        priced.set(entry, price(entry, bases[index] ?? decimal(0)));
      });
    });
  }
  return { items: entries.flatMap((entry) => priced.get(entry) ?? []), ice };
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
  const leads = (count: Decimal, unit: Decimal, discount: Decimal) =>
    roundCents(count.times(unit).minus(discount)).equals(base);
  const discounted = subtotal !== entry.net && roundCents(subtotal.minus(entry.net)).gt(0);
  if (quantity.decimalPlaces() <= 6) {
    const shopPrice = (quantity.equals(1) ? subtotal : subtotal.div(quantity)).toDecimalPlaces(6);
    const discount = discounted ? roundCents(quantity.times(shopPrice).minus(base)) : zero;
    if (discounted && !discount.isNegative() && leads(quantity, shopPrice, discount)) {
      return { entry, base, quantity, unit: shopPrice, discount };
    }
    if (leads(quantity, shopPrice, zero)) return { entry, base, quantity, unit: shopPrice, discount: zero };
    const ownPrice = base.div(quantity).toDecimalPlaces(6);
    if (leads(quantity, ownPrice, zero)) return { entry, base, quantity, unit: ownPrice, discount: zero };
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
