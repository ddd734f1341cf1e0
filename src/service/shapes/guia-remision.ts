import { z } from 'zod';
import {
  comprador,
  date,
  detallesAdicionales,
  digits,
  documentNumber,
  numbered,
  text,
  words,
} from './blocks.ts';

/** The carrier of the goods. */
const transportista = comprador.extend({
  direccion: words(300).optional(),
  placa: words(20).optional(),
});

const destinatario = comprador.extend({
  nombre_sucursal: words(300).optional(),
  codigo_sucursal: words(300).optional(),
});

const traslado = z.strictObject({
  direccion_destino: text(300),
  fecha_inicio_transporte: date.optional(),
  fecha_fin_transporte: date.optional(),
  punto_partida: words(300).optional(),
  ruta: words(300).optional(),
  motivo_traslado: words(300).optional(),
  codigo_establecimiento_destino: z.int().min(0).max(999).optional(),
});

/** The document of sale, or of customs, that accompanies the goods. */
const documentoSustento = z.strictObject({
  codigo_documento_sustento: z.int().optional(),
  numero_documento_sustento: documentNumber.optional(),
  fecha_emision_documento_sustento: date.optional(),
  autorizacion_documento_sustento: digits(49).optional(),
  documento_aduanero: words(20).optional(),
});

const item = z.strictObject({
  codigo_principal: text(25),
  codigo_auxiliar: words(25).optional(),
  descripcion: text(300),
  cantidad: z.number(),
  unidad_medida: z.int().optional(),
  detalles_adicionales: detallesAdicionales.optional(),
});

/**
 * Guía de remisión (06), the fields a public description shows (assumption A22). The tax authority also wants
 * `transportista.placa` and `traslado.motivo_traslado`; dates are `YYYY/MM/DD`, numbers of documents 15 digits.
 */
export const guiaRemisionRequest = z.strictObject({
  ...numbered,
  tipo_emision: z.literal(1).optional(),
  transportista,
  destinatario,
  traslado,
  items: z.array(item).min(1, 'Debe tener al menos una línea.'),
  documento_sustento: documentoSustento.optional(),
  codigoDoc: z.literal(['', '06']).optional(),
  proceso: z.enum(['Nuevo', 'Actualizar']).optional(),
});
export type GuiaRemisionRequest = z.input<typeof guiaRemisionRequest>;
