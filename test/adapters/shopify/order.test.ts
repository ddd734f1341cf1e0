import { describe, expect, test } from 'vitest';
import { readOrder, sumOfItems } from '../../../adapters/shopify/order.ts';
import { PayloadError } from '../../../src/domain/errors.ts';
import { decimal, sum } from '../../../src/domain/money.ts';
import { hasShared } from '../../support/shared.ts';
import { allBodies, connection, looksLikeOrder, readPayload } from './payloads.ts';
import { plainOrder } from './plain-order.ts';
import { body, readOne, shirt, order as sold, transaction, usd } from './refund-bodies.ts';

const read = (changes: Record<string, unknown> = {}, line: Record<string, unknown> = {}) =>
  readOrder(plainOrder(changes, line), connection);

test.each<[string, () => unknown]>([
  ['an order', () => read({ id: 'x', admin_graphql_api_id: null })],
  ['a line', () => read({}, { id: '1e9', admin_graphql_api_id: null })],
  ['a line with a fraction', () => read({}, { id: 1.5, admin_graphql_api_id: null })],
])('an id of %s that is no number is a sentence', (_what, reading) => {
  expect(reading).toThrow(PayloadError);
});

describe('money', () => {
  test('a line keeps what Shopify charged: net without tax, tax as stated', () => {
    const order = read();
    expect(order.lines[0]).toMatchObject({ subtotal: '30.00', net: '30.00', tax: '4.50', sku: null });
    expect(order.lines[0]).toMatchObject({ name: 'Camiseta', quantity: '3', service: false, taxClass: null });
    expect(order.lines[0]?.taxes).toEqual([{ title: 'IVA', rate: '15', amount: '4.50', rateId: null }]);
  });

  test('allocated discounts count, total_discount does not', () => {
    const line = { total_discount: '0.00', discount_allocations: [{ amount: '4.78' }, { amount: '5.00' }] };
    expect(read({}, line).lines[0]).toMatchObject({ subtotal: '30.00', net: '20.22' });
  });

  test('a tax-inclusive discounted line has its subtotal by the stated rate', () => {
    const order = read(
      { taxes_included: true },
      {
        discount_allocations: [{ amount: '6.90' }],
        tax_lines: [{ title: 'IVA', price: '3.01', rate: 0.15 }],
      },
    );
    // 30.00 / 1.15, and 30.00 − 6.90 − 3.01.
    expect(order.lines[0]).toMatchObject({ subtotal: '26.0869565217', net: '20.09', tax: '3.01' });
  });

  test('a tax-inclusive line without tax lines carries no tax: nothing is backed out', () => {
    const order = read({ taxes_included: true }, { tax_lines: [] });
    expect(order.lines[0]).toMatchObject({ subtotal: '30.00', net: '30.00', tax: '0.00', taxes: [] });
  });

  test('shop money is the truth; what the buyer saw stands beside it', () => {
    const both = (shop: string, seen: string) => ({
      shop_money: { amount: shop, currency_code: 'USD' },
      presentment_money: { amount: seen, currency_code: 'COP' },
    });
    const order = read(
      {
        presentment_currency: 'COP',
        total_price: '138000.00',
        total_price_set: both('34.50', '138000.00'),
        total_tax_set: both('4.50', '18000.00'),
      },
      {
        price: '40000.00',
        price_set: both('10.00', '40000.00'),
        tax_lines: [{ title: 'IVA', rate: 0.15, price: '18000.00', price_set: both('4.50', '18000.00') }],
      },
    );
    expect(order).toMatchObject({ currency: 'USD', total: '34.50', totalTax: '4.50' });
    expect(order.presentment).toEqual({ currency: 'COP', total: '138000.00' });
    expect(sumOfItems(order)).toBe('34.50');
  });

  test('shipping is what was charged after its discounts', () => {
    const shipping = { id: 9, title: 'Envío', price: '5.00', tax_lines: [] };
    const net = (line: object) => read({ shipping_lines: [{ ...shipping, ...line }] }).charges[0];
    expect(net({ discounted_price: '5.00', discount_allocations: [{ amount: '5.00' }] })?.net).toBe('0.00');
    expect(net({ discounted_price: '3.00', discount_allocations: [] })?.net).toBe('3.00');
    expect(net({ discount_allocations: [] })).toMatchObject({
      kind: 'shipping',
      subtotal: '5.00',
      net: '5.00',
    });
  });

  test('a removed shipping line is no charge', () => {
    expect(
      read({ shipping_lines: [{ id: 9, title: 'Envío', price: '5.00', is_removed: true }] }).charges,
    ).toEqual([]);
  });

  test('a duty is a charge with its own taxes; duties included in the prices are none', () => {
    const duties = [
      { id: 5, shop_money: { amount: '3.00' }, tax_lines: [{ title: 'IVA', price: '0.45', rate: 0.15 }] },
    ];
    expect(read({}, { duties }).charges).toMatchObject([{ kind: 'duty', net: '3.00', tax: '0.45' }]);
    expect(read({ duties_included: true }, { duties }).charges).toEqual([]);
  });
});

