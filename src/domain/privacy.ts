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

/** Words of a buyer's block that name nobody. */
const impersonal = new Set(['consumidor', 'final', 'ltda', 'ruc', 'cedula', 'pasaporte']);

/** The sentences of others without the words and numbers that these sent bodies state of their buyer. */
export function withoutBuyerWords(sentences: readonly string[], bodies: readonly string[]): string[] {
  if (sentences.length === 0) return [];
  const stated = bodies.flatMap((text) => {
    const { comprador = {}, informacion_adicional = [] } = JSON.parse(text) as {
      comprador?: Record<string, unknown>;
      informacion_adicional?: { detalle: string }[];
    };
    return [...Object.values(comprador), ...informacion_adicional.map(({ detalle }) => detalle)];
  });
  const named = new Set(
    stated.flatMap((value) =>
      wordsOf(String(value)).filter(
        (word) => word.length >= (/^\d+$/.test(word) ? 5 : 3) && !impersonal.has(word),
      ),
    ),
  );
  return sentences.map((sentence) =>
    sentence.replace(words, (word) => (named.has(wordsOf(word)[0] ?? '') ? '…' : word)),
  );
}

const words = /[\p{L}\p{M}\p{N}]+/gu;
/** In lower case and without accents, as the authority writes names or not. */
const wordsOf = (text: string): string[] =>
  text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().match(words) ?? [];

/** A sent body without its buyer: what was sold for how much stays. Additional entries go too, since they may name the buyer. */
export function bodyWithoutBuyer(text: string): string {
  const body = JSON.parse(text) as { comprador?: Record<string, unknown> };
  const comprador = Object.fromEntries(Object.keys(body.comprador ?? {}).map((name) => [name, '']));
  return JSON.stringify({ ...body, comprador, informacion_adicional: [] });
}
