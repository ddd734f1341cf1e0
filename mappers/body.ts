import { z } from 'zod';
import { isProviderRuc } from '../src/domain/provider-ruc.ts';

/**
 * The bodies in the service's own words (spec, "Electronic document"): field names, lengths and values
 * exactly as the service checks them, so that what it would refuse never leaves.
 */
const text = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[^\n\r]*$/, 'must be one line');
/** XSD: 14 digits of which 2 decimals; quantities and prices 6 decimals, as many digits as a JSON number keeps. */
const decimals = (units: number) => (value: number) => value === Math.round(value * units) / units;
const amount = z.number().min(0).max(999_999_999_999).refine(decimals(100), 'has more than 2 decimals');
const fine = z.number().min(0).max(999_999_999).refine(decimals(1_000_000), 'has more than 6 decimals');

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
  cantidad: fine.positive(),
  precio_unitario: fine,
  descuento: amount,
  precio_total_sin_impuesto: amount,
  tipoproducto: z.union([z.literal(1), z.literal(2)]),
  tipo_iva: z.number().int(),
  tipo_ice: z.int().min(3000).max(3999).optional(),
  tipo_irbpnr: z.literal(5001).optional(),
  unidad_medida: z.int().optional(),
  detalles_adicionales: z.array(detail).min(1).max(3).optional(),
});

/** Of a nota de crédito: as a public description of the service has it, or with what the factura's says (A21). */
const creditItem = item.extend({
  precio_total_sin_impuesto: amount.optional(),
  valor_ice: amount.optional(),
});

const total = z.strictObject({
  codigo: z.enum(['2', '3', '5']),
  codigo_porcentaje: z.string(),
  base_imponible: amount,
  tarifa: amount,
  valor: amount,
});

const pago = z.strictObject({
  tipo: z.number().int(),
  total: amount,
  plazo: z.int().min(0).max(99_999).optional(),
  tiempo: text(10).optional(),
});

const informacion_adicional = z
  // The service adds this entry by itself and rejects a document that brings it (spec, key rules).
  .array(detail.refine(({ nombre }) => !isProviderRuc(nombre), '"RUC Proveedor" is the service’s own entry'))
  .max(14);

// Compiled once into one function, which checks a body eight times as fast; what it refuses is checked again for the issues.
export const facturaBody = z.compile(
  z.strictObject({
    emisor,
    ambiente: z.union([z.literal(1), z.literal(2)]),
    tipo_emision: z.literal(1),
    comprador,
    items: z.array(item).min(1),
    totales: z.array(total).min(1),
    pagos: z.array(pago),
    informacion_adicional,
    guiaremision: z
      .string()
      .regex(/^\d{3}-\d{3}-\d{9}$/)
      .optional(),
    placa: text(20).optional(),
  }),
);

/** Spec, "Credit note (code 04) request"; what is not shown there by assumption A21. */
export const notaCreditoBody = z.compile(
  z.strictObject({
    emisor,
    ambiente: z.union([z.literal(1), z.literal(2)]),
    tipo_emision: z.literal(1),
    // A nota de crédito names its buyer: never consumidor final (ficha técnica SRI, tabla 6).
    comprador: comprador.extend({ tipo_identificacion: z.enum(['04', '05', '06', '08']) }),
    items: z.array(creditItem).min(1),
    documento_modificado: z.record(z.string(), z.union([text(300), z.literal(1)])),
    totales: z.array(total).min(1).optional(),
    informacion_adicional,
    codigoDoc: text(300).optional(),
  }),
);

export type NotaCreditoBody = z.infer<typeof notaCreditoBody>;
export type FacturaBody = z.infer<typeof facturaBody>;
export type ItemBody = z.infer<typeof item>;
export type CreditItemBody = z.infer<typeof creditItem>;
export type TotalBody = z.infer<typeof total>;
export type PagoBody = z.infer<typeof pago>;
export type EmisorBody = z.infer<typeof emisor>;
export type CompradorBody = z.infer<typeof comprador>;
