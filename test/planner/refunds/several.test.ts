import { describe, expect, it } from 'vitest';
import type { Refund } from '../../../src/domain/order.ts';
import { inOrder } from '../../../src/planner/refund-records.ts';
import { authorized, credited } from '../../support/authorized.ts';
import { line, order } from '../../support/orders.ts';
import { creditBody, lines, part, refund, refundActions, rows, sale, shirt } from './shapes.ts';

describe('several refunds of a factura', () => {
  it('never take a line twice, and the last takes the remaining cents', () => {
    const refunds = [
      refund('11.50', [shirt], { id: '1' }),
      refund('11.51', [part('line:1', '10.01', '1.50')], { id: '2' }),
      refund('24.49', [], { id: '3' }),
    ];
    const actions = refundActions({ ...sale, refunds }, [authorized(sale)]);
    expect(actions.map(({ action, difference }) => [action, difference])).toEqual(
      refunds.map(() => ['emit', '0.00']),
    );
    const iva = actions.flatMap((action) => rows(creditBody(action))).filter(([code]) => code === '4');
    expect(iva.reduce((all, [, base]) => all + base, 0).toFixed(2)).toBe('34.35');
    expect(iva.reduce((all, [, , valor]) => all + valor, 0).toFixed(2)).toBe('5.15');
  });

  it('see what those before them left', () => {
    const first = refund('11.50', [shirt], { id: '1' });
    const done = credited(sale, first, [authorized(sale)]);
    const second = refund('36.00', [], { id: '2' });
    const actions = refundActions({ ...sale, refunds: [second, first] }, [authorized(sale), done]);
    expect(actions.map(({ action, code }) => [action, code])).toEqual([
      ['nothing', 'already-authorised'],
      ['emit', 'refunded'],
    ]);
    expect(lines(creditBody(actions[1]))).toEqual([
      ['CAM-001', 2, 10, 0, 20],
      ['LIB', 1, 8, 0, 8],
      ['ENVIO', 1, 4.35, 0, 4.35],
    ]);
  });

  it('are each planned beside the others, also while one of them leaves', () => {
    const [small, large] = [refund('8.00', [], { id: '1' }), refund('39.50', [], { id: '2' })];
    // What is read of it is torn: its state from before it left, its content from after.
    const leaving = { ...credited(sale, small, [authorized(sale)]), state: 'ready' as const };
    const actions = refundActions({ ...sale, refunds: [small, large] }, [authorized(sale), leaving]);
    expect(actions.map(({ action, document }) => [action, document])).toEqual([
      ['emit', '8.00'],
      ['emit', '39.50'],
    ]);
  });

  it('are taken in the same order whoever tells them, and whatever the source leaves out', () => {
    const at = (hour: number) => `2026-11-19T0${hour}:00:00Z`;
    const timed = [refund('1.00', [], { id: '30', at: at(1) }), refund('1.00', [], { id: '9', at: at(2) })];
    const ids = (refunds: readonly Refund[]) => inOrder(refunds).map(({ id }) => id);
    expect(ids(timed)).toEqual(['30', '9']);
    // One without its time: a mixture of two orders would be none.
    const mixed = [...timed, refund('1.00', [], { id: '10' })];
    for (const some of [mixed, mixed.toReversed(), [mixed[2], mixed[0], mixed[1]]]) {
      expect(ids(some as Refund[])).toEqual(['9', '10', '30']);
    }
  });
});

describe('the nota de crédito of a refund', () => {
  const one = refund('11.50', [shirt], { id: '1' });
  const done = credited(sale, one, [authorized(sale)]);

  it('that may still be authorised counts against what is left', () => {
    const lost = { ...done, state: 'uncertain' as const };
    const rest = refund('47.50', [], { id: '2' });
    const [, second] = refundActions({ ...sale, refunds: [one, rest] }, [authorized(sale), lost]);
    expect(second).toMatchObject({ action: 'manual', code: 'over-credit', charged: '47.50' });
    expect(second?.reason).toContain('solo queda 36.00 por acreditar');
  });
});

describe('a thing whose money went back while its units stayed', () => {
  const shirts = order({ lines: [line({ price: '20.00' }), line({ id: '2', sku: 'TAZ', price: '5.00' })] });
  const free = refund('23.00', [part('line:1', '20.00', '3.00', '0')], { id: '1' });

  it('is no line of 0.00 in the rest that goes back later', () => {
    const refunds = [free, refund('5.75', [], { id: '2' })];
    const [, rest] = refundActions({ ...shirts, refunds }, [authorized(shirts)]);
    expect(lines(creditBody(rest))).toEqual([['TAZ', 1, 5, 0, 5]]);
    expect(rest).toMatchObject({ action: 'emit', document: '5.75', difference: '0.00' });
  });
});
