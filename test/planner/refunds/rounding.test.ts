import { describe, expect, it } from 'vitest';
import type { NotaCreditoBody } from '../../../mappers/body.ts';
import type { CreditPolicy } from '../../../src/domain/money-policy.ts';
import { planCredit } from '../../../src/planner/plan.ts';
import { comesTo, fourWays } from '../../mappers/four-ways.ts';
import { authorized, credited } from '../../support/authorized.ts';
import { line, noon, order, store } from '../../support/orders.ts';
import { creditBody, give, part, refund, refundActions, rows, sale, shirt } from './shapes.ts';

type CreditNotes = CreditPolicy['creditNotes'];

const storeWith = (creditNotes: Partial<CreditNotes>) => ({
  store: {
    ...store,
    policy: { ...store.policy, creditNotes: { ...store.policy.creditNotes, ...creditNotes } },
  },
});

const inFourWays = (body: NotaCreditoBody) => fourWays.map((way) => comesTo(body, way));

/** One of 10.00 at 15 % with the tax inside: 8.70 + 1.30, of which a third has no base. */
const three = order({ lines: [line({ quantity: '3', subtotal: '8.70', tax: '1.30' })] });
const third = (id: string) => refund('3.33', [part('line:1', '2.90', '0.43')], { id });

describe('a nota de crédito', () => {
  it('takes the shapes of before, and what else a service may ask for, by config', () => {
    const { documentoModificado } = store.policy.creditNotes;
    const former = storeWith({
      totales: true,
      anulaComprobante: 'NO',
      codigoDoc: '04',
      documentoModificado: { ...documentoModificado, tipoNumerico: false, guiones: true },
    });
    const body = creditBody(give(refund('11.50', [shirt]), sale, [authorized(sale)], former));
    expect(body).toMatchObject({
      codigoDoc: '04',
      documento_modificado: {
        codigo_documento_sustento: '01',
        numero_documento_sustento: '001-001-000000123',
        anula_comprobante: 'NO',
      },
      items: [{ precio_total_sin_impuesto: 10 }],
      totales: [{ codigo: '2', codigo_porcentaje: '4', base_imponible: 10, tarifa: 15, valor: 1.5 }],
    });
  });

  it('puts lines that go back whole into one where no cent can move between them', () => {
    const sold = order({
      lines: [
        line({ price: '0.97', name: 'Vaso' }),
        line({ id: '2', price: '0.97', name: 'Plato' }),
        line({ id: '3', price: '1.03' }),
      ],
    });
    const parts = [part('line:1', '0.97', '0.15'), part('line:2', '0.97', '0.15')];
    const action = give(refund('2.23', parts, { discrepancy: '-0.01' }), sold, [authorized(sold)]);
    expect(creditBody(action).items).toMatchObject([
      { descripcion: '1 × Vaso + 1 × Plato', cantidad: 1, precio_unitario: 1.94 },
    ]);
    expect(inFourWays(creditBody(action))).toEqual([223, 223, 223, 223]);
    expect(action.trace.credit?.items.map(({ source, units, base }) => [source, units, base])).toEqual([
      ['line:1', '1', '0.97'],
      ['line:2', '1', '0.97'],
    ]);
  });

  it('counts what stands in one line with others against each of them', () => {
    const sold = order({
      lines: [line({ price: '0.97' }), line({ id: '2', price: '0.97' }), line({ id: '3', price: '1.03' })],
    });
    const parts = [part('line:1', '0.97', '0.15'), part('line:2', '0.97', '0.15')];
    const both = refund('2.23', parts, { id: '1', discrepancy: '-0.01' });
    const documents = [authorized(sold), credited(sold, both, [authorized(sold)])];
    const again = give(refund('1.11', [part('line:2', '0.97', '0.14')], { id: '2' }), sold, documents);
    expect(again.trace.credit?.items.map(({ source, base }) => [source, base])).toEqual([['line:3', '0.96']]);
    expect(again.trace.credit?.notes).toEqual([
      'se pedía más de lo que queda de una línea: el resto se reparte',
    ]);
  });
});

it('a factura of what refunds leave keeps its lines, whatever its IVA by line comes to', () => {
  const sold = order({
    lines: [
      line({ price: '0.97', name: 'Vaso' }),
      line({ id: '2', price: '0.97', name: 'Plato' }),
      line({ id: '3', price: '1.03' }),
    ],
  });
  const back = refund('1.19', [part('line:3', '1.03', '0.15')], { discrepancy: '0.01' });
  const { sent } = authorized({ ...sold, refunds: [back] });
  expect(sent?.items.map(({ descripcion }) => descripcion)).toEqual(['Vaso', 'Plato']);
  expect(sent?.total).toBe('2.23');
});