describe('what was sold', () => {
  test('units removed by an edit before payment are not on the factura', () => {
    const order = read(
      { current_total_price: '23.00', current_total_tax: '3.00', total_outstanding: '0.00' },
      { current_quantity: 2 },
    );
    expect(order).toMatchObject({ total: '23.00', totalTax: '3.00' });
    expect(order.lines[0]).toMatchObject({ quantity: '2', net: '20.00', tax: '3.00' });
    expect(sumOfItems(order)).toBe(order.total);
  });

  test('an edit before payment that Shopify records as a refund without money is still an edit', () => {
    const refunds = [{ id: 1, refund_line_items: [{ line_item_id: 1, quantity: 1 }], transactions: [] }];
    const order = read(
      { current_total_price: '23.00', current_total_tax: '3.00', refunds },
      { current_quantity: 2 },
    );
    expect(order).toMatchObject({ total: '23.00', refunds: [{ amount: '0.00', parts: null }] });
  });

  test('a line removed entirely is left out', () => {
    const whole = plainOrder();
    const extra = { ...whole.line_items[0], id: 2, current_quantity: 0 };
    const order = read({
      total_price: '69.00',
      total_tax: '9.00',
      line_items: [whole.line_items[0], extra],
    });
    expect(order.lines.map((line) => line.id)).toEqual(['1']);
    expect(sumOfItems(order)).toBe('34.50');
  });

  test('refunded units stay on the factura; the credit note takes them off', () => {
    const transactions = [{ kind: 'refund', status: 'success', amount: '11.50', currency: 'USD' }];
    const order = read(
      {
        financial_status: 'partially_refunded',
        current_total_price: '23.00',
        refunds: [{ id: 77, transactions }],
      },
      { current_quantity: 2 },
    );
    expect(order).toMatchObject({ total: '34.50', settlement: 'partially-refunded' });
    expect(order.lines[0]).toMatchObject({ quantity: '3' });
    expect(order.refunds).toMatchObject([{ id: '77', amount: '11.50' }]);
  });

  test('units taken back while the money is still owed to the buyer stay on the factura', () => {
    const order = read(
      { current_total_price: '23.00', total_outstanding: '-11.50' },
      { current_quantity: 2 },
    );
    expect(order).toMatchObject({ total: '34.50' });
  });

  test('an edit after which money went back in another currency is a return all the same', () => {
    const transactions = [{ kind: 'refund', status: 'success', amount: '1.80', currency: 'CAD' }];
    const changes = { current_total_price: '23.00', total_outstanding: '0.00' };
    const order = read({ ...changes, refunds: [{ id: 1, transactions }] }, { current_quantity: 2 });
    expect(order).toMatchObject({ total: '34.50', unclearEdit: true, refunds: [{ id: '1', amount: null }] });
    const pending = [{ ...transactions[0], status: 'pending' }];
    expect(
      read({ ...changes, refunds: [{ id: 1, transactions: pending }] }, { current_quantity: 2 }),
    ).toMatchObject({
      total: '23.00',
      refunds: [{ amount: '0.00' }],
    });
  });

  describe.each([
    ['still contains it', '40.25', '5.25'],
    ['no longer contains it', '34.50', '4.50'],
  ])('shipping of 5.75 that an edit removed, where total_price %s', (_what, total_price, total_tax) => {
    const iva = [{ title: 'IVA', price: '0.75', rate: 0.15 }];
    const shipping_lines = [{ id: 9, title: 'Envío', price: '5.00', is_removed: true, tax_lines: iva }];
    const removed = (total_outstanding: string, changes = {}) =>
      read({ total_price, total_tax, shipping_lines, total_outstanding, ...changes });

    test('before it was paid is no charge', () => {
      const order = removed('0.00');
      expect(order).toMatchObject({ total: '34.50', totalTax: '4.50', charges: [] });
    });

    test('after it was paid is sold until its money is back, and then what the refund gave back', () => {
      const sold = { total: '40.25', totalTax: '5.25', charges: [{ id: '9', net: '5.00', tax: '0.75' }] };
      const owed = removed('-5.75');
      expect(owed).toMatchObject(sold);
      expect(sumOfItems(owed)).toBe(owed.total);
      const order_adjustments = [{ kind: 'shipping_refund', amount: '-5.00', tax_amount: '-0.75' }];
      const transactions = [{ kind: 'refund', status: 'success', amount: '5.75', currency: 'USD' }];
      const refunds = [{ id: 1, refund_line_items: [], order_adjustments, transactions }];
      const back = removed('0.00', { refunds, financial_status: 'partially_refunded' });
      expect(back).toMatchObject(sold);
      expect(back.refunds[0]?.parts).toMatchObject([{ of: 'shipping:9', net: '5.00', tax: '0.75' }]);
    });

    test('for a line that was added in its place is no charge, and what is owed is overpaid', () => {
      const [shirt] = plainOrder().line_items;
      const cap = { ...shirt, id: 2, quantity: 1, current_quantity: 1, price: '2.00', tax_lines: [] };
      const more = (amount: string): string => (Number(amount) + 2).toFixed(2);
      const order = removed('-3.75', {
        ...{ total_price: more(total_price), line_items: [shirt, cap] },
        ...{ current_total_price: '36.50', current_total_tax: '4.50' },
      });
      expect(order).toMatchObject({ total: '36.50', overpaid: '3.75', charges: [] });
      expect(sumOfItems(order)).toBe('36.50');
    });
  });

  test('a gift card sold and a tip are named as what they are', () => {
    const line = plainOrder().line_items[0];
    const order = read({
      total_tip_received: '2.00',
      line_items: [
        { ...line, gift_card: true, tax_lines: [] },
        { ...line, id: 2, name: 'Tip', quantity: 1, price: '2.00', tax_lines: [], tip_payment_gateway: null },
      ],
    });
    expect(order.lines.map(({ kind }) => kind)).toEqual(['gift-card', 'tip']);
    expect(order.charges).toEqual([]);
  });

  test('a tip that is no line is a charge', () => {
    const order = read({ total_tip_received: '2.00', total_price: '36.50', current_total_price: '36.50' });
    expect(order.charges).toMatchObject([{ kind: 'tip', net: '2.00', tax: '0.00' }]);
    expect(sumOfItems(order)).toBe('36.50');
  });
});

