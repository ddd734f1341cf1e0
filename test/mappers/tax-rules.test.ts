import { describe, expect, it } from 'vitest';
import { toFactura } from '../../mappers/index.ts';
import { unusableRules } from '../../mappers/tax-rules.ts';
import { line, order } from '../support/orders.ts';
import { bodyOf, charge, heldOf, type Written } from './mapping.ts';
import { contextOf, policyOf } from './policy.ts';

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

  it.each([
    ['12', 2, '2024-03-31', '2024-04-01'],
    ['14', 3, '2017-05-31', '2017-06-01'],
    ['5', 5, '2024-04-01', '2024-03-31'],
    ['0', 0, '2026-11-20', null],
    ['13', 10, null, '2024-04-01'],
  ] as const)('of %s %% gives code %i on %s, not on %s', (rate, iva, day, other) => {
    const policy = { tax: { rules: [{ when: { rate }, then: { iva } }] } };
    const sale = order({ lines: [line({ rate })] });
    if (day !== null) expect(bodyOf(sale, policy, day).items[0]?.tipo_iva).toBe(iva);
    if (other !== null) expect(heldOf(sale, policy, other)).toMatch(/^rate-not-in-force: «regla 1» da a/);
  });

  it('of 8 % is taken on decreed days, first to last, and on no other', () => {
    const rules: Rules = [{ when: { rate: 8 }, then: { iva: 8 } }];
    const sale = order({ lines: [line({ rate: '8' })] });
    const on = (today: Parameters<typeof contextOf>[1]) => {
      const mapped = toFactura(sale, contextOf({ tax: { rules } }, today));
      return mapped.ok ? mapped.body.items[0]?.tipo_iva : mapped.code;
    };
    expect(['2026-01-01', '2026-01-04', '2026-02-14', '2026-02-17'].map((day) => on(day))).toEqual([
      8, 8, 8, 8,
    ]);
    expect(['2025-12-31', '2026-01-05', '2026-02-13', '2026-02-18'].map((day) => on(day))).toEqual(
      Array(4).fill('rate-not-decreed'),
    );
  });

  it('is what it takes on a decreed day too', () => {
    const mapped = toFactura(order({ lines: [line({ rate: '8' })] }), contextOf({}, '2026-01-02'));
    expect(mapped).toMatchObject({ ok: false, code: 'unmapped-tax' });
    expect(!mapped.ok && mapped.reason).toContain('Hoy, 2026-01-02, es uno (Decreto 271).');
  });

  it('reaches the tax of a negative fee by the goods it was charged on', () => {
    const rules: Rules = [{ when: { sku: 'CEM-*' }, then: { iva: 5 } }];
    const sale = order({
      lines: [line({ sku: 'CEM-1', price: '20.00', rate: '5' })],
      charges: [charge('fee', { name: 'Rebaja', price: '-2.00', rate: '5' })],
    });
    expect(bodyOf(sale, { tax: { rules } }).totales).toMatchObject([
      { codigo_porcentaje: '5', base_imponible: 18, valor: 0.9 },
    ]);
  });

  it('names a tax with a foreign name, where it is IVA', () => {
    const gst = line({ taxes: [{ title: 'GST', rate: '15', amount: '1.50', rateId: '7' }] });
    expect(codes([gst], [{ when: { title: 'GST' }, then: { iva: 4 } }])).toEqual([4]);
    expect(codes([gst], [], { byRateId: { 7: 4 } })).toEqual([4]);
    // A rule on the item says nothing of whose tax it was.
    expect(heldOf(order({ lines: [gst] }), { tax: { rules: [{ when: {}, then: { iva: 4 } }] } })).toMatch(
      /^foreign-tax/,
    );
  });

  it('gives special items no 8 % on other days either', () => {
    const tip = order({ charges: [charge('tip', { price: '2.00', rate: null })] });
    expect(heldOf(tip, { tips: { as: 'line', iva: 8 } })).toMatch(
      /^rate-not-decreed: «política de propinas»/,
    );
    expect(heldOf(tip, { tips: { as: 'line', iva: 2 } })).toMatch(
      /^rate-not-in-force: «política de propinas» da a «tip» el IVA 12 % \(código 2\)/,
    );
  });

  it('that no factura of a day can follow is found before anything is sold', () => {
    const written: Written = {
      tax: {
        rules: [
          { name: 'vieja', when: { rate: 12 }, then: { iva: 2 } },
          { name: 'turismo', when: { rate: 8 }, then: { iva: 8 } },
          { name: 'foco', when: { sku: 'F' }, then: { ice: { codigo: 3640, tarifa: 100 } } },
          {
            name: 'cocina',
            when: { sku: 'C' },
            then: { ice: { codigo: 3670, tarifa: 100, nombre: 'Cocinas' } },
          },
          { name: 'ron', when: { sku: 'R' }, then: { ice: { codigo: 3031, tarifa: 75 } } },
        ],
        byRateId: { 9: 10 },
      },
      tips: { as: 'line', iva: 3 },
    };
    expect(unusableRules(policyOf(written), '2026-11-20')).toEqual([
      '«vieja» da el IVA 12 % (código 2), que no rige hoy, 2026-11-20: rigió del 2017-06-01 al 2024-03-31',
      '«foco» da el ICE 3640, que no está en la tabla de códigos de facturapuente',
      '«ron» da el ICE 3031 (Bebidas alcohólicas), que suma un monto por unidad a su porcentaje',
      '«byRateId 9» da el IVA 13 % (código 10), que no rige hoy, 2026-11-20: no ha regido ningún día',
      '«policy.tips» da el IVA 14 % (código 3), que no rige hoy, 2026-11-20: rigió del 2016-06-01 al 2017-05-31',
    ]);
    expect(unusableRules(policyOf(), '2026-11-20')).toEqual([]);
  });

  describe('of a sale abroad', () => {
    const delivery = { by: 'shipping', country: 'CO' } as const;
    const abroad = (item: ReturnType<typeof line>, rules: Rules, rest: Written['tax'] = {}) => {
      const sale = order({ lines: [item], delivery });
      const mapped = toFactura(sale, contextOf({ tax: { ...rest, rules } }));
      return mapped.ok ? mapped.body.items[0]?.tipo_iva : mapped.code;
    };

    it.each<[string, Rules[number]['when'], ReturnType<typeof line>]>([
      ['any', {}, untaxed({})],
      ['what bears no tax', { untaxed: true }, untaxed({})],
      ['what bears 0 %', { rate: 0 }, line({ rate: '0' })],
      ['a product', { sku: 'CAM-*' }, untaxed({})],
    ])('decides %s where it says abroad', (_, when, item) => {
      expect(abroad(item, [{ when: { ...when, abroad: true }, then: { iva: 0 } }])).toBe(0);
      expect(abroad(item, [{ when, then: { iva: 0 } }])).toBe('sale-abroad');
      expect(
        codes([item], [{ when: { ...when, abroad: true }, then: { iva: 7 } }], { untaxed: 6 }),
      ).not.toEqual([7]);
    });

    it('is what the usual class names, the short forms and the stated rate are not', () => {
      expect(abroad(line({ rate: null, taxClass: 'iva-0' }), [])).toBe('sale-abroad');
      expect(abroad(untaxed({ taxClass: 'libros' }), [], { byClass: { libros: 0 } })).toBe('sale-abroad');
      expect(abroad(untaxed({}), [], { untaxed: 0 })).toBe('sale-abroad');
      expect(abroad(line(), [])).toBe('sale-abroad');
      expect(abroad(line({ rate: '5' }), [{ when: { rate: 5 }, then: { iva: 5 } }])).toBe('sale-abroad');
    });

    it('does not overrule what the shop charged', () => {
      expect(abroad(line(), [{ when: { abroad: true }, then: { iva: 0 } }])).toBe('tax-contradiction');
    });

    it('may be at home only, as one that gives an IVA is unless it says otherwise', () => {
      const rules: Rules = [{ when: { abroad: false }, then: { hold: 'Solo exportamos.' } }];
      expect(heldOf(order(), { tax: { rules } })).toBe('held-by-rule: Solo exportamos.');
      expect(abroad(untaxed({}), [...rules, { when: { abroad: true }, then: { iva: 0 } }])).toBe(0);
    });

    it('holds there and here where it holds and does not say', () => {
      const rules: Rules = [{ when: { sku: 'CAM-*' }, then: { hold: 'No se vende.' } }];
      expect(abroad(untaxed({}), rules)).toBe('held-by-rule');
      expect(heldOf(order(), { tax: { rules } })).toBe('held-by-rule: No se vende.');
    });
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
    const taxes = [{ title: 'IVA', rate: '15', amount: '-0.02', rateId: null }];
    expect(heldOf(order({ lines: [line({ price: '0.00', tax: '-0.02', taxes })] }))).toMatch(
      /-0\.02, menor que cero/,
    );
  });

  it.each(['-0.00008', '-0.0049', '-0.01', '0.00005', '0.01'])(
    'a rest of %s of a tax on something free is no tax, on a line or on shipping',
    (rest) => {
      const taxes = [{ title: 'IVA', rate: '15', amount: rest, rateId: null }];
      const sold = line({ id: '1', price: '8.69', tax: '1.30' });
      const total = rest.endsWith('0.01') ? String(9.99 + Number(rest)) : '9.99';
      const free = { price: '0.00', tax: rest, taxes };
      for (const one of [
        order({ lines: [sold, line({ id: '2', ...free })], total }),
        order({ lines: [sold], charges: [charge('shipping', free)], total }),
      ])
        expect(String(bodyOf(one).pagos[0]?.total)).toBe(total);
    },
  );

  it('a tax that is not what its rate makes of the price is held with both figures, however large the order', () => {
    const odd = line({ id: '2', price: '10.00', tax: '1.20' });
    expect(heldOf(order({ lines: [line({ price: '5000.00' }), odd] }))).toMatch(
      /^tax-contradiction: .*1\.20 sobre 10\.00 y serían 1\.50/,
    );
  });
});
