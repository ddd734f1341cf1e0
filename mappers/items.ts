import { Decimal, decimal, roundCents, splitCents, sum } from '../src/domain/money.ts';
import type { FacturaBody, ItemBody } from './body.ts';
import { steered, taxOn } from './cents.ts';
import { type FacturaContext, oneLine, optionalLine } from './hold.ts';
import { type Entry, ivaRate } from './tax.ts';
import { type Group, type IceGroup, type Part, settleIce, splitKeeping } from './totals.ts';

const zero = decimal(0);
const one = decimal(1);

export interface PricedEntry extends UnitPrice {
  entry: Entry;
  base: Decimal;
}

/** Whole cents that add up to the group, with the same IVA by line as by group (tax-computation.ts). */
export function toPriced(
  groups: readonly Group[],
  entries: readonly Entry[],
): { items: PricedEntry[]; ice: IceGroup[] } {
  const parts = groups.flatMap(toParts);
  const ice = settleIce(parts.filter(bearsIce));
  const priced = new Map<Entry, PricedEntry>();
  for (const part of [...parts.filter((one) => !bearsIce(one)), ...ice]) {
    const bases = sharedBases(
      part,
      parts.some((other) => other.iva === part.iva && bearsIce(other)),
    );
    for (const one of priceAll(part, bases)) priced.set(one.entry, one);
  }
  return { items: entries.flatMap((entry) => priced.get(entry) ?? []), ice };
}

/** `taxedTwice`: entries with ICE are under the same IVA, and no service's rounding of it can be foreseen. */
function sharedBases({ base, entries, iva }: Part, taxedTwice: boolean): Decimal[] {
  const bases = splitKeeping(
    base,
    entries.map(({ net }) => net),
  );
  if (taxedTwice || entries.length === 1) return bases;
  const cents = bases.map((share) => share.times(100).toNumber());
  return steered(cents, Number(ivaRate(iva))).map((share) => decimal(share).div(100));
}

