import { decimal, sum, toAmount } from '../domain/money.ts';
import type { Line, Order } from '../domain/order.ts';
import type { Policy } from '../domain/settings.ts';
import { hold, nothing, type PlanInput, type Relative, type Verdict } from './action.ts';

/*
 * Marketplaces and split shipments make orders of one order's lines: parent and sub-orders are paid orders of their own, with the
 * same things at the same prices. Only one of both may be invoiced.
 */

/** Null: the lines of this order are sold once, or this is the order that is invoiced for them. */
export function soldInOtherOrder(input: PlanInput): Verdict | null {
  const { settlement, paidAt } = input.order;
  if (['paid', 'partially-refunded', 'refunded'].includes(settlement)) return besideRelatives(input);
  // One that was cancelled after it was paid is no sale to ask about, unless another order is invoiced for it.
  const verdict = settlement === 'cancelled' && paidAt !== null ? besideRelatives(input) : null;
  return verdict?.action === 'nothing' ? verdict : null;
}

function besideRelatives({ order, relatives = [], store }: PlanInput): Verdict | null {
  const parent = relatives.find((one) => one.as === 'parent' && one.isSale && sharesLines(one, order));
  if (parent) return asChild(order, parent, store.policy);
  const children = relatives.filter((one) => one.as === 'child' && one.isSale && sharesLines(one, order));
  return children.length > 0 || order.hasSubOrders ? asParent(order, children, store.policy) : null;
}

function asChild(order: Order, parent: Relative, { subOrders }: Pick<Policy, 'subOrders'>): Verdict | null {
  if (subOrders === 'parent') {
    if (isWithin(order, parent))
      return nothing(
        'invoiced-with-parent',
        `Sus líneas se facturan con el pedido ${parent.name}, del que sale.`,
      );
    return hold(
      'sub-orders',
      `El pedido sale del pedido ${parent.name} y vende además lo que aquel no tiene, o más unidades: no se sabe qué se factura con él. Facture a mano lo que falte, o ponga policy.subOrders en children.`,
    );
  }
  if (subOrders === 'children' && !parent.isInvoiced) return null;
  return sameLines(
    `El pedido sale del pedido ${parent.name} y vende lo mismo`,
    parent.isInvoiced ? parent : null,
  );
}

function asParent(
  order: Order,
  children: readonly Relative[],
  { subOrders }: Pick<Policy, 'subOrders'>,
): Verdict | null {
  const names = children.map(({ name }) => name).join(', ');
  const invoiced = children.find(({ isInvoiced }) => isInvoiced) ?? null;
  if (subOrders === 'parent' && !invoiced) return null;
  if (subOrders === 'children' && children.length > 0) {
    const all = sum(children.map(({ total }) => total));
    if (all.minus(order.total).abs().lte(decimal('0.01').times(children.length)))
      return nothing(
        'invoiced-with-children',
        `Sus líneas se facturan con los pedidos que salieron de él: ${names}.`,
      );
    return hold(
      'sub-orders',
      `El pedido cobró ${toAmount(order.total)} y los que salieron de él (${names}) suman ${toAmount(all)}: facturar solo esos dejaría fuera la diferencia. Si falta alguno por leer, saldrá solo; si no, facture la diferencia a mano o ponga policy.subOrders en parent.`,
    );
  }
  return sameLines(
    names === ''
      ? 'El pedido se dividió en otros, que venden lo mismo'
      : `Del pedido salieron otros que venden lo mismo (${names})`,
    invoiced,
  );
}

function sameLines(what: string, invoiced: Relative | null): Verdict {
  const end = invoiced
    ? `${invoiced.name} ya tiene su factura, y otra declararía la venta dos veces: ponga policy.subOrders en ${invoiced.as === 'parent' ? 'parent' : 'children'}, con lo que esta no lleva ninguna; si es otra venta, factúrela a mano.`
    : 'Facturarlos todos declararía la venta dos veces: decida en policy.subOrders si se factura el pedido original (parent) o los que salieron de él (children).';
  return hold('sub-orders', `${what}. ${end}`);
}

/** An order that has its factura although the order it was split from has one for the same lines. */
export const soldTwice = (order: Order, relatives: readonly Relative[]): Relative | undefined =>
  relatives.find((one) => one.as === 'parent' && one.isInvoiced && sharesLines(one, order));

const sharesLines = ({ lines }: Relative, order: Order): boolean =>
  lines.some((line) => order.lines.some(isAlike(line)));

/** Whether the parent sells all of it, units and total included. */
const isWithin = ({ lines, total }: Order, parent: Relative): boolean =>
  decimal(total).lte(parent.total) &&
  lines.every((line) => {
    const there = parent.lines.filter((one) => isAlike(line)(one));
    return sum(there.map(({ quantity }) => quantity)).gte(line.quantity);
  });

/** The same thing at the same price; ids of lines are of their own order. */
const isAlike =
  (one: Line) =>
  (other: Line): boolean =>
    thingOf(one) === thingOf(other) && unitPrice(one).minus(unitPrice(other)).abs().lte('0.01');

const thingOf = ({ productId, sku, name }: Line): string => productId ?? sku ?? name;
const unitPrice = ({ net, tax, quantity }: Line) => decimal(net).plus(tax).div(quantity);
