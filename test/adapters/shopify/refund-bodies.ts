import { shopify } from '../../../adapters/shopify/index.ts';
import { decimal, sum } from '../../../src/domain/money.ts';
import type { Refund } from '../../../src/domain/order.ts';

/** What a refund needs of its order. */
export const order = {
  id: 1001,
  currency: 'USD',
  presentment_currency: 'USD',
  taxes_included: false,
  line_items: [{ id: 1, name: ' Camiseta ' }],
  shipping_lines: [
    {
      id: 12,
      title: 'Servientrega',
      price: '4.50',
      tax_lines: [{ title: 'IVA', price: '0.68', rate: 0.15 }],
    },
  ],
};
export const taxesIncluded = {
  ...order,
  taxes_included: true,
  shipping_lines: [
    {
      id: 12,
      title: 'Servientrega',
      price: '5.18',
      tax_lines: [{ title: 'IVA', price: '0.68', rate: 0.15 }],
    },
  ],
};

export const usd = (amount: string) => ({ shop_money: { amount, currency_code: 'USD' } });
export const transaction = (amount: string, changes: object = {}) => ({
  kind: 'refund',
  status: 'success',
  amount,
  currency: 'USD',
  ...changes,
});
/** One of three T-shirts of 10.00 and 15%. */
export const shirt = { line_item_id: 1, quantity: 1, subtotal: 10, total_tax: 1.5 };
export const shippingLine = (amount: string, id: number | null = 12) => ({
  shipping_line_id: id,
  subtotal_amount_set: usd(amount),
});
/** Signed as Shopify signs it: negative is given back. */
export const adjustment = (
  kind: string,
  amount: string,
  tax_amount = '0.00',
  reason = 'Refund discrepancy',
) => ({
  kind,
  amount,
  tax_amount,
  reason,
});

/** A refund of order 1001 without anything in it. */
export function body(changes: Record<string, unknown> = {}) {
  return {
    id: 7,
    order_id: 1001,
    created_at: '2026-11-21T10:00:00-05:00',
    processed_at: '2026-11-21T10:00:01-05:00',
    note: null,
    refund_line_items: [] as unknown[],
    refund_shipping_lines: [] as unknown[],
    order_adjustments: [] as unknown[],
    transactions: [] as unknown[],
    duties: [] as unknown[],
    ...changes,
  };
}

export function readOne(changes: Record<string, unknown>, beside: object = order): Refund {
  const [refund, another] = shopify.readRefunds(body(changes), beside);
  if (!refund || another) throw new Error('Not exactly one refund was read.');
  return refund;
}

/** amount + pending − Σ parts − discrepancy: zero when the refund explains itself. */
export function unexplained({ amount, pending, parts, discrepancy }: Refund): string {
  const explained = sum((parts ?? []).flatMap(({ net, tax }) => [net, tax])).plus(discrepancy);
  return decimal(amount ?? '0')
    .plus(pending)
    .minus(explained)
    .toFixed(2);
}
