import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineDrift, steered } from '../../mappers/cents.ts';
import { toFactura } from '../../mappers/index.ts';
import { decimal, roundCents, sum, toAmount } from '../../src/domain/money.ts';
import type { Line } from '../../src/domain/order.ts';
import { draws } from '../support/chance.ts';
import { line, order } from '../support/orders.ts';
import { comesTo, fourWays } from './four-ways.ts';
import { bodyOf } from './mapping.ts';
import { contextOf } from './policy.ts';

/* biome-ignore-start lint/suspicious/noThenProperty: the word of the config; it is no function. */
const rules = {
  tax: {
    rules: [
      { when: { sku: 'NO-OBJETO' }, then: { iva: 6 as const } },
      { when: { sku: 'EXENTO' }, then: { iva: 7 as const } },
    ],
  },
};

/* biome-ignore-end lint/suspicious/noThenProperty: the end of it. */

const sold = (id: string, net: string, rate: string | null, sku = 'CAM'): Line =>
  line({
    id,
    sku,
    subtotal: net,
    net,
    rate,
    tax: decimal(net)
      .times(rate ?? 0)
      .div(100)
      .toFixed(8),
  });
const basesOf = (body: ReturnType<typeof bodyOf>) => body.items.map((item) => item.precio_total_sin_impuesto);

describe('a cent', () => {
  it('never leaves a group without tax for one that is taxed', () => {
    // A shop with four decimals: 22.135 and 0.745 are 22.13 and 0.75 where it shows two, 38.70 with IVA of 3.32.
    const lines = [sold('1', '12.1260', '15'), sold('2', '10.0090', '15')];
    const free = [sold('3', '12.5000', null, 'NO-OBJETO'), sold('4', '0.7450', null, 'NO-OBJETO')];
    const body = bodyOf(order({ lines: [...lines, ...free], total: '38.70' }), rules);
    expect(basesOf(body).slice(2)).toEqual([12.5, 0.75]);
    expect(body.totales.map(({ base_imponible, valor }) => [base_imponible, valor])).toEqual([
      [22.13, 3.32],
      [13.25, 0],
    ]);
  });

  it('that is nobody’s goes to the line that is not in whole cents', () => {
    const lines = [sold('1', '0.7401', '0'), sold('2', '12.50', '0'), sold('3', '0.1001', '0')];
    expect(basesOf(bodyOf(order({ lines, total: '13.33' }), rules))).toEqual([0.74, 12.5, 0.09]);
    expect(basesOf(bodyOf(order({ lines, total: '13.35' }), rules))).toEqual([0.75, 12.5, 0.1]);
  });
});

describe('a shop that rounds its tax at the subtotal', () => {
  it('is believed where the charge is what the rates make of the bases, whatever its lines show', () => {
    const sweets = Array.from({ length: 40 }, (_, at) => line({ id: String(at + 1), price: '0.10' }));
    const body = bodyOf(order({ lines: sweets, total: '4.60', totalTax: '0.60' }));
    expect(body.totales).toMatchObject([{ base_imponible: 4, valor: 0.6 }]);
  });
});

/** A shop of two or four decimals, taxes rounded or not. */
const goods = fc.record({
  units: fc.integer({ min: 1, max: 2_000_000 }),
  places: fc.constantFrom(2, 4),
  kind: fc.constantFrom(['15', 'CAM'], ['0', 'CAM'], [null, 'NO-OBJETO'], [null, 'EXENTO'], ['15', 'LIB']),
});
const someGoods = fc.array(goods, { minLength: 1, maxLength: 8 }).map((some) =>
  some.map(({ units, places, kind: [rate, sku] }, at) =>
    sold(
      String(at),
      decimal(units)
        .div(places === 2 ? 100 : 10_000)
        .toFixed(places),
      rate ?? null,
      sku ?? '',
    ),
  ),
);
const codeOf = ({ sku, taxes: [tax] }: Line): number =>
  sku === 'NO-OBJETO' ? 6 : sku === 'EXENTO' ? 7 : tax?.rate === '15' ? 4 : 0;

