import { type Decimal, decimal, roundCents, sum, toAmount } from '../../src/domain/money.ts';

const person = (
  first: string,
  last: string,
  city: string,
  address: string,
  email: string,
  phone: string,
) => ({ first, last, city, address, email, phone });

/** A fictional sale, from which an order like those of WooCommerce 11 is made (rounding per line). */
export interface Sale {
  id: number;
  buyer: ReturnType<typeof person> & { company?: string };
  meta?: Record<string, string>;
  payment: { id: string; title: string };
  status?: 'processing' | 'completed';
  pricesIncludeTax?: boolean;
  coupon?: { code: string; percent: number };
  lines: { sku: string; name: string; quantity: number; price: string; tax: keyof typeof taxes }[];
  shipping?: string;
}

/** The shop's tax table: class slug, rate row, percent; `exento` has no rate row at all. */
export const taxes = {
  iva15: { slug: '', rateId: 1, label: 'IVA 15%', percent: 15 },
  iva0: { slug: 'iva-0', rateId: 2, label: 'IVA 0%', percent: 0 },
  iva5: { slug: 'iva-5', rateId: 3, label: 'IVA 5%', percent: 5 },
  exento: { slug: 'exento', rateId: null, label: '', percent: 0 },
} as const;

/** The merchant's rule: a rate of 5 % alone does not mean construction materials. */
export const taxPolicy = {
  // biome-ignore lint/suspicious/noThenProperty: a config key; not a function.
  rules: [{ name: 'materiales de construcción', when: { sku: 'CEM-*' }, then: { iva: 5 as const } }],
};

export const sales: Sale[] = [
  {
    id: 1201,
    buyer: person('Lucía', 'Cevallos Mora', 'Quito', 'Calle Loja 123', 'lucia@example.ec', '0987654321'),
    meta: { _billing_cedula: '1710034065' },
    payment: { id: 'bacs', title: 'Transferencia bancaria' },
    lines: [{ sku: 'CAM-001', name: 'Camiseta algodón «Ñandú»', quantity: 2, price: '12.50', tax: 'iva15' }],
    shipping: '4.35',
  },
  {
    id: 1202,
    buyer: {
      ...person('María José', 'Pérez Ñúñez', 'Cuenca', 'Av. Solano 4-55', 'compras@example.ec', '072821122'),
      company: 'Comercial Andina S.A. & Hijos',
    },
    meta: { _billing_ruc: '0190012344001' },
    payment: { id: 'payphone', title: 'Payphone' },
    coupon: { code: 'diez', percent: 10 },
    lines: [
      { sku: 'CAM-001', name: 'Camiseta algodón «Ñandú»', quantity: 3, price: '12.50', tax: 'iva15' },
      { sku: 'LIB-001', name: 'Libro: Historia del Ecuador', quantity: 1, price: '18.00', tax: 'iva0' },
      { sku: 'CEM-001', name: 'Cemento Portland 50kg', quantity: 7, price: '8.25', tax: 'iva5' },
      { sku: 'SRV-EX', name: 'Servicio exento', quantity: 1, price: '20.00', tax: 'exento' },
    ],
    shipping: '4.35',
  },
  {
    id: 1203,
    buyer: person('Carlos', 'Andrade', 'Guayaquil', 'Malecón 100', 'carlos@example.ec', '0991234567'),
    payment: { id: 'cod', title: 'Pago contra entrega' },
    status: 'completed',
    lines: [
      { sku: 'CHO-070', name: 'Chocolate 70% & nibs <amargo>', quantity: 4, price: '3.33', tax: 'iva15' },
    ],
  },
  {
    id: 1204,
    buyer: person(
      'Emma',
      'Larsen',
      'Baños de Agua Santa',
      'Ambato y Halflants',
      'emma@example.com',
      '0998887766',
    ),
    meta: {
      '_wc_billing/ecuador/tipo-identificacion': '06',
      '_wc_billing/ecuador/identificacion': 'DK4471203',
    },
    payment: { id: 'stripe', title: 'Tarjeta de crédito' },
    pricesIncludeTax: true,
    lines: [
      {
        sku: 'ZAP-38-N',
        name: 'Zapato escolar - 38, Negro',
        quantity: 1,
        price: '30.34782609',
        tax: 'iva15',
      },
      { sku: 'TOR-4D', name: 'Tornillo (4 decimales)', quantity: 120, price: '0.0375', tax: 'iva15' },
    ],
    shipping: '3.50',
  },
  {
    id: 1205,
    buyer: person(
      'Byron',
      'Chicaiza Toapanta',
      'Ambato',
      'Av. Cevallos 08-21',
      'byron@example.ec',
      '0984445566',
    ),
    meta: { billing_cedula: '1804567897' },
    payment: { id: 'ppcp-credit-card-gateway', title: 'Tarjeta (PayPal)' },
    status: 'completed',
    lines: [
      { sku: 'CUR-DIG', name: 'Curso digital', quantity: 1, price: '49.99', tax: 'iva15' },
      { sku: 'MUE-000', name: 'Muestra gratis', quantity: 1, price: '0.00', tax: 'iva15' },
    ],
  },
];

export const wooOrderIds: readonly string[] = sales.map((sale) => String(sale.id));

/** The demo's WooCommerce orders, placed a minute before `now`. */
export function wooOrders(now: Date): Record<string, unknown>[] {
  return sales.map((sale) => toWooOrder(sale, new Date(now.getTime() - 60_000)));
}

/** A sale as WooCommerce shows it, paid `at`. */
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
    order_key: `wc_order_demo${sale.id}`,
    billing: { ...address, email: buyer.email, phone: buyer.phone },
    shipping: { ...address, phone: '' },
    payment_method: sale.payment.id,
    payment_method_title: sale.payment.title,
    customer_note: '',
    date_completed: sale.status === 'completed' ? local : null,
    date_paid: local,
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
    refunds: [],
    date_created_gmt: utc,
    date_modified_gmt: utc,
    date_paid_gmt: utc,
  };
}

function toLine(line: Sale['lines'][number], percent: number, id: number) {
  const { slug, rateId, percent: rate } = taxes[line.tax];
  const subtotal = roundCents(decimal(line.price).times(line.quantity));
  const total = roundCents(subtotal.times(100 - percent).div(100));
  const taxed = (net: Decimal) => toAmount(net.times(rate).div(100));
  return {
    id,
    // WooCommerce encodes names as HTML once.
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
    price: total.div(line.quantity).toNumber(),
    image: { id: '', src: '' },
  };
}

function toShipping(total: string, id: number) {
  const tax = toAmount(decimal(total).times('0.15'));
  return {
    id,
    method_title: 'Servientrega',
    method_id: 'flat_rate',
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
        tax_total: total,
        shipping_tax_total: '0.00',
        rate_percent: percent,
        meta_data: [],
      },
    ];
  });
}
