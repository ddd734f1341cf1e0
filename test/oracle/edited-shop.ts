import { buildOrder } from '../../adapters/shopify/order.ts';
import { RestOrder } from '../../adapters/shopify/payload.ts';
import { refundsFromRest } from '../../adapters/shopify/refund.ts';
import { saleFromRest } from '../../adapters/shopify/sale.ts';
import type { Order } from '../../src/domain/order.ts';
import type { Action, PlannedDocument } from '../../src/planner/action.ts';
import { boundTo, type KnownOrder } from '../../src/planner/eligibility.ts';
import { plan } from '../../src/planner/plan.ts';
import { authorized, contentOf, lineReferencesIn } from '../support/authorized.ts';
import { noon } from '../support/orders.ts';
import { inCents, sumOf } from './judge.ts';
import { halfUp } from './sales.ts';
import { store as demo, platformOf } from './store.ts';

/* A Shopify shop with one order that is edited, paid and refunded, and our side of it; whole cents, prices with IVA. */

export type Code = 4 | 0;
const percent = { 4: 15, 0: 0 };
const skus = { 4: 'CAM', 0: 'LIB' };

export interface Item {
  id: number;
  code: Code;
  unit: number;
  quantity: number;
  current: number;
  isShipping: boolean;
  /** An edit took it out; units of a line are only fewer. */
  isRemoved: boolean;
}

interface Back {
  id: number;
  money: number;
  lines: { item: Item; units: number }[];
  discrepancy: number;
}

/** The shop's side: what is on the order, what came in and what went back; cents. */
export interface Shop {
  items: Item[];
  received: number;
  backs: Back[];
  /** What was given away of what the order is worth. */
  goodwill: number;
  /** Whether Shopify's current total falls by it, which is not known. */
  fallsByGoodwill: boolean;
  /** Whether `total_price` contains shipping that was removed. */
  totalKeepsShipping: boolean;
  isCancelled: boolean;
  /** Whether the buyer pays in another currency. */
  isForeign: boolean;
  /** Whether the reading says what was received (GraphQL), or only what is outstanding (REST). */
  saysReceived: boolean;
  isEdited: boolean;
}

export const worthOf = ({ items }: Shop): number =>
  items.reduce((all, { unit, current }) => all + unit * current, 0);
const backOf = ({ backs }: Shop): number => backs.reduce((all, { money }) => all + money, 0);
/** What the order is worth to the shop when nobody owes anything. */
export const kept = (shop: Shop): number => worthOf(shop) - shop.goodwill;
/** Above zero: the shop owes it to the buyer. */
export const balance = (shop: Shop): number => shop.received - backOf(shop) - kept(shop);

export const newShop = (): Shop => ({
  ...{
    items: [],
    received: 0,
    backs: [],
    goodwill: 0,
    fallsByGoodwill: true,
    saysReceived: true,
    totalKeepsShipping: true,
    isForeign: false,
    isCancelled: false,
    isEdited: false,
  },
});

export const newLedger = (): Ledger => ({ documents: [], known: undefined, store: demo });

export function addItem(
  shop: Shop,
  { price, units, code }: { price: number; units: number; code: Code },
  isShipping = false,
): Item {
  const quantity = isShipping ? 1 : units;
  const item = { id: shop.items.length + 1, code, unit: price, quantity, current: quantity, isShipping };
  const added = { ...item, isRemoved: false };
  shop.items.push(added);
  return added;
}

/** By an edit. */
export function takeOut(item: Item, units: number): void {
  item.current -= units;
  item.isRemoved = item.current === 0;
}

export function pick(shop: Shop, which: number): Item | undefined {
  const there = shop.items.filter(({ current }) => current > 0);
  return there[which % there.length];
}

export const record = (shop: Shop, money: number, lines: Back['lines'] = [], discrepancy = 0): void => {
  shop.backs.push({ id: 11 + shop.backs.length, money, lines, discrepancy });
};

const money = (cents: number): string => (cents / 100).toFixed(2);

const isShipping = (item: Item): boolean => item.isShipping;
const isLine = (item: Item): boolean => !item.isShipping;
const ofLine = ({ item }: Back['lines'][0]): boolean => isLine(item);
const taxOf = (gross: number, code: Code) => halfUp(gross * percent[code], 100 + percent[code]);
const taxLines = ({ code, unit, quantity }: Pick<Item, 'code' | 'unit' | 'quantity'>) => [
  { title: 'IVA', rate: percent[code] / 100, price: money(taxOf(unit * quantity, code)) },
];
const adjustment = (id: number, { unit, code }: Item) => ({
  id: id * 100 + 80,
  kind: 'shipping_refund',
  ...both('amount', taxOf(unit, code) - unit),
  ...both('tax_amount', -taxOf(unit, code)),
});
/** COP for USD. */
const exchangeRate = 4_000;
/** An amount in USD, and in the buyer's currency where he has another. */
const both = (name: string, usd: number) => ({
  [name]: money(usd),
  [`${name}_set`]: {
    shop_money: { amount: money(usd), currency_code: 'USD' },
    presentment_money: { amount: money(usd * exchangeRate), currency_code: 'COP' },
  },
});

