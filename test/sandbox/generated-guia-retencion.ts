import fc from 'fast-check';
import {
  anybody,
  comprador,
  decimal,
  digits,
  emisor,
  identified,
  maybe,
  named,
  record,
  text,
} from './generated-bodies.ts';
import { today } from './support.ts';

// Bodies of a guía de remisión and of a retención that a client could send and the tax authority would authorise.

export const guiaRemisionBodies = record({
  emisor: emisor.map((issuer) => ({ ...issuer, secuencial: '7' })),
  ambiente: fc.constant(1),
  transportista: fc.tuple(comprador(identified), text(20)).map(([carrier, placa]) => ({ ...carrier, placa })),
  destinatario: comprador(anybody),
  traslado: record({
    direccion_destino: text(300),
    fecha_inicio_transporte: maybe(fc.constantFrom(today, '2026/12/31')),
    fecha_fin_transporte: maybe(fc.constant('2027/01/02')),
    punto_partida: maybe(text(300)),
    ruta: maybe(text(300)),
    motivo_traslado: text(300),
    codigo_establecimiento_destino: maybe(fc.integer({ min: 0, max: 999 })),
  }),
  codigoDoc: maybe(fc.constantFrom('06', '')),
  proceso: maybe(fc.constantFrom('Nuevo', 'Actualizar')),
  items: fc.array(
    record({
      codigo_principal: text(25),
      codigo_auxiliar: maybe(text(25)),
      descripcion: text(300),
      cantidad: decimal(500, 6),
      detalles_adicionales: maybe(named(3)),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  documento_sustento: maybe(
    record({
      codigo_documento_sustento: maybe(fc.constantFrom(1, 3, 5)),
      numero_documento_sustento: maybe(digits(15)),
      fecha_emision_documento_sustento: maybe(fc.constantFrom(today, '2024/02/29')),
      autorizacion_documento_sustento: maybe(digits(49)),
      documento_aduanero: maybe(text(20)),
    }),
  ),
  informacion_adicional: maybe(named(14)),
});

const item = record({
  codigo_principal: text(25),
  codigo_auxiliar: maybe(text(25)),
  descripcion: text(300),
  cantidad: decimal(500, 6),
  precio_unitario: decimal(2000, 6),
  tipo_iva: fc.constantFrom(0, 4, 5, 6, 7, 8, 10),
  tipo_ice: maybe(fc.constantFrom(0, 3011, 3073)),
  valor_ice: maybe(decimal(300, 2)),
}).map((line) => (line.cantidad * line.precio_unitario < 50 ? { ...line, valor_ice: 0 } : line));
const sums = record({
  descripcion: text(300),
  subtotal_iva: decimal(9999, 2),
  subtotal_siniva: decimal(9999, 2),
  subtotal_ivacero: decimal(9999, 2),
  tipo_iva: fc.constantFrom(0, 4, 5),
  tipo_ice: maybe(fc.constant(3011)),
  tarifa_ice: fc.constantFrom(5, 15.5, 150),
  valor_ice: maybe(decimal(300, 2)),
});
const rows = fc.array(
  fc
    .record({
      base_imponible: decimal(9999, 2),
      codigoimpuesto: fc.constantFrom(1, 2, 6),
      codigo_retencion: fc.constantFrom('1', '312', '3440', '343A', '4580'),
      porcentaje_retencion: fc.constantFrom(0, 1, 1.75, 2.75, 10, 30, 70, 100),
    })
    .map((row) => ({
      ...row,
      valor_retenido: Math.round(row.base_imponible * row.porcentaje_retencion) / 100,
    })),
  { minLength: 1, maxLength: 3 },
);
const few = <T>(one: fc.Arbitrary<T>) => fc.array(one, { minLength: 1, maxLength: 3 });
const sustento = fc
  .tuple(
    fc.record({
      codigo_sustento_tributario: digits(2),
      codigo_documento_sustento: digits(2),
      numero_documento_sustento: digits(15),
      numero_autorizacion: fc.oneof(digits(10), digits(49)),
      fecha_documento_sustento: fc.constantFrom(today, '2024/02/29'),
      fecha_registro_contable: fc.constant(today),
    }),
    fc.oneof(
      few(item).map((items) => ({ items })),
      few(sums).map((gastos) => ({ gastos })),
    ),
  )
  .map(([head, lines]) => ({ ...head, ...lines }));
/** Of either version: what version 2.0.0 has tighter, 1.0.0 takes too. */
export const retencionBodies = record({
  emisor: emisor.map(({ contribuyente_especial: special, ...issuer }) => ({
    ...issuer,
    ...(special ? { contribuyente_especial: special.slice(0, 5) } : {}),
    secuencial: '7',
  })),
  ambiente: fc.constant(1),
  codigoDoc: fc.constant('07'),
  proveedor: comprador(identified),
  sustento,
  retenciones: rows,
  informacion_adicional: maybe(named(14)),
});
