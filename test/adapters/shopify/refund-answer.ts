/** A detail answer of order 1001 with one of its lists or figures replaced. */
export function refundAnswer(changes: object, updatedAt: string) {
  const none = { nodes: [], pageInfo: { hasNextPage: false, endCursor: null } };
  const refund = {
    id: 'gid://shopify/Refund/7',
    note: null,
    createdAt: null,
    processedAt: '2026-11-21T15:00:00Z',
    order: { id: 'gid://shopify/Order/1001', updatedAt },
    totalRefundedSet: { shopMoney: { amount: '0.0' } },
    duties: [],
    refundLineItems: none,
    refundShippingLines: none,
    orderAdjustments: none,
    transactions: none,
    ...changes,
  };
  return { status: 200, body: { data: { refund } } };
}
