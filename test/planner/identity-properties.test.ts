import fc from 'fast-check';
import { expect, it } from 'vitest';
import { identify, looksLikeMobile } from '../../src/domain/identification.ts';
import type { IdCandidate } from '../../src/domain/order.ts';
import { identifyBuyer } from '../../src/planner/identity-gate.ts';
import { line, order, store } from '../support/orders.ts';

const digits = (pattern: string) => fc.stringMatching(new RegExp(`^${pattern}$`));
const value = fc.oneof(
  digits('\\d{9,14}'),
  digits('(0[1-9]|1\\d|2[0-4])\\d{8}'),
  digits('(0[1-9]|1\\d|2[0-4])\\d{8}00[1-3]'),
  digits('09\\d{8}'),
  digits('\\+?5939\\d{8}'),
  digits('9{9,14}'),
  digits('[A-Z]{2}\\d{6,7}'),
  fc.string(),
);
const candidates = fc.array(
  fc.record(
    {
      value,
      elsewhere: fc.constant(true as const),
      source: fc.constantFrom('meta _billing_cedula', 'meta _billing_ruc', 'billing.company'),
      type: fc.constantFrom<IdCandidate['type']>(null, 'cedula', 'ruc', 'pasaporte', 'exterior'),
    },
    { requiredKeys: ['value', 'source', 'type'] },
  ),
  { maxLength: 4 },
);
const text = fc.option(fc.oneof(fc.string(), fc.constantFrom('Ana Vega', 'Andina S.A.', '-')));
const sale = fc.record({
  ids: candidates,
  name: text,
  company: text,
  phone: fc.option(value),
  again: fc.boolean(),
  cents: fc.nat(10_000),
});

const passportOfZeros = {
  ids: [{ value: '000000090', source: 'meta _billing_cedula' as const, type: 'pasaporte' as const }],
  name: 'Ana Vega',
  company: null,
  phone: null,
  again: true,
  cents: 0,
};
/** "000000090" of a passport's field is no telephone, whatever stands in the telephone's. */
const isLongEnoughToCall = (digits: string) => digits.replace(/^0+/, '').length >= 7;

it('whatever an order carries, the gate names a buyer it can prove or holds with both sentences', () => {
  fc.assert(
    fc.property(sale, ({ ids, name, company, again, cents, ...typed }) => {
      const phone = again ? (ids[0]?.value ?? null) : typed.phone;
      const made = order({ lines: [line({ price: (cents / 100).toFixed(2) })] });
      const buyer = { ...made.buyer, ids, name, company, phone };
      const identity = identifyBuyer({ ...made, buyer }, store.policy);
      expect(identity.trace.candidates).toHaveLength(ids.length);
      if (!identity.ok) {
        expect(identity.reason.length).toBeGreaterThan(40);
        expect(identity.buyerReason.length).toBeGreaterThan(40);
        expect(identity.trace.type).toBeNull();
        return;
      }
      const { type, id, name: legal } = identity.recipient;
      expect(legal.trim()).not.toBe('');
      const ofType = { '04': 'ruc', '05': 'cedula', '07': 'consumidor-final' }[type as string];
      if (ofType !== undefined) expect(identify(id)?.type).toBe(ofType);
      else expect(ids.some((one) => one.type === identity.trace.type)).toBe(true);
      if (type === '07') expect(Number(made.total)).toBeLessThanOrEqual(50);
      else if (id === (phone ?? '').replace(/\D/g, '') && isLongEnoughToCall(id)) {
        // Typed twice, and once where an identification is asked for.
        expect(ids.some((one) => one.elsewhere !== true && identify(one.value)?.value === id)).toBe(true);
        expect(looksLikeMobile(id)).toBe(false);
      }
    }),
    { numRuns: 5_000, examples: [[passportOfZeros]] },
  );
});

it('the order in which a shop repeats one identification changes nothing', () => {
  const typed = fc.constantFrom('1710034065', '171003406-5', 'C.I. 1710034065');
  fc.assert(
    fc.property(fc.array(typed, { minLength: 1, maxLength: 4 }), (values) => {
      const made = order();
      const ids = values.map((one, at) => ({ value: one, source: `meta ${at}`, type: null }));
      const identity = identifyBuyer({ ...made, buyer: { ...made.buyer, ids } }, store.policy);
      expect(identity).toMatchObject({
        ok: true,
        recipient: { id: '1710034065' },
        trace: { source: 'meta 0' },
      });
    }),
  );
});
