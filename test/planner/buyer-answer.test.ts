import { describe, expect, it } from 'vitest';
import { type BuyerQuestion, cutOffAfter } from '../../src/domain/buyer-policy.ts';
import type { Buyer } from '../../src/domain/order.ts';
import { type GivenAnswer, readAnswer } from '../../src/planner/identity/choice.ts';
import { identifyBuyer } from '../../src/planner/identity-gate.ts';
import { plan } from '../../src/planner/plan.ts';
import { line, order, store } from '../support/orders.ts';

const cedula = '1710034065';
const wrongCedula = '1710034066';
const sale = (buyer: Partial<Buyer>, price = '30.00') => {
  const made = order({ lines: [line({ price })] });
  return { ...made, buyer: { ...made.buyer, ...buyer } };
};
const wrong = { ids: [{ value: wrongCedula, source: 'meta _billing_cedula', type: null }] };
const answered: BuyerQuestion = {
  answer: { type: 'ruc', id: '1790016919001', name: 'Andina S.A.', email: 'pagos@andina.ec' },
  overdue: false,
};
const overdue: BuyerQuestion = { answer: null, overdue: true };

describe('what the buyer answered', () => {
  it('goes before everything on the order, with its own name, and explanations say so', () => {
    const other = { value: '0992262192001', source: 'meta ruc', type: 'ruc' as const };
    for (const ids of [wrong.ids, [], [other], [other, ...wrong.ids]])
      expect(identifyBuyer(sale({ ids, company: 'Otra S.A.', asked: answered }), store.policy)).toMatchObject(
        {
          ok: true,
          recipient: { type: '04', id: '1790016919001', name: 'Andina S.A.' },
          trace: { type: 'ruc', source: 'respuesta del comprador', name: 'buyer', finalConsumer: null },
        },
      );
  });

  it('stands in the factura, with the address it is wanted at', () => {
    const [action] = plan({
      ...{ order: sale({ ...wrong, asked: answered }), documents: [], store },
      ...{ invoiceFrom: new Date(0), now: new Date('2026-11-20T15:00:00Z') },
    });
    expect(action).toMatchObject({
      action: 'emit',
      body: {
        comprador: {
          identificacion: '1790016919001',
          razon_social: 'Andina S.A.',
          correo: 'pagos@andina.ec',
        },
      },
    });
    expect(JSON.stringify(action?.trace)).not.toMatch(/1790016919001|Andina|pagos@/);
  });

  it('counts also where the cut-off has passed', () => {
    const asked = { ...answered, overdue: true };
    expect(identifyBuyer(sale({ ...wrong, asked }), store.policy)).toMatchObject({
      recipient: { type: '04' },
    });
  });
});

describe('a question nobody answered in time', () => {
  it.each([
    ['a wrong identification', wrong],
    [
      'two RUCs',
      {
        ids: ['1790016919001', '0992262192001'].map((value) => ({
          value,
          source: value,
          type: 'ruc' as const,
        })),
      },
    ],
    ['no name', { ids: [{ value: cedula, source: 'a', type: null }], name: null, company: null }],
  ])('makes %s a consumidor final within the limit, and says why', (_, buyer) => {
    expect(identifyBuyer(sale(buyer), store.policy)).toMatchObject({ ok: false });
    expect(identifyBuyer(sale({ ...buyer, asked: overdue }), store.policy)).toMatchObject({
      ok: true,
      recipient: { type: '07' },
      trace: {
        finalConsumer: { decision: 'allowed', askedByBuyer: false },
        warnings: [
          expect.stringContaining('hasta la hora límite'),
          expect.stringContaining('no se puede anular'),
        ],
      },
    });
  });

  it('leaves the order held above the limit, where the shop does no consumidor final, or by policy', () => {
    const { finalConsumer, buyer } = store.policy;
    const held = [
      identifyBuyer(sale({ ...wrong, asked: overdue }, '50.00'), store.policy),
      identifyBuyer(sale({ ...wrong, asked: overdue }), {
        ...store.policy,
        finalConsumer: { ...finalConsumer, allowed: false },
      }),
      identifyBuyer(sale({ ...wrong, asked: overdue }), {
        ...store.policy,
        buyer: { ...buyer, afterCutOff: 'hold' },
      }),
    ];
    for (const identity of held)
      expect(identity).toMatchObject({
        ok: false,
        code: 'buyer-id-wrong',
        reason: expect.stringMatching(/dígito verificador.*no respondió hasta la hora límite/),
      });
  });
});

describe('the cut-off', () => {
  it.each([
    ['2026-11-20T15:00:00Z', '2026-11-21T04:30:00.000Z'],
    ['2026-11-21T04:00:00Z', '2026-11-21T04:30:00.000Z'],
    // Half an hour is the least anybody is given.
    ['2026-11-21T04:00:01Z', '2026-11-22T04:30:00.000Z'],
    ['2026-11-21T04:59:59Z', '2026-11-22T04:30:00.000Z'],
    ['2026-12-31T12:00:00Z', '2027-01-01T04:30:00.000Z'],
  ])('of a question asked at %s is %s', (asked, cutOff) => {
    expect(cutOffAfter(new Date(asked), '23:30').toISOString()).toBe(cutOff);
  });
});

describe('what a buyer writes', () => {
  const ana: GivenAnswer = { type: 'cedula', id: ' 171003406-5 ', name: ' Ana  Torres ', email: '' };
  const read = (change: Partial<GivenAnswer> = {}, buyer: Partial<Buyer> = {}) =>
    readAnswer({ ...ana, ...change }, sale(buyer));

  it('is read in its plain form', () => {
    expect(read()).toEqual({
      ok: true,
      answer: { type: 'cedula', id: cedula, name: 'Ana Torres', email: null },
    });
    expect(read({ type: 'ruc', id: 'RUC 1790016919001', name: 'Andina S.A.' })).toMatchObject({
      answer: { type: 'ruc', id: '1790016919001' },
    });
    expect(read({ type: 'pasaporte', id: 'ab 123.456' })).toMatchObject({ answer: { id: 'AB123456' } });
    expect(read({ email: ' ana@example.ec ' })).toMatchObject({ answer: { email: 'ana@example.ec' } });
  });

  it.each([
    ['id', { id: wrongCedula }, 'algún dígito equivocado'],
    ['id', { id: '17100' }, 'tiene 5 dígitos'],
    ['id', { id: '' }, 'Escriba el número'],
    ['id', { id: `${cedula}001` }, 'elija «RUC»'],
    ['id', { type: 'ruc' as const }, 'elija «Cédula»'],
    ['id', { id: '9999999999999' }, 'consumidor final'],
    ['id', { type: 'pasaporte' as const, id: 'sin número' }, 'tal como consta'],
    ['type', { type: null }, 'Elija'],
    ['name', { name: '1710034065' }, 'nombres y apellidos'],
    ['name', { name: 'A'.repeat(301) }, 'nombres y apellidos'],
    ['email', { email: 'ana@' }, 'correo'],
  ] as const)('is refused at %s for %j, in a sentence', (field, change, message) => {
    expect(read(change)).toEqual({ ok: false, flaws: { [field]: expect.stringContaining(message) } });
  });

  it('is not taken for an identification where it is the telephone of the order', () => {
    for (const phone of ['0951234567', '0958765432'])
      expect(read({ id: phone }, { phone })).toMatchObject({
        flaws: { id: expect.stringContaining('teléfono') },
      });
  });

  it('is one where the order has a cédula for its telephone', () => {
    expect(read({ id: cedula }, { phone: cedula })).toMatchObject({ answer: { type: 'cedula', id: cedula } });
  });
});
