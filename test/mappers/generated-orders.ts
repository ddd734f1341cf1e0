import fc from 'fast-check';
import { type Decimal, decimal, roundCents, sum, toAmount } from '../../src/domain/money.ts';
import type { Charge, Line, Order, Taxed } from '../../src/domain/order.ts';
import { order } from '../support/orders.ts';

/**
 * Orders as shops make them: the shop prices with or without tax, rounds its tax per line or at the subtotal,
 * gives percentages off, charges several shippings, takes a negative fee off everything as WooCommerce does
 * (class-wc-order-item-fee.php), and sums it all to the total it charges.
 */
export interface Shop {
  included: boolean;
  rounding: 'line' | 'subtotal';
}

/** Percent, or what carries no tax at all: a class, or nothing that says why. 5 and 8 need a rule, and 8 a decreed day (policy.ts). */
const rates = ['15', '15', '15', '15', '5', '0', '8', 'exento', 'no-objeto'] as const;
type Rate = (typeof rates)[number];

/** Names as people and plugins write them: breaks, emoji, halves of them, heaps of accents, nothing at all. */
const texts = fc.constantFrom(
  'Camiseta «Ñandú»',
  'Zapato escolar - 38, Negro',
  'Taza\ncon asa',
  'Chocolate 70% & nibs <amargo>',
  '🌿 Té 👩‍👩‍👧‍👦',
  'a'.repeat(400),
  `${'ñ'.repeat(299)}👍🏽`,
  'e\u0301'.repeat(200),
  `x${'\u0301'.repeat(400)}`,
  'medio \ud83d emoji',
  '\u0000\u0007\u2028\uffff',
  '',
);
const quantities = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 1, max: 40 }).map(String) },
  { weight: 1, arbitrary: fc.constantFrom('0.5', '1.25', '0.333', '2.123456', '0.1234567', '30000') },
);
const plainSkus = ['CAM-1', 'CAM-2', 'LIB-1', 'CEM-1', 'ZAP-38', 'CUR-1'];
/** Prices in cents, sometimes with four decimals. */
const prices = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 200_000 }).map((cents) => decimal(cents).div(100)) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 99_999 }).map((units) => decimal(units).div(10_000)) },
);

const lineSeed = fc.record({
  price: prices,
  quantity: quantities,
  percentOff: fc.constantFrom(0, 0, 0, 10, 33, 100),
  rate: fc.constantFrom(...rates),
  sku: fc.constantFrom(
    ...plainSkus,
    ...plainSkus,
    null,
    'BEBIDA-1',
    'JUEGO-2',
    'BOTELLA-7',
    'S'.repeat(60),
    'x\ny',
  ),
  name: texts,
  attributes: fc.array(fc.record({ name: texts, value: texts }), { maxLength: 4 }),
});
const chargeSeed = fc.record({
  price: prices.map((price) => price.div(10)),
  percentOff: fc.constantFrom(0, 0, 100),
  rate: fc.constantFrom(...rates),
  kind: fc.constantFrom('shipping', 'shipping', 'fee' as const),
});
const shop = (included: boolean): fc.Arbitrary<Shop> =>
  fc.record({ included: fc.constant(included), rounding: fc.constantFrom('line', 'line', 'subtotal') });

/** What the shop charges for an amount at a rate, as it writes it down. */
function taxed(amount: Decimal, percentOff: number, rate: Rate, { included, rounding }: Shop): Taxed {
  const percent = Number(rate) >= 0 ? rate : null;
  const factor = decimal(percent ?? '0').div(100);
  const paid = roundCents(amount.times(100 - percentOff).div(100));
  const exact = included ? paid.minus(paid.div(factor.plus(1))) : paid.times(factor);
  const tax = rounding === 'line' ? roundCents(exact) : exact.toDecimalPlaces(6);
  const subtotal = included ? amount.div(factor.plus(1)).toFixed(6) : amount.toFixed();
  return {
    subtotal,
    net: (included ? paid.minus(tax) : paid).toFixed(),
    tax: tax.toFixed(),
    taxes:
      percent === null ? [] : [{ title: `IVA ${rate}%`, rate: percent, amount: tax.toFixed(), rateId: rate }],
    taxClass: percent === null ? rate : '',
    taxable: null,
  };
}

