import type { Order } from './order.ts';
import type { BuyerMark } from './platform.ts';

/** Whether an order belongs to a buyer: the shop names it, or it has the buyer's e-mail or telephone. */
export function isOf(order: Order, { orders, email, phone }: BuyerMark): boolean {
  if (orders.includes(order.id)) return true;
  const { buyer } = order;
  if (email !== null && buyer.email?.trim().toLowerCase() === email.trim().toLowerCase()) return true;
  const number = digits(phone);
  return number !== '' && [buyer.phone, ...(buyer.phones ?? [])].some((one) => digits(one) === number);
}

const digits = (phone: string | null): string => phone?.replace(/\D/g, '') ?? '';

/** The order without its buyer's data; sums, lines and states stay to explain and credit its documents. */
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

/** A sent body without its buyer: what was sold for how much stays. Additional entries go too, since they may name the buyer. */
export function bodyWithoutBuyer(text: string): string {
  const body = JSON.parse(text) as { comprador?: Record<string, unknown> };
  const comprador = Object.fromEntries(Object.keys(body.comprador ?? {}).map((name) => [name, '']));
  return JSON.stringify({ ...body, comprador, informacion_adicional: [] });
}
