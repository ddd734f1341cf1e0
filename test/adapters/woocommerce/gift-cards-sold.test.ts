import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { giftCardPlugins } from '../../../adapters/woocommerce/plugins.ts';
import { decimal, sum, toAmount } from '../../../src/domain/money.ts';
import { policyOf } from '../../mappers/policy.ts';
import { authorized } from '../../support/authorized.ts';
import { draws, seed } from '../../support/chance.ts';
import { store } from '../../support/orders.ts';
import { fee, item, type Metas, outcome, planned, type Rate, read, refunded, ruled, sold } from './sold.ts';

const pw: Metas = { pw_gift_card_amount: '50', pw_gift_card_to: 'amiga@example.ec' };
const cards: [plugin: string, metas: Metas][] = [
  ['PW WooCommerce Gift Cards', pw],
  ['PW WooCommerce Gift Cards', { pw_gift_card_number: 'AAAA-0000-BBBB' }],
  ['WooCommerce Gift Cards', { wc_gc_giftcard_to_multiple: 'amiga@example.ec', wc_gc_giftcard_amount: '50' }],
  ['YITH WooCommerce Gift Cards', { _ywgc_product_id: 11, _ywgc_amount: '50' }],
  ['YITH WooCommerce Gift Cards', { _ywgc_gift_card_code: ['AB12-CD34'] }],
];
const card = (net: string, rate: Rate, metas: Metas = pw, more = {}) =>
  item('Tarjeta de regalo', net, rate, metas, more);
const shirt = (net = '20.00', rate: Rate = 15) => item('Camiseta', net, rate);

describe('a gift card sold', () => {
  test.each(cards)('of %s is read as one, and bought alone gets no document', (_plugin, metas) => {
    const order = sold({ lines: [card('50.00', null, metas)] });
    expect(read(order).lines.map(({ kind }) => kind)).toEqual(['gift-card']);
    expect(outcome(order)).toMatch(/^nothing only-gift-cards: /);
  });

  test('and cancelled with its money kept asks for nothing: no policy would make a document of it', () => {
    const order = sold({ lines: [card('50.00', null)], more: { status: 'cancelled' } });
    for (const cancelledOrders of ['hold', 'invoice'] as const)
      expect(outcome(order, { cancelledOrders })).toContain('nothing only-gift-cards');
  });

  test('is a product where the metas of its plugin are empty, or are another plugin’s', () => {
    for (const metas of [
      { pw_gift_card_amount: '' },
      { wc_gc_giftcard_amount: null },
      { _ywgc_gift_card_code: [] },
      { 'Original Price': '50' },
      { pw_gift_card_amounts: '10|20' },
    ])
      expect(read(sold({ lines: [card('50.00', 15, metas)] })).lines[0]?.kind).toBe('product');
  });

  test('its code, with which anybody can spend it, is not read', () => {
    const read1 = read(sold({ lines: [card('50.00', null, { pw_gift_card_number: 'AAAA-0000-BBBB' })] }));
    expect(JSON.stringify(read1)).not.toContain('AAAA-0000-BBBB');
  });

  test('every row of the table names its source, and no plugin twice', () => {
    for (const { source, lineMetas } of giftCardPlugins) {
      expect(source).toMatch(/^[\w.-]+\/[\w.-]+\/.+\.php$/);
      expect(lineMetas.flat().length).toBeGreaterThan(0);
    }
    expect(new Set(giftCardPlugins.map(({ plugin }) => plugin)).size).toBe(giftCardPlugins.length);
  });
});

describe('beside other things', () => {
  test('one that is given away is on no document and holds nothing', () => {
    const order = sold({ lines: [shirt(), card('0.00', null, pw, { subtotal: '50.00' })] });
    expect(outcome(order)).toBe('emit 23.00');
    expect(outcome(order, { policy: { giftCardsSold: { as: 'exclude' } } })).toBe('emit 23.00');
  });

  test('a tax on the card is held whatever the policy, until it is given back', () => {
    const taxed = card('50.00', 15);
    const order = sold({ lines: [shirt(), taxed] });
    const exclude = { giftCardsSold: { as: 'exclude' } } as const;
    expect(outcome(order, { policy: exclude })).toContain('hold gift-card-sold');
    const refunds = [refunded(20, [[taxed, '0.00', '7.50']])];
    expect(outcome(order, { policy: exclude, refunds })).toBe('emit 23.00');
    expect(outcome(order, { refunds })).toContain('«Tarjeta de regalo» por 50.00, que es un anticipo');
  });
});

