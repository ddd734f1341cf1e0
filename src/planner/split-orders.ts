import { decimal, sum, toAmount } from '../domain/money.ts';
import type { Line, Order } from '../domain/order.ts';
import type { Policy } from '../domain/settings.ts';
import { hold, nothing, type PlanInput, type Relative, type Verdict } from './action.ts';

/*
 * Marketplaces and split shipments make orders of one order's lines: parent and sub-orders are paid orders of their own, with the
 * same things at the same prices. Only one of both may be invoiced.
 */

/** Null: the lines of this order are sold once, or this is the order that is invoiced for them. */
export function soldInOtherOrder({ order, relatives = [], store }: PlanInput): Verdict | null {
  if (!['paid', 'partially-refunded', 'refunded'].includes(order.settlement)) return null;
  const parent = relatives.find((one) => one.as === 'parent' && one.isSale && sharesLines(one, order));
  if (parent) return asChild(parent, store.policy);
  const children = relatives.filter((one) => one.as === 'child' && one.isSale && sharesLines(one, order));
  return children.length > 0 || order.hasSubOrders ? asParent(order, children, store.policy) : null;
}

function asChild(parent: Relative, { subOrders }: Pick<Policy, 'subOrders'>): Verdict | null {
  if (subOrders === 'parent')
    return nothing(
      'invoiced-with-parent',
      `Sus líneas se facturan con el pedido ${parent.name}, del que sale.`,
    );
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
      : `Del pedido salieron otros que venden lo mismo: ${names}`,
    invoiced,
  );
}

function sameLines(what: string, invoiced: Relative | null): Verdict {
  const end = invoiced
    ? `: ${invoiced.name} ya tiene su factura, y otra declararía la venta dos veces. Si esta es otra venta, factúrela a mano.`
    : ': facturar los dos declararía la venta dos veces. Decida en policy.subOrders si se factura el pedido original (parent) o los que salieron de él (children).';
  return hold('sub-orders', `${what}${end}`);
}

/** An order that has its factura although the order it was split from has one for the same lines. */
export const soldTwice = (order: Order, relatives: readonly Relative[]): Relative | undefined =>
  relatives.find((one) => one.as === 'parent' && one.isInvoiced && sharesLines(one, order));

const sharesLines = ({ lines }: Relative, order: Order): boolean =>
  lines.some((line) => order.lines.some(isAlike(line)));

/** The same thing at the same price; ids of lines are of their own order. */
const isAlike =
  (one: Line) =>
  (other: Line): boolean =>
    thingOf(one) === thingOf(other) && unitPrice(one).minus(unitPrice(other)).abs().lte('0.01');

const thingOf = ({ productId, sku, name }: Line): string => productId ?? sku ?? name;
const unitPrice = ({ net, tax, quantity }: Line) => decimal(net).plus(tax).div(quantity);
