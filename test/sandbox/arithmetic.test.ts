import { describe, expect, test } from 'vitest';
import { sustentoFigures } from '../../sandbox/emulator/emission/retencion.ts';
import { judged, written } from './stored.ts';
import { factura, formerNotaCredito, gasto, notaCredito, retencion } from './support.ts';

type Change = NonNullable<Parameters<typeof factura>[0]>;

const figures = (change?: Change) => written('01', factura(change)).figures;
const ofNota = (change?: Change) => written('04', notaCredito(change)).figures;
const tax = (codigo: string, codigoPorcentaje: string, base: string, tarifa: string, valor: string) => ({
  ...{ codigo, codigoPorcentaje, base, tarifa, valor },
});

describe('the figures of a factura (ficha técnica, tabla 21)', () => {
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

/** One line of 2 × 50.00 with ICE of 20 % and IVA of 15 %, in returnable bottles. */
const perfume: Change = (b) => {
  const line = { ...b.items[0], cantidad: 2, precio_unitario: 50 };
  b.items = [{ ...line, tipo_iva: 4, tipo_ice: 3610, tipo_irbpnr: 5001 }];
  b.totales = [{ codigo: '3', codigo_porcentaje: '3610', tarifa: 20 }];
  delete b.pagos;
};
const also =
  (...changes: Change[]): Change =>
  (b) => {
    for (const change of changes) change(b);
  };

describe('ICE, IRBPNR, subsidies and additional discounts (assumption A20)', () => {
  const groups = [
    tax('2', '4', '120.00', '15.00', '18.00'),
    tax('3', '3610', '100.00', '20.00', '20.00'),
    tax('5', '5001', '2.00', '0.02', '0.04'),
  ];
  const whole = { totalSinImpuestos: '100.00', importeTotal: '138.04', groups, differences: [] };

  test('ICE enters the base of IVA, IRBPNR does not (tabla 21): 100.00 + 20.00 + 18.00 + 0.04', () => {
    expect(figures(perfume)).toMatchObject(whole);
  });

  test('a nota de crédito carries them too: described it states its ICE line by line, former its rate', () => {
    const described: Change = (b) => {
      delete b.totales;
      b.items[0].valor_ice = 20;
    };
    // Its totals do not say a rate.
    const sums = groups.map(({ tarifa: _, ...sum }) => sum);
    expect(ofNota(also(perfume, described))).toMatchObject({ ...whole, groups: sums });
    const former = written('04', formerNotaCredito(perfume), { dialect: 'former' });
    expect(former.figures).toMatchObject(whole);
  });

  test('what totales states of a tax stands; what it leaves out is computed', () => {
    const states: Change = (b) => (b.totales[0].valor = 20.01);
    expect(figures(also(perfume, states))).toMatchObject({ importeTotal: '138.05', differences: [] });
  });

  test('tipo_ice and tipo_irbpnr 0 mean none', () => {
    const none: Change = (b) => Object.assign(b.items[0], { tipo_ice: 0, tipo_irbpnr: 0 });
    expect(figures(none).groups.map(({ codigo }) => codigo)).toEqual(['2', '2']);
  });

  test('an additional discount lowers the base of its rate and the total, and counts as discount', () => {
    const discount: Change = (b) => {
      b.totales = [
        { codigo: '2', codigo_porcentaje: '4', descuento_adicional: 7.81 },
        { codigo: '2', codigo_porcentaje: '0' },
      ];
      delete b.pagos;
    };
    expect(figures(discount)).toMatchObject({
      groups: [{ descuentoAdicional: '7.81', base: '30.00', valor: '4.50' }, { base: '4.50' }],
      totalSinImpuestos: '34.50',
      totalDescuento: '8.31',
      importeTotal: '39.00',
    });
  });
});

/** 3 × 0.13 and 2 × 0.105 at 15 %; the rows state another IVA. */
const cents = (b: Parameters<Change>[0]) => {
  const line = { ...b.items[0], tipo_iva: 4 };
  b.items = [
    ...[1, 2, 3].map(() => ({ ...line, cantidad: 1, precio_unitario: 0.13 })),
    ...[1, 2].map(() => ({ ...line, cantidad: 1, precio_unitario: 0.105 })),
  ];
  b.totales = [{ codigo: '2', codigo_porcentaje: '4', base_imponible: 0.61, valor: 0.1 }];
  delete b.pagos;
};

describe('the arithmetic of a service', () => {
  test.each([
    ['totals', '0.61', '0.10', '0.71'],
    ['group', '0.61', '0.09', '0.70'],
    ['line', '0.61', '0.10', '0.71'],
    ['unrounded', '0.60', '0.09', '0.69'],
  ] as const)('%s: a cent of rounding is within what the authority lets pass', (arithmetic, ...expected) => {
    const document = written('01', factura(cents), { arithmetic });
    const [group] = document.figures.groups;
    expect([group?.base, group?.valor, document.figures.importeTotal]).toEqual(expected);
    expect(judged(document).code).toBeUndefined();
  });

  test('summed line by line over many lines, is refused by the authority (52)', () => {
    const many = (b: Parameters<Change>[0]) => {
      cents(b);
      b.items = Array.from({ length: 20 }, () => ({ ...b.items[0], precio_unitario: 0.04 }));
    };
    expect(judged(written('01', factura(many), { arithmetic: 'line' })).code).toBe('52');
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

// Every figure a client may state, a given number of cents away from the computed one.
const stated: [figure: string, off: (cents: number) => Change][] = [
  ['payments', (c) => (b) => (b.pagos[0].total = (4000 + c) / 100)],
  ['a line total', (c) => (b) => (b.items[1].precio_total_sin_impuesto = (450 + c) / 100)],
  ['a base of IVA', (c) => (b) => (b.totales = totals({ base_imponible: (3781 + c) / 100, valor: 5.67 }))],
  ['an amount of IVA', (c) => (b) => (b.totales = totals({ valor: (567 + c) / 100 }))],
  [
    'an amount of ICE',
    (c) => (b) => {
      taxed(b);
      b.totales = [ice({ valor: (695 + c) / 100 })];
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

describe('a stated figure within 0.02 is let through, beyond it is refused with 52', () => {
  // Payments are held against the total, which follows a stated line or tax: without them nothing else differs.
  const alone: (figure: string, change: Change) => Change = (figure, change) => (b) => {
    if (figure !== 'payments') delete b.pagos;
    change(b);
  };

  test.each(stated)('%s', (figure, off) => {
    const code = (away: number) => judged(written('01', factura(alone(figure, off(away))))).code;
    expect([-2, 0, 2].map(code)).toEqual([undefined, undefined, undefined]);
    // An amount of IRBPNR of 0.02 cannot be 0.03 less.
    const beyond = figure.endsWith('amount of IRBPNR') ? [3] : [-3, 3];
    expect(beyond.map(code)).toEqual(beyond.map(() => '52'));
  });

  test('a total of a former nota de crédito', () => {
    const stating =
      (valor: number): Change =>
      (b) =>
        (b.totales = [{ codigo: '2', codigo_porcentaje: '4', valor }]);
    const code = (valor: number) =>
      judged(written('04', formerNotaCredito(stating(valor)), { dialect: 'former' })).code;
    expect([code(2.63), code(2.64)]).toEqual([undefined, '52']);
  });
});

const different: [rule: string, change: Change][] = [
  ['payments without the taxes', also(perfume, (b) => (b.pagos = [{ tipo: 20, total: 118 }]))],
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
    'bases of IVA off by 0.02 each and by more together',
    (b) => {
      delete b.pagos;
      b.totales = [
        { codigo: '2', codigo_porcentaje: '4', base_imponible: 37.83 },
        { codigo: '2', codigo_porcentaje: '0', base_imponible: 4.52 },
      ];
    },
  ],
];

test.each(different)('totals that contradict the lines are refused with 52: %s', (_rule, change) => {
  expect(judged(written('01', factura(change))).code).toBe('52');
});

test.each<[rule: string, change: Change]>([
  ['payments of all taxes', also(perfume, (b) => (b.pagos = [{ tipo: 20, total: 138.04 }]))],
  [
    'a row of 0.00 for a rate no line has, as in documents the authority has authorised',
    (b) => {
      const zero = { codigo: '2', codigo_porcentaje: '2', base_imponible: 0, valor: 0 };
      b.totales = [...totals(), zero];
    },
  ],
])('totals that agree with the lines are let through: %s', (_rule, change) => {
  expect(judged(written('01', factura(change))).code).toBeUndefined();
});

describe('the supplier’s document of a retención', () => {
  const figures = (change?: Change) => sustentoFigures(written('07', retencion(change)).body.sustento);

  test('is the sum of its lines, IVA on the sum of each code', () => {
    const line = { codigo_principal: 'A', descripcion: 'A', cantidad: 1, tipo_iva: 4 };
    const items = [
      { ...line, precio_unitario: 0.11 },
      { ...line, precio_unitario: 0.11 },
      { ...line, cantidad: 3, precio_unitario: 5, descuento: 0.5, tipo_iva: 0 },
    ];
    expect(figures((b) => (b.sustento.items = items))).toEqual({
      totalSinImpuestos: '14.72',
      importeTotal: '14.75',
      impuestos: [tax('2', '4', '0.22', '15.00', '0.03'), tax('2', '0', '14.50', '0.00', '0.00')],
    });
  });

  test('is the sums it is told by, each part under its own code', () => {
    expect(figures(gastos(gasto, { ...gasto, subtotal_ivacero: 0 }))).toEqual({
      totalSinImpuestos: '270.00',
      importeTotal: '300.00',
      impuestos: [
        tax('2', '4', '200.00', '15.00', '30.00'),
        tax('2', '0', '30.00', '0.00', '0.00'),
        tax('2', '6', '40.00', '0.00', '0.00'),
      ],
    });
  });

  test.each<[string, Change]>([
    ['a line', (b) => Object.assign(b.sustento.items[0], { tipo_ice: 3073, valor_ice: 5 })],
    [
      'sums',
      gastos({
        ...{ ...gasto, subtotal_siniva: 0, subtotal_ivacero: 0 },
        ...{ tipo_ice: 3073, tarifa_ice: 5, valor_ice: 5 },
      }),
    ],
  ])('has the ICE that %s states, and IVA on it', (_what, change) => {
    expect(figures(change)).toEqual({
      totalSinImpuestos: '100.00',
      importeTotal: '120.75',
      impuestos: [tax('2', '4', '105.00', '15.00', '15.75'), tax('3', '3073', '100.00', '5.00', '5.00')],
    });
  });
});

/** A retención on the sums of its document instead of its lines. */
function gastos(...sums: object[]): Change {
  return (b) => {
    delete b.sustento.items;
    b.sustento.gastos = sums;
  };
}
