import { describe, expect, test } from 'vitest';
import { type Kind, kindsOf } from '../../sandbox/emulator/emission/kinds.ts';
import {
  factura,
  formerNotaCredito,
  gasto,
  guiaRemision,
  notaCredito,
  otherDocument,
  retencion,
  today,
} from './support.ts';

/*
 * What each kind of document takes beyond the field tables of the specification, whose every row is a conformance
 * check: codes, numbers and days, and the bodies a public description shows (assumptions A21 and A22). The reader of
 * the kind is asked, not its route.
 */

const kinds = kindsOf({ dialect: 'described', arithmetic: 'totals' });
const former = kindsOf({ dialect: 'former', arithmetic: 'totals' });

/** A field, whether it is required, the values the service takes, and others than null that it refuses. */
type Field = readonly [path: string, need: 'required' | 'optional', takes: unknown[], refuses: unknown[]];

// Lengths count characters, not bytes or halves of an emoji.
const text = (path: string, max: number, need: Field[1] = 'optional'): Field => [
  path,
  need,
  ['ñ'.repeat(max), '🌿'.repeat(max), ...(need === 'required' ? [] : [''])],
  ['x'.repeat(max + 1), 5, ...(need === 'required' ? ['', '  '] : [])],
];
const yesOrNo = (path: string): Field => [path, 'optional', ['SI', 'NO'], ['Sí', '', true]];
const day = (path: string, need: Field[1] = 'optional'): Field => [
  path,
  need,
  ['2026/11/20', '2024/02/29'],
  ['2026-11-20', '20/11/2026', '2026/11/2', ''],
];
const someone = (path: string, need: Field[1] = 'required'): Field => [
  `${path}.tipo_identificacion`,
  need,
  ['04', '05', '06', '08'],
  ['4', '09', '00', ''],
];
const fifteen = ['001-001-000000123', '001 001 000000001', '00100100000012', '0010010000001234', ''];
const given: Field = ['emisor.secuencial', 'required', ['2', '000000555'], ['0000000001', '0', '', '12A']];

const ofFacturaFields: Field[] = [
  text('emisor.nombre_comercial', 300, 'required'),
  text('items.0.codigo_principal', 25),
  // Its check digit follows no algorithm.
  [
    'emisor.ruc',
    'required',
    ['1793213150001'],
    ['9992146739001', '1792146739000', '__proto__', ' 792146739001'],
  ],
  ['emisor.codigo_establecimiento', 'required', ['002'], ['00A', ' 02', '']],
  ['emisor.obligado_contabilidad', 'required', ['SI', 'NO'], ['Sí', 'si', 'N', '']],
  ['emisor.secuencial', 'optional', ['2', '000000555', '999999999'], ['0000000001', '0', '', '12A', '-1']],
  ['emisor.fecha_emision', 'required', ['2026/11/20'], ['2025/11/20', '20/11/2026', '2026/11/2', '']],
  ['emisor.contabilidad', 'optional', [true, false], ['true', 1]],
  ['comprador.tipo_identificacion', 'required', ['04', '05', '06', '07', '08'], ['4', '09', '00', '']],
  ['items.0.cantidad', 'required', [0, 1, 2.5], ['5', true]],
  ['items.0.tipo_iva', 'required', [0, 2, 3, 4, 5, 6, 7, 8, 10], [1, 9, 11, 12, 15, -1, 1.5]],
  ['items.0.tipo_ice', 'optional', [0], [1, 15, 301, 30110, -3011]],
  ['items.0.tipo_irbpnr', 'optional', [0, 5001], [1, 5, 5002]],
  ['totales.0.codigo', 'optional', ['2', '3', '5'], ['1', '4', '02', '']],
  ['pagos.0.tipo', 'optional', [1, 15, 16, 17, 18, 19, 20, 21], [0, 2, 14, 22]],
  ['codigoDoc', 'optional', ['01', ''], ['04', '1']],
];

const ofNotaFields: Field[] = [
  given,
  yesOrNo('emisor.obligado_contabilidad'),
  yesOrNo('emisor.contribuyente_rimpe'),
  ['tipo_emision', 'optional', [1], [0, 2, '1']],
  ['codigoDoc', 'optional', ['04', ''], ['01', '4']],
  ['items.0.valor_ice', 'optional', [0, 2.5], ['5']],
  ['documento_modificado', 'required', [], [{}]],
  // Which types can be modified is the authority's to say.
  ['documento_modificado.codigo_documento_sustento', 'required', [1, 3, 5, 4, 101], ['1', 1.5]],
  ['documento_modificado.numero_documento_sustento', 'required', ['001001000000123'], fifteen],
  day('documento_modificado.fecha_documento_sustento', 'required'),
  text('documento_modificado.motivo', 300, 'required'),
  yesOrNo('documento_modificado.anula_comprobante'),
];

