import { describe, expect, test } from 'vitest';
import { fee, item, outcome, sold, type Written } from './sold.ts';

/* What floats and shops with four decimals leave: less than half a cent, of either sign. */

const goods = item('Camiseta', '100.00', 15);
const at15 = (total: string) => [{ id: 16, total }];

/** A line beside goods of 115.00. */
const line = (total: string, total_tax: string, taxes: object[], more: object = {}) => ({
  lines: [goods, item('Muestra', total, null, {}, { total_tax, taxes, ...more })],
});
const charge = (name: string, total: string, total_tax: string, taxes: object[] = []) => ({
  lines: [goods],
  fees: [{ ...fee(name, total), tax_status: 'taxable', total_tax, taxes }],
});
const card = (tax: string, taxes: object[]) =>
  item('Tarjeta', '50.0000', null, { _ywgc_gift_card_code: ['X'] }, { total_tax: tax, taxes });

const zero: Written = {
  // biome-ignore lint/suspicious/noThenProperty: the word of the config; it is no function.
  tax: { rules: [{ when: { name: ['Muestra', 'Recargo'] }, then: { iva: 0 } }] },
};

describe('a rest below half a cent', () => {
  test.each<[string, Parameters<typeof sold>[0], string, Written?]>([
    ['is no tax of a free line', line('0.0000', '0.0040', []), 'emit 115.00'],
    ['is none below zero', line('0.0000', '-0.0040', []), 'emit 115.00'],
    ['is none against a rule', line('0.0000', '0.0040', at15('0.0040')), 'emit 115.00', zero],
    [
      'is no second tax',
      line('0.0000', '0.0044', [...at15('0.0040'), { id: 6, total: '0.0004' }]),
      'emit 115.00',
    ],
    [
      'is none beside a tax',
      line('10.0000', '1.5040', [...at15('1.5000'), { id: 6, total: '0.0040' }]),
      'emit 126.50',
    ],
    ['is no price', line('0.00004', '0.0000', []), 'emit 115.00'],
    ['is no negative line', line('-0.00004', '0.0000', at15('0.00'), { subtotal: '5.00' }), 'emit 115.00'],
    ['is no charge', charge('Recargo', '0.00004', '0.0000'), 'emit 115.00'],
    ['is no tax of a charge', charge('Recargo', '5.0000', '0.0040'), 'emit 120.00', zero],
    [
      'is no tax that a discount took off',
      charge('Descuento', '-5.00', '-0.7501', [...at15('-0.75'), { id: 6, total: '-0.0001' }]),
      'emit 109.25',
    ],
    [
      'is no tax of a tip',
      charge('Propina', '2.00', '0.0040'),
      'emit 117.00',
      { tips: { as: 'line', iva: 0 } },
    ],
    [
      'is no tax of a gift card',
      { lines: [goods, card('0.0040', at15('0.0040'))] },
      'emit 115.00',
      { giftCardsSold: { as: 'exclude' } },
    ],
  ])('%s', (_what, sale, expected, policy = {}) => {
    expect(outcome(sold(sale), { policy })).toBe(expected);
  });

  test('leaves an order of gift cards alone without a document', () => {
    expect(outcome(sold({ lines: [card('0.0040', [])] }))).toMatch(/^nothing only-gift-cards/);
  });
});

describe('what is no rest', () => {
  test.each<[string, Parameters<typeof sold>[0], RegExp]>([
    ['a cent of an unknown tax', line('0.0000', '0.0100', []), /^hold unmapped-tax: El impuesto/],
    ['a tax of nothing on what was paid', line('20.00', '0.0040', at15('0.0040')), /^hold tax-contradiction/],
    [
      'two taxes of a price of cents',
      line('0.02', '0.0060', [...at15('0.0030'), { id: 6, total: '0.0030' }]),
      /^hold several-taxes/,
    ],
    ['a line half a cent below zero', line('-0.0050', '0', at15('0')), /^hold negative-amount/],
    ['a gift card with a cent of tax', { lines: [card('0.01', at15('0.01'))] }, /^hold gift-card-sold/],
  ])('%s', (_what, sale, expected) => {
    expect(outcome(sold(sale))).toMatch(expected);
  });
});
