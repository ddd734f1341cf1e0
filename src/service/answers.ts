import type { Readable } from 'node:stream';
import type { z } from 'zod';
import { parseJson } from '../domain/loose.ts';
import type { AuthorizedXml } from './authorized-xml.ts';
import {
  flaggedBody,
  plainBody,
  readNotice,
  readWords,
  type ServiceMessage,
  saysBadKey,
} from './inferred.ts';

/** 401: the key is wrong. The account is paused, no document is to blame. */
export interface Unauthorized {
  kind: 'unauthorized';
}

/** 429. The rate limit holds the key back already. */
export interface Throttled {
  kind: 'throttled';
  retryAfterMs: number;
}

/** No usable answer. `reason` is an English sentence without body or key; `status` the HTTP status, if there was one. */
export interface Unknown {
  kind: 'unknown';
  reason: string;
  status?: number;
}

/** The outcome is unknown. `mayHaveLeft: false`: not one byte was sent. */
export interface UnknownEffect extends Unknown {
  mayHaveLeft: boolean;
}

/**
 * The service did nothing; `errors` are its own words. `status` null: the request breaks the specification and was
 * never sent; then `errors` are ours, in Spanish.
 */
export interface Refused {
  kind: 'refused';
  status: number | null;
  errors: string[];
}

/** 402: the wallet that pays for the call is empty. */
export interface NoFunds {
  kind: 'no-funds';
  mensaje: string | null;
}

export type Failure = Unauthorized | Throttled | Unknown;
/** How a call may fail that must not happen twice. */
export type EffectFailure = Unauthorized | Throttled | UnknownEffect;

/**
 * False also for an effect that may have been sent (an emission, a new company, a new verification):
 * ask for the outcome first. A throttled call waits `retryAfterMs`.
 */
export function isRetryable(answer: { kind: string; mayHaveLeft?: boolean }): boolean {
  if (answer.kind === 'throttled') return true;
  return answer.kind === 'unknown' && answer.mayHaveLeft !== true;
}

/**
 * The answer of an emission (spec, "Errors" 1, 2, 4, 6, 7). `date`: the service's time, null without one.
 * `errors` of an unknown outcome are the service's words, which must not be logged.
 */
export type EmissionAnswer =
  | { kind: 'created'; claveacceso: string; idComprobante: number | null; aviso: string | null }
  | (Refused & { aviso: string | null; date: Date | null })
  /** The number was used before; the caller must find out whose document has it. */
  | { kind: 'duplicate'; claveacceso: string | null; errors: string[] }
  | Unauthorized
  | Throttled
  | (UnknownEffect & { claveacceso: string | null; errors?: string[] });

/** The service's data of one document. `errors` of an authorised one are warnings. */
export interface FoundDocument {
  kind: 'found';
  state: 'authorized' | 'error' | 'processing';
  claveacceso: string;
  /** "001-001-000000001" */
  numero: string | null;
  tipo: string | null;
  rucEmisor: string | null;
  ambiente: number | null;
  numeroAutorizacion: string | null;
  fechaAutorizacion: string | null;
  estadoTexto: string | null;
  /** A person annulled it at the authority's portal after it was authorised (assumption A34). */
  annulled: boolean;
  /** The service's links to its files; `descargarXml` and `descargarPdf` use the key instead. */
  enlaces: { xml: string | null; pdf: string | null };
  errors: ServiceMessage[];
}

/** A look-up that failed is `unknown`, never `not-found` (assumption A2). */
export type ConsultAnswer = FoundDocument | { kind: 'not-found' } | Failure;

export type XmlAnswer =
  | { kind: 'found'; xml: string; facts: AuthorizedXml }
  | { kind: 'not-found' }
  | Failure;

/**
 * Begins as a PDF or an XML. `length` in bytes, null when the service does not state it.
 * The caller must read or destroy the stream.
 */
