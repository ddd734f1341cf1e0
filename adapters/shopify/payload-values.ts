import { z } from 'zod';
import {
  amount,
  amountOrNone,
  booleanOrNone,
  currencyOrNone,
  instantOrNone,
  listOrNone,
  loose,
  numberOrNone,
  objectOrNone,
  textOrNone as text,
  word,
} from '../../src/domain/loose.ts';

/*
 * The small shapes REST-shaped bodies are made of. Loose where Shopify is loose (Shopify’s order and refund
 * payloads): nulls, empty strings and missing keys are normal, and schemas inferred from samples refuse real
 * deliveries.
 */

/** Ids above 2^53 lose digits as numbers; every object also carries its exact id as text. */
const idOf = (value: unknown): string | number | undefined => {
  if (typeof value === 'number') return Number.isInteger(value) && value >= 0 ? value : undefined;
  return typeof value === 'string' && /^\d{1,40}$/.test(value) ? value : undefined;
};
export const id = loose('id', idOf);
export const idOrNone = loose('id', (value) => (value === null || value === undefined ? null : idOf(value)));

/** Shop money is what the shop books; the buyer's matters for totals and refunds only. */
const money = objectOrNone(z.object({ amount: amountOrNone }));
export const moneySet = objectOrNone(z.object({ shop_money: money }));
export const bothMoneys = objectOrNone(z.object({ shop_money: money, presentment_money: money }));

interface Stated {
  shop_money: { amount: string | null } | null;
}
/** A figure stands in one of two places; in neither, nobody knows it. */
const stated = (plain: string | null, set: Stated | null): boolean =>
  (plain ?? set?.shop_money?.amount ?? null) !== null;

export const taxLines = listOrNone(
  z
    .object({ title: text, price: amountOrNone, rate: numberOrNone, price_set: moneySet })
    .refine(({ price, price_set }) => stated(price, price_set), { path: ['price'], error: 'amount' }),
);

export const allocations = listOrNone(
  z
    .object({ amount: amountOrNone, amount_set: moneySet })
    .refine(({ amount, amount_set }) => stated(amount, amount_set), { path: ['amount'], error: 'amount' }),
);

export const transaction = z.object({
  kind: word,
  status: word,
  gateway: text,
  amount,
  currency: currencyOrNone,
  processed_at: instantOrNone,
});

export const ShippingLine = z.object({
  id: idOrNone,
  title: text,
  price: amount,
  price_set: moneySet,
  discounted_price: amountOrNone,
  discounted_price_set: moneySet,
  discount_allocations: allocations,
  tax_lines: taxLines,
  is_removed: booleanOrNone,
});