test('texts come as people typed them: an entity in one was typed, and stays', () => {
  const typed = 'Ferretería &amp; Hijos & Cía. <b> &ntilde;';
  const address = { first_name: typed, last_name: '', company: typed, address1: typed, country_code: 'EC' };
  const order = read(
    {
      billing_address: address,
      note: typed,
      note_attributes: [{ name: typed, value: typed }],
      shipping_lines: [{ id: 3, title: typed, price: '0.00', tax_lines: [], discount_allocations: [] }],
    },
    { name: typed, properties: [{ name: typed, value: typed }] },
  );
  const { buyer, note, attributes, charges, lines } = order;
  const texts = [buyer.name, buyer.company, buyer.address, note, charges[0]?.name, lines[0]?.name];
  const named = [attributes[0], lines[0]?.attributes[0]].flatMap((one) => [one?.name, one?.value]);
  for (const text of [...texts, ...named]) expect(text).toBe(typed);
});

describe('settlement', () => {
  test.each([
    ['paid', null, 'paid'],
    ['pending', null, 'unpaid'],
    ['authorized', null, 'unpaid'],
    ['expired', null, 'unpaid'],
    ['voided', null, 'unpaid'],
    ['partially_paid', null, 'partially-paid'],
    ['partially_refunded', null, 'partially-refunded'],
    ['refunded', null, 'refunded'],
    ['refunded', '2026-11-21T00:00:00Z', 'refunded'],
    ['paid', '2026-11-21T00:00:00Z', 'cancelled'],
    ['voided', '2026-11-21T00:00:00Z', 'cancelled'],
    [null, null, 'unpaid'],
  ])('%s, cancelled at %s, is %s', (financial_status, cancelled_at, settlement) => {
    expect(read({ financial_status, cancelled_at }).settlement).toBe(settlement);
  });

  test('the money came when the order was processed, or with its last successful payment', () => {
    expect(read().paidAt).toBe('2026-11-20T14:14:58.000Z');
    expect(read({ financial_status: 'pending' }).paidAt).toBeNull();
    const transactions = [
      {
        kind: 'sale',
        status: 'success',
        gateway: 'payphone',
        amount: '20.00',
        processed_at: '2026-11-21T10:00:00Z',
      },
      {
        kind: 'capture',
        status: 'success',
        gateway: 'gift_card',
        amount: '14.50',
        processed_at: '2026-11-21T09:00:00Z',
      },
      {
        kind: 'sale',
        status: 'failure',
        gateway: 'payphone',
        amount: '20.00',
        processed_at: '2026-11-22T10:00:00Z',
      },
    ];
    const order = read({ transactions });
    expect(order.paidAt).toBe('2026-11-21T10:00:00.000Z');
    expect(order.payments).toEqual([
      { gateway: 'payphone', title: null, amount: '20.00' },
      { gateway: 'gift_card', title: null, amount: '14.50' },
    ]);
  });

  test('without transactions only a single gateway tells its amount', () => {
    expect(read().payments).toEqual([{ gateway: 'payphone', title: null, amount: '34.50' }]);
    expect(read({ payment_gateway_names: ['gift_card', 'payphone'] }).payments).toEqual([
      { gateway: 'gift_card', title: null, amount: null },
      { gateway: 'payphone', title: null, amount: null },
    ]);
    expect(read({ payment_gateway_names: [''] }).payments).toEqual([]);
  });

  test('an id above 2^53 comes from its text, not from the rounded number', () => {
    const order = read({
      id: 820982911946154500,
      admin_graphql_api_id: 'gid://shopify/Order/820982911946154508',
    });
    expect(order.id).toBe('820982911946154508');
  });
});

