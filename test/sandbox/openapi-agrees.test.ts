import { expect, test } from 'vitest';
import { dialects } from '../../sandbox/emulator/dialects.ts';
import { guiaRemisionSchema } from '../../sandbox/emulator/emission/guia-remision.ts';
import { retencionSchema } from '../../sandbox/emulator/emission/retencion.ts';
import { facturaSchema } from '../../sandbox/emulator/emission/schema.ts';
import { described } from './described.ts';
import { factura, gasto, guiaRemision, notaCredito, retencion, start } from './support.ts';

// biome-ignore lint/suspicious/noExplicitAny: bodies are broken in every place.
type Loose = any;

const texts = [1, 2, 3, 9, 13, 20, 25, 49, 50, 51, 100, 101, 300, 301].flatMap((length) => [
  '1'.repeat(length),
  '😀'.repeat(length),
]);
const values: readonly unknown[] = [
  ...[...texts, '', ' ', '\n', '000', '01', '04', '08', 'SI', 'no', '2026/11/20'],
  ...[null, true, -1, 0, 1, 1.5, 2, 9, 20, 3011, 4000, 5001, {}, []],
  undefined,
];

/** Every place of a body, and those beside it that no body has. */
function places(value: Loose, at: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [at];
  const inside = Object.entries(value).flatMap(([name, one]) => places(one, [...at, name]));
  return [...(at.length > 0 ? [at] : []), ...inside, [...at, 'sobra']];
}

/** Calls `look` with the body that has each of the values in this place, one after the other. */
function withValues(whole: Loose, at: readonly string[], look: (body: Loose, given: unknown) => void): void {
  const body = structuredClone(whole);
  const last = at.at(-1) ?? '';
  const holder = at.slice(0, -1).reduce((inside, name) => inside[name], body);
  for (const given of values) {
    if (given === undefined) delete holder[last];
    else holder[last] = given;
    look(body, given);
  }
}

const emisor = {
  contribuyente_especial: '',
  calificacion_artesanal: '',
  numero_resolucion: '',
  exportador_habitual: false,
  gran_contribuyente: false,
  agente_retencion: false,
  contabilidad: false,
  regimen_rimpe: false,
  regimen_rimpe_popular: false,
};
const total = { codigo: '2', codigo_porcentaje: '4', descuento_adicional: 0, base_imponible: 1, tarifa: 15 };
const item = {
  codigo_auxiliar: '',
  precio_total_sin_impuesto: 1,
  tipo_ice: 0,
  tipo_irbpnr: 0,
  subsidio: 0,
  unidad_medida: 1,
  detalles_adicionales: [{ nombre: 'Talla', detalle: 'M' }],
};

/** The body with every field there is, and one line. */
const filled = (body: Loose) => ({
  ...body,
  tipo_emision: 1,
  codigoDoc: '',
  emisor: { ...emisor, ...body.emisor },
  comprador: { telefono: '', celular: '', ...body.comprador },
  items: [{ ...item, ...body.items[0] }],
  totales: [{ ...total, valor: 0.15 }],
});
const facturaOnly = {
  guiaremision: '',
  placa: '',
  pagos: [{ tipo: 20, total: 1, plazo: 1, tiempo: 'dias' }],
};

const regimes = { contribuyente_rimpe: 'NO', contribuyente_rimpe_popular: 'NO' };
const wholeGuia = guiaRemision((b) => {
  Object.assign(b.emisor, regimes);
  Object.assign(b, { tipo_emision: 1, codigoDoc: '06', proceso: 'Nuevo' });
  Object.assign(b.destinatario, { nombre_sucursal: '', codigo_sucursal: '' });
  Object.assign(b.items[0], { codigo_auxiliar: '', unidad_medida: 1, detalles_adicionales: [] });
  b.traslado.codigo_establecimiento_destino = 1;
  b.documento_sustento.documento_aduanero = '';
});
const ice = { tipo_ice: 3011, valor_ice: 1 };
const wholeRetencion = retencion((b) => {
  b.version = '2.0.0';
  Object.assign(b.sustento.items[0], { codigo_auxiliar: '', descuento: 0, ...ice });
});
const bySums = retencion((b) => {
  b.sustento.items = [];
  b.sustento.gastos = [{ ...gasto, ...ice, tarifa_ice: 15 }];
});

const credit = (change: (body: Loose) => void) => {
  const body = filled(notaCredito());
  change(body);
  return body;
};
const describedOnly = credit((b) => {
  delete b.totales;
  b.items[0].valor_ice = 0;
  Object.assign(b.emisor, { contribuyente_rimpe: 'NO', contribuyente_rimpe_popular: 'NO' });
});
const olderOnly = credit((b) => {
  delete b.totales;
  Object.assign(b.items[0], { valor_ice: 0, tarifa_ice: 0 });
  Object.assign(b.documento_modificado, { codigo_documento_sustento: '01', anula_comprobante: 'NO' });
});

test.each([
  ['Factura', 'described', facturaSchema, { ...filled(factura()), ...facturaOnly }],
  ['NotaCredito', 'described', dialects.described.notaCredito, describedOnly],
  ['NotaCredito', 'former', dialects.former.notaCredito, filled(notaCredito())],
  ['NotaCredito', 'older', dialects.older.notaCredito, olderOnly],
  ['GuiaRemision', 'described', guiaRemisionSchema, wholeGuia],
  ['ComprobanteRetencion', 'described', retencionSchema, wholeRetencion],
  ['ComprobanteRetencion', 'described', retencionSchema, bySums],
] as const)(
  '%s (%s) is described exactly as its fields are checked',
  async (name, dialect, schema, whole) => {
    const { sandbox } = await start({ dialect });
    const check = (await described(sandbox)).check('components', 'schemas', name);
    expect([check(whole), schema.safeParse(whole).success]).toEqual([null, true]);
    const differing: unknown[] = [];
    for (const at of places(whole))
      withValues(whole, at, (body, given) => {
        const [taken, wrong] = [schema.safeParse(body).success, check(body)];
        if (taken !== (wrong === null)) differing.push({ at: at.join('.'), given, taken, wrong });
      });
    expect(differing).toEqual([]);
  },
);
