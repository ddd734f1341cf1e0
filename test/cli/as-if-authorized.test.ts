import { describe, expect, it } from 'vitest';
import type { NotaCreditoBody } from '../../mappers/body.ts';
import { readAsIf } from '../../src/cli/plan-file.ts';
import { bareRefund, type Order } from '../../src/domain/order.ts';
import type { Action } from '../../src/planner/action.ts';
import { planAsIf } from '../../src/planner/plan.ts';
import { line, noon, order, shipping, store } from '../support/orders.ts';

const asIf = { number: '002-003-000000123', date: '2026-11-18' };
const bodyOf = (action: Action | undefined) => action?.body as NotaCreditoBody | undefined;
const planned = (sale: Order) => planAsIf({ order: sale, store, invoiceFrom: new Date(0), now: noon }, asIf);

/** Two T-shirts and shipping: 20.00 + 3.00 + 4.35 + 0.65. */
const sale = order({ lines: [line({ quantity: '2' })], charges: [shipping()] });
const oneShirt = {
  ...bareRefund('48', '11.50'),
  parts: [{ of: 'line:1', name: 'Camiseta', quantity: '1', net: '10.00', tax: '1.50' }],
};

describe('the factura that --as-if-authorized gives a plan', () => {
  it('has a number, and a day that is today in Ecuador unless it is said', () => {
    expect(readAsIf('001-001-000000123', new Date('2026-11-21T04:00:00Z'))).toEqual({
      number: '001-001-000000123',
      date: '2026-11-20',
    });
    expect(readAsIf(' 001-001-000000123 , 2026-11-18 ', noon).date).toBe('2026-11-18');
  });

  it.each([
    ['a number without dashes', '001001000000123', /no es un número de factura/],
    ['a number that is too short', '001-001-123', /001-001-000000123/],
    ['a point of emission that cannot be', '001-000-000000123', /no es un número de factura/],
    ['nothing', '', /no es un número de factura/],
    ['something behind the date', '001-001-000000123,2026-11-18,7', /no es un número de factura/],
    ['a day that is none', '001-001-000000123,2026-02-30', /no es una fecha.*AAAA-MM-DD/],
    ['a day written otherwise', '001-001-000000123,18/11/2026', /no es una fecha/],
    ['tomorrow', '001-001-000000123,2026-11-21', /en Ecuador hoy es 2026-11-20/],
  ])('is refused with a sentence when it is %s', (_what, text, sentence) => {
    expect(() => readAsIf(text, noon)).toThrow(
      expect.objectContaining({ name: 'CommandError', merchant: expect.stringMatching(sentence) }),
    );
  });
});

describe('a plan as if the factura were authorised', () => {
  it('says so of the order, and credits its refunds to that number and day', () => {
    const [factura, credit, ...more] = planned({ ...sale, refunds: [oneShirt] });
    expect(more).toEqual([]);
    expect(factura).toMatchObject({ kind: 'factura', action: 'nothing', code: 'already-authorised' });
    expect(credit).toMatchObject({
      kind: 'nota-credito',
      action: 'emit',
      charged: '11.50',
      document: '11.50',
      difference: '0.00',
    });
    const body = bodyOf(credit);
    expect(body?.documento_modificado).toMatchObject({
      numero_documento_sustento: '002003000000123',
      fecha_documento_sustento: '2026/11/18',
    });
    // Its own series is the store's, whatever point issued the factura.
    expect(body?.emisor).toMatchObject({ codigo_establecimiento: '001', codigo_puntoemision: '001' });
  });

  it.each(['refunded', 'partially-refunded', 'cancelled'] as const)(
    'takes an order that is now %s as it was sold',
    (settlement) => {
      const all = { ...bareRefund('48', sale.total), parts: [] };
      const actions = planned({ ...sale, settlement, refunds: [all] });
      expect(actions.map(({ action, code }) => [action, code])).toEqual([
        ['nothing', 'already-authorised'],
        ['emit', 'refunded'],
      ]);
    },
  );

  it('takes an order whose factura was written back onto it, with the key of that number', () => {
    const key = `18112026011790012345001100200300000012312345678${'1'.repeat(2)}`;
    const { creditNotes } = store.policy;
    const named = { ...creditNotes.documentoModificado, claveAcceso: 'clave_acceso' };
    const policy = { ...store.policy, creditNotes: { ...creditNotes, documentoModificado: named } };
    const invoiced = { ...sale, accessKeys: ['9'.repeat(49), key], refunds: [oneShirt] };
    const input = { order: invoiced, store: { ...store, policy }, invoiceFrom: new Date(0), now: noon };
    const [factura, credit] = planAsIf(input, asIf);
    expect(factura?.code).toBe('already-authorised');
    expect(bodyOf(credit)?.documento_modificado).toMatchObject({ clave_acceso: key });
  });

  it('accepts sales before the store’s first day: the flag says that they are invoiced', () => {
    const late = { order: { ...sale, refunds: [oneShirt] }, store, invoiceFrom: noon, now: noon };
    expect(planAsIf(late, asIf).map(({ action }) => action)).toEqual(['nothing', 'emit']);
  });

  it('says the factura’s own hold where the order cannot be invoiced, and what follows for its refunds', () => {
    const stranger = { ...sale.buyer, ids: [{ value: '1710034066', source: 'billing_cedula', type: null }] };
    const actions = planned({ ...sale, buyer: stranger, settlement: 'refunded', refunds: [oneShirt] });
    expect(actions.map(({ kind, action, code }) => [kind, action, code])).toEqual([
      ['factura', 'hold', 'buyer-id-wrong'],
      ['nota-credito', 'wait', 'factura-unsettled'],
    ]);
  });

  it('does not accept an unpaid order as invoiced', () => {
    const unpaid: Order = { ...sale, settlement: 'cancelled', paidAt: null, refunds: [oneShirt] };
    expect(planned(unpaid).map(({ action, code }) => [action, code])).toEqual([
      ['nothing', 'cancelled'],
      ['nothing', 'not-invoiced'],
    ]);
  });
});

describe('a factura of a day on which IVA was 12 %', () => {
  const { policy } = store;
  const rules = [{ name: 'la de entonces', when: { rate: ['12'] }, means: { iva: 2 } }] as const;
  const past = { ...store, policy: { ...policy, tax: { rules } } };
  const sold = { ...order({ lines: [line({ rate: '12' })] }), refunds: [bareRefund('48', '11.20')] };
  const on = (date: string) =>
    planAsIf(
      { order: sold, store: past, invoiceFrom: new Date(0), now: noon },
      { number: '001-001-000000009', date },
    );

  it('is credited today with the code it has', () => {
    const [factura, credit] = on('2024-03-31');
    expect(factura).toMatchObject({ code: 'already-authorised' });
    expect(credit).toMatchObject({ action: 'emit', document: '11.20' });
    expect(bodyOf(credit)?.items.map(({ tipo_iva }) => tipo_iva)).toEqual([2]);
  });

  it('and could not have left a day later', () => {
    expect(on('2024-04-01')[0]).toMatchObject({ action: 'hold', code: 'rate-not-in-force' });
  });
});
