import { type Destination, grossOf, percents, type Sale, type SoldItem, totalOf } from './sales.ts';

/* The JSON in which the platforms tell of a sale and its refunds. */

/** What came back of one item. */
export interface Returned {
  item: SoldItem;
  units: number;
  net: number;
  tax: number;
}

/** Money that went back: what for, or an amount alone. */
export interface Back {
  id: number;
  money: number;
  /** Of the money, onto a gift card. */
  card: number;
  of: Returned[];
  /** Lines in one record and money in another one, in this order. */
  records: 'one' | 'lines-first' | 'money-first';
}

const money = (cents: number): string => (cents / 100).toFixed(2);
const skus = { 0: 'LIB', 4: 'CAM', 5: 'CEM', 6: 'CUR', 7: 'MED' } as const;
/** 5 %, no objeto and exento are never chosen by a rate. */
export const rules = JSON.parse(
  '[{"when":{"sku":"CEM-*"},"then":{"iva":5}},{"when":{"sku":"CUR-*"},"then":{"iva":6}},{"when":{"sku":"MED-*"},"then":{"iva":7}}]',
);

const address = (country: string) => ({
  first_name: 'Ana',
  last_name: 'Pérez',
  name: 'Ana Pérez',
  address1: 'Av. 1',
  address_1: 'Av. 1',
  city: country === 'EC' ? 'Quito' : 'Fuera',
  country_code: country,
  country,
});

/** What the shop calls the tax of an item, and its percent; null where it charges none. */
function taxOf({ code }: SoldItem, abroad: Destination | null): { title: string; percent: number } | null {
  if (abroad) return abroad.tax === '' ? null : { title: abroad.tax, percent: abroad.percent };
  return code === 6 || code === 7 ? null : { title: 'IVA', percent: percents[code] };
}

export function shopifyOrder(sale: Sale, refunds: readonly unknown[] = []): unknown {
  const { items, included, abroad, card } = sale;
  const total = totalOf(sale);
  const country = abroad?.country ?? 'EC';
  const taxes = (item: SoldItem) => {
    const tax = taxOf(item, abroad);
    return tax ? [{ title: tax.title, rate: tax.percent / 100, price: money(item.tax) }] : [];
  };
  const tenders = [
    ...(card > 0 ? [['gift_card', card] as const] : []),
    ...(total > card ? [['shopify_payments', total - card] as const] : []),
  ];
  return {
    id: 7,
    name: '#7',
    currency: 'USD',
    created_at: '2026-11-20T10:00:00-05:00',
    processed_at: '2026-11-20T10:00:00-05:00',
    updated_at: '2026-11-20T10:00:00-05:00',
    financial_status: refunds.length > 0 ? 'partially_refunded' : 'paid',
    taxes_included: included,
    total_price: money(total),
    total_tax: money(items.reduce((all, { tax }) => all + tax, 0)),
    total_outstanding: '0.00',
    payment_gateway_names: tenders.map(([gateway]) => gateway),
    transactions: tenders.map(([gateway, amount], at) => ({
      id: 70 + at,
      kind: 'sale',
      status: 'success',
      gateway,
      amount: money(amount),
      currency: 'USD',
    })),
    note_attributes: [{ name: 'cedula', value: '1713175071' }],
    billing_address: address(country),
    shipping_address: address(country),
    line_items: items
      .filter(({ kind }) => kind === 'line')
      .map((item) => ({
        id: item.id,
        name: `Producto ${item.id}`,
        sku: `${skus[item.code]}-${item.id}`,
        quantity: item.quantity,
        price: money(item.unit),
        requires_shipping: true,
        tax_lines: taxes(item),
        discount_allocations: item.discount > 0 ? [{ amount: money(item.discount) }] : [],
      })),
    shipping_lines: items
      .filter(({ kind }) => kind === 'shipping')
      .map((item) => ({
        id: item.id,
        title: 'Envío',
        price: money(item.unit),
        discounted_price: money(item.unit),
        tax_lines: taxes(item),
      })),
    refunds,
  };
}

export function shopifyRefunds(backs: readonly Back[], included: boolean): unknown[] {
  return backs.flatMap((back) => {
    const goods = back.of.filter(({ item }) => item.kind === 'line');
    const lines = goods.map(({ item, units, net, tax }, at) => ({
      id: back.id * 100 + at,
      line_item_id: item.id,
      quantity: units,
      subtotal: money(included ? net + tax : net),
      total_tax: money(tax),
    }));
    const paid = [
      ...(back.card > 0 ? [['gift_card', back.card] as const] : []),
      ...(back.money > back.card ? [['shopify_payments', back.money - back.card] as const] : []),
    ];
    const transactions = paid.map(([gateway, amount], at) => ({
      id: back.id * 100 + 50 + at,
      kind: 'refund',
      status: 'success',
      gateway,
      amount: money(amount),
      currency: 'USD',
    }));
    const record = (id: number, seconds: number, rest: object) => ({
      id,
      order_id: 7,
      created_at: new Date(Date.UTC(2026, 10, 21, 15, id, seconds)).toISOString(),
      refund_line_items: [],
      order_adjustments: [],
      transactions: [],
      ...rest,
    });
    const shipping = back.of
      .filter(({ item }) => item.kind === 'shipping')
      .map(({ net, tax }, at) => ({
        id: back.id * 100 + 80 + at,
        kind: 'shipping_refund',
        amount: money(-net),
        tax_amount: money(-tax),
      }));
    if (back.records === 'one')
      return [record(back.id, 0, { refund_line_items: lines, order_adjustments: shipping, transactions })];
    const adjusted = (amount: number) => [
      { id: back.id, kind: 'refund_discrepancy', amount: money(amount), tax_amount: '0.00' },
    ];
    const first = back.records === 'lines-first' ? 0 : 2;
    return [
      record(back.id + first, first, {
        refund_line_items: lines,
        order_adjustments: [...shipping, ...adjusted(back.money)],
      }),
      record(back.id + 2 - first, 2 - first, { order_adjustments: adjusted(-back.money), transactions }),
    ].sort((a, b) => a.id - b.id);
  });
}

