import { describe, expect, it } from 'vitest';
import {
  asked,
  book,
  day,
  factura,
  linesOnly,
  moneyOnly,
  said,
  sent,
  shirt,
  wholeShirt,
} from './record-shapes.ts';
import { creditBody, part, refund, rows } from './shapes.ts';

describe('lines in one record and their money in another', () => {
  it.each([
    ['the lines first', '1', '2'],
    ['the money first', '2', '1'],
  ])('are one refund: %s', (_what, lines, money) => {
    const actions = asked([linesOnly(lines, [shirt]), moneyOnly(money, '115.00')]);
    const credit = actions.find(({ identity }) => identity.sourceId === money);
    expect(rows(creditBody(credit))).toEqual([['4', 100, 15]]);
    expect(credit?.trace.credit?.items).toMatchObject([{ source: 'line:2', units: '1', base: '100.00' }]);
    expect(credit?.trace.credit?.notes).toEqual([
      `las líneas las registró el reembolso ${lines}, que no devolvió dinero`,
    ]);
    const other = actions.find(({ identity }) => identity.sourceId === lines);
    expect([other?.action, other?.code]).toEqual(wholeShirt);
    expect(other?.reason).toContain(`en el reembolso ${money}`);
  });

  it('are lines in two records and money in one', () => {
    const both = [
      linesOnly('1', [shirt]),
      linesOnly('2', [book], day(22), '-100.00'),
      moneyOnly('3', '215.00', day(23)),
    ];
    const credit = asked(both)[2];
    expect(rows(creditBody(credit))).toEqual([
      ['0', 100, 0],
      ['4', 100, 15],
    ]);
    expect(said(both).slice(0, 2)).toEqual([
      ['1', ...wholeShirt],
      ['2', ...wholeShirt],
    ]);
  });

  it('are the rest of lines of which a part was paid back with them', () => {
    const part = refund('50.00', [shirt], { id: '1', at: day(21), discrepancy: '-65.00' });
    const actions = asked([part, moneyOnly('2', '65.00', day(22))]);
    expect(actions.map((credit) => rows(creditBody(credit)))).toEqual([
      [['4', 43.48, 6.52]],
      [['4', 56.52, 8.48]],
    ]);
  });
});

describe('lines and money that come to light one by one', () => {
  it('the lines alone credit nothing, and say so', () => {
    expect(said([linesOnly('1', [shirt])])).toEqual([['1', 'nothing', 'no-money']]);
  });

  it('are of one sum, give or take a cent; two cents apart nobody knows whether they are one', () => {
    for (const money of ['114.99', '115.01'])
      expect(said([linesOnly('1', [shirt]), moneyOnly('2', money)])[1]).toEqual(['2', 'emit', 'refunded']);
    for (const money of ['114.98', '115.02'])
      expect(said([linesOnly('1', [shirt]), moneyOnly('2', money)])[1]).toEqual([
        '2',
        'hold',
        'refund-without-lines',
      ]);
  });

  it('money that is on its way waits, and its lines with it', () => {
    const moving = { ...moneyOnly('2', '0.00', day(22)), pending: '115.00' };
    expect(said([linesOnly('1', [shirt]), moving])).toEqual([
      ['1', ...wholeShirt],
      ['2', 'wait', 'refund-pending'],
    ]);
  });

  it('what comes later changes nothing before it, also the same lines once more', () => {
    const two = [linesOnly('1', [{ ...shirt, quantity: '2' }]), moneyOnly('2', '115.00', day(22))];
    const again = refund('57.50', [part('line:2', '50.00', '7.50')], { id: '3', at: day(23) });
    expect(said([...two, again]).slice(0, 2)).toEqual([
      ['1', ...wholeShirt],
      ['2', 'emit', 'refunded'],
    ]);
  });

  it('what was sent keeps its lines, whatever comes later', () => {
    const two = [linesOnly('1', [shirt]), moneyOnly('3', '115.00', day(23))];
    const done = sent(two, '3');
    expect(done.sent?.nettedRefunds).toEqual(['1']);
    // Nearer to the money than the lines it was sent with, and of another rate: it came to light too late.
    const more = [
      ...two,
      linesOnly('2', [part('line:1', '57.50', '0.00'), part('line:2', '50.00', '7.50', '0')], day(22, 23)),
      moneyOnly('4', '115.00', day(24)),
    ];
    expect(said(more.slice(0, 3), [factura, done])).toEqual([
      ['1', ...wholeShirt],
      ['2', 'nothing', 'no-money'],
      ['3', 'nothing', 'already-authorised'],
    ]);
    expect(said(more, [factura, done])[3]).toEqual(['4', 'emit', 'refunded']);
    // The lines of the first are not given to the second either.
    expect(said([...two, moneyOnly('4', '115.00', day(24))], [factura, done])[2]).toEqual([
      '4',
      'hold',
      'refund-without-lines',
    ]);
  });

  it('what the first of two moneys took is not offered twice', () => {
    const all = [linesOnly('1', [shirt]), moneyOnly('2', '50.00', day(22)), moneyOnly('3', '65.00', day(23))];
    const done = sent(all, '2');
    const second = asked(all, [factura, done])[2];
    expect(rows(creditBody(second))).toEqual([['4', 56.52, 8.48]]);
    const other = [...all.slice(0, 2), moneyOnly('4', '115.00', day(24))];
    expect(said(other, [factura, done])[2]).toEqual(['4', 'hold', 'refund-without-lines']);
  });
});
