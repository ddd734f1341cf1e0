import type { Order } from './order.ts';
import type { BuyerMark } from './platform.ts';

/** The shop names the order, or it has the buyer's e-mail or telephone. */
export function isOf(order: Order, { orders, email, phone }: BuyerMark): boolean {
  if (orders.includes(order.id)) return true;
  const { buyer } = order;
  if (email !== null && buyer.email?.trim().toLowerCase() === email.trim().toLowerCase()) return true;
  const number = digits(phone);
  return number !== '' && [buyer.phone, ...(buyer.phones ?? [])].some((one) => digits(one) === number);
}

const digits = (phone: string | null): string => phone?.replace(/\D/g, '') ?? '';

/** Sums, lines and states stay to explain and credit its documents. */
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

const impersonal = new Set(['consumidor', 'final', 'ltda', 'ruc', 'cedula', 'pasaporte']);

/** Replaces words and numbers that these sent bodies state of their buyer. */
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
/** SRI writes names with or without accents. */
const wordsOf = (text: string): string[] =>
  text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().match(words) ?? [];

/** Additional entries are removed too, since they may name the buyer. */
export function bodyWithoutBuyer(text: string): string {
  const body = JSON.parse(text) as { comprador?: Record<string, unknown> };
  const comprador = Object.fromEntries(Object.keys(body.comprador ?? {}).map((name) => [name, '']));
  return JSON.stringify({ ...body, comprador, informacion_adicional: [] });
}
