import { describe, expect, test } from 'vitest';
import { computeFigures } from '../../sandbox/emulator/emission/arithmetic.ts';
import { facturaSchema } from '../../sandbox/emulator/emission/schema.ts';
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

const totals = (change: object = {}) => [
  { codigo: '2', codigo_porcentaje: '4', ...change },
  { codigo: '2', codigo_porcentaje: '0' },
];
const ice = (change: object = {}) => ({ codigo: '3', codigo_porcentaje: '3610', tarifa: 20, ...change });
const irbpnr = (change: object = {}) => ({ codigo: '5', codigo_porcentaje: '5001', ...change });
/** The first line, 34.77, pays ICE of 20 % (6.95); the second is one returnable bottle. */
const taxed = (b: ReturnType<typeof factura>) => {
  b.items[0].tipo_ice = 3610;
  b.items[1].tipo_irbpnr = 5001;
  b.totales = [ice()];
  delete b.pagos;
};

type Change = NonNullable<Parameters<typeof factura>[0]>;

// Every figure a client may state, a given number of cents away from the computed one.
const stated: [figure: string, off: (cents: number) => Change][] = [
  ['payments', (c) => (b) => (b.pagos[0].total = (4000 + c) / 100)],
  ['a line total', (c) => (b) => (b.items[1].precio_total_sin_impuesto = (450 + c) / 100)],
  ['a base of IVA', (c) => (b) => (b.totales = totals({ base_imponible: (3781 + c) / 100, valor: 5.67 }))],
  ['an amount of IVA', (c) => (b) => (b.totales = totals({ valor: (567 + c) / 100 }))],
  [
    'a base of ICE',
    (c) => (b) => {
      taxed(b);
      b.totales = [ice({ base_imponible: (3477 + c) / 100, valor: 6.95 })];
    },
  ],
  [
    'an amount of ICE',
    (c) => (b) => {
      taxed(b);
      b.totales = [ice({ valor: (695 + c) / 100 })];
    },
  ],
  [
    'the units of IRBPNR',
    (c) => (b) => {
      taxed(b);
      b.totales = [ice(), irbpnr({ base_imponible: (100 + c) / 100 })];
    },
  ],
  [
    'an amount of IRBPNR',
    (c) => (b) => {
      taxed(b);
      b.totales = [ice(), irbpnr({ valor: (2 + c) / 100 })];
    },
  ],
];

/** As the authority writes a refusal for differences. */
const refused = {
  estado: 6,
  autorizado: false,
  requiere_correccion: true,
  errores: [{ identificador: '52', mensaje: 'ERROR EN DIFERENCIAS', tipo: 'ERROR' }],
};

describe('a stated figure within 0.02 is let through, beyond it is created and refused with 52', () => {
  // Payments are held against the total, which follows a stated line or tax: without them nothing else differs.
  const alone: (figure: string, change: Change) => Change = (figure, change) => (b) => {
    if (figure !== 'payments') delete b.pagos;
    change(b);
  };

  test.each(stated)('%s', async (figure, off) => {
    const { emit, settled } = await start();
    const decided = async (cents: number) => {
      const body = factura(alone(figure, off(cents)));
      delete body.emisor.secuencial;
      const answer = await emit(body);
      expect(answer.body.creado).toBe(true);
      return settled(answer.body.claveacceso);
    };
    for (const cents of [-2, 0, 2]) expect(await decided(cents)).toMatchObject({ autorizado: true });
    // An amount of IRBPNR of 0.02 cannot be 0.03 less.
    for (const cents of figure.endsWith('amount of IRBPNR') ? [3] : [-3, 3]) {
      expect(await decided(cents)).toMatchObject(refused);
    }
  });
});

const different: [rule: string, change: Change][] = [
  ['a stated rate that is not its code’s', (b) => (b.totales = totals({ tarifa: 12 }))],
  ['totals that leave out a rate of the lines', (b) => (b.totales = totals().slice(0, 1))],
  [
    'totals with a rate no line has',
    (b) => (b.totales = [...totals(), { codigo: '2', codigo_porcentaje: '6', base_imponible: 0.03 }]),
  ],
  ['totals that state one rate twice', (b) => (b.totales = [...totals(), totals()[0]])],
  ['totals with ICE no line has', (b) => (b.totales = [ice({ base_imponible: 5 })])],
  ['totals with IRBPNR no line has', (b) => (b.totales = [irbpnr({ valor: 0.04 })])],
  [
    'IRBPNR at another rate',
    (b) => {
      taxed(b);
      b.totales = [ice(), irbpnr({ tarifa: 0.04 })];
    },
  ],
  [
    'a base of IVA without its ICE',
    (b) => {
      taxed(b);
      b.totales = [ice(), ...totals({ base_imponible: 37.81 })];
    },
  ],
  [
    'bases of IVA off by 0.02 each and by more together',
    (b) => {
      delete b.pagos;
      b.totales = [
        { codigo: '2', codigo_porcentaje: '4', base_imponible: 37.83 },
        { codigo: '2', codigo_porcentaje: '0', base_imponible: 4.52 },
      ];
    },
  ],
  ['payments that leave out one', (b) => b.pagos.pop()],
];

test('a row of 0.00 for a rate no line has is let through, as in documents the authority has authorised', async () => {
  const { emit, settled } = await start();
  const zero = { codigo: '2', codigo_porcentaje: '2', base_imponible: 0, valor: 0 };
  const { body } = await emit(factura((b) => (b.totales = [...totals(), zero])));
  expect((await settled(body.claveacceso)).autorizado).toBe(true);
});

describe('totals that contradict the lines are created and refused with 52', () => {
  test.each(different)('%s', async (_rule, change) => {
    const { emit, settled } = await start();
    const { body } = await emit(factura(change));
    expect(body.creado).toBe(true);
    const { errores, estado } = await settled(body.claveacceso);
    expect({ estado, code: errores[0].identificador }).toEqual({ estado: 6, code: '52' });
  });
});
