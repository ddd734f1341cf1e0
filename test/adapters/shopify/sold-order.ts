import { plainOrder } from './plain-order.ts';

/** Two products, one of them without IVA, and taxed shipping; `included`: prices contain the tax. */
export function soldOrder(included: boolean, changes: Record<string, unknown> = {}) {
  const iva = (price: string) => [{ title: 'IVA', price, rate: 0.15 }];
  const [shirt] = plainOrder().line_items;
  return plainOrder({
    taxes_included: included,
    total_price: '42.66',
    current_total_price: '42.66',
    current_total_price_set: {
      shop_money: { amount: '42.66', currency_code: 'USD' },
      presentment_money: { amount: '42.66', currency_code: 'USD' },
    },
    total_tax: '4.96',
    current_total_tax: '4.96',
    subtotal_price: included ? '37.49' : '33.21',
    line_items: [
      {
        ...shirt,
        id: 1,
        price: included ? '11.50' : '10.00',
        discount_allocations: [{ amount: included ? '1.71' : '1.49' }],
        tax_lines: iva('4.28'),
      },
      { ...shirt, id: 2, name: 'Libro', quantity: 1, current_quantity: 1, price: '4.70', tax_lines: [] },
    ],
    shipping_lines: [
      {
        id: 12,
        title: ' Servientrega ',
        price: included ? '5.17' : '4.49',
        discounted_price: included ? '5.17' : '4.49',
        tax_lines: iva('0.68'),
      },
    ],
    ...changes,
  });
}

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
