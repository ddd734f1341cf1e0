import { z } from 'zod';
import { identificationKinds, ivaRates, paymentForms } from '../authority/tables.ts';

// The blocks of the specification's field tables that the emission requests share, in their order. Types are
// strict: a number written as text, a null or an unknown name is an error, so that a client's slip shows.
// Repeated as metadata, because the OpenAPI description does not see the code of a refinement.

const length = (text: string) => [...text].length;
export const optionalText = (max: number) =>
  z
    .string()
    .refine((text) => length(text) <= max, `admite ${max} caracteres como máximo`)
    .meta({ maxLength: max });
export const text = (max: number) =>
  optionalText(max)
    .refine((value) => value.trim() !== '', 'es obligatorio y llegó vacío')
    .meta({ pattern: '\\S' });
const digits = (count: number) =>
  z.string().regex(new RegExp(`^\\d{${count}}$`), `debe tener exactamente ${count} dígitos`);
/** A day of the calendar, or what looks like one. */
export const date = z.string().regex(/^\d{4}\/\d{2}\/\d{2}$/, 'debe tener el formato AAAA/MM/DD');
/** Establishment, point of emission and number, without dashes. */
export const documentNumber = digits(15);
const secuencial = z.string().regex(/^(?!0+$)\d{1,9}$/, 'debe tener de 1 a 9 dígitos y ser mayor que cero');
export const namedDetail = z
  .strictObject({ nombre: optionalText(300), detalle: optionalText(300) })
  .meta({ id: 'Detalle' });

/** A line that may say more than its fields have a place for. */
export interface WithExtras {
  detalles_adicionales?: z.infer<typeof namedDetail>[] | undefined;
}

/** Issuer block. */
export const emisor = z
  .strictObject({
    nombre_comercial: text(300),
    razon_social: optionalText(300).optional(),
    ruc: digits(13),
    codigo_establecimiento: digits(3),
    codigo_puntoemision: digits(3),
    direccion_matriz: text(300),
    direccion_establecimiento: text(300),
    obligado_contabilidad: z.enum(['SI', 'NO']),
    contribuyente_especial: optionalText(50).optional(),
    calificacion_artesanal: optionalText(50).optional(),
    exportador_habitual: z.boolean().optional(),
    gran_contribuyente: z.boolean().optional(),
    agente_retencion: z.boolean().optional(),
    contabilidad: z.boolean().optional(),
    regimen_rimpe: z.boolean().optional(),
    regimen_rimpe_popular: z.boolean().optional(),
    numero_resolucion: optionalText(100).optional(),
    secuencial: secuencial
      .optional()
      .describe('The number of the document; the service takes the next one when it is left out.'),
    fecha_emision: date.describe('Today in Ecuador, YYYY/MM/DD; any other day is refused.'),
  })
  .meta({ id: 'Emisor' });

/** The same as a public description shows it of the documents that the service does not number by itself. */
export const emisorConSecuencial = emisor
  .extend({
    secuencial,
    obligado_contabilidad: z.enum(['SI', 'NO']).optional(),
    contribuyente_rimpe: z.enum(['SI', 'NO']).optional(),
    contribuyente_rimpe_popular: z.enum(['SI', 'NO']).optional(),
  })
  .meta({ id: 'EmisorConSecuencial' });

/** Buyer block. */
export const comprador = z
  .strictObject({
    identificacion: text(20),
    tipo_identificacion: z
      .enum(identificationKinds)
      .describe('04 RUC, 05 national ID card, 06 passport, 07 final consumer, 08 foreign ID.'),
    razon_social: text(300),
    direccion: text(300),
    telefono: optionalText(300).optional(),
    celular: optionalText(300).optional(),
    correo: optionalText(300).optional(),
  })
  .meta({ id: 'Comprador' });

export const knownIva = z
  .int()
  .refine((code) => ivaRates[code] !== undefined, 'no es un código de IVA (tabla 17)')
  .meta({ enum: Object.keys(ivaRates).map(Number), description: 'VAT code (ficha técnica, tabla 17).' });
// Zero says "none" too, as clients that fill in every field send it.
export const knownIce = z
  .int()
  .refine((code) => code === 0 || /^3\d{3}$/.test(String(code)), 'no es un código de ICE (tabla 18)')
  .meta({ anyOf: [{ const: 0 }, { minimum: 3000, maximum: 3999 }] })
  .optional()
  .describe('ICE code (ficha técnica, tabla 18); its rate is stated in totales. 0: none.');
const knownIrbpnr = z
  .int()
  .refine((code) => code === 0 || code === 5001, 'solo admite 5001, el código de IRBPNR')
  .meta({ enum: [0, 5001] })
  .optional()
  .describe('5001: 0.02 USD for each unit. 0: none.');

/** Item block. */
export const item = z
  .strictObject({
    codigo_principal: optionalText(25).optional(),
    codigo_auxiliar: optionalText(25).optional(),
    descripcion: text(300),
    cantidad: z.number(),
    precio_unitario: z.number(),
    descuento: z.number().optional(),
    precio_total_sin_impuesto: z.number().optional(),
    tipoproducto: z.int(),
    tipo_iva: knownIva,
    tipo_ice: knownIce,
    tipo_irbpnr: knownIrbpnr,
    subsidio: z.number().optional(),
    unidad_medida: z.int().optional(),
    detalles_adicionales: z.array(namedDetail).optional(),
  })
  .meta({ id: 'Item' });

/** Tax total block; all its fields are optional. */
export const total = z
  .strictObject({
    codigo: z.enum(['2', '3', '5']).optional().describe('2 IVA (also when omitted), 3 ICE, 5 IRBPNR.'),
    codigo_porcentaje: z.string().optional(),
    descuento_adicional: z.number().optional(),
    base_imponible: z.number().optional(),
    tarifa: z.number().optional(),
    valor: z.number().optional(),
  })
  .meta({ id: 'Total' });

/** Payment block; all its fields are optional. */
export const pago = z
  .strictObject({
    tipo: z
      .int()
      .refine((code) => paymentForms[code] !== undefined, 'no es una forma de pago vigente (tabla 24)')
      .meta({ enum: Object.keys(paymentForms).map(Number) })
      .optional()
      .describe('Form of payment (ficha técnica, tabla 24).'),
    total: z.number().optional(),
    tiempo: z.string().optional(),
    plazo: z.int().optional(),
  })
  .meta({ id: 'Pago' });

export const ambiente = z.literal([1, 2]).describe('1 test, 2 production.');
export const tipoEmision = z
  .literal([1, 2])
  .optional()
  .describe('1 normal (also when omitted), 2 contingency.');
/** At most 14: the authority takes 15, and the service adds one (spec, "Limits"). */
export const informacionAdicional = z.array(namedDetail).max(14).optional();
