import type { MappingContext } from '../../../mappers/context.ts';
import { balanceOf } from '../../../mappers/credit/balance.ts';
import { type Crediting, creditOf } from '../../../mappers/credit/credit-of.ts';
import type { Mapped } from '../../../mappers/factura.ts';
import { Hold } from '../../../mappers/hold.ts';
import { toReducedFactura } from '../../../mappers/reduced-factura.ts';
import { decimal, toAmount } from '../../domain/money.ts';
import type { Order } from '../../domain/order.ts';
import type { Refund } from '../../domain/refund.ts';
import { moneyOn } from './covered.ts';
import { demandClear } from './detail.ts';
import { inOrder } from './order-of.ts';
import type { Counted } from './within-rate.ts';

type MappedFactura = Extract<Mapped, { ok: true }>;

/** Refunds that lower a factura that has not left: those that moved money of a known amount. Oldest first. */
export function nettable(order: Order): Refund[] {
  return inOrder(order.refunds).filter(({ amount }) => amount !== null && !decimal(amount).isZero());
}

/**
 * The factura of an order less what was given back before it left, refund by refund as notas de crédito would
 * take it. null where nothing of it is left. Pure.
 * @throws Hold where a refund's money cannot be laid upon the order.
 */
export function netOff(
  order: Order,
  full: MappedFactura,
  refunds: readonly Refund[],
  context: MappingContext,
): MappedFactura | null {
  if (refunds.length === 0) return full;
  const issued = { ...full.body, ties: full.ties, nettedRefunds: [] };
  const credits: (Crediting & Counted)[] = [];
  for (const given of refunds) {
    if (!decimal(given.pending).isZero()) throw stillMoving(given);
    const balance = balanceOf(issued, credits);
    const on = moneyOn(full, order, given, balance.total);
    // What is more went back for gift cards, which are no part of the factura.
    const money = decimal(on.money).lt(balance.total) ? on.money : toAmount(balance.total);
    if (decimal(money).isZero()) continue;
    demandClear(order, given, { ...on, money }, issued, { credits, balance }, context.policy);
    credits.push({ ...creditOf(balance, on.refund, money, 'stated'), refund: given });
  }
  const { total } = balanceOf(issued, credits);
  return total.isZero() && !decimal(full.total).isZero()
    ? null
    : toReducedFactura(full, credits, order, context);
}

/** Part of it is back and part is not: neither a factura for the rest nor a nota de crédito would be right yet. */
const stillMoving = ({ id, amount, pending }: Refund) =>
  new Hold(
    'refund-pending',
    `El reembolso ${id} devolvió ${amount} y faltan ${pending} por devolver; la factura sale cuando termine. Si la devolución no va a completarse, corríjala en la tienda.`,
  );