const ofGuiaFields: Field[] = [
  given,
  yesOrNo('emisor.contribuyente_rimpe_popular'),
  ['codigoDoc', 'optional', ['06', ''], ['01', '6']],
  ['proceso', 'optional', ['Nuevo', 'Actualizar'], ['nuevo', '']],
  ['transportista', 'required', [], [{}]],
  someone('transportista'),
  text('transportista.placa', 20),
  ['destinatario', 'required', [], [{}]],
  someone('destinatario'),
  ['traslado', 'required', [], [{}]],
  text('traslado.direccion_destino', 300, 'required'),
  day('traslado.fecha_inicio_transporte'),
  ['traslado.codigo_establecimiento_destino', 'optional', [0, 999], [-1, 1000, 1.5]],
  ['items', 'required', [], [[], {}]],
  text('items.0.codigo_principal', 25, 'required'),
  ['documento_sustento', 'optional', [], ['factura', 5]],
  ['documento_sustento.codigo_documento_sustento', 'optional', [1, 99], [0, 100]],
  ['documento_sustento.numero_documento_sustento', 'optional', ['001001000000123'], fifteen],
  ['documento_sustento.autorizacion_documento_sustento', 'optional', ['1'.repeat(49)], ['1'.repeat(48), '']],
];

const ofRetencionFields: Field[] = [
  given,
  ['codigoDoc', 'required', ['07'], ['7', '', '06']],
  ['version', 'optional', ['1.0.0', '2.0.0'], ['2', '1.1.0']],
  ['proveedor', 'required', [], [{}]],
  someone('proveedor'),
  ['sustento', 'required', [], [{}]],
  ['sustento.codigo_sustento_tributario', 'required', ['01', '15'], ['1', '001', '']],
  ['sustento.codigo_documento_sustento', 'required', ['01', '03', '344'], ['1', '0001', '']],
  ['sustento.numero_documento_sustento', 'required', ['001001000000123'], fifteen],
  ['sustento.numero_autorizacion', 'required', ['1'.repeat(49), '1'.repeat(10)], ['1'.repeat(37), '']],
  day('sustento.fecha_registro_contable', 'required'),
  ['sustento.items.0.tipo_iva', 'required', [0, 4, 6], [1, 9, 15]],
  ['sustento.items.0.tipo_ice', 'optional', [0, 3011], [1, 30110]],
  ['retenciones', 'required', [], [[], {}]],
  ['retenciones.0.codigoimpuesto', 'required', [1, 2, 6], [0, 3, 5]],
  text('retenciones.0.codigo_retencion', 5, 'required'),
  ['retenciones.0.valor_retenido', 'required', [0, 2.5], ['5']],
];

type Holder = Record<string, unknown>;

function put(body: Holder, path: string, value: unknown): Holder {
  const names = path.split('.');
  const last = names.pop() as string;
  const place = names.reduce((at, name) => at[name] as Holder, body);
  if (value === undefined) delete place[last];
  else place[last] = value;
  return body;
}

/** Whether the service takes a body of this kind, or the sentences it refuses it with. */
function taken(kind: Kind, body: unknown): true | string[] {
  const checked = kind.read(body, today);
  return 'errors' in checked ? checked.errors : true;
}

const withTotals = () =>
  factura((b) => {
    delete b.emisor.secuencial;
    b.totales = [{ codigo: '2', codigo_porcentaje: '4' }];
  });
const each = (kind: string, reader: Kind, plain: () => Holder, fields: readonly Field[]) =>
  fields.map((field) => [kind, field[0], reader, plain, field] as const);

test.each([
  ...each('factura', kinds['01'], withTotals, ofFacturaFields),
  ...each('nota de crédito', kinds['04'], notaCredito, ofNotaFields),
  ...each('guía de remisión', kinds['06'], guiaRemision, ofGuiaFields),
  ...each('retención', kinds['07'], retencion, ofRetencionFields),
])('the field table of a %s: %s', (_kind, path, kind, plain, [, need, takes, refuses]) => {
  const withValue = (value: unknown) => ({ value, taken: taken(kind, put(plain(), path, value)) });
  const named = expect.arrayContaining([expect.stringContaining(path)]);
  for (const value of [null, ...refuses]) expect(withValue(value)).toEqual({ value, taken: named });
  for (const value of takes) expect(withValue(value)).toEqual({ value, taken: true });
  expect(withValue(undefined).taken).toEqual(need === 'required' ? named : true);
});

test('a former nota de crédito has no number of its own, totals, dashes and its type as text', () => {
  const body = formerNotaCredito((b) =>
    Object.assign(b, { totales: [{ codigo: '2', codigo_porcentaje: '4' }] }),
  );
  delete body.emisor.secuencial;
  expect([taken(former['04'], body), taken(kinds['04'], body)]).toEqual([true, expect.any(Array)]);
});