function priceAll({ entries, iva }: Part, bases: readonly Decimal[]): PricedEntry[] {
  const items = entries.map((entry, at) => price(entry, bases[at] ?? zero));
  const excess = ({ quantity, unit, discount, base }: PricedEntry) =>
    quantity.times(unit).minus(discount).minus(base);
  const rough = items
    .filter((item) => !isExact(item))
    .sort((a, b) => excess(b).abs().comparedTo(excess(a).abs()));
  const whole = sum(bases).times(100).toNumber();
  for (let left = [...rough]; left.length > 0; left = left.slice(1)) {
    const cents = sum(left.map(excess)).times(100).toNumber() + whole;
    const percent = Number(ivaRate(iva));
    if (Math.round(cents) === whole && taxOn(cents, percent) === taxOn(whole, percent)) break;
    const [coarsest] = left;
    if (coarsest) items[items.indexOf(coarsest)] = once(coarsest.entry, coarsest.base);
  }
  return items;
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

const hasDiscount = ({ subtotal, net }: Entry): boolean =>
  !subtotal.equals(net) && roundCents(subtotal.minus(net)).gt(zero);

function price(entry: Entry, base: Decimal): PricedEntry {
  const { quantity, subtotal } = entry;
  const wanted = { quantity, unit: subtotal.div(quantity), base, discounted: hasDiscount(entry) };
  const found = unitPrice(wanted);
  if (found) return { entry, base, ...found };
  return once(entry, base);
}

function once(entry: Entry, base: Decimal): PricedEntry {
  // IRBPNR is paid per unit: the units stay.
  if (entry.irbpnr && !entry.irbpnr.isZero()) return { entry, base, ...counted(entry.quantity, base) };
  entry.notes.push('sin precio unitario que reproduzca la línea al centavo: cantidad 1');
  const whole = roundCents(entry.subtotal);
  const unit = hasDiscount(entry) && whole.gte(base) ? whole : base;
  return { entry, base, quantity: one, unit, discount: unit.minus(base) };
}

export function toItem(priced: PricedEntry, context: FacturaContext): ItemBody {
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

/** Goods, unless a rule or the platform states otherwise; charges beside the goods are services. */
export function goodsOrService({ item, decision }: Entry): 'bien' | 'servicio' {
  if (decision.tipo) return decision.tipo.value;
  return 'quantity' in item && item.service !== true ? 'bien' : 'servicio';
}

type Detail = FacturaBody['informacion_adicional'][number];

/** At most three, and none empty (XSD). */
function toDetails({ item, notes }: Entry): Detail[] {
  if (!('quantity' in item)) return [];
  const details = item.attributes.flatMap(({ name, value }): Detail[] => {
    const nombre = optionalLine(name, 300);
    const detalle = optionalLine(value, 300);
    return nombre && detalle ? [{ nombre, detalle }] : [];
  });
  if (details.length > 3) notes.push(`${details.length - 3} propiedades sin lugar en detalles_adicionales`);
  return details.slice(0, 3);
}

const codeLength = 25;
const chargeCodes = { shipping: 'ENVIO', fee: 'CARGO', tip: 'PROPINA', duty: 'ARANCEL' } as const;

/** 25 characters each (XSD): a longer SKU continues in `codigo_auxiliar`; what is left is cut and noted. */
function toCodes(entry: Entry): Pick<ItemBody, 'codigo_principal' | 'codigo_auxiliar'> {
  const { item, notes } = entry;
  if (!('quantity' in item)) return { codigo_principal: chargeCodes[item.kind] };
  if (item.kind === 'tip') return { codigo_principal: chargeCodes.tip };
  const whole =
    optionalLine(item.sku, 1000) ?? optionalLine(item.productId, 1000) ?? optionalLine(item.id, 25);
  if (whole === undefined) return { codigo_principal: 'SIN-CODIGO' };
  const codigo_principal = oneLine(whole, codeLength);
  const rest = optionalLine(whole.slice(codigo_principal.length), codeLength);
  if (rest === undefined) return { codigo_principal };
  const kept = codigo_principal.length + rest.length;
  notes.push(
    whole.length - kept > 1
      ? `SKU de ${whole.length} caracteres: cortado a ${kept}`
      : `SKU de ${whole.length} caracteres: sigue en codigo_auxiliar`,
  );
  return { codigo_principal, codigo_auxiliar: rest };
}

function toDescription({ item, quantity }: Entry, stated: Decimal): string {
  const name =
    stated === quantity || stated.equals(quantity) ? item.name : `${quantity.toFixed()} × ${item.name}`;
  return oneLine(name, 300) || 'Sin descripción';
}

export interface UnitPrice {
  quantity: Decimal;
  /** At most 6 decimals. */
  unit: Decimal;
  /** Whole cents, never below zero. */
  discount: Decimal;
}

interface Wanted {
  quantity: Decimal;
  unit: Decimal;
  base: Decimal;
  discounted: boolean;
}
/** USD; small enough that the sum of a document's lines stays on its cent (tax-computation.ts). */
const hair = decimal('0.0003');

/** Some services take only five decimals. Null for quantities of more than six, and when no price gives the base. */
export function unitPrice(wanted: Wanted): UnitPrice | null {
  const { quantity, base, discounted } = wanted;
  if (quantity.decimalPlaces() > 6) return null;
  for (const places of [2, 5, 6]) {
    const [exact] = discounted ? withDiscount(wanted, places) : withoutDiscount(wanted, places);
    if (exact) return exact;
  }
  if (discounted) return roundedDiscount(wanted) ?? unitPrice({ ...wanted, discounted: false });
  for (const places of [5, 6]) {
    const unit = base.div(quantity).toDecimalPlaces(places, Decimal.ROUND_UP);
    if (quantity.times(unit).minus(base).lte(hair)) return { quantity, unit, discount: zero };
  }
  return null;
}

export const isExact = ({ quantity, unit }: UnitPrice): boolean => quantity.times(unit).decimalPlaces() <= 2;

/** For counted units (IRBPNR): the price is rounded up to cents, and the excess is the discount. */
export function counted(quantity: Decimal, base: Decimal): UnitPrice {
  const unit = base.div(quantity).toDecimalPlaces(2, Decimal.ROUND_UP);
  return { quantity, unit, discount: quantity.times(unit).minus(base) };
}

function withoutDiscount({ quantity, unit, base }: Wanted, places: number): UnitPrice[] {
  return [unit, base.div(quantity)]
    .map((one) => ({ quantity, unit: one.toDecimalPlaces(places), discount: zero }))
    .filter((one) => quantity.times(one.unit).equals(base));
}

function withDiscount({ quantity, unit, base }: Wanted, places: number): UnitPrice[] {
  const own = unit.toDecimalPlaces(places);
  const discount = quantity.times(own).minus(base);
  const near = own.minus(unit).abs().times(100).lte(unit);
  return near && discount.gte(0) && discount.decimalPlaces() <= 2 ? [{ quantity, unit: own, discount }] : [];
}

function roundedDiscount({ quantity, unit, base }: Wanted): UnitPrice | null {
  const own = unit.toDecimalPlaces(6);
  const discount = roundCents(quantity.times(own).minus(base));
  const leads = roundCents(quantity.times(own).minus(discount)).equals(base);
  return discount.lt(0) || !leads ? null : { quantity, unit: own, discount };
}
