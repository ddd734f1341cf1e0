import { describe, expect, it } from 'vitest';
import { toFactura } from '../../mappers/index.ts';
import { explainFactura } from '../../src/planner/explain/action.ts';
import { line, order } from '../support/orders.ts';
import { bodyOf, charge, type Written } from './mapping.ts';
import { contextOf } from './policy.ts';

const reported = (...of: Parameters<typeof bodyOf>) =>
  explainFactura(bodyOf(...of).trace).flatMap(({ title, lines }) =>
    title === 'Por revisar' ? lines.map((one) => (typeof one === 'string' ? one : one.text)) : [],
  );

describe('a tip as a line', () => {
  const tips: Written = { tips: { as: 'line' } };
  const with10 = (price: string) =>
    order({ lines: [line({ price: '10.00' })], charges: [charge('tip', { price, rate: null })] });

  it('of up to 10 % of what was sold is a tip as the SRI knows it', () => {
    expect(reported(with10('1.00'), tips)).toEqual([]);
  });

  it('above it is told with both figures', () => {
    expect(reported(with10('1.01'), tips)).toEqual([
      'Atención: La propina de 1.01 supera el 10 % de lo vendido sin impuestos (10.00), hasta el que el SRI la admite como propina (ficha técnica SRI, tabla 21). Aquí va como una línea de la factura: confirme con su contador que lo que la excede se factura así.',
    ]);
  });
});

describe('an export', () => {
  // biome-ignore lint/suspicious/noThenProperty: the word of the config; it is no function.
  const context = contextOf({ tax: { rules: [{ when: { abroad: true }, then: { iva: 0 } }] } });
  const sale = order({
    lines: [line({ rate: null, price: '40.00' })],
    delivery: { by: 'shipping', country: 'PE' },
  });
  const to = (type: '07' | '08') => {
    const recipient = { type, id: '9999999999999', name: 'CONSUMIDOR FINAL' };
    const mapped = toFactura(sale, { ...context, recipient });
    if (!mapped.ok) throw new Error(mapped.reason);
    return mapped.trace.warnings;
  };

  it('to consumidor final is told: it can be neither annulled nor credited', () => {
    expect(to('07')).toEqual([
      'La venta es fuera del Ecuador (envío a Perú) y la factura sale a consumidor final: no nombra al cliente del exterior, y no se puede anular ni acreditar. Si es una exportación, consulte a su contador; con policy.finalConsumer.allowed: false toda venta sin identificación espera a que el comprador la dé.',
    ]);
  });

  it('to somebody with a name is not', () => {
    expect(to('08')).toBeUndefined();
  });
});

describe('an explanation', () => {
  const lines = (...of: Parameters<typeof bodyOf>) =>
    explainFactura(bodyOf(...of).trace).flatMap((part) => part.lines);

  it('says the IRBPNR of the document with its units', () => {
    // biome-ignore lint/suspicious/noThenProperty: the word of the config; it is no function.
    const bottles: Written = { tax: { rules: [{ when: { sku: 'AGUA' }, then: { irbpnr: true } }] } };
    const sale = order({ lines: [line({ sku: 'AGUA', quantity: '12', price: '1.00' })] });
    expect(lines(sale, bottles)).toContain('IRBPNR (código 5001): 12 unidades a 0.02, valor 0.24');
  });

  it('says the term of what was sold on credit, the order’s or the rule’s', () => {
    expect(lines(order({ terms: { days: 30 } }))).toContainEqual(
      expect.stringMatching(/: 11\.50 \(.*\), plazo 30 dias$/),
    );
    const payments = { payphone: { tipo: '19' as const, plazo: 3, tiempo: 'meses' } };
    const sale = order({ payments: [{ gateway: 'payphone', title: null, amount: '11.50' }] });
    expect(lines(sale, { payments })).toContain(
      'payphone → 19 Tarjeta de crédito: 11.50 (policy.payments payphone), plazo 3 meses',
    );
  });
});
