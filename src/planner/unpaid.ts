import { toAmount } from '../domain/money.ts';
import type { Order } from '../domain/order.ts';
import { hold, type Verdict, wait } from './action.ts';

/* What an order whose money did not come in, or only looks as if it had, waits or is held for. */

export function notPaidYet(order: Order, code: 'unpaid' | 'partially-paid', now: Date): Verdict {
  if (isRestOverdue(order, now))
    return hold(
      'partially-paid',
      `El pedido se pagó solo en parte${statusOf(order)} hace más de ${daysForRest} días, y su total es ${toAmount(order.total)}. Si el resto se va a cobrar, la factura sale sola cuando el pedido figure pagado; si no, quite del pedido en la tienda lo que no se cobró, y sale por lo demás, o emita a mano la factura por lo cobrado.`,
    );
  return wait(code, `El pedido aún no está pagado por completo${statusOf(order)}${depositPaid(order)}.`);
}

/** Authorisations of cards expire within a week in most gateways. */
const daysForRest = 7;

export function isRestOverdue(order: Order, now: Date): boolean {
  const until = restAwaitedUntil(order);
  return until !== null && until <= now;
}

/** Until when an order paid in part waits for the rest; null where it was not paid, or a deposit was agreed. */
export function restAwaitedUntil({ settlement, deposit, paidAt, placedAt }: Order): Date | null {
  if (settlement !== 'partially-paid' || deposit) return null;
  return new Date(Date.parse(paidAt ?? placedAt) + daysForRest * 24 * 3_600_000);
}

/** What came in of an order of the whole price, and what follows. */
function depositPaid({ deposit }: Order): string {
  if (deposit?.total !== 'order') return '';
  const paid = deposit.paid === null ? 'solo un anticipo' : `un anticipo de ${deposit.paid}`;
  return `: la tienda registra ${paid} de los ${deposit.of}. La factura sale por el total cuando se pague el resto y el pedido pase a un estado de paidStatuses`;
}

export const unpaidAgain = (order: Order): string =>
  `El pedido dejó de estar pagado por completo antes de que su factura saliera${statusOf(order)}: la factura espera y sale cuando el pedido figure pagado.`;

/**
 * Whether the order of a factura counts as paid as before, so that the factura is right: also where the connection invoices it
 * before its money comes, or would wait for a later status. An order that was cancelled or refunded was paid.
 */
export function isPaidStill({ settlement, notAccepted }: Pick<Order, 'settlement' | 'notAccepted'>): boolean {
  if (settlement !== 'unpaid' && settlement !== 'partially-paid' && settlement !== 'draft') return true;
  return notAccepted !== undefined && (notAccepted.waits || notAccepted.setting !== 'paidStatuses');
}

/** What makes an order count as paid again. */
export const paidAgain = ({ notAccepted }: Order): string =>
  notAccepted && !notAccepted.partly && !unpaidStatuses.includes(notAccepted.value)
    ? `agregue «${notAccepted.value}» a paidStatuses en la conexión de la tienda, o cambie el estado del pedido`
    : 'devuelva el pedido a un estado de pagado';

const unpaidStatuses = ['pending', 'on-hold', 'failed'];

/** " (estado «processing»)". */
export const statusOf = ({ status }: Order): string =>
  status === '' ? ' (la tienda no dice el estado del pago)' : ` (estado «${status}»)`;

/** A hold, unless the shop is expected to change the order by itself. */
export function notAccepted(order: Order, reason: NonNullable<Order['notAccepted']>): Verdict {
  const { status } = order;
  const { setting, value, waits } = reason;
  const held =
    setting === 'paidStatuses'
      ? hold('status-not-accepted', statusNotAccepted(order, reason))
      : hold(
          'payment-date-missing',
          value === ''
            ? `El pedido está en el estado «${status}» y la tienda no registra ni la fecha ni el medio de su pago. Si está pagado, páselo a pendiente de pago y después a Completado, con lo que WooCommerce guarda la fecha; si no, déjelo en pendiente.`
            : `El pedido está en el estado «${status}» y la tienda no registra la fecha de su pago con «${value}». ${status === 'processing' ? 'Cuando se cobre, páselo' : 'Si está pagado, páselo a pendiente de pago y después'} a Completado, con lo que WooCommerce guarda la fecha; o agregue «${value}» a ${setting} en la conexión para facturar sin esperar esa fecha.`,
        );
  return waits ? { ...held, action: 'wait' } : held;
}

/** Only a status in which the order is paid belongs into paidStatuses. */
function statusNotAccepted({ deposit }: Order, { value, partly }: NonNullable<Order['notAccepted']>): string {
  if (deposit?.total === 'own' && deposit.paid !== null)
    return `El pedido es el anticipo de ${deposit.paid} de una venta de ${deposit.of}, cuyo resto será otro pedido, y su estado «${value}» no está en paidStatuses. Para facturar los anticipos cuando entran, agregue «${value}» a paidStatuses en la conexión de la tienda; si no, su factura sale cuando la tienda lo pase a un estado de paidStatuses.`;
  if (partly)
    return `El pedido tiene fecha de pago y el estado «${value}», que dice que se pagó solo una parte: no se factura mientras siga en él. Cuando se pague el resto, cámbielo a un estado de paidStatuses; no agregue «${value}» a paidStatuses, salvo que el total de esos pedidos sea lo que ya entró.`;
  if (unpaidStatuses.includes(value))
    return `El pedido tiene fecha de pago y ahora está en «${value}», el estado de un pedido sin pagar. Si el dinero sigue en la tienda, páselo a Procesando o Completado; si volvió o nunca entró, registre su reembolso: cancelarlo no basta, porque WooCommerce conserva la fecha de pago. No agregue «${value}» a paidStatuses.`;
  return `El pedido tiene fecha de pago y el estado «${value}» no está en paidStatuses: no se factura mientras siga en él. Agregue «${value}» a paidStatuses en la conexión de la tienda, o cambie el estado del pedido.`;
}