export function orderOf(shop: Shop): Order {
  const { items, received, backs } = shop;
  // Whether it still contains removed shipping is not documented.
  const inTotal = items.filter((item) => shop.totalKeepsShipping || isLine(item) || !item.isRemoved);
  const total = inTotal.reduce((all, { unit, quantity }) => all + unit * quantity, 0);
  // A balance without it would add up to nothing that was ever received.
  const falls = shop.fallsByGoodwill || !shop.saysReceived;
  const current = worthOf(shop) - (falls ? shop.goodwill : 0);
  const owed = balance(shop);
  const tax = (some: readonly Item[], count: (item: Item) => number) =>
    money(some.reduce((all, item) => all + taxOf(item.unit * count(item), item.code), 0));
  const gave = backOf(shop);
  const status =
    gave === 0
      ? owed < 0
        ? 'partially_paid'
        : 'paid'
      : gave >= received
        ? 'refunded'
        : 'partially_refunded';
  const rest = RestOrder.parse({
    id: 7,
    name: '#7',
    currency: 'USD',
    presentment_currency: shop.isForeign ? 'COP' : 'USD',
    created_at: '2026-11-20T10:00:00-05:00',
    processed_at: '2026-11-20T10:00:00-05:00',
    updated_at: '2026-11-20T10:00:00-05:00',
    cancelled_at: shop.isCancelled ? '2026-11-21T10:00:00-05:00' : null,
    financial_status: owed < 0 ? 'partially_paid' : status,
    taxes_included: true,
    total_price: money(total),
    total_tax: tax(inTotal, ({ quantity }) => quantity),
    current_total_price: money(current),
    current_total_tax: tax(items, (item) => item.current),
    total_outstanding: money(-owed),
    payment_gateway_names: ['shopify_payments'],
    note_attributes: [{ name: 'cedula', value: '1713175071' }],
    billing_address: {
      first_name: 'Ana',
      last_name: 'Pérez',
      address1: 'Av. 1',
      city: 'Quito',
      country_code: 'EC',
    },
    line_items: items.filter(isLine).map(({ id, code, unit, quantity, current }) => ({
      id,
      name: `Producto ${id}`,
      sku: `${skus[code]}-${id}`,
      quantity,
      current_quantity: current,
      price: money(unit),
      requires_shipping: true,
      tax_lines: taxLines({ code, unit, quantity }),
      discount_allocations: [],
    })),
    shipping_lines: items.filter(isShipping).map((item) => ({
      id: item.id,
      title: `Envío ${item.id}`,
      price: money(item.unit),
      is_removed: item.isRemoved,
      tax_lines: taxLines(item),
      discount_allocations: [],
    })),
    refunds: backs.map(({ id, money: amount, lines, discrepancy }) => ({
      id,
      order_id: 7,
      created_at: new Date(Date.UTC(2026, 10, 21, 15, id)).toISOString(),
      refund_line_items: lines.filter(ofLine).map(({ item, units }, at) => ({
        id: id * 100 + at,
        line_item_id: item.id,
        quantity: units,
        ...both('subtotal', item.unit * units),
        ...both('total_tax', taxOf(item.unit * units, item.code)),
      })),
      order_adjustments: [
        ...lines.filter((line) => !ofLine(line)).map(({ item }) => adjustment(id, item)),
        ...(discrepancy === 0
          ? []
          : [{ id, kind: 'refund_discrepancy', ...both('amount', discrepancy), ...both('tax_amount', 0) }]),
      ],
      transactions:
        amount === 0
          ? []
          : [
              {
                id: id * 100 + 50,
                kind: 'refund',
                status: 'success',
                gateway: 'shopify_payments',
                ...(shop.isForeign
                  ? { amount: money(amount * exchangeRate), currency: 'COP' }
                  : { amount: money(amount), currency: 'USD' }),
              },
            ],
    })),
  });
  const sale = saleFromRest(rest, refundsFromRest(rest));
  const { connection } = platformOf('shopify');
  return buildOrder(
    shop.saysReceived ? { ...sale, received: money(received) } : sale,
    connection as Parameters<typeof buildOrder>[1],
  );
}

/** Our side: the documents, and what is kept of the readings before. */
export interface Ledger {
  documents: PlannedDocument[];
  known: KnownOrder | undefined;
  store: typeof demo;
}

export const see = (shop: Shop, ledger: Ledger): Order => seeOrder(orderOf(shop), ledger);
export const readAndSend = (shop: Shop, ledger: Ledger): Action[] => sendAll(orderOf(shop), ledger);

export function seeOrder(order: Order, ledger: Ledger): Order {
  const { fingerprint, paid } = boundTo(order, ledger.known, ledger.documents, null);
  ledger.known = { snapshot: order, fingerprint, paid };
  return order;
}

/** Emits all that is planned, as authorised, until nothing is. */
export function sendAll(order: Order, ledger: Ledger): Action[] {
  const { documents, store } = ledger;
  seeOrder(order, ledger);
  for (let round = 0; round < 9; round += 1) {
    const input = {
      order,
      documents,
      store,
      invoiceFrom: new Date(0),
      now: noon,
      paid: ledger.known?.paid ?? null,
    };
    const actions = plan(input);
    const next = actions.find(({ action }) => action === 'emit');
    if (!next) return actions;
    documents.push(next.kind === 'factura' ? authorized(order, {}, store) : creditOf(next));
  }
  throw new Error('It never ends.');
}

function creditOf({ identity, body, document, charged, trace }: Action): PlannedDocument {
  if (!body || !trace.credit) throw new Error('nothing to send');
  const accessKey = '2'.repeat(49);
  const content = contentOf(body, lineReferencesIn(trace.credit), {
    ...{ total: document ?? '0.00', accessKey, nettedRefunds: [], overpaid: '0.00' },
  });
  return {
    ...{
      kind: 'nota-credito',
      state: 'authorized',
      accessKey,
      sourceId: identity.sourceId,
      code: null,
      reason: null,
    },
    ...{ secuencial: '000000001', charged, sent: content },
  };
}

export const documented = (documents: readonly PlannedDocument[]): number =>
  sumOf(documents.map(({ kind, sent }) => (kind === 'factura' ? 1 : -1) * inCents(sent?.total ?? '0')));
