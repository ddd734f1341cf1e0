import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { maskOrder } from '../../../src/cli/support/bundle.ts';
import type { IdCandidate, Order } from '../../../src/domain/order.ts';
import { plan } from '../../../src/planner/plan.ts';
import { line, noon, order, store } from '../../support/orders.ts';

const digits = (pattern: string) => fc.stringMatching(new RegExp(`^${pattern}$`));
const ids = fc.oneof(
  digits('(0[1-9]|1\\d|2[0-4])[0-5]\\d{7}'),
  fc.constantFrom('0912345675', '0958765432', '0939123451', '0930123450', '0593123456001'),
  digits('(0[1-9]|1\\d|2[0-4])\\d{8}00[1-3]'),
  fc.constantFrom('1710034065', '1790012345001', '1710034065001', '9999999999999', '0991234567', 'P-1234567'),
);
const names = fc.constantFrom(
  'Ana María Vega',
  'José Núñez Ñato',
  'Comercial Andina S.A.',
  'consumidor final',
  '-',
  null,
);
const sold = fc
  .record({
    ids: fc.array(
      fc.record({
        value: ids,
        source: fc.constantFrom('meta _billing_cedula', 'billing.company'),
        type: fc.constantFrom<IdCandidate['type']>(null, 'cedula', 'ruc', 'pasaporte'),
      }),
      { maxLength: 3 },
    ),
    name: names,
    company: names,
    phone: fc.option(ids),
    /** Given as an identification, too. */
    again: fc.boolean(),
    cents: fc.integer({ min: 100, max: 9_000 }),
  })
  .map(({ cents, again, ...who }): Order => {
    const made = order({
      lines: [line({ price: (cents / 100).toFixed(2) })],
      note: 'Llamar a Ana al 0991234567',
    });
    return {
      ...made,
      buyer: {
        ...made.buyer,
        ...who,
        ...(again && { phone: who.ids.find(({ value }) => /^\d+$/.test(value))?.value ?? null }),
        email: 'ana.vega@example.ec',
        address: 'Av. Amazonas N34-451',
      },
    };
  });

const outcome = (one: Order) =>
  plan({ order: one, documents: [], store, invoiceFrom: new Date(0), now: noon }).map(
    ({ action, code, charged, document, trace }) => [action, code, charged, document, trace.identity?.type],
  );

describe('an order for support', () => {
  test('is planned as the real one is', () => {
    fc.assert(
      fc.property(sold, (one) => {
        expect(outcome(maskOrder(one))).toEqual(outcome(one));
      }),
      { numRuns: 300 },
    );
  });

  test('is planned so also where one number is a passport and a telephone', () => {
    const made = order({ lines: [line({ price: '80.00' })] });
    const typed = { value: 'P-1234567', source: 'meta _billing_cedula', type: null };
    const one = { ...made, buyer: { ...made.buyer, phone: typed.value, ids: [typed] } };
    // A first digit in ten was a zero, with which a telephone is too short to be one.
    for (let n = 0; n < 200; n += 1) expect(outcome(maskOrder(one))).toEqual(outcome(one));
  });

  test('holds no word and no number of the buyer', () => {
    fc.assert(
      fc.property(sold, (one) => {
        const masked = JSON.stringify({ ...maskOrder(one), lines: [] });
        for (const { value } of one.buyer.ids) if (!/^9+$/.test(value)) expect(masked).not.toContain(value);
        for (const word of [
          'María',
          'Vega',
          'Núñez',
          'Andina',
          'ana.vega',
          'Amazonas',
          'N34-451',
          '0991234567',
        ])
          expect(masked).not.toContain(word);
      }),
      { numRuns: 100 },
    );
  });

  test('holds no number of the buyer, also with separators between its digits', () => {
    const made = order();
    for (const value of ['171003406-5', 'C.I. 171-003-4065', '１７１００３４０６５']) {
      const typed = { value, source: 'meta _billing_cedula', type: null };
      const masked = maskOrder({ ...made, buyer: { ...made.buyer, ids: [typed] } });
      expect(JSON.stringify(masked).normalize('NFKD').replace(/[^\d]/g, '')).not.toContain('1710034065');
      expect(outcome(masked)).toEqual(outcome({ ...made, buyer: { ...made.buyer, ids: [typed] } }));
    }
  });

  test('gives the same word the same disguise, and another one next time', () => {
    const made = order();
    const one: Order = { ...made, buyer: { ...made.buyer, name: 'Vega Vega', company: 'VEGA' } };
    const { name, company } = maskOrder(one).buyer;
    const [first, second] = String(name).split(' ');
    expect(first).toBe(second);
    expect(first?.toLowerCase()).toBe(company?.toLowerCase());
    expect(maskOrder(one).buyer.name).not.toBe(maskOrder({ ...one, note: 'x' }).buyer.name);
  });
});
