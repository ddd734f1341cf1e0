import { type Decimal, decimal, roundCents, sum, toAmount } from '../../src/domain/money.ts';

const person = (first: string, last: string, city: string, address: string, email: string) => ({
  first,
  last,
  city,
  address,
  email,
});

/** A fictional sale, from which an order as in Shopify's webhooks is made. */
interface Sale {
  number: number;
  buyer: (ReturnType<typeof person> & { company?: string }) | null;
  noteAttributes?: { name: string; value: string }[];
  /** The checkout's tax field, which only the Admin API has. */
  taxCredential?: string;
  gateways: { gateway: string; amount?: string }[];
  taxesIncluded: boolean;
  /** Percent off every line, as a discount code across the order. */
  discount?: { code: string; percent: number };
  lines: { sku: string; title: string; quantity: number; price: string; rate: string | null }[];
  shipping?: string;
}

export const sales: Sale[] = [
  {
    number: 1001,
    buyer: person('Lucía', 'Cevallos', 'Quito', 'Av. Amazonas N34-451', 'lucia@example.ec'),
    noteAttributes: [{ name: 'Cédula', value: '1711223345' }],
    gateways: [{ gateway: 'payphone' }],
    taxesIncluded: false,
    discount: { code: 'PROMO10', percent: 10 },
    lines: [
      { sku: 'CAFE-250', title: 'Café de altura 250 g', quantity: 3, price: '7.25', rate: '0.15' },
      { sku: 'TAZA-01', title: 'Taza de cerámica', quantity: 1, price: '11.90', rate: '0.15' },
    ],
    shipping: '3.50',
  },
  {
    number: 1002,
    buyer: {
      ...person('Andrea', 'Vélez', 'Guayaquil', 'Av. 9 de Octubre 100', 'compras@example.ec'),
      company: 'Importadora del Pacífico S.A.',
    },
    taxCredential: '0992345678001',
    gateways: [{ gateway: 'shopify_payments' }],
    taxesIncluded: true,
    lines: [
      { sku: 'MOCHILA', title: 'Mochila impermeable', quantity: 2, price: '59.99', rate: '0.15' },
      { sku: 'TERMO-1L', title: 'Termo 1 L', quantity: 1, price: '24.50', rate: '0.15' },
    ],
    shipping: '5.00',
  },
  {
    number: 1003,
    buyer: person('Diego', 'Mena Ruiz', 'Loja', 'Calle Bolívar 12-34', 'diego@example.ec'),
    noteAttributes: [{ name: 'RUC o cédula', value: '110987654-8' }],
    gateways: [
      { gateway: 'gift_card', amount: '20.00' },
      { gateway: 'payphone', amount: '49.00' },
    ],
    taxesIncluded: true,
    lines: [{ sku: 'CHOMPA-M', title: 'Chompa de lana M', quantity: 1, price: '69.00', rate: '0.15' }],
  },
  {
    number: 1004,
    buyer: {
      ...person('Gabriela', 'Tapia', 'Riobamba', 'Primera Constituyente 22-10', 'gaby@example.ec'),
      company: 'Librería Andes',
    },
    noteAttributes: [{ name: 'RUC', value: '0601122336001' }],
    gateways: [{ gateway: 'Bank Deposit' }],
    taxesIncluded: false,
    lines: [
      { sku: 'CUAD-100', title: 'Cuaderno 100 hojas', quantity: 12, price: '1.35', rate: '0' },
      { sku: 'PLUMA-G', title: 'Esferográfico gel', quantity: 24, price: '0.8333', rate: '0.15' },
    ],
    shipping: '3.50',
  },
  {
    number: 1005,
    buyer: null,
    gateways: [{ gateway: 'cash' }],
    taxesIncluded: true,
    lines: [{ sku: 'JABON', title: 'Jabón artesanal', quantity: 2, price: '3.27', rate: '0.15' }],
  },
];

export const orderId = (sale: Pick<Sale, 'number'>): number => 7_100_000_000_000 + sale.number;
export const shopifyOrderIds: readonly string[] = sales.map((sale) => String(orderId(sale)));

/** The demo's Shopify orders, paid a minute before `now`. */
export function shopifyOrders(now: Date): Record<string, unknown>[] {
  return sales.map((sale) => toShopifyOrder(sale, new Date(now.getTime() - 60_000).toISOString()));
}

/** A sale as the Admin API and webhooks show it, paid `at` (ISO). */
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
    confirmed: true,
    created_at: at,
    currency: 'USD',
    current_subtotal_price_set: money(sum(lines.map((line) => line.paid))),
    current_total_price: toAmount(total),
    current_total_price_set: money(total),
    current_total_tax: toAmount(tax),
    current_total_tax_set: money(tax),
    email: sale.buyer?.email ?? '',
    financial_status: 'paid',
    name: `#${sale.number}`,
    note: null,
    note_attributes: sale.noteAttributes ?? [],
    number: sale.number - 1000,
    payment_gateway_names: sale.gateways.map(({ gateway }) => gateway),
    phone: null,
    presentment_currency: 'USD',
    processed_at: at,
    source_name: sale.buyer ? 'web' : 'pos',
    subtotal_price: toAmount(sum(lines.map((line) => line.paid))),
    subtotal_price_set: money(sum(lines.map((line) => line.paid))),
    tags: '',
    tax_lines: taxLines('0.15', tax),
    taxes_included: sale.taxesIncluded,
    test: false,
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
          admin_graphql_api_id: 'gid://shopify/Customer/1',
        }
      : null,
    line_items: lines.map((line) => line.json),
    // Only the Admin API has these two; the emulator leaves them out of webhooks.
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

const money = (amount: Decimal | string) => moneyOf(toAmount(amount));

const moneyOf = (amount: string) => ({
  shop_money: { amount, currency_code: 'USD' },
  presentment_money: { amount, currency_code: 'USD' },
});

/** The tax of a line, included in the price or added to it, rounded per line. */
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
      gift_card: false,
      name: line.title,
      price: line.price,
      price_set: moneyOf(line.price),
      properties: [],
      quantity: line.quantity,
      requires_shipping: true,
      sku: line.sku,
      taxable: line.rate !== null,
      title: line.title,
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