describe.skipIf(!hasShared)('shared payloads', () => {
  test.each([
    '01_excl_iva15_multiqty_code-across_shipping-taxed',
    '02_incl_iva15_multiqty_code-across_shipping-taxed',
    '03_free-shipping-discount',
    '04_gift-card-sold_plus_product',
    '06_two-gateways_giftcard_and_card',
    '08_tax-exempt',
    '09_zero-total_100pct',
    '10_pos_no-customer_no-address',
    '12_mixed_iva15_and_iva0',
  ])('%s reads to its checked net, tax and total', (file) => {
    const { payload, check } = readPayload(`synthetic-ec/${file}.json`);
    const order = readOrder(payload, connection);
    const items = [...order.lines, ...order.charges];
    expect(sum(items.map((item) => item.net)).toFixed(2)).toBe(check?.net_of_tax);
    expect(sum(items.map((item) => item.tax)).toFixed(2)).toBe(check?.tax);
    expect(order.total).toBe(check?.total);
    expect(sumOfItems(order)).toBe(check?.total);
  });

  /** Vendor samples whose own figures contradict each other; the planner would hold them. */
  const contradictory: Record<string, string> = {
    // 2 × 199.00 + 10.00 = 408.00, stated 388.00: the discount of 20.00 is allocated to no line.
    '#9999': '408.00',
  };

  test('every order adds up to its total_price, but for the samples that contradict themselves', () => {
    const orders = allBodies().filter(({ body }) => looksLikeOrder(body));
    expect(orders.length).toBeGreaterThan(35);
    const wrong = orders
      .map(({ name, body }) => ({ name, order: readOrder(body, connection) }))
      .filter(({ order }) => !decimal(sumOfItems(order)).eq(order.total))
      .map(({ name, order }) => ({ name, id: order.name, sum: sumOfItems(order), total: order.total }));
    expect(wrong.filter(({ id, sum }) => contradictory[id] !== sum)).toEqual([]);
  });

  test('refunds, transactions, edits, returns and shops are refused with a sentence, not read', () => {
    const others = allBodies().filter(({ body }) => !looksLikeOrder(body));
    expect(others.length).toBeGreaterThan(15);
    for (const { body, name } of others) {
      const error = (() => {
        try {
          readOrder(body, connection);
        } catch (thrown) {
          return thrown;
        }
      })();
      expect(error, name).toBeInstanceOf(PayloadError);
      expect((error as PayloadError).merchant, name).toMatch(
        /^(Lo que llegó de Shopify no es un pedido|El pedido de Shopify no se puede leer): .+\.$/,
      );
    }
  });

  test('an edit notice and a refund are called by their name', () => {
    const edited = readPayload('shopify-docs/shopify-docs-sample_2025-01_orders_edited.json').payload;
    expect(() => readOrder(edited, connection)).toThrow(/es el aviso de una edición de pedido/);
    const refund = readPayload('synthetic-ec/r01_partial-1-of-3_taxes-included.json').payload;
    expect(() => readOrder(refund, connection)).toThrow(/es un reembolso/);
  });
});

