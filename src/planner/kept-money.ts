import { type Amount, Decimal, decimal, roundsToZero, sum, toAmount } from '../domain/money.ts';
import { isThrownAway, type Order } from '../domain/order.ts';
import { hold, nothing, type PlanInput, type Verdict } from './action.ts';
import { returned } from './refunds/beside-factura.ts';
import { walletOf } from './refunds/detail.ts';
import * as say from './refunds/sentences.ts';

/*
 * Money that a shop keeps of an order that is cancelled, emptied by an edit, or said to be refunded: nobody but a person says what
 * it is for.
 */

/** What the buyer paid and did not get back, what is owed to him included; a refund of unknown amount counts as zero. */
export function moneyLeft({
  total,
  overpaid = '0',
  refunds,
}: Pick<Order, 'total' | 'overpaid' | 'refunds'>): Decimal {
  const back = refunds.flatMap(({ amount, ofOverpaid }) => [amount ?? '0', ofOverpaid ?? '0']);
  return decimal(total).plus(overpaid).minus(sum(back));
}

/** The total, or what came in where the rest never did: a deposit, or the captured part of an authorisation. */
function received({ total, deposit, payments }: Order): Amount {
  if (deposit?.total === 'order') return deposit.paid ?? total;
  const amounts = payments.flatMap(({ amount }) => amount ?? []);
  if (amounts.length === 0 || amounts.length < payments.length) return total;
  return toAmount(Decimal.min(total, sum(amounts)));
}

/** Cancelling moves no money: what was paid and not given back is held until the merchant says what it is. */
export function cancelled({ order, store }: PlanInput): Verdict | null {
  const noDocument = nothing('cancelled', 'El pedido está cancelado y no se factura.');
  const { cancelledOrders } = store.policy;
  if (order.paidAt === null || isThrownAway(order) || cancelledOrders === 'nothing') return noDocument;
  const unknown = order.refunds.find(({ amount }) => amount === null);
  if (unknown) return say.unknownMoney(unknown);
  const kept = moneyLeft({ ...order, total: received(order) });
  if (kept.lte(0)) return roundsToZero(order.total) ? noDocument : say.nothingLeft;
  const moving = order.refunds.find(({ pending }) => !decimal(pending).isZero());
  if (moving) return say.pendingMoney(moving);
  const isPart = decimal(received(order)).lt(order.total);
  if (order.deposit?.total === 'order' || isPart)
    return hold(
      'cancelled-kept',
      `El pedido está cancelado y de los ${order.deposit?.of ?? toAmount(order.total)} de su precio entró solo ${order.deposit ? 'un anticipo, del' : 'una parte, de la'} que quedan ${toAmount(kept)}. Devuelva ese dinero en la tienda, o emita a mano el documento por lo que se queda; con policy.cancelledOrders en nothing no lleva ninguno.`,
    );
  const owed = owedStill(order);
  if (cancelledOrders === 'invoice') return owed.gt(0) ? hold('cancelled-kept', owedOfCancelled(owed)) : null;
  const byPolicy =
    'decida en policy.cancelledOrders si lo que se cobró y no se devolvió se factura (invoice) o no lleva documento (nothing)';
  const balance = balanceIn(order, kept);
  if (balance?.rest.isZero())
    return hold(
      'cancelled-kept',
      `El pedido está cancelado y ${balance.says} del que no dice si volvió. Si volvió, no lleva documento; si no, emita a mano el documento por lo que se queda; con policy.cancelledOrders en nothing no lleva ninguno.`,
    );
  return hold(
    'cancelled-kept',
    balance
      ? `El pedido está cancelado y ${balance.says} que sus reembolsos no devuelven. Devuelva en la tienda los otros ${toAmount(balance.rest)}; lo que pase con el saldo se pregunta después. O ${byPolicy}.`
      : `El pedido está cancelado y quedan ${toAmount(kept)} cobrados. Devuelva ese dinero en la tienda, o ${byPolicy}.`,
  );
}

