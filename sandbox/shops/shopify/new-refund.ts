import { type Decimal, decimal, roundCents, sum } from '../../../src/domain/money.ts';
import { exactId, type StoredOrder } from './store.ts';
import { type Bag, bag, bags } from './values.ts';

/** What a refund gives back, in the shop's currency. */
interface Part {
  json: Bag;
  /** As Shopify writes it: contains the tax where the order's prices do. */
  subtotal: Decimal;
  net: Decimal;
  tax: Decimal;
}

export interface NewRefund {
  json: Bag;
  lines: readonly Part[];
  shipping: readonly Part[];
}

/**
 * A whole REST refund from what is said of one. Lines without money are their share of the units, to the cent;
 * shipping without money is all that was charged; without `transactions` everything goes back through the order's
 * gateway at once (`[]` moves no money); without `order_adjustments` they are those Shopify books: the shipping
 * once more, and the difference between the parts and the money that arrived.
 */
export function newRefund(order: StoredOrder, given: Bag, nextId: () => number, now: Date): NewRefund {
  const at = now.toISOString();
  const lines = bags(given.refund_line_items).map((line) => lineOf(order, line, nextId));
  const shipping = bags(given.refund_shipping_lines).map((line) => shippingOf(order, line, nextId));
  const whole = sum([...lines, ...shipping].flatMap(({ net, tax }) => [net, tax]));
  const moved = Array.isArray(given.transactions) ? bags(given.transactions) : [{ amount: whole.toFixed(2) }];
  const transactions = moved.map((one) => transactionOf(order, one, nextId, at));
  const json = {
    id: nextId(),
    created_at: at,
    processed_at: at,
    note: null,
    user_id: null,
    restock: lines.length > 0,
    duties: [],
    ...given,
    order_id: order.rest.id,
    refund_line_items: lines.map((part) => part.json),
    refund_shipping_lines: shipping.map((part) => part.json),
    transactions,
    order_adjustments: given.order_adjustments ?? adjustments(shipping, whole, transactions, nextId),
  };
  const admin_graphql_api_id = `gid://shopify/Refund/${json.id}`;
  return { json: { admin_graphql_api_id, ...json }, lines, shipping };
}

const shopMoney = (set: unknown, plain: unknown): Decimal =>
  decimal(String(bag(bag(set).shop_money).amount ?? plain ?? '0'));

function lineOf(order: StoredOrder, line: Bag, nextId: () => number): Part {
  const id = exactId({ id: line.line_item_id });
  const sold = bags(order.rest.line_items).find((one) => exactId(one) === id || String(one.id) === id);
  if (!sold) throw new Error(`Order ${order.id} of the shop emulator has no line ${id}.`);
  const quantity = Number(line.quantity ?? 1);
  const all = Number(sold.quantity);
  const before = all - Number(sold.current_quantity ?? all);
  if (before + quantity > all) throw new Error(`Line ${id} has no ${quantity} units left to refund.`);
  // What was given back so far and this together is rounded, so that all units come to the whole line.
  const share = (total: Decimal) => {
    const upTo = (units: number) => roundCents(total.times(units).div(all));
    return upTo(before + quantity).minus(upTo(before));
  };
  const discount = sum(bags(sold.discount_allocations).map((one) => shopMoney(one.amount_set, one.amount)));
  const paid = shopMoney(sold.price_set, sold.price).times(all).minus(discount);
  const reported = line.subtotal ?? line.subtotal_set;
  const subtotal = reported === undefined ? share(paid) : shopMoney(line.subtotal_set, line.subtotal);
  const tax = reported === undefined ? share(taxOf(sold)) : shopMoney(line.total_tax_set, line.total_tax);
  const json = {
    id: nextId(),
    restock_type: 'return',
    location_id: null,
    line_item: sold,
    ...line,
    quantity,
    line_item_id: sold.id,
    subtotal: subtotal.toNumber(),
    total_tax: tax.toNumber(),
    subtotal_set: line.subtotal_set ?? moneySet(order, subtotal),
    total_tax_set: line.total_tax_set ?? moneySet(order, tax),
  };
  return partOf(order, json, subtotal, tax);
}

function shippingOf(order: StoredOrder, line: Bag, nextId: () => number): Part {
  const sold = bags(order.rest.shipping_lines).find(
    (one) => line.shipping_line_id === undefined || exactId(one) === String(line.shipping_line_id),
  );
  if (!sold) throw new Error(`Order ${order.id} of the shop emulator has no such shipping line.`);
  const charged = shopMoney(sold.discounted_price_set, sold.discounted_price ?? sold.price);
  const subtotal = line.subtotal_amount_set ? shopMoney(line.subtotal_amount_set, null) : charged;
  const tax = charged.isZero() ? charged : roundCents(taxOf(sold).times(subtotal).div(charged));
  const subtotal_amount_set = moneySet(order, subtotal);
  const json = { id: nextId(), shipping_line: sold, subtotal_amount_set, ...line, shipping_line_id: sold.id };
  return partOf(order, json, subtotal, tax);
}

function taxOf(sold: Bag): Decimal {
  return sum(bags(sold.tax_lines).map((one) => shopMoney(one.price_set, one.price)));
}

function partOf({ rest }: StoredOrder, json: Bag, subtotal: Decimal, tax: Decimal): Part {
  return { json, subtotal, net: rest.taxes_included === true ? subtotal.minus(tax) : subtotal, tax };
}

function moneySet({ rest }: StoredOrder, value: Decimal): Bag {
  const money = { amount: value.toFixed(2), currency_code: rest.currency };
  return { shop_money: money, ...(isForeign(rest) ? {} : { presentment_money: money }) };
}

const isForeign = ({ currency, presentment_currency }: Bag): boolean =>
  (presentment_currency ?? currency) !== currency;

function transactionOf({ rest }: StoredOrder, one: Bag, nextId: () => number, at: string): Bag {
  const gateways = Array.isArray(rest.payment_gateway_names) ? rest.payment_gateway_names : [];
  return {
    id: nextId(),
    order_id: rest.id,
    kind: 'refund',
    status: 'success',
    gateway: gateways[0] ?? 'manual',
    currency: rest.currency,
    created_at: at,
    processed_at: at,
    ...one,
  };
}

/** Signed as Shopify signs them: negative is money given back. Money still on its way is booked as missing. */
function adjustments(
  shipping: readonly Part[],
  whole: Decimal,
  transactions: readonly Bag[],
  nextId: () => number,
): Bag[] {
  const book = (kind: string, reason: string, amount: Decimal, tax: Decimal) => ({
    id: nextId(),
    kind,
    reason,
    amount: amount.toFixed(2),
    tax_amount: tax.toFixed(2),
  });
  const repeated = shipping.map(({ net, tax }) =>
    book('shipping_refund', 'Shipping refund', net.negated(), tax.negated()),
  );
  const refunds = transactions.filter(({ kind }) => kind === 'refund');
  const arrived = sum(
    refunds.filter(({ status }) => status === 'success').map((one) => shopMoney(one.amount_set, one.amount)),
  );
  const missing = whole.minus(arrived);
  if (refunds.length === 0 || missing.isZero()) return repeated;
  return [...repeated, book('refund_discrepancy', 'Refund discrepancy', missing, decimal(0))];
}
