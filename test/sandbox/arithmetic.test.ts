import { describe, expect, test } from 'vitest';
import { computeFigures } from '../../src/sandbox/emission/arithmetic.ts';
import { facturaSchema } from '../../src/sandbox/emission/schema.ts';
import { factura, start } from './support.ts';

const figures = (change?: Parameters<typeof factura>[0]) =>
  computeFigures(facturaSchema.parse(factura(change)));

describe('the figures of a factura (ficha técnica, tabla 21)', () => {
  test('IVA is computed on the subtotal of its rate, not summed from the lines', () => {
    const { lines, groups, importeTotal } = figures();
    expect(lines.map((line) => line.impuestos[0]?.valor)).toEqual(['5.22', '0.00', '0.46']);
    expect(groups).toEqual([
      { codigo: '2', codigoPorcentaje: '4', base: '37.81', tarifa: '15.00', valor: '5.67' },
      { codigo: '2', codigoPorcentaje: '0', base: '4.50', tarifa: '0.00', valor: '0.00' },
    ]);
    expect(importeTotal).toBe('47.98');
  });

  test('totalSinImpuestos is net of discounts, which are summed apart', () => {
    expect(figures()).toMatchObject({ totalSinImpuestos: '42.31', totalDescuento: '0.50', differences: [] });
  });

  test('halves of a cent round up', () => {
    const { lines, groups } = figures((b) => {
      b.items = [{ ...b.items[0], cantidad: 1, precio_unitario: 1.005 }];
    });
    expect(lines[0]?.total).toBe('1.01');
    expect(groups[0]?.valor).toBe('0.15');
  });

  test('given totals stand as they are, also where they state the IVA a cent away', () => {
    const { importeTotal, differences } = figures((b) => {
      b.totales = [
        { codigo: '2', codigo_porcentaje: '4', base_imponible: 37.81, tarifa: 15, valor: 5.68 },
        { codigo: '2', codigo_porcentaje: '0' },
      ];
      b.pagos = [{ tipo: 19, total: 47.99 }];
    });
    expect({ importeTotal, differences }).toEqual({ importeTotal: '47.99', differences: [] });
  });
});

// Each of these is off by a little more than the authority's silent 0.02.
const different: [rule: string, change: NonNullable<Parameters<typeof factura>[0]>][] = [
  ['payments 0.03 above the total', (b) => (b.pagos[0].total = 40.03)],
  ['payments 0.03 below the total', (b) => (b.pagos[0].total = 39.97)],
  [
    'a line total 0.03 away from quantity × price − discount',
    (b) => (b.items[1].precio_total_sin_impuesto = 4.53),
  ],
  ['a stated base 0.03 away from its lines', (b) => (b.totales = totals({ base_imponible: 37.84 }))],
  ['a stated IVA 0.03 away from base × rate', (b) => (b.totales = totals({ valor: 5.7 }))],
  ['a stated rate that is not its code’s', (b) => (b.totales = totals({ tarifa: 12 }))],
  ['totals that leave out a rate of the lines', (b) => (b.totales = totals({}).slice(0, 1))],
  [
    'totals with a rate no line has',
    (b) => (b.totales = [...totals({}), { codigo: '2', codigo_porcentaje: '6' }]),
  ],
  ['totals that state one rate twice', (b) => (b.totales = [...totals({}), ...totals({})])],
];

const totals = (change: object) => [
  { codigo: '2', codigo_porcentaje: '4', ...change },
  { codigo: '2', codigo_porcentaje: '0' },
];

describe('differences beyond 0.02 are created and then refused with 52', () => {
  test.each(different)('%s', async (_rule, change) => {
    const { emit, settled } = await start();
    const { body } = await emit(factura(change));
    expect(body.creado).toBe(true);
    const document = await settled(body.claveacceso);
    expect(document).toMatchObject({ estado: 6, autorizado: false, requiere_correccion: true });
    expect(document.errores[0]).toMatchObject({
      identificador: '52',
      mensaje: 'ERROR EN DIFERENCIAS',
      tipo: 'ERROR',
    });
  });

  test('a difference of 0.02 is let through', async () => {
    const { emit, settled } = await start();
    const { body } = await emit(factura((b) => (b.pagos[0].total = 40.02)));
    expect((await settled(body.claveacceso)).autorizado).toBe(true);
  });
});
