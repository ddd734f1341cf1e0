import { z } from 'zod';
import { date, emisorConSecuencial, item, text, tipoEmision } from './blocks.ts';
import { codigoDoc, ofSale, type TotalRow } from './schema.ts';

// The nota de crédito request, of which the specification shows five names (assumption A21): one schema for each
// dialect (dialects.ts).

const yesOrNo = z.enum(['SI', 'NO']);
const withOrWithoutDashes = z
  .string()
  .regex(/^\d{3}-?\d{3}-?\d{9}$/, 'debe tener la forma 001-001-000000001')
  .describe('001-001-000000001, or the 15 digits without dashes.');
const sameDocument = {
  fecha_documento_sustento: date,
  motivo: text(300),
};
const { totales, ...described } = ofSale;

// precio_total_sin_impuesto is not among the described fields: taken, and not read.
const withIce = item.extend({
  valor_ice: z.number().optional().describe('What the line pays of ICE.'),
});
const describedItem = withIce
  .extend({ tipoproducto: z.int().optional(), tipo_iva: item.shape.tipo_iva.optional() })
  .meta({ id: 'ItemNotaCredito' });
const olderItem = withIce.extend({ tarifa_ice: z.number().optional() }).meta({ id: 'ItemNotaCredito' });

/** As a public description of a service with this interface shows it: no totals, no dashes, numbers for codes. */
export const describedNotaCredito = z
  .strictObject({
    ...described,
    emisor: emisorConSecuencial,
    tipo_emision: z.literal(1).optional().describe('1 normal (also when omitted).'),
    items: z.array(describedItem).min(1),
    documento_modificado: z
      .strictObject({
        codigo_documento_sustento: z.int().describe('1 for a factura.'),
        numero_documento_sustento: z.string().regex(/^\d{15}$/, 'debe tener 15 dígitos, sin guiones'),
        ...sameDocument,
        anula_comprobante: yesOrNo.optional(),
      })
      .meta({ id: 'DocumentoModificado' }),
    codigoDoc: codigoDoc('04'),
  })
  .meta({ id: 'NotaCredito' });

/** With the totals of a factura and either spelling of type and number. */
export const formerNotaCredito = z
  .strictObject({
    ...ofSale,
    documento_modificado: z
      .strictObject({
        codigo_documento_sustento: z.union([z.string(), z.int()]),
        numero_documento_sustento: withOrWithoutDashes,
        ...sameDocument,
        anula_comprobante: yesOrNo.optional(),
      })
      .meta({ id: 'DocumentoModificado' }),
    codigoDoc: codigoDoc('04'),
  })
  .meta({ id: 'NotaCredito' });

/** As clients of the interface before it send it: the type as text, and always whether it annuls. */
export const olderNotaCredito = z
  .strictObject({
    ...described,
    tipo_emision: tipoEmision,
    items: z.array(olderItem).min(1),
    documento_modificado: z
      .strictObject({
        codigo_documento_sustento: z.string(),
        numero_documento_sustento: withOrWithoutDashes,
        ...sameDocument,
        anula_comprobante: yesOrNo,
      })
      .meta({ id: 'DocumentoModificado' }),
    codigoDoc: codigoDoc('04'),
  })
  .meta({ id: 'NotaCredito' });

type Described = z.infer<typeof describedNotaCredito>;

/** The body of a nota de crédito, whichever dialect it came in. */
export type NotaCreditoBody = Omit<
  Described,
  'emisor' | 'items' | 'tipo_emision' | 'documento_modificado'
> & {
  emisor: Omit<Described['emisor'], 'secuencial'> & { secuencial?: string | undefined };
  items: Item[];
  tipo_emision?: 1 | 2 | undefined;
  documento_modificado: Omit<Described['documento_modificado'], 'codigo_documento_sustento'> & {
    codigo_documento_sustento: string | number;
  };
  totales?: TotalRow[] | undefined;
};

/** An item of a document, whichever dialect it came in. */
export type Item = Described['items'][number];