export type StreamAnswer =
  | { kind: 'found'; length: number | null; stream: Readable }
  | { kind: 'not-found' }
  | Failure;

export type ReprocessAnswer =
  | {
      kind: 'reprocessing';
      claveacceso: string;
      estado: string | null;
      mensaje: string | null;
      aviso: string | null;
    }
  | { kind: 'not-found' }
  | Refused
  | EffectFailure;

/** In the service's words (assumption A7). */
export type BalanceState = 'suficiente' | 'bajo' | 'agotado';

/** A field is null when the answer lacks it; `saldo` in USD, `venceEn` as written. */
export type BalanceAnswer =
  | {
      kind: 'balance';
      creditos: number | null;
      estadoSaldo: BalanceState | null;
      venceEn: string | null;
      consultas: { saldo: number | null; gratisRestantes: number | null };
      aviso: string | null;
    }
  | Failure;

/** By the number of credits, or without one by the service's state. */
export const isEmpty = ({
  creditos,
  estadoSaldo,
}: Pick<Extract<BalanceAnswer, { kind: 'balance' }>, 'creditos' | 'estadoSaldo'>): boolean =>
  creditos === null ? estadoSaldo === 'agotado' : creditos <= 0;

/** `unauthorized`: the service answers but asks for a key. `date`: the service's time, null without one. */
export type PingAnswer = { kind: 'alive' | 'unauthorized'; date: Date | null } | Throttled | Unknown;

export interface ReadReply {
  status: number;
  text: string;
  date: Date | null;
}

export interface Success {
  kind: 'success';
  body: Record<string, unknown>;
  aviso: string | null;
}

/** A page comes from a gateway, in maintenance or from a PHP error. A 401 is understood without its body. */
export const isPage = ({ status, text }: Pick<ReadReply, 'status' | 'text'>): boolean =>
  (status < 200 || status > 299) && status !== 401 && /^\s*</.test(text);

/** Spec, "Errors" 3 and 4. Anything not clearly a success or a refusal is unknown. */
export function readAnswer({ status, text }: ReadReply): Success | Refused | Unauthorized | Unknown {
  if (status === 401) return { kind: 'unauthorized' };
  const json = readJson(text);
  if (json === undefined)
    return { kind: 'unknown', reason: `answered ${status} with something that is no JSON` };
  const read = flaggedBody.safeParse(json);
  if (!read.success) return { kind: 'unknown', reason: `answered ${status} with a body of unknown shape` };
  const { success, respuesta, creado } = read.data;
  const flags = [success, respuesta, creado].filter((flag) => flag !== undefined);
  if (status >= 200 && status < 300 && !flags.includes(false)) {
    return { kind: 'success', body: read.data, aviso: readNotice(read.data.aviso_proveedor_sri) };
  }
  const final = status < 300 || (status >= 400 && status < 500 && status !== 408);
  if (!final || !flags.includes(false)) return { kind: 'unknown', reason: `answered ${status}` };
  const errors = readWords(read.data);
  return saysBadKey(errors) ? { kind: 'unauthorized' } : { kind: 'refused', status, errors };
}

export function readBody({
  status,
  text,
}: Pick<ReadReply, 'status' | 'text'>): Record<string, unknown> | string {
  if (status !== 200) return `answered ${status}`;
  const body = plainBody.safeParse(readJson(text));
  return body.success ? body.data : 'answered 200 with a body of unknown shape';
}

/** Only a 404 in the service's own format (assumption A2): that of a gateway or a wrong address proves nothing. */
export function saysUnknown({ status, text }: ReadReply): boolean {
  if (status !== 404) return false;
  const body = flaggedBody.safeParse(readJson(text));
  return body.success && body.data.success === false;
}

export function readShape<T>(body: unknown, schema: z.ZodType<T>, what: string): { data: T } | Unknown {
  const read = schema.safeParse(body);
  return read.success ? { data: read.data } : { kind: 'unknown', reason: `answered without ${what}` };
}

export function readJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