type Change = NonNullable<Parameters<typeof factura>[0]>;
type Refused = [rule: string, change: Change, sentence: string];

const entries = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ nombre: `n${i}`, detalle: 'd' }));
const provider =
  (nombre: string): Change =>
  (b) =>
    b.informacion_adicional.push({ nombre, detalle: '1' });

const refusedOfAll: Refused[] = [
  [
    'of an issuer of two RIMPE regimes',
    (b) => Object.assign(b.emisor, { regimen_rimpe: true, regimen_rimpe_popular: true }),
    'emisor.regimen_rimpe: solo un régimen',
  ],
  [
    'of a withholding agent without resolution',
    (b) => Object.assign(b.emisor, { agente_retencion: true, numero_resolucion: ' ' }),
    'emisor.numero_resolucion',
  ],
  ['with RUC Proveedor', provider('RUC Proveedor'), 'RUC Proveedor'],
  ['with RUC Proveedor in another spelling', provider(' ruc  proveedor'), 'RUC Proveedor'],
  [
    'with 15 entries of information',
    (b) => (b.informacion_adicional = entries(15)),
    'informacion_adicional: admite 14',
  ],
  ['with an unknown name in its issuer', (b) => (b.emisor.telefono = '1'), 'telefono'],
];

/** One line with ICE of 20 %. */
const iceOf =
  (change: Change): Change =>
  (b) => {
    Object.assign(b.items[0], { tipo_ice: 3610, tipo_irbpnr: 5001 });
    b.totales = [{ codigo: '3', codigo_porcentaje: '3610', tarifa: 20 }];
    change(b);
  };
const ofFactura: Refused[] = [
  ['with a misspelled field', (b) => (b.vendedor = 'Ana'), 'vendedor'],
  ['of ICE without totales', iceOf((b) => delete b.totales), 'totales'],
  [
    'of ICE whose totales speak of another code',
    iceOf((b) => (b.totales[0].codigo_porcentaje = '3011')),
    'totales',
  ],
  ['of ICE without its rate', iceOf((b) => delete b.totales[0].tarifa), 'tarifa'],
  [
    'with an additional discount on ICE',
    iceOf((b) => (b.totales[0].descuento_adicional = 1)),
    'descuento_adicional',
  ],
];
const ofNotaCredito: Refused[] = [
  ['of ICE that says neither rate nor amount', (b) => (b.items[0].tipo_ice = 3610), 'items.0.tipo_ice'],
  ['with an unknown name in its block', (b) => (b.documento_modificado.razon = 'x'), 'razon'],
  ['with payments', (b) => (b.pagos = []), 'pagos'],
  ['with totals', (b) => (b.totales = []), 'totales'],
];
const ofGuia: Refused[] = [
  [
    'of both regimes, one of them in words',
    (b) => Object.assign(b.emisor, { regimen_rimpe: true, contribuyente_rimpe_popular: 'SI' }),
    'emisor.regimen_rimpe: solo un régimen',
  ],
  ['with a buyer', (b) => (b.comprador = {}), 'comprador'],
  ['with totals', (b) => (b.totales = []), 'totales'],
];
const needsOne = 'sustento: Debe tener un sustento: items o gastos, uno de los dos y con al menos una línea.';
const ofRetencion: Refused[] = [
  ['on a document without items or gastos', (b) => delete b.sustento.items, needsOne],
  ['on a document of both', (b) => (b.sustento.gastos = [gasto]), needsOne],
  ['with a buyer', (b) => (b.comprador = b.proveedor), 'comprador'],
];
const ofOther: Refused[] = [
  [
    'of a buyer without address',
    (b) => (b.comprador = { ...factura().comprador, direccion: undefined }),
    'comprador.direccion',
  ],
];

describe.each([
  ['factura', kinds['01'], factura, ofFactura],
  ['nota de crédito', kinds['04'], notaCredito, ofNotaCredito],
  ['liquidación de compra', kinds['03'], otherDocument, ofOther],
  ['nota de débito', kinds['05'], otherDocument, ofOther],
  ['guía de remisión', kinds['06'], guiaRemision, ofGuia],
  ['retención', kinds['07'], retencion, ofRetencion],
] as const)('a %s', (_, kind, plain, ofItsOwn) => {
  const whole = (change: Change) =>
    plain((b) => {
      b.informacion_adicional ??= [];
      change(b);
    });

  test.each([...refusedOfAll, ...ofItsOwn])('%s is refused', (_rule, change, sentence) => {
    expect(taken(kind, whole(change))).toEqual([expect.stringContaining(sentence)]);
  });

  test('with 14 entries of information is taken', () => {
    expect(
      taken(
        kind,
        whole((b) => (b.informacion_adicional = entries(14))),
      ),
    ).toBe(true);
  });
});
