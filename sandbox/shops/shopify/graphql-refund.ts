import { toGraphqlOrder } from './graphql-order.ts';
import { refunded, transaction } from './graphql-payments.ts';
import { exactId, type StoredOrder } from './store.ts';
import { type Bag, bag, bags, type MoneyBag, moneyBag, orNull, paged, utc } from './values.ts';

/*
 * A refund of a REST-shaped order as the Admin GraphQL API shows it. The tax of refunded shipping, which REST does
 * not say, comes from the adjustments that repeat the shipping, else from the shipping line as sold.
 */

export const refundGid = (refund: Bag): string => `gid://shopify/Refund/${exactId(refund)}`;

export function toGraphqlRefund(stored: StoredOrder, refund: Bag, withheld: ReadonlySet<string>): Bag {
  const { rest } = stored;
  const currency = String(rest.currency ?? 'USD');
  const money = moneyBag(currency, String(rest.presentment_currency ?? currency));
  const list = (nodes: Bag[]) => (page: { first?: number; after?: string | null }) => paged(nodes, page);
  const adjustments = bags(refund.order_adjustments);
  const shipping = bags(refund.refund_shipping_lines);
  // Since 2024-10 refunded shipping is no adjustment here, as it still is in REST.
  const shown = adjustments.filter(({ kind }) => kind !== 'shipping_refund' || shipping.length === 0);
  return {
    id: refundGid(refund),
    note: orNull(refund.note),
    createdAt: utc(refund.created_at ?? refund.processed_at),
    processedAt: utc(refund.processed_at ?? refund.created_at ?? stored.updatedAt),
    order: () => toGraphqlOrder(stored, withheld),
    totalRefundedSet: money(null, refunded(refund)),
    duties: bags(refund.duties).map(({ duty_id, amount_set }) => ({
      amountSet: money(amount_set, '0.00'),
      originalDuty: duty_id ? { id: `gid://shopify/Duty/${duty_id}` } : null,
    })),
    refundLineItems: list(bags(refund.refund_line_items).map((line) => toLine(line, rest, money))),
    refundShippingLines: list(shipping.map((line) => toShipping(line, refund, rest, money))),
    orderAdjustments: list(shown.map((one) => toAdjustment(one, money))),
    transactions: list(
      bags(refund.transactions).map((one) => transaction(one, money(one.amount_set, one.amount))),
    ),
  };
}

function toLine(line: Bag, rest: Bag, money: MoneyBag): Bag {
  const { admin_graphql_api_id, ...embedded } = bag(line.line_item);
  const id = exactId({ id: line.line_item_id, admin_graphql_api_id });
  const sold = bags(rest.line_items).find((one) => exactId(one) === id) ?? embedded;
  return {
    quantity: line.quantity ?? 0,
    subtotalSet: money(line.subtotal_set, line.subtotal),
    totalTaxSet: money(line.total_tax_set, line.total_tax),
    lineItem: { id: `gid://shopify/LineItem/${id}`, name: sold.name ?? sold.title ?? '' },
  };
}

function toShipping(line: Bag, refund: Bag, rest: Bag, money: MoneyBag): Bag {
  const id = String(line.shipping_line_id);
  const sold = bags(rest.shipping_lines).find((one) => exactId(one) === id) ?? bag(line.shipping_line);
  return {
    subtotalAmountSet: money(line.subtotal_amount_set, '0.00'),
    taxAmountSet: money(null, shippingTax(line, sold, refund)),
    shippingLine: { id: `gid://shopify/ShippingLine/${id}`, title: sold.title ?? 'Envío' },
  };
}

/** The only line takes what the adjustments say; several, or none, go by the tax of the line as sold. */
function shippingTax(line: Bag, sold: Bag, refund: Bag): string {
  const repeated = bags(refund.order_adjustments).filter(({ kind }) => kind === 'shipping_refund');
  const shop = (set: unknown, plain: unknown) => Number(bag(bag(set).shop_money).amount ?? plain ?? 0);
  if (repeated.length > 0 && bags(refund.refund_shipping_lines).length === 1)
    return repeated.reduce((sum, one) => sum - shop(one.tax_amount_set, one.tax_amount), 0).toFixed(2);
  const charged = shop(sold.discounted_price_set, sold.discounted_price ?? sold.price);
  const tax = bags(sold.tax_lines).reduce((sum, one) => sum + shop(one.price_set, one.price), 0);
  return charged === 0 ? '0.00' : ((shop(line.subtotal_amount_set, 0) * tax) / charged).toFixed(2);
}

const reasons = new Set([
  'RESTOCK',
  'DAMAGE',
  'CUSTOMER',
  'FULL_RETURN_BALANCING_ADJUSTMENT',
  'PENDING_REFUND_DISCREPANCY',
]);

function toAdjustment(one: Bag, money: MoneyBag): Bag {
  const reason = String(one.reason ?? '')
    .toUpperCase()
    .replaceAll(' ', '_');
  return {
    reason: one.kind === 'shipping_refund' ? null : reasons.has(reason) ? reason : 'REFUND_DISCREPANCY',
    amountSet: money(one.amount_set, one.amount),
    taxAmountSet: money(one.tax_amount_set, one.tax_amount),
  };
}
