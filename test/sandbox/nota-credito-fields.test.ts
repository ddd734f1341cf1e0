import { describe, expect, test } from 'vitest';
import { factura, formerNotaCredito, notaCredito, start } from './support.ts';

type Change = NonNullable<Parameters<typeof notaCredito>[0]>;

const entries = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ nombre: `n${i}`, detalle: 'd' }));
const modified = (change: object): Change => {
  return (b) => Object.assign(b.documento_modificado, change);
};
const without = (name: string): Change => {
  return (b) => delete b.documento_modificado[name];
};

// documento_modificado is not shown (assumption A21); the rest are the rules every emission knows.
const refused: [rule: string, change: Change, field: string][] = [
  ['no documento_modificado', (b) => delete b.documento_modificado, 'documento_modificado'],
  ['no type', without('codigo_documento_sustento'), 'documento_modificado.codigo_documento_sustento'],
  ['a type that is no code', modified({ codigo_documento_sustento: true }), 'codigo_documento_sustento'],
  ['no number', without('numero_documento_sustento'), 'documento_modificado.numero_documento_sustento'],
  ['a number of 14 digits', modified({ numero_documento_sustento: '00100100000001' }), 'numero_documento'],
  ['a number with spaces', modified({ numero_documento_sustento: '001 001 000000001' }), 'numero_documento'],
  ['a number that is no text', modified({ numero_documento_sustento: 1001000000001 }), 'numero_documento'],
  ['no date', without('fecha_documento_sustento'), 'documento_modificado.fecha_documento_sustento'],
  ['a date with dashes', modified({ fecha_documento_sustento: '2026-11-20' }), 'fecha_documento_sustento'],
  ['a date day first', modified({ fecha_documento_sustento: '20/11/2026' }), 'fecha_documento_sustento'],
  ['no reason', without('motivo'), 'documento_modificado.motivo'],
  ['an empty reason', modified({ motivo: ' ' }), 'documento_modificado.motivo'],
  ['a reason of 301 characters', modified({ motivo: 'x'.repeat(301) }), 'documento_modificado.motivo'],
  ['anula_comprobante as a boolean', modified({ anula_comprobante: true }), 'anula_comprobante'],
  ['anula_comprobante "Sí"', modified({ anula_comprobante: 'Sí' }), 'anula_comprobante'],
  ['a name documento_modificado does not know', modified({ razon: 'x' }), 'razon'],
  ['pagos', (b) => (b.pagos = [{ tipo: 20, total: 19.99 }]), 'pagos'],
  ['guiaremision', (b) => (b.guiaremision = '001-001-000000001'), 'guiaremision'],
  ['placa', (b) => (b.placa = 'PBA-1234'), 'placa'],
  ['totales', (b) => (b.totales = [{ codigo: '2', codigo_porcentaje: '4' }]), 'totales'],
  ['no number of its own', (b) => delete b.emisor.secuencial, 'emisor.secuencial'],
  ['a type as text', modified({ codigo_documento_sustento: '01' }), 'codigo_documento_sustento'],
  ['a number with dashes', modified({ numero_documento_sustento: '001-001-000000123' }), 'numero_documento'],
  ['tipo_emision 2', (b) => (b.tipo_emision = 2), 'tipo_emision'],
  ['an ICE that says neither rate nor amount', (b) => (b.items[0].tipo_ice = 3610), 'items.0.tipo_ice'],
  ['yesterday', (b) => (b.emisor.fecha_emision = '2026/11/19'), 'emisor.fecha_emision'],
  ['tomorrow', (b) => (b.emisor.fecha_emision = '2026/11/21'), 'emisor.fecha_emision'],
  [
    'two RIMPE regimes',
    (b) => Object.assign(b.emisor, { regimen_rimpe: true, regimen_rimpe_popular: true }),
    'rimpe',
  ],
  ['an agent without resolution', (b) => (b.emisor.agente_retencion = true), 'emisor.numero_resolucion'],
  ['15 entries of information', (b) => (b.informacion_adicional = entries(15)), 'informacion_adicional'],
  [
    'RUC Proveedor in any spelling',
    (b) => (b.informacion_adicional = [{ nombre: 'ruc  proveedor ', detalle: '1' }]),
    'RUC Proveedor',
  ],
  ['no items', (b) => (b.items = []), 'items'],
];