describe('where it goes', () => {
  const to = (country_code: string | null, country?: string) => ({
    shipping_address: { country_code, country },
  });
  const line = { id: 9, title: 'Envío', price: '0.00', tax_lines: [] };
  type Read = Parameters<typeof read>;

  test.each<[string, Read[0], Read[1], ReturnType<typeof read>['delivery']]>([
    ['to the ship-to address', to('CA'), {}, { by: 'shipping', country: 'CA' }],
    ['to nobody’s, where it has none', {}, {}, { by: 'shipping', country: null }],
    ['by the country’s name, without a code', to(null, 'Canada'), {}, { by: 'shipping', country: 'Canada' }],
    ['home by its name', to(null, 'Ecuador'), {}, { by: 'shipping', country: 'EC' }],
    [
      'to it, where nobody says what needs it',
      to('CA'),
      { requires_shipping: null },
      { by: 'shipping', country: 'CA' },
    ],
    [
      'nowhere, where nothing needs it',
      to('CA'),
      { requires_shipping: false },
      { by: 'none', country: 'CA' },
    ],
    ['nowhere, sold at the till', { source_name: 'pos' }, {}, { by: 'in-shop', country: null }],
    [
      'to it, sold at the till and sent from there',
      { ...to('PE'), source_name: 'pos', shipping_lines: [line] },
      {},
      { by: 'shipping', country: 'PE' },
    ],
  ])('%s', (_, changes, item, delivery) => {
    expect(read(changes, item).delivery).toEqual(delivery);
  });
});

