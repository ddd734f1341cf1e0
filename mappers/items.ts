import { type Decimal, decimal, roundCents, splitCents } from '../src/core/money.ts';
import type { Charge, Line, Order } from '../src/core/order.ts';
import type { ItemBody } from './body.ts';
import type { MappingContext } from './context.ts';
import { Hold } from './hold.ts';
import { toIvaCode } from './tax.ts';
import { oneLine } from './text.ts';
import type { Group, Part } from './totals.ts';

/** A line or charge with its tax code, before the cents are settled. */
export interface Entry extends Part {
  id: string;
  sku: string | null;
  name: string;
  quantity: Decimal;
  subtotal: Decimal;
  /** Goods 1, services 2 (`tipoproducto`, comparable services). */
  tipoproducto: 1 | 2;
}

const GOODS = 1;
const SERVICE = 2;

/** Everything the buyer paid for, as document lines to be; what a document line cannot say is held. */
export function toEntries(order: Order, context: MappingContext): Entry[] {
  const lines = order.lines.map((line) => {
    refuseSpecial(line);
    return entry(line, line.quantity, line.sku, line.service === true ? SERVICE : GOODS, context);
  });
  const charges = order.charges
    .filter((charge) => !decimal(charge.subtotal).isZero() || !decimal(charge.net).isZero())
    .map((charge) => {
      refuseSpecialCharge(charge);
      return entry(charge, '1', chargeCodes[charge.kind], SERVICE, context);
    });
  return [...lines, ...charges];
}

const chargeCodes = { shipping: 'ENVIO', fee: 'CARGO', tip: 'PROPINA', duty: 'ARANCEL' } as const;

function entry(
  taxed: Line | Charge,
  quantity: string,
  sku: string | null,
  tipoproducto: 1 | 2,
  context: MappingContext,
): Entry {
  const net = decimal(taxed.net);
  if (net.lt(0)) {
    throw new Hold(
      'negative-line',
      `«${taxed.name}» tiene un valor negativo (${taxed.net}); una factura no admite líneas negativas. Regístrelo como descuento en la tienda.`,
    );
  }
  return {
    id: taxed.id,
    sku,
    name: taxed.name,
    code: toIvaCode(taxed, taxed.name, context),
    quantity: decimal(quantity),
    subtotal: decimal(taxed.subtotal),
    net,
    tax: decimal(taxed.tax),
    tipoproducto,
  };
}

function refuseSpecial(line: Line): void {
  if (line.kind === 'gift-card') {
    throw new Hold(
      'gift-card-sold',
      `El pedido vende la tarjeta de regalo «${line.name}», que no es una venta gravada. Facture el resto a mano o sepárela en otro pedido.`,
    );
  }
  if (line.kind === 'tip') refuseTip(line.name);
}

function refuseSpecialCharge(charge: Charge): void {
  if (charge.kind === 'tip') refuseTip(charge.name);
  if (charge.kind === 'duty') {
    throw new Hold(
      'duties',
      `El pedido cobra aranceles («${charge.name}»), que no son parte de una factura local. Revise el pedido.`,
    );
  }
}

function refuseTip(name: string): never {
  throw new Hold(
    'tip',
    `El pedido incluye una propina («${name}»), que el servicio de facturación no permite declarar. Emita esta factura a mano.`,
  );
}

/**
 * The `items` block. The bases of each IVA group are shared over its entries in whole cents, so that they add
 * up to the group exactly; then each entry gets a unit price and a discount that lead to its base.
 */
export function toItems(entries: readonly Entry[], groups: readonly Group[]): ItemBody[] {
  const bases = new Map<Entry, Decimal>();
  for (const group of groups) {
    const members = entries.filter((candidate) => candidate.code === group.code);
    const shares = splitCents(
      group.base,
      members.map((member) => member.net),
    );
    members.forEach((member, at) => {
      bases.set(member, shares[at] ?? decimal(0));
    });
  }
  return entries.map((member) => toItem(member, bases.get(member) ?? decimal(0)));
}

function toItem(member: Entry, base: Decimal): ItemBody {
  const price = unitPrice(member, base);
  const name = price.quantity.equals(member.quantity)
    ? member.name
    : `${member.quantity.toString()} × ${member.name}`;
  return {
    codigo_principal: oneLine(member.sku ?? member.id, 25),
    descripcion: oneLine(name, 300) || 'Sin descripción',
    cantidad: price.quantity.toNumber(),
    precio_unitario: price.unit.toNumber(),
    descuento: price.discount.toNumber(),
    precio_total_sin_impuesto: base.toNumber(),
    tipoproducto: member.tipoproducto,
    tipo_iva: member.code,
  };
}

/**
 * Quantity, unit price (≤ 6 decimals) and discount (2 decimals) with round2(quantity × price − discount) =
 * base. The shop's own price is kept where it leads there; where no price of six decimals does, the line is
 * sold once at its base.
 */
function unitPrice(member: Entry, base: Decimal): { quantity: Decimal; unit: Decimal; discount: Decimal } {
  const { quantity } = member;
  const leads = (unit: Decimal, discount: Decimal) =>
    roundCents(quantity.times(unit).minus(discount)).equals(base);
  const zero = decimal(0);
  const shopPrice = member.subtotal.div(quantity).toDecimalPlaces(6);
  if (roundCents(member.subtotal.minus(member.net)).gt(0)) {
    const discount = roundCents(quantity.times(shopPrice).minus(base));
    if (discount.gte(0) && leads(shopPrice, discount)) return { quantity, unit: shopPrice, discount };
  }
  if (leads(shopPrice, zero)) return { quantity, unit: shopPrice, discount: zero };
  const ownPrice = base.div(quantity).toDecimalPlaces(6);
  if (leads(ownPrice, zero)) return { quantity, unit: ownPrice, discount: zero };
  return { quantity: decimal(1), unit: base, discount: zero };
}
