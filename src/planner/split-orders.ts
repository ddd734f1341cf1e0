import { balanceOf } from '../../mappers/credit/balance.ts';
import { momentInEcuador } from '../domain/clock.ts';
import { type Amount, type Decimal, decimal, sum, toAmount } from '../domain/money.ts';
import { isThrownAway, type Order, sourceOf } from '../domain/order.ts';
import type { Policy } from '../domain/settings.ts';
import {
  type Billed,
  hold,
  nothing,
  type PlanInput,
  type PlannedDocument,
  type Relative,
  type Verdict,
} from './action.ts';

/*
 * Marketplaces and split shipments make orders of one order's lines: parent and sub-orders are paid orders of their own, with the
 * same things, and may be split again. Of those that sell the same thing one line down the tree, only one is invoiced: by policy
 * the topmost (`parent`) or the lowest (`children`). An order goes without a factura only beside one that is paid or invoiced.
 */

/** Null: the lines of this order are sold once, or this is the order that is invoiced for them. */
export function soldInOtherOrder(input: PlanInput): Verdict | null {
  const { settlement, paidAt, refunds } = input.order;
  if (isPaid(input.order)) return besideRelatives(input);
  if (settlement !== 'cancelled' || paidAt === null) return null;
  const verdict = besideRelatives(input);
  if (verdict?.action === 'nothing') return verdict;
  // One that was cancelled after it was paid is no sale to ask about, unless it would be invoiced, or gave back another's money.
  const counts = input.store.policy.cancelledOrders === 'invoice' || refunds.length > 0;
  return counts && !isThrownAway(input.order) ? verdict : null;
}

function besideRelatives(input: PlanInput): Verdict | null {
  const { order, documents, relatives = [], store, invoiceFrom } = input;
  const split = splitOf(order, apartFromIn(documents), relatives);
  const verdict = byPolicy(split, store.policy);
  if (verdict?.action !== 'nothing') return verdict;
  const billers = verdict.code === 'invoiced-with-parent' ? billersOf(split) : split.children;
  const early = billers.filter(
    (one) => !one.isInvoiced && one.paidAt !== null && new Date(one.paidAt) < invoiceFrom,
  );
  if (early.length === 0) return verdict;
  return heldBeside(
    split,
    `El pedido vende lo mismo que ${names(early)}, que se pagó antes de la fecha desde la que se factura (invoiceFrom) y no se factura aquí: si aquello ya tiene su factura, este no necesita nada más.`,
  );
}

function byPolicy(split: Split, { subOrders }: Pick<Policy, 'subOrders'>): Verdict | null {
  switch (subOrders) {
    case 'parent':
      return split.above.length > 0 ? withParent(split) : besideBelow(split, split.below.some(isInvoiced));
    case 'children':
      return besideAbove(split, split.above.some(isInvoiced)) ?? besideLoser(split) ?? withChildren(split);
    default:
      return (
        besideAbove(split, split.above.length > 0) ??
        besideBelow(split, split.below.length > 0 || split.isMarked)
      );
  }
}

/** An order and those of its tree that sell something of it, nearest first. */
interface Split {
  order: Order;
  above: readonly Relative[];
  below: readonly Relative[];
  /** Of `below`, the first down each branch. */
  children: readonly Relative[];
  /** Split from the same order, and paid or invoiced. */
  siblings: readonly Relative[];
  /** Of `siblings`, those whose factura billed something of this order that they sell no more. */
  losers: readonly Relative[];
  /** A plugin says that it was split, and no person contradicted it. */
  isMarked: boolean;
}

function splitOf(
  order: Order,
  apartFrom: readonly string[] | undefined,
  relatives: readonly Relative[],
  seller: Seller = order,
): Split {
  const one = { ...order, ...(apartFrom && { apartFrom }) };
  const tree = lineageOf(one, relatives, isSplitFrom);
  const isBeside = (other: Relative): boolean =>
    isSale(other) && !isApart(one, other) && sellSame(seller, other);
  const below = tree.below.filter(isBeside);
  const [parent] = tree.above;
  const siblings = relatives.filter(
    (other) => parent && other.parentId === parent.id && isCharged(other) && isSplitFrom(other, parent),
  );
  const firstBelow = (id: string): Relative[] =>
    tree.below
      .filter(({ parentId }) => parentId === id)
      .flatMap((child) => (below.includes(child) ? [child] : firstBelow(child.id)));
  const hasLost = (other: Relative): boolean =>
    other.id !== order.id &&
    !isApart(one, other) &&
    lostBy(other).some((lost) => soldIn(order).some(isSame(lost)));
  return {
    ...{ order, above: tree.above.filter(isBeside), below, children: firstBelow(order.id) },
    ...{ siblings, losers: siblings.filter(hasLost) },
    isMarked: order.hasSubOrders === true && apartFrom === undefined,
  };
}

