import type { z } from 'zod';
import { readOrder } from '../../../adapters/woocommerce/order.ts';
import { readRefunds } from '../../../adapters/woocommerce/refund.ts';
import { connectionSchema } from '../../../adapters/woocommerce/settings.ts';
import type { moneyPart } from '../../../src/config/schema-money.ts';
import { decimal, sum, toAmount } from '../../../src/domain/money.ts';
import type { Order } from '../../../src/domain/order.ts';
import type { Policy } from '../../../src/domain/settings.ts';
import type { Action, PlannedDocument } from '../../../src/planner/action.ts';
import { plan } from '../../../src/planner/plan.ts';
import { policyOf } from '../../mappers/policy.ts';
import { noon, store } from '../../support/orders.ts';

export type Metas = Record<string, unknown>;
export type Written = z.input<typeof moneyPart>;

type Rule = NonNullable<NonNullable<Written['tax']>['rules']>[number];

/** A policy with one rule more. */
export const ruled = (when: Rule['when'], means: Rule['then'], policy: Written = {}): Written => ({
  ...policy,
  // biome-ignore lint/suspicious/noThenProperty: the word of the config; it is no function.
  tax: { rules: [{ when, then: means }] },
});

/** A rate of the shop by its percent; null is a line without tax. */
export type Rate = 15 | 5 | 0 | null;

const metaRows = (metas: Metas) =>
  Object.entries(metas).map(([key, value], at) => ({ id: at + 1, key, value }));

const taxOf = (net: string, rate: Rate) =>
  rate === null ? '0.00' : toAmount(decimal(net).times(rate).div(100));

const taxed = (net: string, rate: Rate) => ({
  total: net,
  total_tax: taxOf(net, rate),
  taxes: rate === null ? [] : [{ id: rate + 1, total: taxOf(net, rate) }],
});

let ids = 100;

/** A line of an order; `net` is without tax, as WooCommerce writes it whatever its prices include. */
export function item(name: string, net: string, rate: Rate, metas: Metas = {}, more: object = {}) {
  ids += 1;
  return {
    id: ids,
    name,
    quantity: 1,
    tax_class: rate === 5 ? 'reducida' : '',
    subtotal: net,
    sku: '',
    product_id: 11,
    variation_id: 0,
    meta_data: metaRows(metas),
    ...taxed(net, rate),
    ...more,
  };
}

export function fee(name: string, net: string, rate: Rate = null, metas: Metas = {}) {
  ids += 1;
  const tax_status = rate === null ? 'none' : 'taxable';
  return { id: ids, name, tax_class: '', tax_status, meta_data: metaRows(metas), ...taxed(net, rate) };
}

type Row = ReturnType<typeof item> | ReturnType<typeof fee>;

interface Sale {
  lines: ReturnType<typeof item>[];
  fees?: ReturnType<typeof fee>[];
  metas?: Metas;
  /** Taken off the total after tax, as gift card plugins do. */
  spent?: string;
  more?: Record<string, unknown>;
}

/** A paid order of wc/v3 that adds up. */
export function sold({ lines, fees = [], metas = {}, spent = '0', more = {} }: Sale) {
  const rows: Row[] = [...lines, ...fees];
  const tax = toAmount(sum(rows.map(({ total_tax }) => total_tax)));
  return {
    id: 1514,
    number: '1514',
    parent_id: 0,
    order_key: 'wc_order_T1514',
    status: 'processing',
    currency: 'USD',
    date_created_gmt: '2026-11-20T14:00:00',
    date_modified_gmt: '2026-11-20T14:00:01',
    date_paid_gmt: '2026-11-20T14:00:00',
    total: toAmount(sum([...rows.map(({ total }) => total), tax]).minus(spent)),
    total_tax: tax,
    billing: { first_name: 'Carlos', last_name: 'Andrade', address_1: 'Calle Loja 123', country: 'EC' },
    payment_method: 'bacs',
    payment_method_title: 'Transferencia bancaria',
    customer_note: '',
    meta_data: metaRows({ _billing_cedula: '1710034065', ...metas }),
    line_items: lines,
    tax_lines: [15, 5, 0].map((rate) => ({
      rate_id: rate + 1,
      label: `IVA ${rate}%`,
      rate_code: `EC-IVA ${rate}%-1`,
      rate_percent: rate,
    })),
    shipping_lines: [],
    fee_lines: fees,
    refunds: [],
    ...more,
  };
}

/** A refund of rows of an order: of each the net and the tax that went back. */
export function refunded(id: number, rows: readonly (readonly [row: Row, net: string, tax: string])[]) {
  const back = ([row, net, tax]: (typeof rows)[number]) => ({
    name: row.name,
    quantity: 'quantity' in row && net === row.total ? -1 : 0,
    total: toAmount(decimal(net).negated()),
    total_tax: toAmount(decimal(tax).negated()),
    meta_data: [{ id: 1, key: '_refunded_item_id', value: String(row.id) }],
  });
  return {
    id,
    parent_id: 1514,
    amount: toAmount(sum(rows.flatMap(([, net, tax]) => [net, tax]))),
    date_created_gmt: `2026-11-20T15:${id % 60}:00`,
    reason: '',
    line_items: rows.filter(([row]) => 'quantity' in row).map(back),
    fee_lines: rows.filter(([row]) => !('quantity' in row)).map(back),
  };
}

const connection = (changes: object) =>
  connectionSchema.parse({ url: 'https://mitienda.ec', webhookSecrets: ['secreto'], ...changes });

interface Given {
  policy?: Written;
  connection?: object;
  refunds?: readonly ReturnType<typeof refunded>[];
  documents?: readonly PlannedDocument[];
  cancelledOrders?: Policy['cancelledOrders'];
}

export function read(payload: unknown, { connection: changes = {}, refunds }: Given = {}): Order {
  return readOrder(payload, connection(changes), {
    ...(refunds && { refunds: readRefunds(refunds, payload) }),
  });
}

/** What the planner makes of a payload: the factura, then each refund. */
export function planned(payload: unknown, given: Given = {}): Action[] {
  const order = read(payload, given);
  const { cancelledOrders = 'hold' } = given;
  const seller = { ...store, policy: { ...policyOf(given.policy), cancelledOrders } };
  return plan({
    order,
    store: seller,
    documents: given.documents ?? [],
    invoiceFrom: new Date(0),
    now: noon,
  });
}

/** "emit 23.00", "hold tip: …", "nothing only-gift-cards: …". */
export function outcome(payload: unknown, given: Given = {}): string {
  const [sale] = planned(payload, given);
  if (!sale) return 'no plan';
  return sale.action === 'emit' ? `emit ${sale.document}` : `${sale.action} ${sale.code}: ${sale.reason}`;
}