describe('whatever is sold', () => {
  it('groups without tax stand at their own sums where anything is taxed, and their whole lines at their own cents', () => {
    fc.assert(
      fc.property(someGoods, (lines) => {
        fc.pre(lines.some((one) => codeOf(one) === 4 && decimal(one.net).gte('1')));
        const total = toAmount(sum(lines.flatMap(({ net, tax }) => [net, tax])));
        const mapped = toFactura(order({ lines, total }), contextOf(rules));
        if (!mapped.ok) return expect(mapped.code).toBe('total-mismatch');
        for (const code of [0, 6, 7]) {
          const own = lines.filter((one) => codeOf(one) === code);
          if (own.length === 0) continue;
          const row = mapped.body.totales.find((one) => one.codigo_porcentaje === String(code));
          const exact = roundCents(sum(own.map(({ net }) => net)));
          expect([row?.base_imponible, row?.valor]).toEqual([exact.toNumber(), 0]);
        }
        lines.forEach((one, at) => {
          if (codeOf(one) !== 4 && /\.\d\d$/.test(one.net))
            expect(mapped.body.items[at]?.precio_total_sin_impuesto).toBe(Number(one.net));
        });
      }),
      { numRuns: draws(600, 30_000) },
    );
  });

  it('lines keep their own cents where these already come to the charge in all four ways', () => {
    let kept = 0;
    const numRuns = draws(600, 30_000);
    fc.assert(
      fc.property(someGoods, (lines) => {
        const own = lines.map((one) => ({ ...one, net: toAmount(one.net), subtotal: toAmount(one.net) }));
        const items = own.map((one) => ({
          cantidad: 1,
          precio_unitario: Number(one.net),
          descuento: 0,
          tipo_iva: codeOf(one),
        }));
        const [charge = 0, ...others] = fourWays.map((way) => comesTo({ items }, way));
        if (others.some((other) => other !== charge) || own.some(({ net }) => net === '0.00')) return;
        kept += 1;
        const body = bodyOf(order({ lines: own, total: (charge / 100).toFixed(2) }), rules);
        expect(basesOf(body)).toEqual(own.map(({ net }) => Number(net)));
      }),
      { numRuns },
    );
    expect(kept).toBeGreaterThan(numRuns / 2);
  });

  it('no line moves by more than a cent where moves of one cent are enough', () => {
    const counted = (lines: readonly number[], percent: number) =>
      Object.entries(Object.groupBy(steered(lines, percent), (one) => one)).map(([base, some = []]) => [
        Number(base),
        some.length,
      ]);
    expect(counted(Array(40).fill(10), 15)).toEqual([
      [9, 20],
      [11, 20],
    ]);
    const sweets = [...Array(30).fill(10), 1_000];
    expect(steered(sweets, 15).every((one, at) => Math.abs(one - sweets[at]) <= 1)).toBe(true);
    expect(steered([10, 10], 15)).toEqual([11, 9]);
  });

  it('lines of a rate give each other no more than they must', () => {
    const cents = fc.array(fc.integer({ min: 1, max: 3_000 }), { minLength: 2, maxLength: 4 });
    const seen = { least: 0, more: 0 };
    fc.assert(
      fc.property(cents, fc.constantFrom(15, 12, 5), (lines, percent) => {
        const moved = steered(lines, percent);
        const least = leastMove(lines, percent);
        // Two lines of 4 and 6 cents at 5 %: only one of 10 has a cent of IVA, and no line becomes zero.
        fc.pre(least < Number.POSITIVE_INFINITY);
        const size = moved.reduce((all, one, at) => all + Math.abs(one - (lines[at] ?? 0)), 0);
        expect(lineDrift(moved, percent)).toBe(0);
        expect(size).toBeLessThanOrEqual(least + 2);
        seen[size === least ? 'least' : 'more'] += 1;
      }),
      { numRuns: draws(400, 20_000) },
    );
    expect(seen.more).toBeLessThan(seen.least / 100);
  });
});

/** By trying all: the fewest cents to move between lines until IVA by line is IVA on their sum. */
function leastMove(lines: readonly number[], percent: number): number {
  let least = Number.POSITIVE_INFINITY;
  const most = lines.length > 3 ? 5 : 12;
  const go = (moved: readonly number[], size: number, left: number): void => {
    if (size >= least || Math.abs(left) > most * (lines.length - moved.length)) return;
    if (moved.length === lines.length) {
      if (left === 0 && lineDrift(moved, percent) === 0) least = size;
      return;
    }
    const base = lines[moved.length] ?? 0;
    for (let step = -most; step <= most; step += 1)
      if (base + step > 0) go([...moved, base + step], size + Math.abs(step), left + step);
  };
  go([], 0, 0);
  return least;
}