describe('money that no base gives with its IVA', () => {
  it('is the nearest document, a cent below, with its reason for the merchant and the buyer', () => {
    const action = give(third('48'), three, [authorized(three)]);
    const why =
      'Se devolvieron 3.33 y la nota de crédito es por 3.32, un centavo menos: ninguna base en centavos da esa suma con su IVA. Lo que falta va en la próxima nota de crédito de la factura, si la hay.';
    expect(action).toMatchObject({
      action: 'emit',
      charged: '3.33',
      document: '3.32',
      difference: '-0.01',
      reason: `El reembolso 48 devolvió 3.33 y se acredita a la factura 001-001-000000123. ${why}`,
    });
    expect(action.trace.credit).toMatchObject({ document: '3.32', owed: { before: '0.00', after: '0.01' } });
    expect(creditBody(action).informacion_adicional).toContainEqual({ nombre: 'Redondeo', detalle: why });
    expect(inFourWays(creditBody(action))).toEqual([332, 332, 332, 332]);
  });

  it('is made up for by the next one, and by the last', () => {
    const last = refund('3.34', [part('line:1', '2.90', '0.44')], { id: '3' });
    const refunds = [third('1'), third('2'), last];
    const actions = refundActions({ ...three, refunds }, [authorized(three)]);
    expect(actions.map(({ document, difference }) => [document, difference])).toEqual([
      ['3.32', '-0.01'],
      ['3.34', '0.01'],
      ['3.34', '0.00'],
    ]);
    expect(actions[1]?.reason).toContain('un centavo más: compensa el redondeo de otra');
  });

  it('goes with the last money: all that is left is taken, with what is owed', () => {
    const rest = refund('6.67', [part('line:1', '5.80', '0.87')], { id: '2' });
    const [, last] = refundActions({ ...three, refunds: [third('1'), rest] }, [authorized(three)]);
    expect(last).toMatchObject({ document: '6.68', trace: { credit: { basis: 'rest' } } });
  });

  it('is remembered by the document that left, not by the plan', () => {
    const first = credited(three, third('1'), [authorized(three)]);
    const refunds = [third('1'), third('2')];
    const [, second] = refundActions({ ...three, refunds }, [authorized(three), first]);
    expect(second).toMatchObject({ document: '3.34', difference: '0.01' });
  });

  it('is not made up for by what leaves while the document that owes it is not authorised', () => {
    const factura = authorized(three);
    const first = credited(three, third('1'), [factura]);
    const refunds = [third('1'), third('2')];
    const leaving = (state: typeof first.state) => {
      const documents = [factura, { ...first, state }];
      const input = { order: { ...three, refunds }, documents, store, invoiceFrom: new Date(0), now: noon };
      return planCredit(input, '2', '000000002')?.action.document;
    };
    expect(leaving('processing')).toBe('3.32');
    expect(leaving('authorized')).toBe('3.34');
  });

  it('of a refund that was deleted is owed to nobody', () => {
    const factura = authorized(three);
    const first = credited(three, third('1'), [factura]);
    expect(refundActions({ ...three, refunds: [third('2')] }, [factura, first])[0]).toMatchObject({
      document: '3.32',
    });
  });

  it('waits for a refund of a taxed rate: what bears no IVA goes back as it is', () => {
    const sold = order({
      lines: [
        line({ quantity: '3', subtotal: '8.70', tax: '1.30' }),
        line({ id: '2', price: '5.00', rate: '0' }),
      ],
    });
    const book = refund('5.00', [part('line:2', '5.00', '0.00')], { id: '2' });
    const actions = refundActions({ ...sold, refunds: [third('1'), book, third('3')] }, [authorized(sold)]);
    expect(actions.map(({ document }) => document)).toEqual(['3.32', '5.00', '3.34']);
  });

  it('of all that is left is never over it', () => {
    const action = give(refund('10.00'), three, [authorized(three)]);
    expect(action).toMatchObject({ action: 'emit', document: '9.99', difference: '-0.01' });
  });

  it('beyond what is left in money is no rounding', () => {
    const first = credited(three, third('1'), [authorized(three)]);
    const refunds = [third('1'), refund('6.68', [], { id: '2' })];
    const [, over] = refundActions({ ...three, refunds }, [authorized(three), first]);
    expect(over).toMatchObject({ action: 'manual', code: 'over-credit' });
  });

  it('waits for a person where the policy says so, with both figures', () => {
    const hold = storeWith({ roundingDifference: 'hold' });
    const action = give(third('48'), three, [authorized(three)], hold);
    expect(action).toMatchObject({
      action: 'hold',
      code: 'credit-rounding',
      charged: '3.33',
      document: '3.32',
      difference: '-0.01',
    });
    expect(action.reason).toBe(
      'El reembolso 48 devolvió 3.33 y ninguna base en centavos da esa suma con su IVA: lo más cercano es 3.32. Emita la nota de crédito a mano, o permita en policy.creditNotes.roundingDifference que salga con un centavo de diferencia.',
    );
  });

  it('is stated to the cent where totals are', () => {
    const action = give(third('48'), three, [authorized(three)], storeWith({ totales: true }));
    expect(action).toMatchObject({ action: 'emit', document: '3.33', difference: '0.00' });
    expect(rows(creditBody(action))).toEqual([['4', 2.9, 0.43]]);
  });

  it('is reached where the money is prorated over several rates', () => {
    const mixed = order({ lines: [...three.lines, line({ id: '2', price: '10.00', rate: '0' })] });
    const action = give(refund('6.66', []), mixed, [authorized(mixed)]);
    expect(action).toMatchObject({ document: '6.66', difference: '0.00' });
    expect(inFourWays(creditBody(action))).toEqual([666, 666, 666, 666]);
  });
});
