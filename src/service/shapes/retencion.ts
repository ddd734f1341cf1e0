import { z } from 'zod';
import { comprador, date, digits, documentNumber, numbered, text, words } from './blocks.ts';

/** A line of the supplier's document. */
const item = z.strictObject({
  codigo_principal: text(25),
  codigo_auxiliar: words(25).optional(),
  descripcion: text(300),
  cantidad: z.number(),
  precio_unitario: z.number(),
  descuento: z.number().optional(),
  tipo_iva: z.int(),
  tipo_ice: z.int().optional(),
  valor_ice: z.number().optional(),
});

/** The sums of the supplier's document, where its lines are not listed. */
const gasto = z.strictObject({
  descripcion: text(300),
  subtotal_iva: z.number(),
  subtotal_siniva: z.number(),
  subtotal_ivacero: z.number(),
  tipo_iva: z.int(),
  tipo_ice: z.int().optional(),
  tarifa_ice: z.number().optional(),
  valor_ice: z.number().optional(),
});

/** The supplier's document: by its lines or by its sums, never both. */
const sustento = z
  .strictObject({
    codigo_sustento_tributario: digits(2),
    codigo_documento_sustento: z.string().regex(/^\d{2,3}$/, 'Debe tener 2 o 3 dígitos.'),
    numero_documento_sustento: documentNumber,
    numero_autorizacion: z.string().regex(/^(\d{10}|\d{49})$/, 'Debe tener 49 dígitos, o 10.'),
    fecha_documento_sustento: date,
    fecha_registro_contable: date,
    items: z.array(item).optional(),
    gastos: z.array(gasto).optional(),
  })
  .refine(({ items = [], gastos = [] }) => items.length > 0 !== gastos.length > 0, {
    error: 'Debe tener items o gastos: uno de los dos y con al menos una línea.',
  });

const retencion = z.strictObject({
  base_imponible: z.number(),
  codigoimpuesto: z.literal([1, 2, 6]),
  codigo_retencion: text(5),
  porcentaje_retencion: z.number(),
  valor_retenido: z.number(),
});

/**
 * Comprobante de retención (07), the fields a public description shows (assumption A22). `codigoimpuesto`: 1
 * renta, 2 IVA, 6 ISD; amounts in USD, `porcentaje_retencion` in percent. `version` asks for the older of the two
 * versions (spec, "Versioning"); its name is inferred, and 2.0.0 is the default.
 */
export const retencionRequest = z.strictObject({
  ...numbered,
  codigoDoc: z.literal('07'),
  proveedor: comprador,
  sustento,
  retenciones: z.array(retencion).min(1, 'Debe tener al menos una retención.'),
  version: z.enum(['1.0.0', '2.0.0']).optional(),
});
export type RetencionRequest = z.input<typeof retencionRequest>;