/** Ids of the rates of a WooCommerce shop, and its tax classes. */
const rateIds = { 0: 2, 4: 1, 5: 3, 6: 0, 7: 0 } as const;
const classes = { 0: 'iva-0', 4: '', 5: 'iva-5', 6: 'no-objeto', 7: 'exento' } as const;

const wooTaxes = (item: SoldItem, abroad: Destination | null, tax: number) =>
  taxOf(item, abroad) ? [{ id: abroad ? 9 : rateIds[item.code], total: money(tax) }] : [];

export function woocommerceOrder(
  sale: Sale,
  refunds: readonly { id: number; amount: string }[] = [],
): unknown {
  const { items, included, abroad } = sale;
  const country = abroad?.country ?? 'EC';
  const before = ({ unit, quantity, discount, net, tax }: SoldItem): number => {
    if (discount === 0 || !included) return discount === 0 ? net : unit * quantity;
    return net + Math.round((discount * net) / (net + tax));
  };
  const taxed = (item: SoldItem) => ({
    id: item.id,
    total: money(item.net),
    total_tax: money(item.tax),
    taxes: wooTaxes(item, abroad, item.tax),
  });
  const rates = items.flatMap((item) => {
    const tax = taxOf(item, abroad);
    const rate_id = abroad ? 9 : rateIds[item.code];
    return tax ? [{ rate_id, label: tax.title, rate_percent: tax.percent }] : [];
  });
  return {
    id: 7,
    number: '7',
    status: 'processing',
    currency: 'USD',
    date_created_gmt: '2026-11-20T15:00:00',
    date_modified_gmt: '2026-11-20T15:00:00',
    date_paid_gmt: '2026-11-20T15:00:00',
    prices_include_tax: included,
    // A plugin's gift card lowers the total, after all taxes.
    total: money(totalOf(sale) - sale.card),
    total_tax: money(items.reduce((all, { tax }) => all + tax, 0)),
    ...(sale.card > 0 ? { gift_cards: [{ id: 3, amount: money(sale.card) }] } : {}),
    billing: address(country),
    shipping: address(country),
    payment_method: 'payphone',
    payment_method_title: 'Tarjeta',
    meta_data: [{ id: 1, key: '_billing_cedula', value: '1713175071' }],
    line_items: items
      .filter(({ kind }) => kind === 'line')
      .map((item) => ({
        ...taxed(item),
        name: `Producto ${item.id}`,
        sku: `${skus[item.code]}-${item.id}`,
        quantity: item.quantity,
        tax_class: classes[item.code],
        subtotal: money(before(item)),
        meta_data: [],
      })),
    tax_lines: [...new Map(rates.map((rate) => [rate.rate_id, rate])).values()],
    shipping_lines: items
      .filter(({ kind }) => kind === 'shipping')
      .map((item) => ({ ...taxed(item), method_title: 'Envío' })),
    fee_lines: [],
    refunds: refunds.map(({ id, amount }) => ({ id, reason: '', total: `-${amount}` })),
  };
}

export function woocommerceRefunds(backs: readonly Back[]): { id: number; amount: string }[] {
  const minus = (cents: number): string => (cents === 0 ? '0.00' : `-${money(cents)}`);
  const rows = (back: Back, kind: SoldItem['kind'], isBare: boolean) =>
    back.of
      .filter(({ item }) => item.kind === kind)
      .map(({ item, units, net, tax }, at) => ({
        id: back.id * 100 + (kind === 'line' ? at : 80 + at),
        ...(kind === 'line' ? { name: `Producto ${item.id}`, quantity: -units } : { method_title: 'Envío' }),
        total: minus(isBare ? 0 : net),
        total_tax: minus(isBare ? 0 : tax),
        taxes: isBare ? [] : wooTaxes(item, null, -tax),
        meta_data: [{ key: '_refunded_item_id', value: String(item.id) }],
      }));
  const record = (id: number, amount: number, back: Back | null, isBare = false) => ({
    id,
    amount: money(amount),
    reason: '',
    date_created_gmt: new Date(Date.UTC(2026, 10, 21, 15, id)).toISOString().slice(0, 19),
    line_items: back ? rows(back, 'line', isBare) : [],
    shipping_lines: back ? rows(back, 'shipping', isBare) : [],
    fee_lines: [],
  });
  return backs.flatMap((back) => {
    if (back.records === 'one') return [record(back.id, back.money, back)];
    // Units put back in stock for nothing, and an amount.
    const first = back.records === 'lines-first' ? 0 : 2;
    const both = [record(back.id + first, 0, back, true), record(back.id + 2 - first, back.money, null)];
    return both.sort((a, b) => a.id - b.id);
  });
}

export const moneyOf = (of: readonly Returned[]): number => of.reduce((all, one) => all + grossOf(one), 0);
