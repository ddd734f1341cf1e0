import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type FacturaContext, toFactura } from '../../mappers/index.ts';
import { order } from '../support/orders.ts';
import { runs } from './order-properties.ts';
import { contextOf } from './policy.ts';

/* Orders no shop would make, of every amount an adapter's schema lets through. */

const amount = fc.oneof(
  fc.constantFrom(
    '0',
    '0.00',
    '-0',
    '0.01',
    '-0.01',
    '0.005',
    '10.00',
    '-3',
    '1e3'.replace('e', ''),
    '9'.repeat(60),
  ),
  fc
    .tuple(fc.integer({ min: -999_999, max: 999_999 }), fc.integer({ min: 0, max: 8 }))
    .map(([units, places]) => {
      const digits = String(Math.abs(units)).padStart(places + 1, '0');
      const at = digits.length - places;
      return `${units < 0 ? '-' : ''}${digits.slice(0, at)}${places > 0 ? `.${digits.slice(at)}` : ''}`;
    }),
);
const quantity = fc.constantFrom('1', '2', '0.5', '0.00000001', '1000000000', '3', '7', '12.3456789');
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom('RUC Proveedor', 'ICE', ''),
);
const tax = fc.record({
  title: text,
  rate: fc.option(fc.constantFrom('15', '15.0000', '0', '5', '8', '12', '99999', '0.0001')),
  amount,
  rateId: fc.option(fc.constantFrom('1', '2')),
  country: fc.constantFrom('EC', 'PE', ''),
});
const taxed = {
  id: fc.constantFrom('', '1', '2'),
  name: text,
  subtotal: amount,
  net: amount,
  tax: amount,
  taxes: fc.array(tax, { maxLength: 3 }),
  taxClass: fc.option(fc.constantFrom('', 'exento', 'iva-0')),
  taxable: fc.option(fc.boolean()),
};
const line = fc.record({
  ...taxed,
  kind: fc.constantFrom('product', 'product', 'gift-card', 'tip' as const),
  sku: fc.option(text),
  quantity,
  service: fc.option(fc.boolean()),
  attributes: fc.array(fc.record({ name: text, value: text }), { maxLength: 5 }),
  productId: fc.option(text),
  tags: fc.array(text, { maxLength: 2 }),
  collections: fc.array(text, { maxLength: 2 }),
});
const charge = fc.record({
  ...taxed,
  kind: fc.constantFrom('shipping', 'fee', 'fee', 'tip', 'duty' as const),
});
const country = fc.oneof(fc.constantFrom('EC', 'ec', 'CA', 'ZZ', 'Kanada'), text);
const hostile = fc.record({
  lines: fc.array(line, { maxLength: 4 }),
  charges: fc.array(charge, { maxLength: 3 }),
  total: amount,
  name: text,
  note: fc.option(text),
  payments: fc.array(fc.record({ gateway: text, title: fc.option(text), amount: fc.option(amount) }), {
    maxLength: 3,
  }),
  attributes: fc.array(fc.record({ name: fc.constantFrom('placa', 'guia_remision', 'x'), value: text }), {
    maxLength: 2,
  }),
  delivery: fc.record({
    by: fc.constantFrom('shipping', 'in-shop', 'none' as const),
    country: fc.option(country),
  }),
  terms: fc.option(fc.record({ days: fc.integer({ min: -5, max: 1_000_000 }) })),
});

/* biome-ignore-start lint/suspicious/noThenProperty: the word of the config; it is no function. */
const policies: FacturaContext[] = [
  contextOf(),
  contextOf({
    tips: { as: 'line' },
    duties: { as: 'line', iva: 0 },
    giftCardsSold: { as: 'exclude' },
    tax: {
      untaxed: 0,
      rules: [
        { when: { title: 'ICE*' }, then: { ice: { codigo: 3101, tarifa: 75 } } },
        { when: { sku: '*' }, then: { irbpnr: true } },
        { when: { abroad: true }, then: { iva: 0 } },
        { when: { rate: 8 }, then: { iva: 8 } },
        { when: { kind: 'fee' }, then: { ice: { codigo: 3092, tarifa: 15 }, unidad: 3 } },
      ],
    },
    additionalInfo: [{ name: 'Nota', value: '{note} {attribute.x}' }],
  }),
];
/* biome-ignore-end lint/suspicious/noThenProperty: the end of it. */

it('the mapper answers with a body or a reason and never throws, whatever an order says', {
  timeout: 7_200_000,
}, () => {
  fc.assert(
    fc.property(hostile, fc.constantFrom(...policies), (fields, context) => {
      const mapped = toFactura(order(fields), context);
      if (mapped.ok) expect([mapped.trace.money.difference, mapped.total]).toEqual(['0.00', mapped.charged]);
      else expect(mapped.reason.length).toBeGreaterThan(30);
    }),
    { numRuns: Math.ceil(runs / 2) },
  );
});
