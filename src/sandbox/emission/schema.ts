import { z } from 'zod';
import {
  ambiente,
  comprador,
  emisor,
  informacionAdicional,
  item,
  optionalText,
  pago,
  text,
  tipoEmision,
  total,
} from './blocks.ts';

const codigoDoc = (code: string) =>
  optionalText(300)
    .refine((given) => given === '' || given === code, `en este comprobante solo puede ser ${code}`)
    .meta({ enum: ['', code] })
    .optional();

/** The blocks of every document. */
const everyDocument = {
  emisor,
  ambiente,
  tipo_emision: tipoEmision,
  informacion_adicional: informacionAdicional,
};
/** And those of a sale, or of what takes one back. */
const ofSale = {
  ...everyDocument,
  comprador,
  items: z.array(item).min(1),
  totales: z.array(total).optional(),
};

/** The factura emission request (spec, "Factura (code 01) emission request"). */
export const facturaSchema = z
  .strictObject({
    ...ofSale,
    pagos: z.array(pago).optional(),
    codigoDoc: codigoDoc('01'),
    guiaremision: z.string().optional(),
    placa: z.string().optional(),
  })
  .meta({ id: 'Factura' });

/** The document a nota de crédito changes; its fields are not shown (assumption A21). */
const documentoModificado = z
  .strictObject({
    codigo_documento_sustento: z.union([z.string(), z.int()]),
    numero_documento_sustento: z
      .string()
      .regex(/^\d{3}-?\d{3}-?\d{9}$/, 'debe tener la forma 001-001-000000001')
      .describe('001-001-000000001, or the 15 digits without dashes.'),
    fecha_documento_sustento: z.string().regex(/^\d{4}\/\d{2}\/\d{2}$/, 'debe tener el formato AAAA/MM/DD'),
    motivo: text(300),
    anula_comprobante: z.enum(['SI', 'NO']).optional(),
  })
  .meta({ id: 'DocumentoModificado' });

/** The credit note emission request (spec, "Credit note (code 04) request"; assumption A21). */
export const notaCreditoSchema = z
  .strictObject({
    ...ofSale,
    documento_modificado: documentoModificado,
    codigoDoc: codigoDoc('04'),
  })
  .meta({ id: 'NotaCredito' });

/** A body of a type the specification does not show: the common blocks, and whatever else (assumption A22). */
export const otherSchema = z.looseObject({ ...everyDocument, comprador: comprador.optional() }).meta({
  id: 'OtroComprobante',
  description: 'The blocks every document has; the other fields are not checked.',
});

export type FacturaBody = z.infer<typeof facturaSchema>;
export type NotaCreditoBody = z.infer<typeof notaCreditoSchema>;
export type OtherBody = z.infer<typeof otherSchema>;
export type Item = z.infer<typeof item>;
export type TotalRow = z.infer<typeof total>;