type Member = Pick<Relative, 'id' | 'parentId' | 'paidApart' | 'apartFrom'>;

/** The orders above and below one, nearest first, as far as each was split from the next. */
export function lineageOf(
  order: Member,
  relatives: readonly Relative[],
  isSplit: (child: Member, parent: Member) => boolean = () => true,
): { above: Relative[]; below: Relative[] } {
  const above: Relative[] = [];
  for (let child = order; ; ) {
    const parent = relatives.find(({ id }) => id === child.parentId);
    if (!parent || above.includes(parent) || !isSplit(child, parent)) break;
    above.push(parent);
    child = parent;
  }
  const below: Relative[] = [];
  for (let level: readonly Member[] = [order]; level.length > 0; ) {
    const isNext = (child: Relative): boolean =>
      ![...above, ...below].includes(child) &&
      level.some((parent) => parent.id === child.parentId && isSplit(child, parent));
    level = relatives.filter(isNext);
    below.push(...(level as readonly Relative[]));
  }
  return { above, below };
}

/** Not a payment of its own: a plugin's mark on the parent as well was copied with everything else. */
const isSplitFrom = (child: Member, parent: Member): boolean =>
  (!child.paidApart || parent.paidApart === true) && !isApart(child, parent);

const isApart = (one: Member, other: Member): boolean =>
  (one.apartFrom?.includes(other.id) || other.apartFrom?.includes(one.id)) === true;

/** The orders of which a person said that this one was paid apart; undefined where nobody was asked. */
export function apartFromIn(documents: readonly PlannedDocument[]): readonly string[] | undefined {
  const said = documents.flatMap(({ fingerprint }) =>
    fingerprint?.apartFrom ? [fingerprint.apartFrom] : [],
  );
  return said.length > 0 ? [...new Set(said.flat())] : undefined;
}

type Money = Pick<Order, 'settlement'>;

const isPaid = ({ settlement }: Money): boolean =>
  settlement === 'paid' || settlement === 'partially-refunded' || settlement === 'refunded';
const isInvoiced = (one: Relative): boolean => one.isInvoiced;
const isCharged = (one: Relative): boolean => one.isInvoiced || isPaid(one);
/** An order that may yet be paid is a sale as well. */
const isSale = (one: Relative): boolean =>
  isCharged(one) || one.settlement === 'unpaid' || one.settlement === 'partially-paid';

/** The order above that is invoiced for all; none while no order above is paid. */
function billersOf({ above }: Split): Relative[] {
  const biller = above.findLast(isInvoiced) ?? above.findLast(isCharged);
  return biller ? [biller] : [];
}

/** By policy the topmost order is invoiced, and this one is not the topmost. */
function withParent(split: Split): Verdict {
  const { order, above } = split;
  const [biller] = billersOf(split);
  if (!biller)
    return heldBeside(
      split,
      `El pedido sale del pedido ${above[0]?.name}, que vende lo mismo y aún no está pagado: cuando lo esté se factura aquel y este no lleva factura; si aquel se cancela, se factura este.`,
    );
  if (!above.some(({ hasSubOrders }) => hasSubOrders) && !isPaidTogether(order, [biller]))
    return heldBeside(
      split,
      `El pedido sale del pedido ${biller.name} y vende lo mismo, pero no se pagaron a la vez (${paidTimes([order, biller])}): si es la misma venta, se factura con aquel y este no necesita nada más.`,
    );
  if (isWithin(split, biller))
    return nothing(
      'invoiced-with-parent',
      `Sus líneas se facturan con el pedido ${biller.name}, del que sale.`,
    );
  const others = siblingsOf(split, biller);
  const beside = others.length > 0 ? ` junto con ${names(others)},` : '';
  const change = biller.isInvoiced ? '' : ', o ponga policy.subOrders en children';
  return heldBeside(
    split,
    `El pedido, de ${toAmount(order.total)}, sale del pedido ${biller.name}, de ${toAmount(biller.total)}, y vende,${beside} además de lo de aquel, otras cosas, más unidades o a otro precio: no se sabe qué se factura con él. Facture a mano lo que falte${change}.`,
  );
}

