import { z } from 'zod';

/**
 * The factura body in the service's own words (spec, "Electronic document"): field names, lengths and values
 * exactly as the service checks them, so that what it would refuse never leaves.
 */
const text = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[^\n\r]*$/, 'must be one line');
const amount = z.number().min(0);
const detail = z.strictObject({ nombre: text(300), detalle: text(300) });

const emisor = z.strictObject({
  nombre_comercial: text(300),
  razon_social: text(300).optional(),
  ruc: z.string().regex(/^\d{10}001$/),
  codigo_establecimiento: z.string().regex(/^\d{3}$/),
  codigo_puntoemision: z.string().regex(/^\d{3}$/),
  direccion_matriz: text(300),
  direccion_establecimiento: text(300),
  obligado_contabilidad: z.enum(['SI', 'NO']),
  contribuyente_especial: text(50).optional(),
  calificacion_artesanal: text(50).optional(),
  exportador_habitual: z.boolean().optional(),
  gran_contribuyente: z.boolean().optional(),
  agente_retencion: z.boolean().optional(),
  regimen_rimpe: z.boolean().optional(),
  regimen_rimpe_popular: z.boolean().optional(),
  numero_resolucion: text(100).optional(),
  secuencial: z
    .string()
    .regex(/^\d{9}$/)
    .optional(),
  fecha_emision: z.string().regex(/^\d{4}\/\d{2}\/\d{2}$/),
});

const comprador = z.strictObject({
  identificacion: text(20),
  tipo_identificacion: z.enum(['04', '05', '06', '07', '08']),
  razon_social: text(300),
  direccion: text(300),
  telefono: text(300).optional(),
  correo: text(300).optional(),
});

const item = z.strictObject({
  codigo_principal: text(25),
  codigo_auxiliar: text(25).optional(),
  descripcion: text(300),
  cantidad: z.number().positive(),
  precio_unitario: amount,
  descuento: amount,
  precio_total_sin_impuesto: amount,
  tipoproducto: z.union([z.literal(1), z.literal(2)]),
  tipo_iva: z.number().int(),
});

const total = z.strictObject({
  codigo: z.literal('2'),
  codigo_porcentaje: z.string(),
  base_imponible: amount,
  tarifa: amount,
  valor: amount,
});

const pago = z.strictObject({ tipo: z.number().int(), total: z.number().positive() });

/** The entry the service adds by itself; a document that brings it is rejected (spec, key rules). */
const notProviderRuc = (entry: { nombre: string }) =>
  entry.nombre.replace(/[\s_-]/g, '').toLowerCase() !== 'rucproveedor';

export const facturaBody = z.strictObject({
  emisor,
  ambiente: z.union([z.literal(1), z.literal(2)]),
  tipo_emision: z.literal(1),
  comprador,
  items: z.array(item).min(1),
  totales: z.array(total).min(1),
  pagos: z.array(pago),
  informacion_adicional: z
    .array(detail.refine(notProviderRuc, '"RUC Proveedor" is the service’s own entry'))
    .max(14),
});

export type FacturaBody = z.infer<typeof facturaBody>;
export type ItemBody = z.infer<typeof item>;
export type TotalBody = z.infer<typeof total>;
export type PagoBody = z.infer<typeof pago>;
export type EmisorBody = z.infer<typeof emisor>;
export type CompradorBody = z.infer<typeof comprador>;