test('the note and the attributes of the cart are at hand for templates', () => {
  const order = read({ note: ' Para regalo ', note_attributes: [{ name: 'placa', value: 'PBA-1234' }] });
  expect(order).toMatchObject({ note: 'Para regalo', attributes: [{ name: 'placa', value: 'PBA-1234' }] });
  expect(read({ note: '' }).note).toBeNull();
});

test('terms of payment are none, as for the API, which shows them under a scope of their own', () => {
  expect(read({ payment_terms: { due_in_days: 30 } }).terms).toBeNull();
});

test('the variant stands before the properties, the default one nowhere', () => {
  const properties = [{ name: 'Grabado', value: 'Ana' }];
  expect(read({}, { variant_title: '38 / Negro', properties }).lines[0]?.attributes).toEqual([
    { name: 'Variante', value: '38 / Negro' },
    { name: 'Grabado', value: 'Ana' },
  ]);
  expect(read({}, { variant_title: 'Default Title' }).lines[0]?.attributes).toEqual([]);
});

const rounded = (amount: string) => ({ total_cash_rounding_payment_adjustment_set: usd(amount) });
const paid = (gateway: string, amount: string) => ({
  kind: 'sale',
  status: 'success',
  gateway,
  amount,
  currency: 'USD',
});
const total = String(plainOrder().total_price);
const less = (amount: string) => (Number(total) - Number(amount)).toFixed(2);

describe('cash that a till rounded', () => {
  test('is no part of the sale: payments come to its total', () => {
    const order = readOrder(
      plainOrder({ ...rounded('-0.02'), transactions: [paid('cash', less('0.02'))] }),
      connection,
    );
    expect(order).toMatchObject({
      total,
      cashRounding: '-0.02',
      payments: [{ gateway: 'cash', amount: total }],
    });
  });

  test('beside a card lies on the cash', () => {
    const transactions = [paid('cash', less('10.02')), paid('shopify_payments', '10.00')];
    const order = readOrder(plainOrder({ ...rounded('-0.02'), transactions }), connection);
    expect(order.payments.map(({ amount }) => amount)).toEqual([less('10.00'), '10.00']);
  });

  test('explains nothing but its own amount', () => {
    const order = readOrder(
      plainOrder({ ...rounded('-0.02'), transactions: [paid('cash', less('1.00'))] }),
      connection,
    );
    expect(order.payments.map(({ amount }) => amount)).toEqual([less('1.00')]);
    expect(readOrder(plainOrder(rounded('0.00')), connection)).not.toHaveProperty('cashRounding');
  });

  test.each(['0.05', '-0.05'])(
    'given back is what the lines say, whichever way Shopify signs it: %s',
    (signed) => {
      const one = body({ refund_line_items: [shirt], transactions: [transaction('11.55')] });
      const beside = { ...sold, total_cash_rounding_refund_adjustment_set: usd(signed) };
      expect(readOne(one, beside)).toMatchObject({
        amount: '11.50',
        cashRounding: '0.05',
        discrepancy: '0.00',
      });
      const other = body({ refund_line_items: [shirt], transactions: [transaction('11.60')] });
      expect(readOne(other, beside)).toMatchObject({ amount: '11.60' });
      expect(readOne(other, beside)).not.toHaveProperty('cashRounding');
    },
  );
});

test('a refund says what of it went to gift cards and store credit', () => {
  const transactions = [
    transaction('1.50', { gateway: 'gift_card' }),
    transaction('4.00', { gateway: 'shopify_store_credit' }),
    transaction('6.00', { gateway: 'shopify_payments' }),
    transaction('9.00', { gateway: 'gift_card', status: 'failure' }),
  ];
  expect(readOne({ refund_line_items: [shirt], transactions })).toMatchObject({
    amount: '11.50',
    toBalances: [
      { gateway: 'gift_card', amount: '1.50' },
      { gateway: 'shopify_store_credit', amount: '4.00' },
    ],
  });
  expect(readOne({ refund_line_items: [shirt], transactions: [transaction('11.50')] })).not.toHaveProperty(
    'toBalances',
  );
});