/** By policy the lowest orders are invoiced. Null: this is one of them. */
function withChildren(split: Split): Verdict | null {
  const { order, children, isMarked } = split;
  const open = children.filter((child) => !isCharged(child));
  const all = sum(children.map(({ total }) => total));
  if (children.length === 0)
    return isMarked
      ? heldBeside(
          split,
          'El pedido se dividió en otros, de los que no se conoce ninguno sin cancelar, y por policy.subOrders se facturan ellos. Si falta alguno por leer, saldrá solo.',
        )
      : null;
  if (all.minus(order.total).abs().gt(decimal('0.01').times(children.length)))
    return heldBeside(
      split,
      `El pedido cobró ${toAmount(order.total)} y los que salieron de él (${names(children)}) suman ${toAmount(all)}: facturar solo esos dejaría fuera la diferencia. Si falta alguno por leer, saldrá solo; si no, facture la diferencia a mano o ponga policy.subOrders en parent.`,
    );
  if (open.length > 0)
    return heldBeside(
      split,
      `Del pedido salieron otros que venden lo mismo y aún no están todos pagados (${names(open)}): cuando lo estén se facturan ellos y este no lleva factura. Si se cobraron con este, páselos en la tienda a un estado de pagado, o ponga policy.subOrders en parent.`,
    );
  if (!isMarked && !isPaidTogether(order, children))
    return heldBeside(
      split,
      `Del pedido salieron otros que venden lo mismo (${names(children)}), pero no se pagaron a la vez (${paidTimes([order, ...children])}): si son la misma venta, se facturan aquellos y este no necesita nada más.`,
    );
  return nothing(
    'invoiced-with-children',
    `Sus líneas se facturan con los pedidos que salieron de él: ${names(children)}.`,
  );
}

function besideAbove(split: Split, isHeld: boolean): Verdict | null {
  const { above } = split;
  const invoiced = above.find(isInvoiced);
  if (!isHeld) return null;
  return heldBeside(
    split,
    `El pedido sale del pedido ${(invoiced ?? above[0])?.name} y vende lo mismo. ${onlyOne(invoiced, 'parent')}`,
  );
}

function besideLoser(split: Split): Verdict | null {
  const [loser] = split.losers;
  if (!loser) return null;
  return heldBeside(
    split,
    `El pedido vende lo que el pedido ${loser.name}, dividido del mismo, ya no tiene y su factura ${loser.billed?.number} incluye: otra lo declararía dos veces.`,
  );
}

function besideBelow(split: Split, isHeld: boolean): Verdict | null {
  const { below } = split;
  if (!isHeld) return null;
  const what =
    below.length === 0
      ? 'El pedido se dividió en otros, que venden lo mismo'
      : `Del pedido salieron otros que venden lo mismo (${names(below)})`;
  return heldBeside(split, `${what}. ${onlyOne(below.find(isInvoiced), 'children')}`);
}

function onlyOne(invoiced: Relative | undefined, policy: 'parent' | 'children'): string {
  if (!invoiced)
    return 'Facturarlos todos declararía la venta dos veces: decida en policy.subOrders si se factura el pedido original (parent) o los que salieron de él (children).';
  const number = invoiced.billed ? ` ${invoiced.billed.number}` : '';
  return `${invoiced.name} ya tiene su factura${number}, y otra declararía la venta dos veces: ponga policy.subOrders en ${policy}, con lo que esta no lleva ninguna.`;
}

const heldBeside = ({ above, below, losers }: Split, what: string): Verdict => ({
  ...hold(
    'sub-orders',
    `${what} Si este se cobró aparte, acéptelo con «facturapuente retry», --accept y el id de este documento.`,
  ),
  besides: [...above, ...below, ...losers].map(({ id }) => id),
});

const names = (some: readonly Relative[]): string => some.map(({ name }) => name).join(', ');

/** Parts of one sale are paid at once, or by the same act of a person; a plugin copies the time, or sets it within seconds. */
const togetherMs = 15 * 60_000;

const isPaidTogether = ({ paidAt }: Order, others: readonly Relative[]): boolean =>
  others.every((other) =>
    paidAt === null || other.paidAt === null
      ? paidAt === other.paidAt
      : Math.abs(Date.parse(paidAt) - Date.parse(other.paidAt)) <= togetherMs,
  );

const paidTimes = (some: readonly Pick<Order, 'name' | 'paidAt'>[]): string =>
  some
    .map(({ name, paidAt }) => `${name}: ${paidAt === null ? 'sin fecha de pago' : momentInEcuador(paidAt)}`)
    .join('; ');

