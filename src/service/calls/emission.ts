import { z } from 'zod';
import { word } from '../../domain/text.ts';
import { otherParts } from '../access-key.ts';
import type { EmissionAnswer } from '../answers.ts';
import type { Exchange } from '../exchange.ts';
import { readNotice, readWords } from '../inferred.ts';
import { saysBadKey, saysExists } from '../refusal-words.ts';
import { type ReadReply, readJson } from '../replies.ts';
import { check, sentencesOf } from '../shapes/checked.ts';
import {
  type FacturaRequest,
  facturaRequest,
  type NotaCreditoRequest,
  notaCreditoRequest,
  type OtherDocumentRequest,
  otherRequest,
} from '../shapes/documents.ts';
import { type GuiaRemisionRequest, guiaRemisionRequest } from '../shapes/guia-remision.ts';
import { type RetencionRequest, retencionRequest } from '../shapes/retencion.ts';
import { emissionBody } from '../wire.ts';

/**
 * Emission of each document type (spec, "Endpoints" and "Electronic document"). A text is JSON that leaves byte
 * for byte; an object is held against the field tables first, and what they forbid is `refused` with `status`
 * null. Emission is asynchronous: `created` means registered, the outcome is asked with `consultarComprobante`
 * or told by webhook. After `unknown` with `mayHaveLeft` the document may exist: never emit it again blindly
 * under another number. Errors: spec, "Errors" 1, 2, 4, 6 to 10.
 */
export interface EmissionCalls {
  /** `POST /api/factura/emision`: factura (01). */
  emitirFactura(body: string | FacturaRequest): Promise<EmissionAnswer>;
  /** `POST /api/credito/emision`: nota de crédito (04); inner fields by assumption A21. */
  emitirNotaCredito(body: string | NotaCreditoRequest): Promise<EmissionAnswer>;
  /** Liquidación de compra (03), route by assumption A22 or `otherDocumentPaths`. */
  emitirLiquidacionCompra(body: string | OtherDocumentRequest): Promise<EmissionAnswer>;
  /** Nota de débito (05), route by assumption A22 or `otherDocumentPaths`. */
  emitirNotaDebito(body: string | OtherDocumentRequest): Promise<EmissionAnswer>;
  /** Guía de remisión (06); body and route by assumption A22, the route also by `otherDocumentPaths`. */
  emitirGuiaRemision(body: string | GuiaRemisionRequest): Promise<EmissionAnswer>;
  /** Comprobante de retención (07); body and route by assumption A22, the route also by `otherDocumentPaths`. */
  emitirRetencion(body: string | RetencionRequest): Promise<EmissionAnswer>;
}

/** Emission routes the specification does not show, by document code (assumption A22). */
export const otherDocumentPaths = {
  '03': '/api/liquidacion/emision',
  '05': '/api/debito/emision',
  '06': '/api/guia/emision',
  '07': '/api/retencion/emision',
} as const;
export type OtherDocumentPaths = Readonly<Record<keyof typeof otherDocumentPaths, string>>;

export function emissionCalls({ act }: Exchange, paths: OtherDocumentPaths): EmissionCalls {
  const emission =
    <T>(operation: string, codDoc: string, path: string, schema: z.ZodType<T>) =>
    async (document: string | T): Promise<EmissionAnswer> => {
      const body = toBody(document, schema);
      if (typeof body !== 'string') return body;
      const call = { method: 'POST', path, body } as const;
      const read = (reply: ReadReply) => readEmission(reply, codDoc, body);
      const answer = await act({ operation, slot: 'emission', call, read });
      return answer.kind === 'unknown' ? { claveacceso: null, ...answer } : answer;
    };
  return {
    emitirFactura: emission('emitirFactura', '01', '/api/factura/emision', facturaRequest),
    emitirNotaCredito: emission('emitirNotaCredito', '04', '/api/credito/emision', notaCreditoRequest),
    emitirLiquidacionCompra: emission('emitirLiquidacionCompra', '03', paths['03'], otherRequest),
    emitirNotaDebito: emission('emitirNotaDebito', '05', paths['05'], otherRequest),
    emitirGuiaRemision: emission('emitirGuiaRemision', '06', paths['06'], guiaRemisionRequest),
    emitirRetencion: emission('emitirRetencion', '07', paths['07'], retencionRequest),
  };
}

