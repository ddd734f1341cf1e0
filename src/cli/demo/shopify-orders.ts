import { type Decimal, decimal, roundCents, sum, toAmount } from '../../domain/money.ts';
import { type Sale, sales } from './shopify-sales.ts';

export const orderId = (sale: Pick<Sale, 'number'>): number => 7_100_000_000_000 + sale.number;
export const shopifyOrderIds: readonly string[] = sales.map((sale) => String(orderId(sale)));

/** The demo's Shopify orders, paid a minute before `now`. */
export function shopifyOrders(now: Date): Record<string, unknown>[] {
  return sales.map((sale) => toShopifyOrder(sale, new Date(now.getTime() - 60_000).toISOString()));
}

/** One sale as the Admin API and webhooks tell it, paid `at` (ISO). */
export function toShopifyOrder(sale: Sale, at: string): Record<string, unknown> {
  const id = orderId(sale);
  const lines = sale.lines.map((line, index) => toLine(line, sale, id * 10 + index));
  const shipping = sale.shipping === undefined ? [] : [toShipping(sale.shipping, sale, id * 10 + 9)];
  const parts = [...lines, ...shipping];
  const tax = sum(parts.map((part) => part.tax));
  const paid = roundCents(sum(parts.map((part) => part.paid)));
  const total = sale.taxesIncluded ? paid : paid.plus(tax);
  const address = toAddress(sale);
  return {
    id,
    admin_graphql_api_id: `gid://shopify/Order/${id}`,
    cancel_reason: null,
    cancelled_at: null,
    closed_at: null,
    confirmed: true,
    contact_email: sale.buyer?.email ?? null,
    created_at: at,
    currency: 'USD',
    current_subtotal_price_set: money(sum(lines.map((line) => line.paid))),
    current_total_duties_set: null,
    current_total_price: toAmount(total),
    current_total_price_set: money(total),
    current_total_tax: toAmount(tax),
    current_total_tax_set: money(tax),
    discount_applications: sale.discount
      ? [
          {
            target_type: 'line_item',
            type: 'discount_code',
            value: String(sale.discount.percent),
            value_type: 'percentage',
            allocation_method: 'across',
            target_selection: 'all',
            code: sale.discount.code,
          },
        ]
      : [],
    discount_codes: [],
    email: sale.buyer?.email ?? '',
    estimated_taxes: false,
    financial_status: 'paid',
    fulfillment_status: null,
    name: `#${sale.number}`,
    note: null,
    note_attributes: sale.noteAttributes ?? [],
    number: sale.number - 1000,
    order_number: sale.number,
    payment_gateway_names: sale.gateways.map(({ gateway }) => gateway),
    phone: null,
    presentment_currency: 'USD',
    processed_at: at,
    source_name: sale.buyer ? 'web' : 'pos',
    subtotal_price: toAmount(sum(lines.map((line) => line.paid))),
    subtotal_price_set: money(sum(lines.map((line) => line.paid))),
    tags: '',
    tax_exempt: false,
    tax_lines: taxLines('0.15', tax),
    taxes_included: sale.taxesIncluded,
    test: false,
    total_discounts: toAmount(
      sum(lines.flatMap((line) => line.json.discount_allocations.map((discount) => discount.amount))),
    ),
    total_price: toAmount(total),
    total_price_set: money(total),
    total_shipping_price_set: money(sale.shipping ?? '0'),
    total_tax: toAmount(tax),
    total_tax_set: money(tax),
    total_tip_received: '0.00',
    updated_at: at,
    billing_address: address,
    customer: sale.buyer
      ? {
          id: 1,
          first_name: sale.buyer.first,
          last_name: sale.buyer.last,
          email: sale.buyer.email,
          phone: null,
          tax_exempt: false,
          admin_graphql_api_id: 'gid://shopify/Customer/1',
        }
      : null,
    line_items: lines.map((line) => line.json),
    // Only the Admin API shows these two; the stand-in leaves them out of webhooks.
    localized_fields: sale.taxCredential ? [{ key: 'TAX_CREDENTIAL_EC', value: sale.taxCredential }] : [],
    transactions: sale.gateways.map(({ gateway, amount }, index) => ({
      id: id * 10 + index,
      admin_graphql_api_id: `gid://shopify/OrderTransaction/${id * 10 + index}`,
      kind: 'sale',
      status: 'success',
      gateway,
      amount: amount ?? toAmount(total),
      currency: 'USD',
      processed_at: at,
      created_at: at,
    })),
    refunds: [],
    shipping_address: address,
    shipping_lines: shipping.map((line) => line.json),
  };
}

function toAddress({ buyer }: Sale) {
  if (!buyer) return null;
  return {
    first_name: buyer.first,
    last_name: buyer.last,
    name: `${buyer.first} ${buyer.last}`,
    company: buyer.company ?? null,
    address1: buyer.address,
    address2: null,
    city: buyer.city,
    zip: '170507',
    province: 'Pichincha',
    province_code: 'P',
    country: 'Ecuador',
    country_code: 'EC',
    phone: '+593991234567',
  };
}

const money = (amount: Decimal | string) => {
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

function taxLines(rate: string | null, tax: Decimal) {
  if (rate === null) return [];
  return [
    { channel_liable: false, price: toAmount(tax), price_set: money(tax), rate: Number(rate), title: 'IVA' },
  ];
}

function toLine(line: Sale['lines'][number], sale: Sale, id: number) {
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

function toShipping(price: string, sale: Sale, id: number) {
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
