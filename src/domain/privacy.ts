import type { Order } from './order.ts';
import type { BuyerMark } from './shop-event.ts';

/** Whether an order is a buyer's: the shop names it, or it bears his e-mail or telephone. */
export function isOf(order: Order, { orders, email, phone }: BuyerMark): boolean {
  if (orders.includes(order.id)) return true;
  const { buyer } = order;
  if (email !== null && buyer.email?.trim().toLowerCase() === email.trim().toLowerCase()) return true;
  const number = digits(phone);
  return number !== '' && [buyer.phone, ...(buyer.phones ?? [])].some((one) => digits(one) === number);
}

const digits = (phone: string | null): string => phone?.replace(/\D/g, '') ?? '';

/**
 * The order without what is known of its buyer: sums, lines and states stay, so that its documents can still be
 * explained and credited. What the factura says of the buyer stands in the factura, which the law keeps.
 */
export function withoutBuyer(order: Order): Order {
  return {
    ...order,
    buyer: {
      name: null,
      company: null,
      email: null,
      phone: null,
      address: null,
      country: order.buyer.country,
      ids: [],
      forgotten: true,
    },
    note: null,
    attributes: [],
    lines: order.lines.map((line) => ({ ...line, attributes: [] })),
  };
}

/**
 * The body of a document as it was sent, without whom it named: what was sold for how much stays. The entries beside it
 * go too, for they may name him as well.
 */
export function bodyWithoutBuyer(text: string): string {
  const body = JSON.parse(text) as { comprador?: Record<string, unknown> };
  const comprador = Object.fromEntries(Object.keys(body.comprador ?? {}).map((name) => [name, '']));
  return JSON.stringify({ ...body, comprador, informacion_adicional: [] });
}

/** Whether whom a document named was taken out of what was sent for it; the service takes no nameless one. */
export const isForgotten = ({ comprador }: { comprador: { identificacion: string } }): boolean =>
  comprador.identificacion === '';
