import { z } from 'zod';
import {
  ambiente,
  comprador,
  emisor,
  informacionAdicional,
  item,
  optionalText,
  pago,
  tipoEmision,
  total,
} from './blocks.ts';

/** The code of this very document, where it says one. */
export const codigoDoc = (code: string) =>
  optionalText(300)
    .refine((given) => given === '' || given === code, `en este comprobante solo puede ser ${code}`)
    .meta({ enum: ['', code] })
    .optional();

/** The blocks of every document. */
export const everyDocument = {
  emisor,
  ambiente,
  tipo_emision: tipoEmision,
  informacion_adicional: informacionAdicional,
};
/** And those of a sale, or of what takes one back. */
export const ofSale = {
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

/** A body of an undocumented type: the common blocks, and any other field (assumption A22). */
export const otherSchema = z.looseObject({ ...everyDocument, comprador: comprador.optional() }).meta({
  id: 'OtroComprobante',
  description: 'The blocks every document has; the other fields are not checked.',
});

export type FacturaBody = z.infer<typeof facturaSchema>;
export type OtherBody = z.infer<typeof otherSchema>;
export type TotalRow = z.infer<typeof total>;
