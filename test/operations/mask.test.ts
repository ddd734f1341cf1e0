import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Order } from '../../src/domain/order.ts';
import { maskOrder } from '../../src/operations/run/support-bundle.ts';
import { plan } from '../../src/planner/plan.ts';
import { line, noon, order, store } from '../support/orders.ts';

/** An order of `price`, before tax, with what its buyer wrote. */
const sold = (price: string, ids: string[], more: Partial<Order['buyer']> = {}): Order => {
  const made = order({ lines: [line({ price })], note: 'Llamar a Ana al 0991234567' });
  const buyer = {
    name: 'Ana María Vega',
    company: 'Núñez Andina S.A.',
    phone: '0991234567',
    email: 'ana.vega@example.ec',
    address: 'Av. Amazonas N34-451',
    ids: ids.map((value) => ({ value, source: 'meta _billing_cedula', type: null })),
  };
  return { ...made, buyer: { ...made.buyer, ...buyer, ...more } };
};

const outcome = (one: Order) =>
  plan({ order: one, documents: [], store, invoiceFrom: new Date(0), now: noon }).map(
    ({ action, code, charged, document, trace }) => [action, code, charged, document, trace.identity?.type],
  );

describe('an order for support', () => {
  test.each([
    ['a cédula', '0912345675', '1710034065'],
    ['a cédula with a label and separators', 'C.I. 091-234-5675', '1710034065'],
    ['a cédula in other digits', '０９１２３４５６７５', '1710034065'],
    ['a RUC of a person', '0912345675001', '1710034065001'],
    ['a RUC of a company', '0992339411001', '1790012345001'],
    ['the consumidor final', '9999999999', '9999999999999'],
    ['a wrong cédula', '0912345676', '1710034066'],
    ['a wrong RUC', '0912345676001', '1111111111111'],
    ['the telephone', '0991234567', '1111111111'],
    ['a passport', 'P-1234567', 'z-1111111'],
  ])(
    'has for %s an example of its kind, or its length, and is planned as before',
    (_what, typed, written) => {
      for (const price of ['12.34', '80.00']) {
        const one = sold(price, [typed]);
        const masked = maskOrder(one);
        expect(masked.buyer.ids).toEqual([{ ...one.buyer.ids[0], value: written }]);
        expect(outcome(masked)).toEqual(outcome(one));
      }
    },
  );

  test('holds no word and no number of the buyer', () => {
    const { lines: _lines, ...masked } = maskOrder(sold('80.00', ['0912345675']));
    const text = JSON.stringify(masked);
    for (const word of [
      'Ana',
      'María',
      'Vega',
      'vega',
      'Núñez',
      'Andina',
      'Amazonas',
      'N34',
      '0991234567',
      '0912345675',
    ])
      expect(text).not.toContain(word);
  });

  test('holds of any text its length alone', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        const { buyer } = maskOrder(sold('80.00', [], { name }));
        expect(buyer.name?.replace(/[z1]|[^\p{L}\p{N}]/gu, '')).toBe('');
        expect([...(buyer.name ?? '')]).toHaveLength([...name].length);
      }),
      { numRuns: 200 },
    );
  });
});
