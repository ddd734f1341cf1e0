import { describe, expect, it } from 'vitest';
import { withRecordsCombined } from '../../../src/planner/refund-records.ts';
import { authorized } from '../../support/authorized.ts';
import { line, order } from '../../support/orders.ts';
import { asked, day, linesOnly, moneyOnly, said, sale, shirt, wholeShirt } from './record-shapes.ts';
import { creditBody, part, refund, rows } from './shapes.ts';

/** As much as a shirt, of both rates. */
const half = [part('line:1', '57.50', '0.00'), part('line:2', '50.00', '7.50', '0')];

describe('several records of one sum', () => {
  it('of other rates: the one that is clearly nearer in time', () => {
    const all = [
      linesOnly('1', half, day(11)),
      linesOnly('2', [shirt]),
      moneyOnly('3', '115.00', day(21, 12)),
    ];
    expect(said(all)[2]).toEqual(['3', 'emit', 'refunded']);
    expect(rows(creditBody(asked(all)[2]))).toEqual([['4', 100, 15]]);
  });

  it('of other rates at one time: nobody knows which, until there is money for both', () => {
    const all = [linesOnly('1', half), linesOnly('2', [shirt]), moneyOnly('3', '115.00', day(21, 12))];
    expect(said(all)[2]).toEqual(['3', 'hold', 'refund-without-lines']);
    const both = said([...all, moneyOnly('4', '115.00', day(21, 13))]);
    expect(both.map(([, action]) => action)).toEqual(['nothing', 'nothing', 'emit', 'emit']);
  });

  it('a month apart they belong to nothing', () => {
    const all = [linesOnly('1', [shirt], '2026-09-01T10:00:00.000Z'), moneyOnly('2', '115.00')];
    expect(said(all)[1]).toEqual(['2', 'hold', 'refund-without-lines']);
  });

  it('lines that went back with other money, or were never sold, explain nothing', () => {
    const paid = refund('230.00', [part('line:2', '200.00', '30.00', '2')], { id: '1', at: day(20) });
    for (const parts of [[shirt], [part('line:9', '100.00', '15.00')], [part(null, '100.00', '15.00')]]) {
      const refunds = [paid, linesOnly('2', parts), moneyOnly('3', '115.00')];
      expect(withRecordsCombined({ ...sale, refunds }, []).refunds).toEqual(refunds);
    }
    expect(said([linesOnly('2', [part('line:9', '100.00', '15.00')]), moneyOnly('3', '115.00')])[1]).toEqual([
      '3',
      'hold',
      'refund-without-lines',
    ]);
  });
});

describe('an amount without lines', () => {
  it('that may be for either of two records is held with their numbers and sums', () => {
    const all = [linesOnly('1', half), linesOnly('2', [shirt]), moneyOnly('3', '115.00', day(21, 12))];
    const named =
      '100.00 + 15.00. Los reembolsos 1 (115.00) y 2 (115.00) registran líneas de esa suma sin dinero, de tarifas distintas, y no se sabe cuál de ellos pagó. ';
    expect(asked(all)[2]?.reason).toContain(
      `${named}Elimine en la tienda los que no correspondan; o emita el documento a mano.`,
    );
    expect(asked(all, undefined, { ...sale, platform: 'shopify' })[2]?.reason).toContain(
      `${named}Registre en la tienda también el dinero de los otros, cuando vuelva; o emita el documento a mano.`,
    );
  });

  it('over one rate, or of all that is left, needs nobody', () => {
    const shirts = order({ lines: [line({ quantity: '2', price: '100.00' })] });
    const [credit] = asked([moneyOnly('2', '115.00')], [authorized(shirts)], shirts);
    expect(rows(creditBody(credit))).toEqual([['4', 100, 15]]);
    expect(said([moneyOnly('2', '330.00')])).toEqual([['2', 'emit', 'refunded']]);
  });

  it('beside units says where it belongs where they are worth it, else it is held', () => {
    const units = (amount: string) => [refund(amount, [part('line:2', '0.00', '0.00')], { id: '1' })];
    expect(rows(creditBody(asked(units('57.50'))[0]))).toEqual([['4', 50, 7.5]]);
    expect(said(units('150.00'))).toEqual([['1', 'hold', 'refund-without-lines']]);
  });
});

describe('before the factura', () => {
  it('what was taken off it stays so: later money does not get the same lines', () => {
    const two = [linesOnly('1', [shirt]), moneyOnly('2', '115.00')];
    const less = authorized({ ...sale, refunds: two });
    expect(less.sent?.nettedRefunds).toEqual(['2', '1']);
    expect(said([...two, moneyOnly('3', '115.00', day(22))], [less])).toEqual([
      ['1', 'nothing', 'netted'],
      ['2', 'nothing', 'netted'],
      ['3', 'hold', 'refund-without-lines'],
    ]);
  });
});

it('of very many records, pairs are still found', () => {
  const many = Array.from({ length: 14 }, (_, at) =>
    moneyOnly(String(at + 1), `0.0${1 + (at % 3)}`, day(20)),
  );
  const all = [...many, linesOnly('20', [shirt]), moneyOnly('21', '115.00', day(22))];
  expect(said(all).slice(-2)).toEqual([
    ['20', ...wholeShirt],
    ['21', 'emit', 'refunded'],
  ]);
});
