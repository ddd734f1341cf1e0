import { describe, expect, it } from 'vitest';
import { line, order } from '../support/orders.ts';
import { bodyOf, charge, heldOf, type Written } from './mapping.ts';

type Rules = NonNullable<NonNullable<Written['tax']>['rules']>;
/* biome-ignore-start lint/suspicious/noThenProperty: the word of the config; it is no function. */
const codes = (lines: ReturnType<typeof line>[], rules: Rules, rest: Written['tax'] = {}) =>
  bodyOf(order({ lines }), { tax: { ...rest, rules } }).items.map((item) => item.tipo_iva);

describe('a tax rule', () => {
  const untaxed = (fields: Parameters<typeof line>[0]) => line({ rate: null, ...fields });

  it.each<[string, Rules[number]['when'], ReturnType<typeof line>]>([
    ['the SKU', { sku: 'LIB-*' }, untaxed({ sku: 'lib-001' })],
    ['a tag', { tag: 'canasta básica' }, untaxed({ tags: ['Canasta Basica'] })],
    ['a collection', { collection: ['libros', 'revistas'] }, untaxed({ collections: ['Revistas'] })],
    ['the name', { name: '*historia*' }, untaxed({ name: 'Libro: Historia del Ecuador' })],
    ['the tax class', { taxClass: 'libros' }, untaxed({ taxClass: 'libros' })],
    ['the kind', { kind: 'product' }, untaxed({})],
    ['that there is no tax', { untaxed: true }, untaxed({})],
    ['the title of the tax', { title: 'iva 0*' }, line({ rate: '0' })],
    ['the id of the rate', { rateId: 1 }, line({ rate: '0' })],
    ['the stated rate', { rate: 0 }, line({ rate: '0' })],
  ])('may go by %s', (_, when, item) => {
    expect(codes([item], [{ when, then: { iva: 7 } }])).toEqual([7]);
    expect(
      bodyOf(order({ lines: [item] }), { tax: { rules: [{ name: 'la mía', when, then: { iva: 7 } }] } }).trace
        .items[0]?.iva.by,
    ).toBe('la mía');
  });

  it('needs all of its conditions, and any of the values of one', () => {
    const rules: Rules = [{ when: { sku: ['A-*', 'B-*'], tag: 'exento' }, then: { iva: 7 } }];
    expect(codes([untaxed({ sku: 'B-1', tags: ['exento'] })], rules)).toEqual([7]);
    expect(heldOf(order({ lines: [untaxed({ sku: 'B-1' })] }), { tax: { rules } })).toMatch(/^unmapped-tax/);
  });

  it('stands before the next one, and each of them decides only what it names', () => {
    const rules: Rules = [
      { when: { sku: 'SRV-*' }, then: { tipo: 'servicio' } },
      { when: { sku: '*-1' }, then: { iva: 6 } },
      { when: { untaxed: true }, then: { iva: 0, tipo: 'bien', unidad: 12 } },
    ];
    const [item] = bodyOf(order({ lines: [untaxed({ sku: 'SRV-1' })] }), { tax: { rules } }).items;
    expect(item).toMatchObject({ tipo_iva: 6, tipoproducto: 2, unidad_medida: 12 });
  });

  it('stands before the usual class names, and those before nothing', () => {
    expect(codes([untaxed({ taxClass: 'exento' })], [])).toEqual([7]);
    expect(codes([untaxed({ taxClass: 'exento' })], [], { byClass: { exento: 0 } })).toEqual([0]);
  });

  it('does not overrule what the shop charged: a contradiction is held', () => {
    const rules: Rules = [{ when: { sku: 'CAM-*' }, then: { iva: 0 } }];
    expect(heldOf(order({ lines: [line()] }), { tax: { rules } })).toMatch(
      /^tax-contradiction: .*IVA 0 %.*«IVA 15%» del 15 %/,
    );
  });

  it('of an old rate is the merchant’s word for a special case', () => {
    const rules: Rules = [{ when: { rate: 12 }, then: { iva: 2 } }];
    expect(codes([line({ rate: '12' })], rules)).toEqual([2]);
  });

  it('holds with the merchant’s own sentence', () => {
    const rules: Rules = [
      { when: { tag: 'licor' }, then: { hold: 'Los licores se facturan en el local de Quito.' } },
    ];
    expect(heldOf(order({ lines: [line({ tags: ['Licor'] })] }), { tax: { rules } })).toBe(
      'held-by-rule: Los licores se facturan en el local de Quito.',
    );
  });

  it('reaches charges by their kind', () => {
    const sale = order({ charges: [charge('shipping', { price: '4.00', rate: null })] });
    const rules: Rules = [{ when: { kind: 'shipping' }, then: { iva: 0 } }];
    expect(bodyOf(sale, { tax: { rules } }).items[1]?.tipo_iva).toBe(0);
  });
});
/* biome-ignore-end lint/suspicious/noThenProperty: the end of it. */

describe('without a rule', () => {
  it('8 % is taken where the shop states it, on any day', () => {
    expect(codes([line({ rate: '8' })], [])).toEqual([8]);
  });

  it('two taxes on one line are held', () => {
    const taxes = [
      { title: 'IVA', rate: '15', amount: '1.50', rateId: null },
      { title: 'ICE', rate: '10', amount: '1.00', rateId: null },
    ];
    expect(heldOf(order({ lines: [line({ taxes, tax: '2.50' })] }))).toMatch(
      /^several-taxes: .*«IVA» de 1\.50 y «ICE» de 1\.00/,
    );
  });

  it('a tax below nothing on what was sold is held', () => {
    const taxes = [{ title: 'IVA', rate: '15', amount: '-0.01', rateId: null }];
    expect(heldOf(order({ lines: [line({ price: '0.00', tax: '-0.01', taxes })] }))).toMatch(
      /-0\.01, menor que cero/,
    );
  });

  it('a tax that is not what its rate makes of the price is held with both figures, however large the order', () => {
    const odd = line({ id: '2', price: '10.00', tax: '1.20' });
    expect(heldOf(order({ lines: [line({ price: '5000.00' }), odd] }))).toMatch(
      /^tax-contradiction: .*1\.20 sobre 10\.00 y serían 1\.50/,
    );
  });
});
