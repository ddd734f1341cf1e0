import { type Decimal, decimal, roundCents, sum, toAmount } from '../../domain/money.ts';

import { type Sale, sales, taxes } from './woocommerce-sales.ts';

/** The demo's WooCommerce orders, placed a minute before `now`. */
export function wooOrders(now: Date): Record<string, unknown>[] {
  return sales.map((sale) => toWooOrder(sale, new Date(now.getTime() - 60_000)));
}

/** One sale as WooCommerce tells it, paid `at`. */
export function toWooOrder(sale: Sale, at: Date): Record<string, unknown> {
  const utc = at.toISOString().slice(0, 19);
  const local = new Date(at.getTime() - 5 * 3_600_000).toISOString().slice(0, 19);
  const lines = sale.lines.map((line, index) =>
    toLine(line, sale.coupon?.percent ?? 0, sale.id * 10 + index),
  );
  const shipping = sale.shipping === undefined ? [] : [toShipping(sale.shipping, sale.id * 10 + 9)];
  const parts = [...lines, ...shipping];
  const tax = sum(parts.map((part) => part.total_tax));
  const total = sum(parts.map((part) => part.total)).plus(tax);
  const { buyer } = sale;
  const address = {
    first_name: buyer.first,
    last_name: buyer.last,
    company: buyer.company ?? '',
    address_1: buyer.address,
    address_2: '',
    city: buyer.city,
    state: 'EC-P',
    postcode: '170150',
    country: 'EC',
  };
  return {
    id: sale.id,
    parent_id: 0,
    status: sale.status ?? 'processing',
    currency: 'USD',
    version: '11.0.1',
    prices_include_tax: sale.pricesIncludeTax ?? false,
    date_created: local,
    date_modified: local,
    discount_total: toAmount(sum(lines.map((line) => decimal(line.subtotal).minus(line.total)))),
    discount_tax: toAmount(sum(lines.map((line) => decimal(line.subtotal_tax).minus(line.total_tax)))),
    shipping_total: toAmount(sum(shipping.map((part) => part.total))),
    shipping_tax: toAmount(sum(shipping.map((part) => part.total_tax))),
    cart_tax: toAmount(sum(lines.map((line) => line.total_tax))),
    total: toAmount(total),
    total_tax: toAmount(tax),
    customer_id: 0,
    order_key: `wc_order_demo${sale.id}`,
    billing: { ...address, email: buyer.email, phone: buyer.phone },
    shipping: { ...address, phone: '' },
    payment_method: sale.payment.id,
    payment_method_title: sale.payment.title,
    transaction_id: '',
    customer_ip_address: '',
    customer_user_agent: '',
    created_via: 'checkout',
    customer_note: '',
    date_completed: sale.status === 'completed' ? local : null,
    date_paid: local,
    cart_hash: '',
    number: String(sale.id),
    meta_data: Object.entries(sale.meta ?? {}).map(([key, value], index) => ({
      id: sale.id * 10 + index,
      key,
      value,
    })),
    line_items: lines,
    tax_lines: taxLines(parts),
    shipping_lines: shipping,
    fee_lines: [],
    coupon_lines: [],
    refunds: [],
    payment_url: '',
    is_editable: false,
    needs_payment: false,
    needs_processing: true,
    date_created_gmt: utc,
    date_modified_gmt: utc,
    date_completed_gmt: sale.status === 'completed' ? utc : null,
    date_paid_gmt: utc,
    currency_symbol: '$',
  };
}

function toLine(line: Sale['lines'][number], percent: number, id: number) {
  const { slug, rateId, percent: rate } = taxes[line.tax];
  const subtotal = roundCents(decimal(line.price).times(line.quantity));
  const total = roundCents(subtotal.times(100 - percent).div(100));
  const taxed = (net: Decimal) => toAmount(net.times(rate).div(100));
  return {
    id,
    // WooCommerce hands names out HTML-encoded once.
    name: line.name.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    product_id: 11,
    variation_id: 0,
    quantity: line.quantity,
    tax_class: slug,
    subtotal: toAmount(subtotal),
    subtotal_tax: taxed(subtotal),
    total: toAmount(total),
    total_tax: taxed(total),
    taxes: rateId === null ? [] : [{ id: rateId, total: taxed(total), subtotal: taxed(subtotal) }],
    meta_data: [],
    sku: line.sku,
    global_unique_id: '',
    price: total.div(line.quantity).toNumber(),
    image: { id: '', src: '' },
    parent_name: null,
  };
}

function toShipping(total: string, id: number) {
  const tax = toAmount(decimal(total).times('0.15'));
  return {
    id,
    method_title: 'Servientrega',
    method_id: 'flat_rate',
    instance_id: '',
    total,
    total_tax: tax,
    taxes: [{ id: 1, total: tax, subtotal: '' }],
    tax_status: 'taxable',
    meta_data: [],
  };
}

function taxLines(parts: readonly { taxes: { id: number; total: string }[] }[]) {
  return Object.values(taxes).flatMap(({ rateId, label, percent }) => {
    const used = parts.flatMap((part) => part.taxes).filter((tax) => tax.id === rateId);
    if (rateId === null || used.length === 0) return [];
    const total = toAmount(sum(used.map((tax) => tax.total)));
    return [
      {
        id: 9000 + rateId,
        rate_code: `EC-${label}-1`,
        rate_id: rateId,
        label,
        compound: false,
        tax_total: total,
        shipping_tax_total: '0.00',
        rate_percent: percent,
        meta_data: [],
      },
    ];
  });
}
