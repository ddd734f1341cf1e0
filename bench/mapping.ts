import { shopify } from '../adapters/shopify/index.ts';
import { woocommerce } from '../adapters/woocommerce/index.ts';
import { toFactura } from '../mappers/index.ts';
import { shopifyOrders } from '../sandbox/shops/shopify-orders.ts';
import { wooOrders } from '../sandbox/shops/woocommerce-orders.ts';
import { demoIssuer } from '../src/cli/given.ts';
import { defaultPolicy } from '../src/config/resolve-stores.ts';
import { sum, toAmount } from '../src/domain/money.ts';
import type { Order } from '../src/domain/order.ts';
import { type Line, line, median } from './line.ts';
import type { Starter } from './starter.ts';

const now = new Date('2026-11-20T15:00:00Z');
const context = {
  ...demoIssuer,
  policy: defaultPolicy(),
  secuencial: '000000001',
  today: '2026-11-20',
  recipient: { type: '05' as const, id: '1710034065', name: 'Carlos Andrade' },
  reference: 'shopify/demo/1/factura/1/1',
};

type Payload = Record<string, unknown>;
interface Side {
  payload: Payload;
  read(payload: unknown): Order;
  /** The payload with its total. */
  charging(payload: Payload, total: string): Payload;
}

const shopifyDemo = shopify.demoConnection();
const wooDemo = woocommerce.demoConnection();
/** Fields of Shopify's lines that the demo's lines lack. */
const unreadLine = {
  attributed_staffs: [],
  fulfillment_service: 'manual',
  fulfillment_status: null,
  sales_line_item_group_id: null,
  variant_inventory_management: 'shopify',
  variant_title: '38 / Negro',
  vendor: 'Mi Tienda',
  duties: [],
};

const sides: Record<'shopify' | 'woocommerce', Side> = {
  shopify: {
    payload: { ...unread(), ...tenLines(shopifyOrders(now)[0], unreadLine) },
    read: (payload) => shopify.readOrder(payload, shopifyDemo),
    charging: (payload, total) => {
      const money = { amount: total, currency_code: 'USD' };
      const set = { shop_money: money, presentment_money: money };
      return { ...payload, total_price: total, total_price_set: set, current_total_price_set: set };
    },
  },
  woocommerce: {
    payload: tenLines(wooOrders(now)[0]),
    read: (payload) => woocommerce.readOrder(payload, wooDemo),
    charging: (payload, total) => ({ ...payload, total }),
  },
};

/** Unread fields of Shopify's orders: the demo's orders are shorter than real ones. */
function unread(): Payload {
  const money = { amount: '0.00', currency_code: 'USD' };
  const set = { shop_money: money, presentment_money: money };
  const named = (names: string, value: unknown) => names.split(' ').map((name) => [name, value]);
  const address = Object.fromEntries(
    named('first_name last_name name company address1 address2 city zip province country phone', 'Carlos'),
  );
  const sets =
    'current_shipping_price_set current_subtotal_price_set current_total_additional_fees_set ' +
    'current_total_discounts_set current_total_duties_set current_total_tax_set original_total_duties_set ' +
    'subtotal_price_set total_cash_rounding_payment_adjustment_set total_cash_rounding_refund_adjustment_set ' +
    'total_discounts_set total_line_items_price_set total_shipping_price_set total_tax_set';
  const texts =
    'browser_ip buyer_accepts_marketing cancel_reason cart_token checkout_token closed_at company confirmation_number ' +
    'customer_locale device_id landing_site landing_site_ref location_id merchant_business_entity_id ' +
    'merchant_of_record_app_id order_status_url po_number reference referring_site source_identifier ' +
    'source_name source_url tags token user_id';
  return {
    ...Object.fromEntries([...named(sets, set), ...named(texts, 'b1946ac92492d2347c6235b4d2611184')]),
    client_details: {
      accept_language: 'es-EC',
      browser_ip: '192.0.2.1',
      user_agent: 'Mozilla/5.0 (X11; Linux)',
    },
    customer: { id: 1, email: 'carlos@example.ec', first_name: 'Carlos', default_address: address },
    billing_address: address,
    shipping_address: address,
  };
}

/** A demo order with its first line ten times and free shipping. */
function tenLines(order: Payload = {}, more: Payload = {}): Payload {
  const [line] = order.line_items as Payload[];
  const line_items = Array.from({ length: 10 }, (_, at) => ({
    ...more,
    ...line,
    id: 900 + at,
    admin_graphql_api_id: `gid://shopify/LineItem/${900 + at}`,
  }));
  return { ...order, line_items, shipping_lines: [] };
}

/** The payload of ten lines as a text, and its reader. */
function sample(platform: keyof typeof sides): { text: string; read: Side['read'] } {
  const { payload, read, charging } = sides[platform];
  const { lines } = read(payload);
  const total = toAmount(sum(lines.flatMap(({ net, tax }) => [net, tax])));
  return { text: JSON.stringify(charging(payload, total)), read };
}

export const whole = { rounds: 3, warmUp: 2_000, series: 9, calls: 200 };

/** From parsed JSON to a checked body, of an order of ten lines; a shop's payload against itself, shops in turn. */
export async function mapping(_start: Starter, amounts = whole): Promise<Line[]> {
  const ratios = Array.from({ length: amounts.rounds }, () => ({
    shopify: mappingRatio('shopify', amounts),
    woocommerce: mappingRatio('woocommerce', amounts),
  }));
  return [
    line(
      'Shopify order of ten lines, from parsed JSON to a checked body / `JSON.parse` of it',
      '',
      ratios.map(({ shopify }) => shopify),
      { atMost: 5 },
    ),
    line(
      'WooCommerce order of ten lines, the same',
      '',
      ratios.map(({ woocommerce }) => woocommerce),
      { atMost: 5 },
    ),
  ];
}

/**
 * The processor time from parsed JSON to a checked body, relative to JSON.parse of the payload. Both are medians of
 * alternating series, so that a slow second of the machine affects both.
 */
function mappingRatio(platform: keyof typeof sides, { warmUp, series, calls }: typeof whole): number {
  const { text, read } = sample(platform);
  const parsed: unknown = JSON.parse(text);
  const parse = () => JSON.parse(text);
  const map = () => {
    const mapped = toFactura(read(parsed), context);
    if (!mapped.ok) throw new Error(`The order of the bench is held: ${mapped.reason}`);
  };
  const timed = (job: () => void, count = calls) => {
    const { user, system } = process.cpuUsage();
    for (let call = 0; call < count; call += 1) job();
    const after = process.cpuUsage();
    return after.user + after.system - user - system;
  };
  timed(map, warmUp);
  timed(parse, warmUp);
  const both = Array.from({ length: series }, () => ({ map: timed(map), parse: timed(parse) }));
  return median(both.map((one) => one.map)) / median(both.map((one) => one.parse));
}