/** A factura of an order above that has the same things as this order and its own factura. */
export function soldTwice(
  order: Order,
  documents: readonly PlannedDocument[],
  relatives: readonly Relative[],
): Relative | undefined {
  const apartFrom = apartFromIn(documents);
  const one = { ...order, ...(apartFrom && { apartFrom }) };
  const sent =
    documents.find(({ kind, state }) => kind === 'factura' && state === 'authorized')?.sent ?? null;
  return lineageOf(one, relatives, isSplitFrom).above.find(
    (other) => other.isInvoiced && !isApart(one, other) && sellSame({ ...order, billed: sent }, other),
  );
}

/** What the order's factura billed and orders that were split from it sell since: what the order was reduced by, if that is all. */
export function takenOver(
  order: Order,
  documents: readonly PlannedDocument[],
  relatives: readonly Relative[],
  sent: Billed,
): Decimal {
  const { children } = splitOf(order, apartFromIn(documents), relatives, { lines: [], billed: sent });
  return sum(children.map(({ total }) => total));
}

/** Units of a thing at a price, as an order sells them or a factura stated them. */
interface Sold {
  productId: string | null;
  sku: string | null;
  /** As a factura names it. */
  code: string | null;
  name: string;
  units: Decimal;
  /** Of one unit, taxes included. */
  price: Decimal;
}

type Seller = Pick<Order, 'lines'> & { billed?: Billed | null };

const sellSame = (one: Seller, other: Seller): boolean => {
  const there = [...soldIn(other), ...billedIn(other)];
  return [...soldIn(one), ...billedIn(one)].some((sold) => there.some(isSame(sold)));
};

const soldIn = ({ lines }: Seller): Sold[] =>
  lines.map(({ productId, sku, name, quantity, net, tax }) => ({
    ...{ productId, sku, name, code: (sku ?? productId)?.slice(0, codeLength) ?? null },
    ...{ units: decimal(quantity), price: decimal(net).plus(tax).div(quantity) },
  }));

/** As of `mappers/items.ts`: where no price multiplies, the units stand before the name. */
const codeLength = 25;
const unitsBefore = /^[\d.]+ × /;

/** A line that the order has no more is known by what the factura states of it. */
function billedIn({ lines, billed }: Seller): Sold[] {
  if (!billed) return [];
  return balanceOf(billed, []).items.map(({ source, item, sold: units, gross }) => {
    const line = lines.find((one) => sourceOf(one) === source);
    const { productId = null, sku = null, name = item.descripcion.replace(unitsBefore, '') } = line ?? {};
    return { productId, sku, name, code: item.codigo_principal, units, price: gross.div(units) };
  });
}

/** What its factura billed and the order has no more, or fewer units of. */
function lostBy(one: Relative): Sold[] {
  const there = soldIn(one);
  return billedIn(one).filter((sold) => {
    const left = there.filter(isSame(sold)).map(({ units }) => units);
    return sum(left).lt(sold.units);
  });
}

/** Ids of lines are of their own order; plugins make products and prices of their own of the same thing. */
const isSame =
  (one: Sold) =>
  (other: Sold): boolean => {
    const isOne = (id: 'productId' | 'sku' | 'code'): boolean => one[id] !== null && one[id] === other[id];
    const differ = one.sku !== null && other.sku !== null && one.sku !== other.sku;
    return isOne('productId') || isOne('sku') || isOne('code') || (one.name === other.name && !differ);
  };

/** The same product at the same price. */
const isAlike =
  (one: Sold) =>
  (other: Sold): boolean =>
    (one.productId === null || other.productId === null || one.productId === other.productId) &&
    isSame(one)(other) &&
    one.price.minus(other.price).abs().lte('0.02');

const siblingsOf = ({ siblings }: Split, biller: Relative): Relative[] =>
  siblings.filter((sibling) => sibling.id !== biller.id && sellSame(sibling, biller));

/** Whether the other sells, or billed, all of it and of what was split beside it: units and totals. */
function isWithin(split: Split, biller: Relative): boolean {
  const parts = [split.order, ...siblingsOf(split, biller)];
  const whole = sum(parts.map(({ total }) => total)).minus(decimal('0.01').times(parts.length - 1));
  const isIn = (sold: readonly Sold[], total: Amount): boolean =>
    whole.lte(total) &&
    soldIn(split.order).every((one) =>
      unitsOf(one, sold).gte(
        unitsOf(
          one,
          parts.flatMap((part) => soldIn(part)),
        ),
      ),
    );
  const { billed } = biller;
  return isIn(soldIn(biller), biller.total) || (billed !== null && isIn(billedIn(biller), billed.total));
}

const unitsOf = (one: Sold, sold: readonly Sold[]): Decimal =>
  sum(sold.filter(isAlike(one)).map(({ units }) => units));