const accepted: [rule: string, change: Change][] = [
  [
    'its required fields alone',
    (b) => {
      delete b.emisor.obligado_contabilidad;
      delete b.items[0].tipoproducto;
      delete b.informacion_adicional;
    },
  ],
  ['the regime in words', (b) => (b.emisor.contribuyente_rimpe = 'SI')],
  ['a reason of 300 characters', modified({ motivo: 'ñ'.repeat(300) })],
  ['anula_comprobante SI', modified({ anula_comprobante: 'SI' })],
  ['anula_comprobante NO', modified({ anula_comprobante: 'NO' })],
  ['a document modified years later', modified({ fecha_documento_sustento: '2019/02/28' })],
  ['14 entries of information', (b) => (b.informacion_adicional = entries(14))],
  ['codigoDoc 04', (b) => (b.codigoDoc = '04')],
];

describe('the body of a nota de crédito', () => {
  test.each(refused)('with %s answers 200 with creado false and errors', async (_rule, change, field) => {
    const { credit, sandbox } = await start();
    const { status, body } = await credit(notaCredito(change));
    expect({ status, creado: body.creado }).toEqual({ status: 200, creado: false });
    expect(body.errors).toEqual(expect.arrayContaining([expect.stringContaining(field)]));
    expect(sandbox.documents()).toEqual([]);
  });

  test.each(accepted)('with %s is created', async (_rule, change) => {
    const { credit } = await start();
    const { status, body, headers } = await credit(notaCredito(change));
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        creado: true,
        claveacceso: expect.stringMatching(/^20112026041792146739001100100100000000/),
        id_comprobante: 1,
      },
    });
    expect(headers.get('x-sandbox-inferred')).toBe('true');
  });

  test('that is no JSON answers 400, with a wrong key 401, both with creado false and errors', async () => {
    const { credit } = await start();
    const failed = { creado: false, errors: [expect.any(String)] };
    expect(await credit('{"emisor":')).toMatchObject({ status: 400, body: failed });
    expect(await credit(notaCredito(), 'otra')).toMatchObject({ status: 401, body: failed });
  });
});

describe('the numbers of notas de crédito', () => {
  const unnumbered: Change = (b) => delete b.emisor.secuencial;

  test('are a series of their own beside the facturas of the same point', async () => {
    const { emit, credit, sandbox } = await start({ dialect: 'former' });
    await emit(factura());
    await credit(formerNotaCredito(unnumbered));
    await emit(factura(unnumbered));
    await credit(formerNotaCredito(unnumbered));
    expect(sandbox.documents().map(({ tipo, secuencial }) => [tipo, Number(secuencial)])).toEqual([
      ['01', 123],
      ['04', 1],
      ['01', 124],
      ['04', 2],
    ]);
  });

  test('may be those of a factura; repeated they answer 409 with the access key of the first', async () => {
    const { emit, credit } = await start();
    const number: Change = (b) => (b.emisor.secuencial = '000000123');
    expect((await emit(factura())).status).toBe(200);
    const first = await credit(notaCredito(number));
    expect(first.body.creado).toBe(true);
    const { claveacceso } = first.body;
    expect(await credit(notaCredito(number))).toMatchObject({
      status: 409,
      body: { creado: false, claveacceso, errors: [expect.any(String)] },
    });
  });

  test('repeated with random free digits are refused by the authority with 45', async () => {
    const { credit, settled } = await start({ codigoNumerico: 'aleatorio' });
    const first = await credit(notaCredito());
    const second = await credit(notaCredito());
    expect((await settled(first.body.claveacceso)).autorizado).toBe(true);
    expect((await settled(second.body.claveacceso)).errores).toMatchObject([{ identificador: '45' }]);
  });
});

describe('the figures of a nota de crédito', () => {
  const figuresOf = async (change?: Change) => {
    const { credit, sandbox } = await start();
    await credit(notaCredito(change));
    return sandbox.documents()[0]?.figures;
  };

  test('are computed from quantity, price and discount', async () => {
    expect(await figuresOf()).toMatchObject({ totalSinImpuestos: '17.38', importeTotal: '19.99' });
  });

  test('do not depend on what a line states as its total, which is not described', async () => {
    const stated: Change = (b) => (b.items[0].precio_total_sin_impuesto = 17.4);
    expect(await figuresOf(stated)).toMatchObject({ importeTotal: '19.99', differences: [] });
  });

  test('carry the ICE each line says it pays, which enters the base of IVA', async () => {
    const perfume: Change = (b) => {
      const line = { ...b.items[0], precio_unitario: 100, tipo_ice: 3610, valor_ice: 20 };
      b.items = [line, { ...line, precio_unitario: 0.03, valor_ice: 0.01 }];
    };
    expect(await figuresOf(perfume)).toMatchObject({
      groups: [
        { codigo: '2', base: '120.04', valor: '18.01' },
        { codigo: '3', base: '100.03', valor: '20.01' },
      ],
      importeTotal: '138.05',
      differences: [],
    });
  });
});
