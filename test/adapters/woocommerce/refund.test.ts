import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readOrder } from '../../../adapters/woocommerce/order.ts';
import { readRefunds } from '../../../adapters/woocommerce/refund.ts';
import { PayloadError } from '../../../src/domain/errors.ts';
import { decimal, sum } from '../../../src/domain/money.ts';
import { type Refund, sourceOf } from '../../../src/domain/order.ts';
import { hasShared } from '../../support/shared.ts';
import { recordedCalls, recordedConnection, recordedRest } from './recordings.ts';
import { paidOrder } from './shop.ts';

const order = paidOrder({ id: 48 });
const undoes = (id: unknown) => [{ id: 750, key: '_refunded_item_id', value: id }];
const shirt = {
  id: 103,
  name: 'Camiseta',
  quantity: -1,
  total: '-12.50',
  total_tax: '-1.88',
  meta_data: [] as unknown[],
};
const shipping = { ...shirt, id: 104, method_title: 'Servientrega', total: '-4.35', total_tax: '-0.65' };

/** A refund as wc/v3 gives it, of nothing but its amount. */
function refund(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id: 49,
    date_created_gmt: '2026-11-20T10:08:46',
    amount: '14.38',
    reason: 'Talla equivocada',
    line_items: [],
    shipping_lines: [],
    fee_lines: [],
    ...changes,
  };
}
const partsOf = (changes: Record<string, unknown>) => readRefunds(refund(changes), order)[0]?.parts;

