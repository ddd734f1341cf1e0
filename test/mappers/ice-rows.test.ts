import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toFactura } from '../../mappers/index.ts';
import type { Line } from '../../src/domain/order.ts';
import { line, order } from '../support/orders.ts';
import { asXml } from './as-xml.ts';
import { bodyOf, heldOf, type Written } from './mapping.ts';
import { contextOf, decreed, decreedDate, rateRules } from './policy.ts';

/** ICE contained in the price, by SKU: code (ficha técnica SRI, tabla 18) and rate. */
const containing = (codes: Record<string, [number, number]>): Written => ({
  tax: {
    rules: [
      ...rateRules,
      ...Object.entries(codes).map(([sku, [codigo, tarifa]]) => ({
        when: { sku },
        // biome-ignore lint/suspicious/noThenProperty: the word of the config; it is no function.
        then: { ice: { codigo, tarifa, nombre: 'De la tabla 18' } },
      })),
    ],
  },
});
const drinks = containing({ BEBIDA: [3101, 75] });

/** A line the buyer paid `price` for, ICE inside, IVA of `rate` on top; or of a class that bears none. */
const sold = (sku: string, price: string, rate: string): Line => {
  const bears = Number(rate) >= 0;
  return { ...line({ sku, price, rate: bears ? rate : null }), taxClass: bears ? '' : rate };
};
const sale = (...lines: Line[]) => order({ lines: lines.map((one, at) => ({ ...one, id: String(at) })) });

/** What the sandbox, which computes every row anew from the lines, finds off. */
const complaints = (...[of, policy]: Parameters<typeof bodyOf>) => {
  const { trace: _, ...body } = bodyOf(of, policy, decreed);
  return asXml(body, 'factura', decreedDate).complaints;
};

describe('ICE of one code under several IVA codes', () => {
  it('moves no cent of one group for another’s when the row is within a cent as it is', () => {
    const { items, totales } = bodyOf(
      sale(sold('BEBIDA', '17.56', '15'), sold('BEBIDA', '17.56', '5'), sold('BEBIDA', '35.01', 'exento')),
      drinks,
      decreed,
    );
    expect(items.map((item) => item.precio_total_sin_impuesto)).toEqual([10.03, 10.03, 20.01]);
    // 75 % of 40.07 is 30.0525; 7.53 + 7.53 + 15.00 were paid.
    expect(totales.at(-1)).toMatchObject({ base_imponible: 40.07, valor: 30.06 });
  });

  it('takes the cents a row is over from as many groups, a single one from each', () => {
    const { totales } = bodyOf(
      sale(...['15', '5', '8', '0', 'exento', 'no-objeto'].map((rate) => sold('BEBIDA', '17.56', rate))),
      drinks,
      decreed,
    );
    // 7.53 of ICE on 10.03 six times is 4.5 cents over the 75 % of 60.18; three bases take a cent each.
    expect(totales.at(-1)).toMatchObject({ base_imponible: 60.21, valor: 45.15 });
    expect(totales.slice(0, -1).map((row) => row.base_imponible)).toEqual(Array(6).fill(17.56));
  });

  it.each([
    ['prices with the tax inside', '17779.36', '33912.35', '3980.47'],
    ['prices with the tax outside', '313.52', '7737.93', '20153466.00'],
    ['six equal groups', '17.56', '17.56', '17.56', '17.56', '17.56', '17.56'],
  ])('leaves every base within what an authority computes: %s', (_, ...prices) => {
    const rates = ['15', '8', 'exento', '5', '0', 'no-objeto'];
    const lines = prices.map((price, at) => sold('BEBIDA', price, rates[at] ?? '15'));
    expect(complaints(sale(...lines), drinks)).toEqual([]);
  });
});

describe('ICE of several codes under one IVA code', () => {
  const stoves = containing({ FOCO: [3640, 100], COCINA: [3670, 100], CALEFON: [3671, 100] });

  it('is not off the same way in all of them', () => {
    const lines = ['FOCO', 'COCINA', 'CALEFON'].map((sku) => sold(sku, '250.01', '15'));
    expect(complaints(sale(...lines), stoves)).toEqual([]);
  });
});

it('ICE of any codes under any IVA codes makes rows an authority computes alike, or is held', () => {
  const rates: [number, number][] = [
    [3101, 75],
    [3610, 20],
    [3620, 35],
    [3640, 100],
    [3023, 150],
    [3630, 300],
  ];
  const policy = containing(Object.fromEntries(rates.map((rate) => [`ICE-${rate[0]}`, rate])));
  const context = contextOf(policy, decreed);
  const sku = fc.constantFrom('CAM-1', ...rates.map(([code]) => `ICE-${code}`));
  const cents = fc.oneof(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 1, max: 9_999_999 }));
  const iva = fc.constantFrom('15', '5', '8', '0', 'exento', 'no-objeto');
  const lines = fc.array(
    fc.tuple(sku, cents, iva).map(([code, price, rate]) => sold(code, (price / 100).toFixed(2), rate)),
    { minLength: 1, maxLength: 12 },
  );
  let emitted = 0;
  fc.assert(
    fc.property(lines, (some) => {
      const mapped = toFactura(sale(...some), context);
      if (mapped.ok) {
        emitted += 1;
        expect(asXml(mapped.body, 'factura', decreedDate).complaints).toEqual([]);
      } else expect(mapped.code).toBe('ice');
    }),
    { numRuns: 600 },
  );
  expect(emitted).toBeGreaterThan(500);
});

describe('ICE that no cents can declare is held', () => {
  it('where its rate is three times the price and every group is a cent over', () => {
    const armas = containing({ ARMA: [3630, 300] });
    const three = sale(...['15', '5', 'exento'].map((rate) => sold('ARMA', '40.01', rate)));
    expect(heldOf(three, armas)).toMatch(/^ice: .*3630.*0\.03/);
    expect(heldOf(sale(sold('ARMA', '40.01', '15')), armas)).toBe('emitted');
  });

  it('where rules give one code two rates', () => {
    const torn = containing({ RON: [3101, 75], VINO: [3101, 20] });
    expect(heldOf(sale(sold('RON', '17.50', '15'), sold('VINO', '12.00', '15')), torn)).toMatch(
      /^tax-contradiction: .*3101 al 75 % y al 20 %/,
    );
    expect(heldOf(sale(sold('VINO', '12.00', '15')), torn)).toBe('emitted');
  });
});