describe('a discount on everything', () => {
  const exclude = { giftCardsSold: { as: 'exclude' } } as const;
  /** WooCommerce spreads it by net, and taxes each share as what it is taken off. */
  const discount = (net: string, tax = '0.00') => ({
    ...fee('Descuento por transferencia', net),
    ...{ tax_status: 'taxable', total_tax: tax, taxes: [{ id: 16, total: tax }] },
  });

  test.each([{}, exclude])('leaves a card alone what it is: %o', (policy) => {
    const order = sold({ lines: [card('25.00', null)], fees: [fee('Descuento por transferencia', '-1.25')] });
    expect(outcome(order, { policy })).toContain('nothing only-gift-cards');
    const fees = [fee('Descuento por transferencia', '-26.00')];
    expect(outcome(sold({ lines: [card('25.00', null)], fees }), { policy })).toMatch(/^hold/);
  });

  test.each([
    ['taxed goods', shirt(), discount('-2.25', '-0.15'), 'emit 21.85', 'emit 45.60'],
    ['untaxed goods', shirt('30.00', 0), fee('Descuento', '-2.75'), 'emit 28.50', 'emit 52.25'],
  ])('is taken off the card, too: %s', (_what, goods, taken, left, whole) => {
    const order = sold({ lines: [goods, card('25.00', null)], fees: [taken] });
    expect(outcome(order, { policy: exclude })).toBe(left);
    expect(outcome(order, { policy: { giftCardsSold: { as: 'line' } } })).toBe(whole);
  });

  test('is said with the taxes of all that was sold where it is none', () => {
    const order = sold({ lines: [shirt(), card('25.00', null)], fees: [discount('-2.25', '-0.22')] });
    expect(outcome(order, { policy: exclude })).toContain('repartido entre todo lo vendido serían 0.15');
  });

  describe('after the factura', () => {
    const [goods, gift, taken] = [shirt(), card('25.00', null), discount('-2.25', '-0.15')];
    const order = sold({ lines: [goods, gift], fees: [taken] });
    const seller = { ...store, policy: policyOf(exclude) };
    const documents = [authorized(read(order), {}, seller)];
    const cardBack = [gift, '25.00', '0.00'] as const;
    const later = (...rows: Parameters<typeof refunded>[1]) =>
      planned(order, { policy: exclude, documents, refunds: rows.length ? [refunded(20, rows)] : [] })
        .slice(1)
        .map(({ action, code, document }) => [action, code, document].filter(Boolean).join(' '));

    test('the order is what it was', () => {
      expect(later()).toEqual([]);
    });

    test('the card is worth what was paid for it', () => {
      expect(later(cardBack, [taken, '-1.25', '0.00'])).toEqual(['nothing outside-factura']);
      expect(later(cardBack, [goods, '20.00', '3.00'], [taken, '-2.25', '-0.15'])).toEqual([
        'emit refunded 21.85',
      ]);
    });
  });
});

test('a taxed product by the name of a card is invoiced as the product it may be, with a warning', () => {
  const warned = (name: string, policy = {}) =>
    planned(sold({ lines: [item(name, '50.00', 15)] }), { policy })[0]?.trace.mapping?.warnings ?? [];
  expect(warned('Bono de regalo')).toEqual([
    '«Bono de regalo» se factura como un producto. Si es una tarjeta de regalo, es un anticipo, y lo que se compre con ella se factura otra vez: quite el impuesto de ese producto en la tienda y escriba en policy.tax.rules { when: { name: "Bono de regalo" }, then: { kind: gift-card } }.',
  ]);
  expect(warned('Caja de regalo')).toEqual([]);
  expect(warned('Bono de regalo', ruled({ name: 'Bono*' }, { kind: 'product' }))).toEqual([]);
});

test.each<[string, Metas, string]>([
  ['is taken off before tax', { 'Original Price': '50', 'Selected Template': '12' }, 'discount'],
  ['may be taken off before or after tax', { sc_called_credit: 50 }, 'unknown'],
])('a card that %s is read as such, and held', (_how, metas, spentAs) => {
  const order = sold({ lines: [card('50.00', null, metas)] });
  expect(read(order).lines).toMatchObject([{ kind: 'gift-card', spentAs }]);
  expect(outcome(order)).toMatch(/^hold gift-card-sold/);
});

describe('a refund', () => {
  const exclude = { giftCardsSold: { as: 'exclude' } } as const;

  test('of the card alone credits nothing, and the rest is invoiced', () => {
    const [goods, gift] = [shirt(), card('50.00', null)];
    const order = sold({ lines: [goods, gift] });
    const refunds = [refunded(20, [[gift, '50.00', '0.00']])];
    expect(outcome(order, { policy: exclude, refunds })).toBe('emit 23.00');
    expect(outcome(order, { refunds })).toBe('emit 23.00');
  });

  test('of a card bought alone needs no document', () => {
    const gift = card('50.00', null);
    const actions = planned(sold({ lines: [gift] }), { refunds: [refunded(20, [[gift, '50.00', '0.00']])] });
    expect(actions.map(({ action }) => action)).toEqual(['nothing', 'nothing']);
  });
});

describe('a card sold and spent', () => {
  const spending = (amount: string, ...lines: ReturnType<typeof item>[]) =>
    sold({ lines, spent: amount, more: { pw_gift_card_lines: [{ amount }] } });

  test('property: what is received is invoiced once, and a card when it is spent', () => {
    const cents = (least: number, most: number) =>
      fc.integer({ min: least, max: most }).map((many) => toAmount(decimal(many).div(100)));
    fc.assert(
      fc.property(
        cents(100, 30_000),
        cents(100, 20_000),
        fc.double({ min: 0.01, max: 1, noNaN: true }),
        fc.constantFrom(...cards),
        fc.constantFrom<Rate>(15, 0),
        (price, worth, share, [, metas], rate) => {
          const goods = item('Camiseta', price, rate);
          const whole = decimal(goods.total).plus(goods.total_tax);
          const used = toAmount(decimal(worth).times(share).gt(whole) ? whole : decimal(worth).times(share));
          fc.pre(decimal(used).gt(0));
          const bought = sold({ lines: [card(worth, null, metas)] });
          const spent = spending(used, goods);
          const documents = [bought, spent].map((order) => planned(order)[0]?.document ?? '0');
          const received = sum([bought.total, spent.total]);
          const stillOpen = decimal(worth).minus(used);
          expect(toAmount(sum([...documents, stillOpen]))).toBe(toAmount(received));
        },
      ),
      { seed, numRuns: draws(100, 5_000) },
    );
  });
});
