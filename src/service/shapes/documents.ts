import { z } from 'zod';
import { common, comprador, item, pago, total, words } from './blocks.ts';

/** Factura (01), every field of its table (spec, "Electronic document"). */
export const facturaRequest = z.strictObject({
  ...common,
  comprador,
  items: z.array(item).min(1, 'Debe tener al menos una línea.'),
  totales: z.array(total).optional(),
  pagos: z.array(pago).optional(),
  codigoDoc: words(300).optional(),
  guiaremision: z.string().optional(),
  placa: z.string().optional(),
});
export type FacturaRequest = z.input<typeof facturaRequest>;

/** `documento_modificado` is inferred (assumption A21), so its fields are optional and others are allowed. */
export const notaCreditoRequest = z.looseObject({
  ...common,
  comprador,
  items: z.array(item.extend({ valor_ice: z.number().optional() })).min(1, 'Debe tener al menos una línea.'),
  documento_modificado: z.looseObject({
    codigo_documento_sustento: z.union([z.string(), z.int()]).optional(),
    numero_documento_sustento: z.string().optional(),
    fecha_documento_sustento: z.string().optional(),
    motivo: words(300).optional(),
    anula_comprobante: z.enum(['SI', 'NO']).optional(),
  }),
  totales: z.array(total).optional(),
});
export type NotaCreditoRequest = z.input<typeof notaCreditoRequest>;
