/*
 * What the order query leaves out of refunds (API 2026-10): their details cost too much to ask with the order.
 * Scope: read_orders.
 */

/** As many refunds as come with the order; when that many came there may be more. */
export const refundsWithOrder = 20;
/** The most one answer lists; Order.refunds has no pages. */
export const mostRefunds = 250;

const money = 'fragment Money on MoneyBag { shopMoney { amount } }';
const page = 'pageInfo { hasNextPage endCursor }';

export const refundsQuery = `query FacturapuenteRefunds($id: ID!) {
  order(id: $id) { id updatedAt refunds(first: ${mostRefunds}) { id } }
}`;

/**
 * One refund, all of its lists a page at a time; `updatedAt` tells whether the order changed in between.
 */
export const refundQuery = `query FacturapuenteRefund(
  $id: ID!, $lines: String, $shipping: String, $adjustments: String, $transactions: String
) {
  refund(id: $id) {
    id note createdAt processedAt
    order { id updatedAt }
    totalRefundedSet { ...Money }
    duties { amountSet { ...Money } originalDuty { id } }
    refundLineItems(first: 50, after: $lines) {
      nodes { quantity subtotalSet { ...Money } totalTaxSet { ...Money } lineItem { id name } }
      ${page}
    }
    refundShippingLines(first: 5, after: $shipping) {
      nodes { subtotalAmountSet { ...Money } taxAmountSet { ...Money } shippingLine { id title } }
      ${page}
    }
    orderAdjustments(first: 10, after: $adjustments) {
      nodes { reason amountSet { ...Money } taxAmountSet { ...Money } }
      ${page}
    }
    transactions(first: 10, after: $transactions) { nodes { kind status gateway amountSet { ...Money } } ${page} }
  }
}
${money}`;
