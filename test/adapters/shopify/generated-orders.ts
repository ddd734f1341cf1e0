import fc from 'fast-check';
import { plainOrder } from './plain-order.ts';

/* REST-shaped orders with whatever Shopify puts into one; every figure in both currencies where the buyer saw another. */

const cents = (max: number) => fc.integer({ min: 0, max }).map((n) => (n / 100).toFixed(2));
const rate = fc.constantFrom(0.15, 0.05, 0);

const taxes = fc.array(
  fc.record({ title: fc.constantFrom('IVA', 'IVA 15%', 'ICE'), rate, price: cents(5_000) }),
  { maxLength: 2 },
);
const allocations = fc.array(fc.record({ amount: cents(900), discount_application_index: fc.nat(2) }), {
  maxLength: 3,
});
const property = fc.record({
  name: fc.constantFrom('Grabado', '_oculto', 'Talla'),
  value: fc.oneof(fc.string({ maxLength: 8 }), fc.integer(), fc.constant(null)),
});

const line = fc
  .record({
    id: fc.integer({ min: 1, max: 2 ** 52 }),
    name: fc.constantFrom(' Camiseta ', 'Café', 'Libro - M', 'Tip'),
    sku: fc.constantFrom('', null, 'ABC-1'),
    quantity: fc.integer({ min: 1, max: 5 }),
    removed: fc.nat(5),
    price: cents(20_000),
    taxable: fc.boolean(),
    requires_shipping: fc.boolean(),
    gift_card: fc.boolean(),
    variant_title: fc.constantFrom(null, '', 'Default Title', 'M / Rojo'),
    properties: fc.array(property, { maxLength: 2 }),
    tax_lines: taxes,
    discount_allocations: allocations,
    duties: fc.array(
      fc.record({ id: fc.integer({ min: 1, max: 10_000 }), price: cents(900), tax_lines: taxes }),
      {
        maxLength: 1,
      },
    ),
  })
  .map(({ removed, duties, ...one }) => ({
    ...one,
    current_quantity: Math.max(0, one.quantity - removed),
    duties: duties.map(({ price, ...duty }) => ({
      ...duty,
      shop_money: { amount: price, currency_code: 'USD' },
    })),
  }));

const shippingLine = fc.record({
  id: fc.integer({ min: 1, max: 10_000 }),
  title: fc.constantFrom('Servientrega', ' Retiro '),
  price: cents(1_500),
  tax_lines: taxes,
  discount_allocations: fc.constant([]),
  is_removed: fc.boolean(),
});

/** A tip is the untaxed line that bears the key; the sum stands on the order once more. */
const tip = fc.option(cents(900).filter((amount) => amount !== '0.00'));

const fees = fc.option(cents(900));
const sets = (amount: string) => ({
  shop_money: { amount, currency_code: 'USD' },
  presentment_money: { amount: (Number(amount) * 2).toFixed(2), currency_code: 'COP' },
});

export const anyOrder = fc
  .record({
    lines: fc.array(line, { minLength: 1, maxLength: 4 }),
    shipping_lines: fc.array(shippingLine, { maxLength: 2 }),
    tip,
    fees,
    foreign: fc.boolean(),
    taxes_included: fc.boolean(),
    duties_included: fc.boolean(),
    financial_status: fc.constantFrom('paid', 'pending', 'partially_paid', 'voided', 'authorized'),
    cancelled_at: fc.constantFrom(null, '2026-11-21T08:00:00-05:00'),
    total: cents(90_000),
    owedBack: fc.boolean(),
    note: fc.constantFrom(null, '', ' Para regalo '),
    test: fc.boolean(),
    source_name: fc.constantFrom('web', 'pos', null),
    shipping_address: fc.constantFrom(null, { country_code: 'EC' }, { country_code: 'PE' }),
  })
  .map(({ lines, tip: given, fees: extra, foreign, total, owedBack, ...rest }) => {
    const tipped = given === null ? [] : [tipLine(given)];
    // Two lines of one order never have one id, and only the tip is called so.
    const sold = lines.map((one, at) => ({
      ...one,
      id: one.id + at,
      name: one.name === 'Tip' ? 'Té' : one.name,
    }));
    const fell = sold.some((one) => one.current_quantity < one.quantity);
    const books = booksOf(rest.financial_status, Number(total), fell, owedBack);
    return plainOrder({
      ...rest,
      ...books,
      line_items: [...sold, ...tipped],
      total_tip_received: given ?? '0.00',
      total_price: total,
      total_tax: '1.00',
      current_total_tax: '1.00',
      ...(extra === null ? {} : { original_total_additional_fees_set: sets(extra) }),
      ...(foreign ? { presentment_currency: 'COP', total_price_set: sets(total) } : {}),
    });
  });

function tipLine(price: string) {
  const nothing = { sku: null, tax_lines: [], discount_allocations: [], properties: [], duties: [] };
  const flags = { gift_card: false, taxable: false, requires_shipping: false, tip_payment_gateway: null };
  return { id: 2 ** 52 + 99, name: 'Tip', quantity: 1, current_quantity: 1, price, ...nothing, ...flags };
}

/** What came in and what is owed: units that fell were removed before the payment, or are owed back to the buyer. */
function booksOf(status: string, total: number, fell: boolean, owedBack: boolean) {
  const current = fell ? Math.floor(total * 50) / 100 : total;
  const received =
    status === 'paid' ? (fell && !owedBack ? current : total) : status === 'partially_paid' ? current / 4 : 0;
  return {
    current_total_price: current.toFixed(2),
    total_received: received.toFixed(2),
    total_outstanding: (current - Number(received.toFixed(2))).toFixed(2),
  };
}
