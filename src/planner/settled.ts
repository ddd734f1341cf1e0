import { type Decimal, decimal, sum, toAmount } from '../domain/money.ts';
import { deletedStatus, type Order } from '../domain/order.ts';
import type { PlanInput, PlannedDocument } from './input.ts';
import { type Verdict, verdict } from './make-action.ts';
import { walletOf } from './refunds/detail.ts';
import * as say from './refunds/sentences.ts';

/** What the status of an order and its money say together: not paid (yet), nothing left, or a contradiction. Null = paid. */
export function byMoney(input: PlanInput, current: PlannedDocument | undefined): Verdict | null {
  const { order } = input;
  switch (order.settlement) {
    case 'draft':
      return verdict('nothing', 'draft', 'El pedido es un borrador.');
    case 'cancelled':
      return cancelled(input);
    case 'refunded':
      return refundMissing(order) ?? (isNegative(order) ? null : say.nothingLeft);
    case 'partially-refunded':
      return refundMissing(order);
    case 'unpaid':
    case 'partially-paid':
      // One that waits for its account would leave for money that is not there (any more).
      if (current?.state === 'ready') return verdict('hold', order.settlement, unpaidAgain(order));
      return order.notAccepted
        ? notAccepted(order, order.notAccepted)
        : verdict('wait', order.settlement, `El pedido aún no está pagado por completo${statusOf(order)}.`);
    default:
      return null;
  }
}

const unpaidAgain = (order: Order): string =>
  `El pedido dejó de estar pagado por completo antes de que su factura saliera${statusOf(order)}: la factura espera y sale cuando el pedido figure pagado.`;

/** " (estado «processing»)". */
const statusOf = ({ status }: Order): string =>
  status === '' ? ' (la tienda no dice el estado del pago)' : ` (estado «${status}»)`;

/** Told as a hold where nothing more is to be expected of the shop by itself. */
function notAccepted(
  { status }: Order,
  { setting, value, waits }: NonNullable<Order['notAccepted']>,
): Verdict {
  const held =
    setting === 'paidStatuses'
      ? verdict(
          'hold',
          'status-not-accepted',
          `El pedido tiene fecha de pago y el estado «${value}» no está en paidStatuses: no se factura mientras siga en él. Agregue «${value}» a paidStatuses en la conexión de la tienda, o cambie el estado del pedido.`,
        )
      : verdict(
          'hold',
          'payment-date-missing',
          `El pedido está en el estado «${status}» y la tienda no registra la fecha de su pago con «${value}». Registre el pago en la tienda, o agregue «${value}» a ${setting} en la conexión para facturar sin esperar esa fecha.`,
        );
  return waits ? { ...held, action: 'wait' } : held;
}

/** Orders nobody can do anything about in the shop any more; WooCommerce empties its trash after a month. */
const thrownAway = [deletedStatus, 'trash'];

/** Cancelling moves no money: what was paid and not given back is kept, until the merchant says what it is. */
function cancelled({ order, store }: PlanInput): Verdict | null {
  const nothing = verdict('nothing', 'cancelled', 'El pedido está cancelado y no se factura.');
  const { cancelledOrders } = store.policy;
  if (order.paidAt === null || thrownAway.includes(order.status) || cancelledOrders === 'nothing')
    return nothing;
  const unknown = order.refunds.find(({ amount }) => amount === null);
  if (unknown) return say.unknownMoney(unknown);
  const kept = moneyLeft(order);
  if (kept.lte(0)) return decimal(order.total).isZero() ? nothing : say.nothingLeft;
  const moving = order.refunds.find(({ pending }) => !decimal(pending).isZero());
  if (moving) return say.pendingMoney(moving);
  if (cancelledOrders === 'invoice') return null;
  return verdict(
    'hold',
    'cancelled-kept',
    `El pedido está cancelado y quedan ${toAmount(kept)} cobrados. Devuelva ese dinero en la tienda, o decida en policy.cancelledOrders si lo que se cobró y no se devolvió se factura (invoice) o no lleva documento (nothing).`,
  );
}

/**
 * The same after the factura left: it stands, for a sale the shop says is none. What of its money is on its way, or of
 * unknown amount, is told of its refund.
 */
export function keptAfter({ order, store }: PlanInput, factura: string): Verdict | null {
  if (order.settlement !== 'cancelled' || thrownAway.includes(order.status)) return null;
  if (store.policy.cancelledOrders === 'invoice' || order.refunds.some(({ amount }) => amount === null))
    return null;
  const kept = moneyLeft(order).minus(sum(order.refunds.map(({ pending }) => pending)));
  if (kept.lte(0)) return null;
  // Cash on delivery may be invoiced before it is paid.
  const money = `quedan ${toAmount(kept)} ${order.paidAt === null ? 'que la tienda no registra como cobrados' : 'cobrados'}`;
  return verdict(
    'manual',
    'cancelled-kept',
    `El pedido se canceló después de su factura ${factura}, que sigue en pie, y ${money}. Si la venta se deshizo, registre en la tienda el reembolso de ese dinero, del que sale la nota de crédito; si queda como venta, ponga policy.cancelledOrders en invoice.`,
  );
}

/**
 * The status tells of more than the refunds do: it stays when a refund is deleted (measured on WooCommerce 11.0.1), and
 * a merchant may set it by hand. A refund of unknown amount may be what is missing. `factura`: the number of one that left.
 */
export function refundMissing(order: Order, factura: string | null = null): Verdict | null {
  const { total, refunds, status, settlement } = order;
  if (settlement !== 'refunded' && settlement !== 'partially-refunded') return null;
  if (refunds.some(({ amount }) => amount === null)) return null;
  const back = toAmount(sum(refunds.flatMap(({ amount, pending }) => [amount ?? '0', pending])));
  const least = settlement === 'refunded' ? toAmount(total) : '0.01';
  if (decimal(back).gte(least)) return null;
  const wallet = walletOf(order);
  if (wallet && settlement === 'refunded' && (!wallet.isKnown || wallet.amount.plus(back).gte(total)))
    return verdict(
      'hold',
      'refund-wallet',
      `El pedido figura como reembolsado (estado «${status}»): volvieron ${back} y los otros ${toAmount(decimal(total).minus(back))} se pagaron con ${wallet.names}, un saldo del que la tienda no dice si también volvió. Si volvió, no hay nada más que facturar; si no, emita a mano el documento por lo que quedó.`,
    );
  const [is, told] =
    settlement === 'refunded'
      ? ['reembolsado', `sus reembolsos suman ${back} de los ${toAmount(total)} cobrados`]
      : ['reembolsado en parte', 'la tienda no tiene ningún reembolso de dinero suyo'];
  return verdict(
    'hold',
    'refund-missing',
    `El pedido figura como ${is} (estado «${status}»), pero ${told}. Registre en la tienda el reembolso que falta, ${factura === null ? 'o devuelva al pedido su estado de pagado para facturar lo que queda' : `para que salga la nota de crédito de la factura ${factura}, o devuelva al pedido su estado de pagado`}.`,
  );
}

/** Fees below nothing that are more than what is sold: a mistake the mapper names. */
export const isNegative = ({ total }: Order): boolean => decimal(total).isNegative();

/** What the buyer paid and did not get back; a refund of unknown amount counts for nothing here. */
export function moneyLeft({ total, refunds }: Order): Decimal {
  return decimal(total).minus(sum(refunds.map(({ amount }) => amount ?? '0')));
}
