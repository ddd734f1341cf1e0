import { describe, expect, test } from 'vitest';
import { factura } from '../sandbox/support.ts';
import { clave, openClient, recording } from './hostile.ts';

// The field tables of the specification, row by row: what a
// row allows leaves as it is under its very name, what it forbids is named and never leaves.

type Row = [field: string, allowed: unknown, forbidden: unknown];
const at = (block: string, rows: Row[]) => rows.map(([field, ...rest]): Row => [`${block}${field}`, ...rest]);
const long = (length: number) => 'x'.repeat(length);

const person: Row[] = [
  ['identificacion', '1790016919001', long(21)],
  ['tipo_identificacion', '08', '8'],
  ['razon_social', long(300), long(301)],
  ['telefono', '02 222 2222', long(301)],
  ['celular', '0999999999', 999999999],
  ['correo', 'a@example.com', long(301)],
];

const rows: Row[] = [
  ['emisor', factura().emisor, []],
  ['ambiente', 2, '1'],
  ['tipo_emision', 1, 3],
  ['comprador', factura().comprador, 'Ana'],
  ['items', factura().items, []],
  ['totales', [{ codigo: '2' }], {}],
  ['pagos', [], {}],
  ['informacion_adicional', [{ nombre: 'Pedido', detalle: '1' }], [{ nombre: 'Pedido' }]],
  ['codigoDoc', '01', long(301)],
  ['guiaremision', '001-001-000000001', 1],
  ['placa', 'PBA-1234', 1],
  ...at('emisor.', [
    ['nombre_comercial', long(300), long(301)],
    ['razon_social', long(300), long(301)],
    ['ruc', '1792146739001', '179214673900'],
    ['codigo_establecimiento', '002', '2'],
    ['codigo_puntoemision', '901', 901],
    ['direccion_matriz', long(300), long(301)],
    ['direccion_establecimiento', long(300), ''],
    ['obligado_contabilidad', 'NO', 'no'],
    ['contribuyente_especial', long(50), long(51)],
    ['calificacion_artesanal', long(50), long(51)],
    ['exportador_habitual', true, 'true'],
    ['gran_contribuyente', true, 1],
    ['agente_retencion', false, 'NO'],
    ['contabilidad', true, 'SI'],
    ['regimen_rimpe', true, 'true'],
    ['regimen_rimpe_popular', false, 0],
    ['numero_resolucion', long(100), long(101)],
    ['secuencial', '000000123', '0000000123'],
    ['fecha_emision', '2026/11/20', '2026-11-20'],
  ]),
  ...at('comprador.', [...person, ['direccion', long(300), '']]),
  ...at('items.0.', [
    ['codigo_principal', long(25), long(26)],
    ['codigo_auxiliar', long(25), long(26)],
    ['descripcion', long(300), ''],
    ['cantidad', 1.5, '1.5'],
    ['precio_unitario', 17.382609, '17.38'],
    ['descuento', 0.5, null],
    ['precio_total_sin_impuesto', 34.77, '34.77'],
    ['tipoproducto', 2, 1.5],
    ['tipo_iva', 4, '4'],
    ['tipo_ice', 3011, '3011'],
    ['tipo_irbpnr', 5001, 0.5],
    ['subsidio', 0.5, '0.5'],
    ['unidad_medida', 1, 'kg'],
    ['detalles_adicionales', [{ nombre: 'Talla', detalle: 'M' }], [{ nombre: long(301), detalle: 'M' }]],
  ]),
];

// biome-ignore lint/suspicious/noExplicitAny: bodies are broken in every place.
type Loose = Record<string, any>;

/** The body with one field set to a value, wherever it stands; `undefined` takes it out. */
function withField(body: Loose, path: string, value: unknown): Loose {
  const names = path.split('.');
  const last = names.pop() ?? '';
  const parent = names.reduce((part, name) => part[name], body);
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return body;
}

describe('a factura with', () => {
  test.each(rows)('%s as its row allows leaves as it is; otherwise it is named', async (path, ok, not) => {
    const { url, arrived } = await recording({ creado: true, claveacceso: clave });
    const { calls } = openClient(url);
    expect(await calls.emitirFactura(withField(factura(), path, ok) as never)).toMatchObject({
      kind: 'created',
    });
    expect(JSON.parse(String(arrived[0]?.body))).toEqual(withField(factura(), path, ok));
    const refused = await calls.emitirFactura(withField(factura(), path, not) as never);
    expect(refused).toMatchObject({ kind: 'refused', errors: [expect.stringContaining(path)] });
    expect(arrived).toHaveLength(1);
  });
});

const company = { ruc: '1792146739001', razon_social: 'EMISOR S.A.' };
const mail = { smtp: true, smtp_host: 'h', smtp_port: 25, smtp_user: 'u', smtp_password: 'p' };
const mailed = { ...mail, smtp_from_email: 'a@example.com' };
const companyRows: [field: string, allowed: object, forbidden: object][] = [
  ['ruc', company, { ...company, ruc: '179214673900' }],
  ['razon_social', company, { ...company, razon_social: '' }],
  ['ncontribuyenteespecial', { ncontribuyenteespecial: null }, { ncontribuyenteespecial: 826 }],
  ['calificacionartesanal', { calificacionartesanal: 'A-1' }, { calificacionartesanal: 1 }],
  ['exportador_habitual', { exportador_habitual: true }, { exportador_habitual: 'true' }],
  ['grancontribuyente', { grancontribuyente: true }, { grancontribuyente: 1 }],
  ['agenteretencion', { agenteretencion: true, numero_resolucion: '1' }, { agenteretencion: 'SI' }],
  ['contabilidad', { contabilidad: true }, { contabilidad: 'SI' }],
  ['regimen_rimpe', { regimen_rimpe: true }, { regimen_rimpe: true, regimen_rimpe_popular: true }],
  ['regimen_rimpe_popular', { regimen_rimpe_popular: true }, { regimen_rimpe_popular: 'true' }],
  ['numero_resolucion', { numero_resolucion: null }, { agenteretencion: true }],
  ['smtp', mailed, { smtp: 'true' }],
  ['smtp_host', mailed, { ...mailed, smtp_host: null }],
  ['smtp_port', mailed, { ...mailed, smtp_port: '25' }],
  ['smtp_user', mailed, { ...mailed, smtp_user: '' }],
  ['smtp_password', mailed, { ...mailed, smtp_password: null }],
  ['smtp_encryption', { ...mailed, smtp_encryption: 'ssl' }, { ...mailed, smtp_encryption: 'starttls' }],
  ['smtp_from_email', mailed, { ...mailed, smtp_from_email: null }],
  ['smtp_from_name', { ...mailed, smtp_from_name: null }, { ...mailed, smtp_from_name: 1 }],
];

describe('a company with', () => {
  test.each(companyRows)(
    '%s as its row allows leaves as it is; otherwise it is named',
    async (field, ok, not) => {
      const { url, arrived } = await recording({ respuesta: true, mensaje: 'Hecho', data: { id: 1 } });
      const { calls } = openClient(url);
      expect(await calls.crearEmpresa({ ...company, ...ok })).toMatchObject({ kind: 'saved' });
      expect(JSON.parse(String(arrived[0]?.body))).toEqual({ ...company, ...ok });
      const refused = await calls.crearEmpresa({ ...company, ...not });
      expect(refused).toMatchObject({ kind: 'refused', errors: [expect.stringContaining(field)] });
      expect(arrived).toHaveLength(1);
    },
  );
});