describe('a refund', () => {
  test('of one unit gives back that unit with its net and its tax', () => {
    const line_items = [{ ...shirt, meta_data: undoes('99') }];
    expect(readRefunds(refund({ line_items }), order)).toEqual([
      {
        id: '49',
        at: '2026-11-20T10:08:46Z',
        reason: 'Talla equivocada',
        amount: '14.38',
        pending: '0.00',
        parts: [{ of: 'line:99', name: 'Camiseta', quantity: '1', net: '12.50', tax: '1.88' }],
        discrepancy: '0.00',
      },
    ]);
  });

  test('reads its rows beside metadata without a key', () => {
    const line_items = [{ ...shirt, meta_data: [{ id: 7, key: null, value: '12' }, ...undoes('99')] }];
    expect(partsOf({ line_items })).toMatchObject([{ of: 'line:99' }]);
  });

  test('of shipping alone has no lines and one charge', () => {
    expect(partsOf({ shipping_lines: [{ ...shipping, meta_data: undoes('120') }] })).toEqual([
      { of: 'shipping:120', name: 'Servientrega', quantity: '0', net: '4.35', tax: '0.65' },
    ]);
  });

  test('of a discount fee takes back from the buyer', () => {
    const fee = { id: 9, name: 'Descuento', total: '3.00', total_tax: '0.22', meta_data: undoes('121') };
    expect(partsOf({ fee_lines: [fee] })).toEqual([
      { of: 'fee:121', name: 'Descuento', quantity: '0', net: '-3.00', tax: '-0.22' },
    ]);
  });

  test('that lowers a price gives back money and no unit', () => {
    const lower = { ...shirt, quantity: 0, total: '-5.00', total_tax: '0.00', meta_data: undoes('99') };
    expect(partsOf({ line_items: [lower] })).toMatchObject([{ quantity: '0', net: '5.00', tax: '0.00' }]);
  });

  test('of a free unit gives back the unit and no money', () => {
    const free = { ...shirt, quantity: -2, total: '0.00', total_tax: '-0.00', meta_data: undoes('99') };
    expect(partsOf({ line_items: [free] })).toMatchObject([{ quantity: '2', net: '0.00', tax: '0.00' }]);
  });

  test('of an amount alone is for nothing in particular', () => {
    expect(readRefunds(refund({ amount: '5.00' }), order)).toMatchObject([{ amount: '5.00', parts: [] }]);
  });

  test('says what the platform says, also where amount and lines contradict each other', () => {
    const line_items = [{ ...shirt, meta_data: undoes('99') }];
    expect(readRefunds(refund({ amount: '3.00', line_items }), order)).toMatchObject([
      { amount: '3.00', discrepancy: '0.00', parts: [{ net: '12.50', tax: '1.88' }] },
    ]);
  });

  describe('made over REST with an amount that contains the tax its rows leave out', () => {
    const row = (id: string, total: string, total_tax = '0.00', quantity = -1) => ({
      ...{ id: 1, name: 'Camiseta', quantity, total, total_tax, meta_data: undoes(id) },
    });
    const items = [
      { id: 126, total: '100.00', total_tax: '15.00' },
      { id: 127, total: '50.00', total_tax: '0.00' },
      { id: 128, total: '30.00', total_tax: '1.50' },
    ];
    const sold = {
      id: 29,
      line_items: items,
      shipping_lines: [{ id: 12, total: '4.35', total_tax: '0.65' }],
    };
    const taxesOf = (amount: string, line_items: unknown[], more = {}) =>
      readRefunds(refund({ amount, line_items, ...more }), sold)[0]?.parts?.map(({ tax }) => tax);

    test.each<[string, ReturnType<typeof row>[], string[]]>([
      ['115.00', [row('126', '-100.00')], ['15.00']],
      ['57.50', [row('126', '-50.00')], ['7.50']],
      ['165.00', [row('126', '-100.00'), row('127', '-50.00')], ['15.00', '0.00']],
      ['146.50', [row('126', '-100.00'), row('128', '-30.00')], ['15.00', '1.50']],
      ['23.33', [row('126', '-20.29', '0.00', 0)], ['3.04']],
    ])('%s: has the taxes of what was sold', (amount, rows, taxes) => {
      expect(taxesOf(amount, rows)).toEqual(taxes);
    });

    test('of many rows: each may be half a cent off', () => {
      const rows = Array.from({ length: 6 }, () => row('126', '-0.10'));
      expect(taxesOf('0.69', rows)).toEqual(Array(6).fill('0.02'));
      expect(taxesOf('0.68', rows)).toEqual(Array(6).fill('0.00'));
    });

    test('also of shipping', () => {
      const shipped = {
        id: 2,
        method_title: 'Envío',
        total: '-4.35',
        total_tax: '0.00',
        meta_data: undoes('12'),
      };
      expect(taxesOf('5.00', [], { shipping_lines: [shipped] })).toEqual(['0.65']);
    });

    test.each<[string, ReturnType<typeof row>[], string[]]>([
      ['100.00', [row('126', '-100.00')], ['0.00']],
      ['110.00', [row('126', '-100.00')], ['0.00']],
      ['0.05', [row('126', '-0.05')], ['0.00']],
      ['115.00', [row('126', '-100.00', '-15.00')], ['15.00']],
      ['115.00', [row('999', '-100.00')], ['0.00']],
    ])('%s: says what the platform says where they do not make up the amount', (amount, rows, taxes) => {
      expect(taxesOf(amount, rows)).toEqual(taxes);
    });
  });

  test('leaves out rows with neither units nor money', () => {
    const nothing = { ...shirt, quantity: 0, total: '0.00', total_tax: '0.00' };
    const free = { ...shipping, total: '-0.00', total_tax: '0' };
    expect(partsOf({ line_items: [nothing], shipping_lines: [free] })).toEqual([]);
  });

  test.each([[[]], [undoes('0')], [undoes(0)]])(
    'whose row undoes nothing in particular (%j) still gives back the money',
    (meta_data) => {
      expect(partsOf({ line_items: [{ ...shirt, meta_data }] })).toMatchObject([{ of: null, net: '12.50' }]);
    },
  );

  test('names what it undoes in plain text, and a nameless charge by its kind', () => {
    const line_items = [{ ...shirt, name: 'Chocolate 70% &amp; nibs' }];
    const parts = partsOf({ line_items, shipping_lines: [{ ...shipping, method_title: '' }] });
    expect(parts?.map(({ name }) => name)).toEqual(['Chocolate 70% & nibs', 'Envío']);
  });

  test('without a reason or a time says so', () => {
    expect(readRefunds(refund({ reason: ' ', date_created_gmt: null }), order)).toMatchObject([
      { reason: null, at: null },
    ]);
  });

  test('whose rows the source does not tell is not one without rows', () => {
    expect(readRefunds({ id: 49, amount: '14.38' }, order)).toMatchObject([{ parts: null }]);
  });

  test('of the whole shop counts where it names this order, and is refused where it names another', () => {
    expect(readRefunds([refund({ parent_id: 48 })], order)).toHaveLength(1);
    for (const given of [
      [refund({ parent_id: 48 }), refund({ id: 73, parent_id: 72 })],
      refund({ parent_id: 72 }),
    ])
      expect(refusal(given)).toMatchObject({
        code: 'refund-of-another-order',
        merchant: expect.stringMatching(/es del pedido 72 y se entregó con el pedido 48/),
      });
    expect(refusal(refund({ parent_id: 48 }), null)).toMatchObject({ code: 'refund-of-another-order' });
  });

  test.each([
    ['text', 'nothing', '0'],
    ['an order', paidOrder(), '0.amount'],
    ['an error of the shop', { code: 'x', message: 'Carlos' }, '0.id'],
    ['a negative amount', refund({ amount: '-5.00' }), '0.amount'],
    ['an amount that is no number', [refund(), refund({ amount: 'Carlos' })], '1.amount'],
    [
      'a row without its tax',
      refund({ line_items: [{ ...shirt, total_tax: '' }] }),
      '0.line_items.0.total_tax',
    ],
    [
      'without what it undoes',
      refund({ line_items: [{ ...shirt, meta_data: null }] }),
      '0.line_items.0.meta_data',
    ],
    ...[null, '', 'Carlos'].map((link): [string, unknown, string] => [
      `about the item ${link}`,
      refund({ line_items: [{ ...shirt, meta_data: undoes(link) }] }),
      '0.line_items.0.meta_data.0.value',
    ]),
    ['without its shipping', refund({ shipping_lines: null }), '0.shipping_lines'],
  ])('is not %s, and the refusal names the place and no value', (_what, payload, place) => {
    const error = refusal(payload);
    expect(error).toMatchObject({ code: 'not-an-order', merchant: expect.stringContaining(`«${place}»`) });
    expect(`${error.merchant} ${error.message}`).not.toContain('Carlos');
  });

  test('gives back in its parts what its rows say, to the last digit', () => {
    const cents = fc.integer({ min: -99_999, max: 99_999 }).map((units) => (units / 100).toFixed(2));
    const row = fc.record({ quantity: fc.integer({ min: -9, max: 0 }), total: cents, total_tax: cents });
    fc.assert(
      fc.property(fc.array(row), fc.array(row), (lines, fees) => {
        const line_items = lines.map((line) => ({ ...shirt, ...line, meta_data: undoes('99') }));
        const fee_lines = fees.map((fee) => ({ ...fee, id: 9, name: 'Recargo', meta_data: undoes('7') }));
        const parts = partsOf({ line_items, fee_lines }) ?? [];
        const stated = [...lines, ...fees].flatMap(({ total, total_tax }) => [total, total_tax]);
        expect(total(parts).toFixed()).toBe(sum(stated).negated().toFixed());
        expect(parts.every(({ quantity }) => !decimal(quantity).isNegative())).toBe(true);
      }),
    );
  });
});

const total = (parts: NonNullable<Refund['parts']>) => sum(parts.flatMap(({ net, tax }) => [net, tax]));

function refusal(payload: unknown, of: unknown = order): PayloadError {
  try {
    readRefunds(payload, of);
  } catch (error) {
    if (error instanceof PayloadError) return error;
    throw error;
  }
  throw new Error('The refunds were read.');
}

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