/**
 * What of the money that is kept was paid with a balance that refunds of the shop cannot give back; `rest`: what they can. Null
 * without any of a known amount.
 */
export function balanceIn(
  order: Order,
  kept: Decimal,
): { says: string; amount: Amount; rest: Decimal } | null {
  const wallet = walletOf(order);
  if (!wallet?.isKnown) return null;
  const amount = toAmount(Decimal.min(kept, wallet.amount));
  const rest = kept.minus(amount);
  const paid = rest.isZero()
    ? `los ${amount} que quedan se pagaron`
    : `quedan ${toAmount(kept)} cobrados, ${amount} de ellos`;
  return { says: `${paid} con ${wallet.names}, un saldo de la tienda`, amount, rest };
}

/** What an edit left for the buyer to get back. */
const owedStill = (order: Order): Decimal => decimal(order.overpaid ?? '0').minus(returned(order));

const owedOfCancelled = (owed: Decimal): string =>
  `El pedido está cancelado y se editó después de pagado: de lo cobrado quedan ${toAmount(owed)} que no son de nada que venda, y no se pueden facturar. Devuélvalos en la tienda, y lo demás se factura; o emita a mano el documento por lo que se queda.`;

/** An order that an edit left nothing of. */
export function emptied({ order, store }: PlanInput): Verdict | null {
  if (!decimal(order.total).isZero() || decimal(order.overpaid ?? '0').isZero()) return null;
  const owed = owedStill(order);
  if (owed.lte(0)) return say.nothingLeft;
  const reason = `Al pedido se le quitó todo al editarlo después de pagado, y quedan ${toAmount(owed)} por devolver al comprador`;
  return store.policy.cancelledOrders === 'nothing'
    ? nothing('free', `${reason}: no se factura.`)
    : hold(
        'cancelled-kept',
        `${reason}. Devuelva ese dinero en la tienda, con lo que no lleva factura; si la venta sigue en pie, agregue de nuevo al pedido lo que se vendió.`,
      );
}

/**
 * The status says refunded and the refunds do not add up to it: it stays when a refund is deleted (measured on WooCommerce
 * 11.0.1), and a merchant may set it by hand. A refund of unknown amount may be what is missing. `factura`: its number
 * once sent.
 */
export function refundMissing(order: Order, factura: string | null = null): Verdict | null {
  const { total, refunds, status, settlement } = order;
  if (settlement !== 'refunded' && settlement !== 'partially-refunded') return null;
  if (refunds.some(({ amount }) => amount === null)) return null;
  const back = toAmount(sum(refunds.flatMap(({ amount, pending }) => [amount ?? '0', pending])));
  const least = settlement === 'refunded' ? toAmount(received(order)) : '0.01';
  if (decimal(back).gte(least) || (settlement === 'partially-refunded' && returned(order).gt(0))) return null;
  const wallet = walletOf(order);
  if (wallet && settlement === 'refunded' && (!wallet.isKnown || wallet.amount.plus(back).gte(total)))
    return hold(
      'refund-wallet',
      `El pedido figura como reembolsado (estado «${status}»): volvieron ${back} y los otros ${toAmount(decimal(total).minus(back))} se pagaron con ${wallet.names}, un saldo del que la tienda no dice si también volvió. Si volvió, no hay nada más que facturar; si no, emita a mano el documento por lo que quedó.`,
    );
  const [is, reported] =
    settlement === 'refunded'
      ? ['reembolsado', `sus reembolsos suman ${back} de los ${toAmount(total)} cobrados`]
      : ['reembolsado en parte', 'la tienda no tiene ningún reembolso de dinero suyo'];
  return hold(
    'refund-missing',
    `El pedido figura como ${is} (estado «${status}»), pero ${reported}. Registre en la tienda el reembolso que falta, ${factura === null ? 'o devuelva al pedido su estado de pagado para facturar lo que queda' : `para que salga la nota de crédito de la factura ${factura}, o devuelva al pedido su estado de pagado`}.`,
  );
}