function toBody<T>(document: string | T, schema: z.ZodType<T>): string | EmissionAnswer {
  if (typeof document === 'string') return document;
  const checked = check(schema, document);
  if (checked.ok) return JSON.stringify(checked.data);
  return { kind: 'refused', status: null, errors: sentencesOf(checked.fields), aviso: null, date: null };
}

/** Reads what an emission route answered. What is not clearly something else is `unknown`, never success. */
export function readEmission(
  { status, text, date }: ReadReply,
  codDoc: string,
  sent: string,
): EmissionAnswer {
  if (status === 401) return { kind: 'unauthorized' };
  const json = readJson(text);
  const read = emissionBody.safeParse(json);
  const { creado, claveacceso: key, id_comprobante, aviso_proveedor_sri, ...rest } = read.data ?? {};
  const claveacceso = key ?? null;
  const errors = readWords(rest);
  const lost = (reason: string): EmissionAnswer => ({
    kind: 'unknown',
    claveacceso,
    reason,
    ...(errors.length > 0 ? { errors } : {}),
    mayHaveLeft: true,
  });
  if (json === undefined) return lost(`answered ${status} with something that is no JSON`);
  if (!read.success) return lost(`answered ${status} with a body of unknown shape`);
  const aviso = readNotice(aviso_proveedor_sri);
  if (creado) {
    if (status < 200 || status > 299) return lost(`answered ${status} with "creado" true`);
    if (claveacceso === null) return lost('answered "creado" true without an access key of 49 digits');
    return { kind: 'created', claveacceso, idComprobante: id_comprobante ?? null, aviso };
  }
  if (status >= 500 || status === 408) return lost(`answered ${status}`);
  if (status >= 300 && status < 400) return lost(`answered ${status}, a redirection`);
  if (creado === undefined) return lost(`answered ${status} without "creado"`);
  if (status === 409) return { kind: 'duplicate', claveacceso, errors };
  if (saysBadKey(errors)) return { kind: 'unauthorized' };
  if (saysExists(errors)) return { kind: 'duplicate', claveacceso: claveacceso ?? keyIn(errors), errors };
  if (claveacceso !== null && isOf(claveacceso, codDoc, sent))
    return { kind: 'duplicate', claveacceso, errors };
  return { kind: 'refused', status, errors, aviso, date };
}

/** The one access key that sentences name; none where they name several. */
function keyIn(sentences: readonly string[]): string | null {
  const keys = new Set(sentences.flatMap((one) => one.match(/(?<!\d)\d{49}(?!\d)/g) ?? []));
  return keys.size === 1 ? ([...keys][0] ?? null) : null;
}

/** Whether a key is of the very number that left: of its type, RUC, ambiente, series and secuencial. */
function isOf(claveacceso: string, codDoc: string, sent: string): boolean {
  const read = numberedBody.safeParse(readJson(sent));
  if (!read.success) return false;
  const { emisor, ambiente } = read.data;
  const { codigo_establecimiento: place, codigo_puntoemision: point, secuencial } = emisor;
  const facts = {
    tipo_comprobante: codDoc,
    ruc_emisor: emisor.ruc,
    ambiente,
    numero: `${place}-${point}-${secuencial.padStart(9, '0')}`,
  };
  return otherParts(claveacceso, facts).length === 0;
}

/** What of a body names its document. */
const numberedBody = z.object({
  emisor: z.object({
    ruc: word,
    codigo_establecimiento: word,
    codigo_puntoemision: word,
    secuencial: word,
  }),
  ambiente: z.number(),
});
