import { describe, expect, test } from 'vitest';
import { readOrder } from '../../../adapters/woocommerce/order.ts';
import { readRefunds } from '../../../adapters/woocommerce/refund.ts';
import { PayloadError } from '../../../src/domain/errors.ts';
import { sum } from '../../../src/domain/money.ts';
import { type Refund, sourceOf } from '../../../src/domain/order.ts';
import { hasShared } from '../../support/shared.ts';
import { recordedCalls, recordedConnection, recordedRest } from './recordings.ts';

const total = (parts: NonNullable<Refund['parts']>) => sum(parts.flatMap(({ net, tax }) => [net, tax]));

describe.skipIf(!hasShared)('recorded refunds', () => {
  /** Every answer that lists, makes or deletes refunds of one order. */
  const answers = hasShared
    ? recordedCalls().filter(
        ({ request, status }) => /orders\/\d+\/refunds/.test(request.path) && status < 300,
      )
    : [];
  const orderOf = (path: string) => {
    const id = /\d+/.exec(path)?.[0];
    const found = recordedCalls().find(({ request }) => request.path === `orders/${id}`);
    return readOrder(found?.json, recordedConnection);
  };

  test('read one and all, and undo lines and charges of their order by the names the order gives them', () => {
    expect(answers).toHaveLength(37);
    let parts = 0;
    for (const { request, json } of answers) {
      const sold = orderOf(request.path);
      const names = [...sold.lines, ...sold.charges].map((item) => [sourceOf(item), item.name]);
      for (const one of readRefunds(json, sold)) {
        for (const part of one.parts ?? []) expect(names).toContainEqual([part.of, part.name]);
        parts += one.parts?.length ?? 0;
      }
    }
    expect(parts).toBe(17);
  });

  test.each([
    [
      'r01',
      '0117',
      [
        ['50', '14.37', '14.37'],
        ['49', '14.38', '14.38'],
      ],
    ],
    ['r02', '0123', [['52', '51.75', '51.75']]],
    [
      'r03',
      '0132',
      [
        ['55', '28.75', '0.00'],
        ['54', '5.00', '0.00'],
      ],
    ],
    ['r04', '0137', [['57', '5.00', '5.00']]],
    ['r07', '0154', [['65', '51.75', '0.00']]],
    ['r09', '0164', []],
    ['r11', '0174', [['73', '1.05', '1.05']]],
  ])('%s: what went back, and what its rows say it was for', (_scenario, number, expected) => {
    const { json, request } = recordedRest(number);
    const read = readRefunds(json, orderOf(request.path));
    expect(read.map(({ id, amount, parts }) => [id, amount, total(parts ?? []).toFixed(2)])).toEqual(
      expected,
    );
  });

  test('r02: all of an order comes back as it was sold', () => {
    const { json, request } = recordedRest('0123');
    const [read] = readRefunds(json, orderOf(request.path));
    expect(read).toMatchObject({ at: '2026-11-20T10:08:49Z', reason: 'Devolución total' });
    expect(read?.parts).toEqual([
      { of: 'line:107', name: 'Camiseta algodón «Ñandú»', quantity: '2', net: '25.00', tax: '3.75' },
      { of: 'line:108', name: 'Libro: Historia del Ecuador', quantity: '1', net: '18.00', tax: '0.00' },
      { of: 'shipping:109', name: 'Servientrega', quantity: '0', net: '4.35', tax: '0.65' },
    ]);
  });

  test('of the whole shop belong to their own orders', () => {
    const all = recordedRest('0184').json as { parent_id: number }[];
    for (const one of all) {
      const own = all.filter(({ parent_id }) => parent_id === one.parent_id);
      expect(readRefunds(own, { id: one.parent_id })).toHaveLength(own.length);
      expect(() => readRefunds(all, { id: one.parent_id })).toThrow(PayloadError);
    }
  });

  test('an order body names them, without saying what they were for', () => {
    const sold = readOrder(recordedRest('0116').json, recordedConnection);
    expect(sold.refunds).toEqual([
      {
        id: '50',
        at: null,
        reason: 'Segunda devolución',
        amount: '14.37',
        pending: '0.00',
        parts: null,
        discrepancy: '0.00',
      },
      {
        id: '49',
        at: null,
        reason: 'Talla equivocada',
        amount: '14.38',
        pending: '0.00',
        parts: null,
        discrepancy: '0.00',
      },
    ]);
  });
});
