import { describe, expect, it } from 'vitest';
import type { Order, Refund } from '../../../src/domain/order.ts';
import { authorized, credited } from '../../support/authorized.ts';
import { line, order, shipping } from '../../support/orders.ts';
import {
  creditBody,
  facturaAction,
  facturaBody,
  part,
  refund,
  refundActions,
  rows,
  storeWith,
} from './shapes.ts';

/** A shirt of 100.00 + 15.00 and a book of 100.00 at 0 %. */
const sold = order({
  lines: [
    line({ price: '100.00' }),
    line({ id: '2', name: 'Libro', sku: 'LIB', price: '100.00', rate: '0' }),
  ],
});
const book = (id: string, amount: string, more: Partial<Refund> = {}) =>
  refund(amount, [part('line:2', amount, '0.00', '0')], { id, ...more });
const said = (refunds: Refund[], of: Order = sold) =>
  refundActions({ ...of, refunds }, [authorized(of)]).map(({ action, code }) => [action, code]);
const held = ['hold', 'refund-contradiction'];
const emitted = ['emit', 'refunded'];

describe('lines that are worth more than what was sold', () => {
  it('hold the refund that goes beyond: what it takes would be of another rate', () => {
    const refunds = [book('1', '80.00'), book('2', '100.00')];
    const [first, second] = refundActions({ ...sold, refunds }, [authorized(sold)]);
    expect(rows(creditBody(first))).toEqual([['0', 80, 0]]);
    expect(second).toMatchObject({ action: 'hold', code: 'refund-contradiction', charged: '100.00' });
    expect(second?.reason).toBe(
      'El reembolso 2 devolvió 100.00 por «Libro», de lo que quedan 20.00 por devolver: lo demás se acreditaría a líneas de otra tarifa de IVA. Corrija en la tienda las líneas de los reembolsos de este pedido, o emita la nota de crédito a mano.',
    );
  });

  it('hold the one that came to light last, whichever the shop made first', () => {
    const [first, second] = [book('1', '80.00'), book('2', '100.00')];
    const documents = [authorized(sold), credited(sold, second, [authorized(sold)])];
    const actions = refundActions({ ...sold, refunds: [first, second] }, documents);
    expect(actions.map(({ code }) => code)).toEqual(['refund-contradiction', 'already-authorised']);
  });

  it('count with what a factura was lowered by before it left', () => {
    const before = book('1', '80.00');
    const less = authorized({ ...sold, refunds: [before] });
    const after = { ...sold, refunds: [before, book('2', '100.00')] };
    expect(refundActions(after, [less]).map(({ code }) => code)).toEqual(['netted', 'refund-contradiction']);
    const whole = authorized({ ...sold, refunds: [book('1', '100.00')] });
    const again = refundActions({ ...sold, refunds: [book('1', '100.00'), book('2', '50.00')] }, [whole]);
    expect(again.map(({ code }) => code)).toEqual(['netted', 'refund-contradiction']);
    expect(again[1]?.reason).toMatch(/«Libro», de lo que quedan 0\.00/);
  });

  it('count with a nota de crédito whose refund the shop deleted', () => {
    const done = credited(sold, book('1', '80.00'), [authorized(sold)]);
    const anew = refundActions({ ...sold, refunds: [book('2', '100.00')] }, [authorized(sold), done]);
    expect(anew.map(({ code }) => code)).toEqual(['refund-contradiction', 'refund-deleted']);
  });

  it('that were added after the factura are none of its own', () => {
    const grown = order({
      lines: [...sold.lines, line({ id: '3', name: 'Revista', price: '50.00', rate: '0' })],
    });
    const magazine = refund('50.00', [part('line:3', '50.00', '0.00')], { id: '1' });
    const paid = refundActions({ ...grown, refunds: [book('2', '100.00'), magazine] }, [authorized(sold)]);
    expect(paid.map(({ code }) => code)).toEqual(['refund-not-invoiced', 'refunded']);
  });
});

describe('no contradiction is', () => {
  it('all that is left, whatever it is said to be for', () => {
    expect(said([book('1', '80.00'), book('2', '135.00')])).toEqual([emitted, emitted]);
  });

  it('more than a line within its rate: the tax is right whichever line it was', () => {
    const two = order({
      lines: [...sold.lines, line({ id: '3', name: 'Cuento', sku: 'CUE', price: '60.00', rate: '0' })],
    });
    const [credit] = refundActions({ ...two, refunds: [book('1', '130.00')] }, [authorized(two)]);
    expect(rows(creditBody(credit))).toEqual([['0', 130, 0]]);
    expect(said([book('1', '130.00'), book('2', '31.00')], two)).toEqual([emitted, held]);
    const taxed = order({ lines: [line({ price: '100.00' })], charges: [shipping('20.00')] });
    expect(said([refund('130.00', [part('line:1', '113.04', '16.96')])], taxed)).toEqual([emitted]);
  });

  it('money without lines that was spread over the line before: it was for the others', () => {
    const refunds = [
      refund('107.50', [], { id: '1' }),
      refund('100.00', [part('line:2', '100.00', '0.00')], { id: '2' }),
    ];
    const [first, second] = refundActions({ ...sold, refunds }, [authorized(sold)]);
    expect(rows(creditBody(first))).toEqual([
      ['0', 50, 0],
      ['4', 50, 7.5],
    ]);
    expect(rows(creditBody(second))).toEqual([
      ['0', 50, 0],
      ['4', 43.48, 6.52],
    ]);
    const less = authorized({ ...sold, refunds: refunds.slice(0, 1) }, {}, storeWith());
    expect(refundActions({ ...sold, refunds }, [less])[1]).toMatchObject({ action: 'emit' });
    const rest = facturaAction({ ...sold, refunds });
    expect(rows(facturaBody(rest))).toEqual([['4', 6.52, 0.98]]);
  });

  it('goodwill that was spread over the line before', () => {
    const goodwill = refund('90.00', [part('line:1', '50.00', '7.50')], { id: '1', discrepancy: '32.50' });
    expect(said([goodwill, book('2', '100.00')])).toEqual([emitted, emitted]);
  });

  it('a fee that was kept: the lines count for the money that went back', () => {
    const kept = book('1', '100.00', { amount: '60.00', discrepancy: '-40.00' });
    expect(said([kept, book('2', '40.00')])).toEqual([emitted, emitted]);
    expect(said([kept, book('2', '50.00')])).toEqual([emitted, held]);
  });
});
