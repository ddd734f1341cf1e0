import type { z } from 'zod';
import { dialects } from '../dialects.ts';
import type { ArithmeticName, DialectName } from '../variants.ts';
import { computeFigures } from './arithmetic.ts';
import type { StoredDocument, Tipo } from './documents.ts';
import { guiaRemisionSchema } from './guia-remision.ts';
import type { NotaCreditoBody } from './nota-credito.ts';
import { retencionSchema } from './retencion.ts';
import { type FacturaBody, facturaSchema, otherSchema } from './schema.ts';
import { misplacedDiscounts, unstatedIce } from './totals-rules.ts';
import { type Checked, checkBody } from './validation.ts';

/** What is particular to a document of this kind: its type, its checked body, its figures. */
export type Contents = StoredDocument extends infer D
  ? D extends StoredDocument
    ? Pick<D, 'tipo' | 'body' | 'figures'>
    : never
  : never;

/** One kind of document the service emits. */
export interface Kind {
  tipo: Tipo;
  /** As a sentence begins: "Factura". */
  nombre: string;
  schema: z.ZodType;
  read(value: unknown, today: string): Checked<Contents>;
}

const then = <A, B>(checked: Checked<A>, make: (body: A) => B): Checked<B> =>
  'errors' in checked ? checked : { body: make(checked.body) };

const rulesOfTotals = (tipo: '01' | '04') => (body: FacturaBody | NotaCreditoBody) => [
  ...unstatedIce(body),
  ...misplacedDiscounts(tipo, body),
];

/** How the service reads and computes: what of its settings the kinds depend on. */
export interface Reading {
  dialect: DialectName;
  arithmetic: ArithmeticName;
}

export const factura = ({ arithmetic }: Reading): Kind => ({
  tipo: '01',
  nombre: 'Factura',
  schema: facturaSchema,
  read: (value, today) =>
    then(checkBody(facturaSchema, value, today, rulesOfTotals('01')), (body) => ({
      tipo: '01',
      body,
      figures: computeFigures(body, arithmetic),
    })),
});

export const notaCredito = ({ dialect, arithmetic }: Reading): Kind => {
  const { notaCredito: schema, statedLines } = dialects[dialect];
  return {
    tipo: '04',
    nombre: 'Nota de crédito',
    schema,
    read: (value, today) =>
      then(checkBody(schema, value, today, rulesOfTotals('04')), (body) => ({
        tipo: '04',
        body,
        figures: computeFigures(statedLines ? body : withoutLineTotals(body), arithmetic),
      })),
  };
};

const withoutLineTotals = (body: NotaCreditoBody): NotaCreditoBody => ({
  ...body,
  items: body.items.map(({ precio_total_sin_impuesto: _, ...item }) => item),
});

export const guiaRemision: Kind = {
  tipo: '06',
  nombre: 'Guía de remisión',
  schema: guiaRemisionSchema,
  read: (value, today) =>
    then(checkBody(guiaRemisionSchema, value, today), (body) => ({ tipo: '06', body, figures: null })),
};

export const retencion: Kind = {
  tipo: '07',
  nombre: 'Comprobante de retención',
  schema: retencionSchema,
  read: (value, today) =>
    then(checkBody(retencionSchema, value, today), (body) => ({ tipo: '07', body, figures: null })),
};

const other = (tipo: '03' | '05', nombre: string): Kind => ({
  tipo,
  nombre,
  schema: otherSchema,
  read: (value, today) =>
    then(checkBody(otherSchema, value, today), (body) => ({ tipo, body, figures: null })),
});

/** Every kind by its type (spec, "What the service does"). */
export const kindsOf = (reading: Reading): Readonly<Record<Tipo, Kind>> => ({
  '01': factura(reading),
  '03': other('03', 'Liquidación de compra'),
  '04': notaCredito(reading),
  '05': other('05', 'Nota de débito'),
  '06': guiaRemision,
  '07': retencion,
});
