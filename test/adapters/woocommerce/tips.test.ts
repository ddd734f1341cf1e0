import { describe, expect, test } from 'vitest';
import { tipPlugins } from '../../../adapters/woocommerce/plugins.ts';
import { policyOf } from '../../mappers/policy.ts';
import { sentFactura } from '../../support/authorized.ts';
import { store } from '../../support/orders.ts';
import { fee, item, outcome, planned, type Rate, read, refunded, ruled, sold, type Written } from './sold.ts';

const asLine: Written = { tips: { as: 'line', iva: 6 } };
const shirt = (net = '20.00', rate: Rate = 15) => item('Camiseta', net, rate);
const kindOf = (name: string, total = '2.00') =>
  read(sold({ lines: [shirt()], fees: [fee(name, total)] })).charges[0]?.kind;

describe('a fee is a tip by its name', () => {
  test.each([
    'Propina',
    'propina',
    'PROPINAS',
    'Propina voluntaria',
    'Propina (10 %)',
    'Propina para el repartidor',
    'Su propina',
    ...tipPlugins.flatMap(({ feeNames }) => feeNames),
    'tip',
    'Tip (10%)',
    'Tip (For the driver)',
    'Tip $2.00',
    'Tip - 10%',
    'Tip Amount',
    'Tip &#8211; 10%',
  ])('«%s»', (name) => {
    expect(kindOf(name)).toBe('tip');
  });

  test.each([
    'Recargo por tarjeta',
    'Tip of the day',
    'Tipografía',
    'Multipropinas',
    'Propinal',
    'Servicio 10 %',
    'Envoltura de regalo',
    '',
    '(10 %)',
  ])('«%s» is a fee', (name) => {
    expect(kindOf(name)).toBe('fee');
  });

  test('one below nothing is a discount', () => {
    expect(kindOf('Propina', '-2.00')).toBe('fee');
  });
});

describe('a tip is what policy.tips makes of it', () => {
  test('a tip of nothing is nothing', () => {
    expect(outcome(sold({ lines: [shirt()], fees: [fee('Propina', '0.00')] }))).toBe('emit 23.00');
  });

  test('one that the shop taxed names what ends its hold: a line with that tax, or a rule that it is none', () => {
    const order = sold({ lines: [shirt()], fees: [fee('Propina', '2.00', 15)] });
    const written = '{ when: { name: "Propina" }, then: { kind: fee } }';
    expect(outcome(order)).toContain('propina de 2.30 («Propina»), de los que 0.30 son impuesto,');
    expect(outcome(order)).toContain(
      `como una línea, con ese impuesto; si no es una propina, escriba en policy.tax.rules ${written}.`,
    );
    expect(outcome(order, { policy: { tips: { as: 'line' } } })).toBe('emit 25.30');
    expect(outcome(order, { policy: ruled({ name: 'Propina' }, { kind: 'fee' }) })).toBe('emit 25.30');
  });

  test('a fee that may be one says by which rule it is one', () => {
    const order = sold({ lines: [shirt()], fees: [fee('Servicio 10 %', '2.00')] });
    expect(outcome(order)).toContain(
      'Si es una propina, escriba en policy.tax.rules { when: { name: "Servicio 10 %" }, then: { kind: tip } }',
    );
    const rule = [{ name: 'Servicio 10 %' }, { kind: 'tip' }] as const;
    expect(outcome(order, { policy: ruled(...rule) })).toMatch(/^hold tip/);
    expect(outcome(order, { policy: ruled(...rule, asLine) })).toBe('emit 25.00');
  });
});

describe('a refund of a tip', () => {
  const tip = fee('Propina', '2.00');
  const goods = shirt();
  const order = sold({ lines: [goods], fees: [tip] });
  const back = refunded(20, [[tip, '2.00', '0.00']]);

  test('before the factura makes it smaller, also where tips are held', () => {
    expect(outcome(order, { policy: asLine, refunds: [back] })).toBe('emit 23.00');
    expect(outcome(order, { refunds: [back] })).toBe('emit 23.00');
  });

  test('after it is a nota de crédito of the tip', () => {
    const seller = { ...store, policy: policyOf(asLine) };
    const sent = sentFactura(read(order), seller);
    const accessKey = sent?.accessKey ?? null;
    const factura = {
      ...({ kind: 'factura', state: 'authorized', sourceId: '1514', code: null, reason: null } as const),
      ...{ charged: '25.00', secuencial: '000000123', accessKey, sent },
    };
    const [sale, credit] = planned(order, { policy: asLine, refunds: [back], documents: [factura] });
    expect(sale).toMatchObject({ action: 'nothing', code: 'already-authorised' });
    expect(credit).toMatchObject({ action: 'emit', kind: 'nota-credito', document: '2.00' });
    expect(credit?.body?.items.map(({ descripcion }) => descripcion)).toEqual(['Propina']);
  });

  test('of a factura made when the tip was read as a fee credits the same line', () => {
    const asFee = read(order);
    const old = {
      ...asFee,
      charges: asFee.charges.map(({ row: _, ...charge }) => ({ ...charge, kind: 'fee' as const })),
    };
    const policy = policyOf(ruled({ kind: 'fee', untaxed: true }, { iva: 0 }));
    const sent = sentFactura(old, { ...store, policy });
    expect(sent?.lineReferences.map(({ source }) => source)).toEqual([`line:${goods.id}`, `fee:${tip.id}`]);
    const factura = {
      ...({ kind: 'factura', state: 'authorized', sourceId: '1514', code: null, reason: null } as const),
      ...{ charged: '25.00', secuencial: '000000123', accessKey: sent?.accessKey ?? null, sent },
    };
    const [, credit] = planned(order, { refunds: [back], documents: [factura] });
    expect(credit).toMatchObject({ action: 'emit', document: '2.00' });
  });
});
