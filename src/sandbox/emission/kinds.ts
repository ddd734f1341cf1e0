import type { z } from 'zod';
import { computeFigures } from './arithmetic.ts';
import type { StoredDocument, Tipo } from './documents.ts';
import {
  type FacturaBody,
  facturaSchema,
  type NotaCreditoBody,
  notaCreditoSchema,
  otherSchema,
} from './schema.ts';
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

export const factura: Kind = {
  tipo: '01',
  nombre: 'Factura',
  schema: facturaSchema,
  read: (value, today) =>
    then(checkBody(facturaSchema, value, today, rulesOfTotals('01')), (body) => ({
      tipo: '01',
      body,
      figures: computeFigures(body),
    })),
};

export const notaCredito: Kind = {
  tipo: '04',
  nombre: 'Nota de crédito',
  schema: notaCreditoSchema,
  read: (value, today) =>
    then(checkBody(notaCreditoSchema, value, today, rulesOfTotals('04')), (body) => ({
      tipo: '04',
      body,
      figures: computeFigures(body),
    })),
};

const other = (tipo: '03' | '05' | '06' | '07', nombre: string): Kind => ({
  tipo,
  nombre,
  schema: otherSchema,
  read: (value, today) =>
    then(checkBody(otherSchema, value, today), (body) => ({ tipo, body, figures: null })),
});

/** Every kind by its type (spec, "What the service does"). */
export const kinds: Readonly<Record<Tipo, Kind>> = {
  '01': factura,
  '03': other('03', 'Liquidación de compra'),
  '04': notaCredito,
  '05': other('05', 'Nota de débito'),
  '06': other('06', 'Guía de remisión'),
  '07': other('07', 'Comprobante de retención'),
};
