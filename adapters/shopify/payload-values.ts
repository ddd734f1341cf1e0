import { z } from 'zod';
import { freeText, mayBeAmount } from '../../src/core/text.ts';

/*
 * The small shapes REST-shaped bodies are made of. Loose where Shopify is loose (Shopify’s order and refund
 * payloads): nulls, empty strings and missing keys are normal, and schemas inferred from samples refuse real
 * deliveries.
 */

// One step instead of a union and a pipe: an order has hundreds of amounts.
export const amount = z.unknown().transform((value, context): string => {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text === 'string' && mayBeAmount(text) && /^-?\d+(\.\d+)?$/.test(text)) return text;
  context.addIssue({ code: 'custom', message: 'is no amount' });
  return z.NEVER;
});

export const text = freeText.nullish();

/** Ids above 2^53 lose digits as numbers; every object also carries its exact id as text. */
export const id = z.union([z.string().regex(/^\d{1,40}$/), z.number().refine(Number.isInteger)]);

/** Shop money is what the shop books; the buyer's matters for totals and refunds only. */
export const moneySet = z.object({ shop_money: z.object({ amount }) }).nullish();
export const bothMoneys = z
  .object({ shop_money: z.object({ amount }), presentment_money: z.object({ amount }).nullish() })
  .nullish();

export const taxLines = z
  .array(z.object({ title: text, price: amount.nullish(), rate: z.number().nullish(), price_set: moneySet }))
  .nullish();

export const allocations = z.array(z.object({ amount: amount.nullish(), amount_set: moneySet })).nullish();

export const transaction = z.object({
  kind: text,
  status: text,
  gateway: text,
  amount: amount.nullish(),
  currency: text,
  processed_at: text,
});

export const ShippingLine = z.object({
  id,
  title: text,
  price: amount,
  price_set: moneySet,
  discounted_price: amount.nullish(),
  discounted_price_set: moneySet,
  discount_allocations: allocations,
  tax_lines: taxLines,
  is_removed: z.boolean().nullish(),
});
