import type { z } from 'zod';
import type { EmissionAnswer } from '../answers.ts';
import type { Exchange } from '../exchange.ts';
import { messageText, readMessages, readNotice } from '../inferred.ts';
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
  /** Guía de remisión (06), route by assumption A22 or `otherDocumentPaths`. */
  emitirGuiaRemision(body: string | OtherDocumentRequest): Promise<EmissionAnswer>;
  /** Comprobante de retención (07), route by assumption A22 or `otherDocumentPaths`. */
  emitirRetencion(body: string | OtherDocumentRequest): Promise<EmissionAnswer>;
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
    <T>(operation: string, path: string, schema: z.ZodType<T>) =>
    async (document: string | T): Promise<EmissionAnswer> => {
      const body = toBody(document, schema);
      if (typeof body !== 'string') return body;
      const call = { method: 'POST', path, body } as const;
      const answer = await act({ operation, slot: 'emission', call, read: readEmission });
      return answer.kind === 'unknown' ? { claveacceso: null, ...answer } : answer;
    };
  return {
    emitirFactura: emission('emitirFactura', '/api/factura/emision', facturaRequest),
    emitirNotaCredito: emission('emitirNotaCredito', '/api/credito/emision', notaCreditoRequest),
    emitirLiquidacionCompra: emission('emitirLiquidacionCompra', paths['03'], otherRequest),
    emitirNotaDebito: emission('emitirNotaDebito', paths['05'], otherRequest),
    emitirGuiaRemision: emission('emitirGuiaRemision', paths['06'], otherRequest),
    emitirRetencion: emission('emitirRetencion', paths['07'], otherRequest),
  };
}

function toBody<T>(document: string | T, schema: z.ZodType<T>): string | EmissionAnswer {
  if (typeof document === 'string') return document;
  const checked = check(schema, document);
  if (checked.ok) return JSON.stringify(checked.data);
  return { kind: 'refused', status: null, errors: sentencesOf(checked.fields), aviso: null, date: null };
}

/** Reads what an emission route answered. What is not clearly something else is `unknown`, never success. */
export function readEmission({ status, text, date }: ReadReply): EmissionAnswer {
  if (status === 401) return { kind: 'unauthorized' };
  const lost = (reason: string, claveacceso: string | null = null): EmissionAnswer => ({
    kind: 'unknown',
    claveacceso,
    reason,
    mayHaveLeft: true,
  });
  const json = readJson(text);
  if (json === undefined) return lost(`answered ${status} with something that is no JSON`);
  const read = emissionBody.safeParse(json);
  if (!read.success) return lost(`answered ${status} with a body of unknown shape`);
  const { creado, errors, mensaje, message } = read.data;
  const claveacceso = read.data.claveacceso ?? null;
  const aviso = readNotice(read.data.aviso_proveedor_sri);
  if (creado) {
    if (status < 200 || status > 299) return lost(`answered ${status} with "creado" true`, claveacceso);
    if (claveacceso === null) return lost('answered "creado" true without an access key of 49 digits');
    return { kind: 'created', claveacceso, idComprobante: read.data.id_comprobante ?? null, aviso };
  }
  if (status >= 500 || status === 408) return lost(`answered ${status}`, claveacceso);
  if (status >= 300 && status < 400) return lost(`answered ${status}, a redirection`, claveacceso);
  const sentences = readMessages(errors).map(messageText);
  if (status === 409) return { kind: 'duplicate', claveacceso, errors: sentences };
  if (sentences.length === 0) sentences.push(...[mensaje, message].filter((one) => one !== undefined));
  return { kind: 'refused', status, errors: sentences, aviso, date };
}
