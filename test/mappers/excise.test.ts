import { describe, expect, it } from 'vitest';
import { line, order } from '../support/orders.ts';
import { bodyOf, heldOf, type Written } from './mapping.ts';

/* biome-ignore-start lint/suspicious/noThenProperty: the word of the config; it is no function. */
const byTitle: Written = {
  tax: { rules: [{ when: { title: 'ICE*' }, then: { ice: { codigo: 3101, tarifa: 75 } } }] },
};
const bottles: Written = { tax: { rules: [{ when: { sku: 'AGUA-*' }, then: { irbpnr: true } }] } };

const tax = (title: string, rate: string, amount: string) => ({ title, rate, amount, rateId: null });

describe('ICE', () => {
  // 75 % of 100.00, and 15 % of the 175.00 that makes.
  const stated = line({
    price: '100.00',
    tax: '101.25',
    taxes: [tax('ICE', '75', '75.00'), tax('IVA', '15', '26.25')],
  });

  it('that is not what its rate makes of the price is held with both figures', () => {
    const odd = { ...stated, taxes: [tax('ICE', '75', '70.00'), tax('IVA', '15', '25.50')], tax: '95.50' };
    expect(heldOf(order({ lines: [odd] }), byTitle)).toMatch(/70\.00 de ICE.*al 75 % serían 75\.00/);
  });

  it('on what cost nothing is held', () => {
    const odd = line({
      price: '0.00',
      tax: '0.01',
      taxes: [tax('ICE', '75', '0.01'), tax('IVA', '15', '0.00')],
    });
    expect(heldOf(order({ lines: [stated, odd] }), byTitle)).toMatch(/0\.01 de ICE.*serían 0\.00/);
  });

  it.each([
    ['the price contains', line({ sku: 'FUNDA', quantity: '3', price: '0.05' })],
    [
      'the shop states',
      line({
        sku: 'FUNDA',
        quantity: '3',
        price: '0.05',
        tax: '0.37',
        taxes: [tax('ICE fundas', '200', '0.30'), tax('IVA', '15', '0.07')],
      }),
    ],
  ])('by the unit, which %s, is held with its sum: no line of the service states it', (_, bag) => {
    const ice = { codigo: 3680, porUnidad: '0.10' };
    const rules: Written = {
      tax: {
        rules: [
          bag.taxes.length > 1
            ? { when: { title: 'ICE*' }, then: { ice } }
            : { when: { sku: 'FUNDA' }, then: { ice } },
        ],
      },
    };
    expect(heldOf(order({ lines: [bag] }), rules)).toMatch(
      /^ice: .*ICE 3680 de 0\.10 por unidad \(0\.30 por 3\).*a mano/,
    );
  });
});

describe('IRBPNR', () => {
  it('is two cents a bottle out of what was paid, and no part of the base of IVA', () => {
    const sale = order({ lines: [line({ sku: 'AGUA-1', quantity: '12', price: '1.00' })] });
    const body = bodyOf(sale, bottles);
    expect(body.items[0]).toMatchObject({
      cantidad: 12,
      tipo_irbpnr: 5001,
      precio_total_sin_impuesto: 11.79,
    });
    expect(body.totales).toEqual([
      { codigo: '2', codigo_porcentaje: '4', base_imponible: 11.79, tarifa: 15, valor: 1.77 },
      { codigo: '5', codigo_porcentaje: '5001', base_imponible: 12, tarifa: 0.02, valor: 0.24 },
    ]);
    expect(body.trace.money).toMatchObject({ charged: '13.80', difference: '0.00' });
  });
});
/* biome-ignore-end lint/suspicious/noThenProperty: the end of it. */
