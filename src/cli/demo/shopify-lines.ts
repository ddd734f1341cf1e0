import { type Decimal, decimal, roundCents, toAmount } from '../../domain/money.ts';
import type { Sale } from './shopify-sales.ts';

export const money = (amount: Decimal | string) => {
  const text = toAmount(amount);
  return {
    shop_money: { amount: text, currency_code: 'USD' },
    presentment_money: { amount: text, currency_code: 'USD' },
  };
};

/** Tax of a line as Shopify states it: inside the price, or on top of it, rounded per line. */
function taxOf(net: Decimal, rate: string | null, included: boolean): Decimal {
  if (rate === null) return decimal(0);
  return roundCents(included ? net.minus(net.div(decimal(rate).plus(1))) : net.times(rate));
}

export function taxLines(rate: string | null, tax: Decimal) {
  if (rate === null) return [];
  return [
    { channel_liable: false, price: toAmount(tax), price_set: money(tax), rate: Number(rate), title: 'IVA' },
  ];
}

export function toLine(line: Sale['lines'][number], sale: Sale, id: number) {
  const gross = decimal(line.price).times(line.quantity);
  const discount = roundCents(gross.times(sale.discount?.percent ?? 0).div(100));
  const tax = taxOf(gross.minus(discount), line.rate, sale.taxesIncluded);
  const allocation = {
    amount: toAmount(discount),
    amount_set: money(discount),
    discount_application_index: 0,
  };
  return {
    paid: gross.minus(discount),
    tax,
    json: {
      id,
      admin_graphql_api_id: `gid://shopify/LineItem/${id}`,
      current_quantity: line.quantity,
      fulfillable_quantity: line.quantity,
      gift_card: false,
      grams: 0,
      name: line.title,
      price: line.price,
      price_set: {
        shop_money: { amount: line.price, currency_code: 'USD' },
        presentment_money: { amount: line.price, currency_code: 'USD' },
      },
      product_exists: true,
      product_id: 1,
      properties: [],
      quantity: line.quantity,
      requires_shipping: true,
      sku: line.sku,
      taxable: line.rate !== null,
      title: line.title,
      total_discount: '0.00',
      total_discount_set: money('0'),
      variant_id: 1,
      variant_title: null,
      vendor: null,
      tax_lines: taxLines(line.rate, tax),
      duties: [],
      discount_allocations: discount.isZero() ? [] : [allocation],
    },
  };
}

export function toShipping(price: string, sale: Sale, id: number) {
  const tax = taxOf(decimal(price), '0.15', sale.taxesIncluded);
  const json = {
    id,
    code: 'Servientrega',
    discounted_price: price,
    discounted_price_set: money(price),
    current_discounted_price_set: money(price),
    is_removed: false,
    price,
    price_set: money(price),
    source: 'shopify',
    title: 'Servientrega',
    tax_lines: taxLines('0.15', tax),
    discount_allocations: [],
  };
  return { paid: decimal(price), tax, json };
}