function toLine(seed: typeof lineSeed extends fc.Arbitrary<infer S> ? S : never, at: number, of: Shop): Line {
  const { price, quantity, percentOff, sku, name, attributes } = seed;
  // Its ICE stands under one IVA code only, and beside another ICE there.
  const rate = sku === 'JUEGO-2' ? '15' : seed.rate;
  const amounts = taxed(price.times(quantity), percentOff, rate, of);
  return {
    id: String(at),
    kind: 'product',
    sku,
    name,
    quantity,
    ...amounts,
    service: null,
    attributes,
    productId: null,
    tags: [],
    collections: [],
  };
}

/** A fee below nothing, apportioned over everything by its net, each share taxed at its own rate. */
function negativeFee(items: readonly Taxed[], part: number, of: Shop): Charge[] {
  const whole = sum(items.map(({ net }) => net));
  const amount = roundCents(whole.times(part).div(100));
  if (amount.isZero()) return [];
  const percents = [...new Set(items.flatMap(({ taxes }) => taxes.map(({ rate }) => rate ?? '0')))];
  const taxes = percents.map((rate) => {
    const share = sum(items.filter((item) => item.taxes[0]?.rate === rate).map(({ net }) => net));
    const exact = amount.times(share).div(whole).times(rate).div(100);
    const tax = of.rounding === 'line' ? roundCents(exact) : exact.toDecimalPlaces(6);
    return { title: `IVA ${rate}%`, rate, amount: tax.negated().toFixed(), rateId: rate };
  });
  const net = amount.negated().toFixed();
  const tax = sum(taxes.map((one) => one.amount)).toFixed();
  return [
    {
      id: 'fee',
      kind: 'fee',
      name: 'Descuento',
      subtotal: net,
      net,
      tax,
      taxes,
      taxClass: '',
      taxable: null,
    },
  ];
}

const kindOfSale = fc.record({
  lines: fc.array(lineSeed, { minLength: 1, maxLength: 10 }),
  charges: fc.array(chargeSeed, { maxLength: 2 }),
  percentOff: fc.constantFrom(0, 0, 0, 0, 0, 0, 5, 12, 40, 100),
  /** One tender, several, or names without amounts. */
  tenders: fc.constantFrom('one', 'one', 'two', 'names', 'none'),
  note: fc.option(texts),
});

/** An order that adds up as its shop adds. */
export const generatedOrders = (included: boolean): fc.Arbitrary<Order> =>
  fc.tuple(shop(included), kindOfSale).map(([of, sale]) => {
    const lines = sale.lines.map((seed, at) => toLine(seed, at, of));
    const charges = sale.charges.map(({ price, percentOff, rate, kind }, at): Charge => {
      const amounts = taxed(roundCents(price), percentOff, rate, of);
      return { id: `c${at}`, kind, name: kind === 'fee' ? 'Recargo' : 'Servientrega', ...amounts };
    });
    const discounts = negativeFee([...lines, ...charges], sale.percentOff, of);
    const parts = [...lines, ...charges, ...discounts];
    const total = toAmount(sum(parts.map(({ net, tax }) => decimal(net).plus(tax))));
    const half = toAmount(decimal(total).div(2));
    const tenders = {
      one: [['payphone', total]],
      two: [
        ['gift_card', half],
        ['bacs', decimal(total).minus(half).toFixed(2)],
      ],
      names: [
        ['gift_card', null],
        ['payphone', null],
      ],
      none: [],
    }[sale.tenders];
    const payments = tenders.map(([gateway, amount]) => ({
      gateway: gateway ?? '',
      title: null,
      amount: amount ?? null,
    }));
    return order({ lines, charges: [...charges, ...discounts], total, payments, note: sale.note });
  });
