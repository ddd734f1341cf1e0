import type { Readable } from 'node:stream';
import type { AuthorizedXml } from './authorized-xml.ts';
import type { ServiceMessage } from './inferred.ts';

/** 401: the key is wrong. The account is paused, no document is to blame. */
export interface Unauthorized {
  kind: 'unauthorized';
}

/** 429. The budget was told already. */
export interface Throttled {
  kind: 'throttled';
  retryAfterMs: number;
}

/** Nothing was learned. `reason` is an English sentence without body or key; `status` that of HTTP, if one came. */
export interface Unknown {
  kind: 'unknown';
  reason: string;
  status?: number;
}

/** It may have happened or not. `mayHaveLeft: false` = not one byte was sent: as if never tried. */
export interface UnknownEffect extends Unknown {
  mayHaveLeft: boolean;
}

/**
 * Nothing was done. `errors` are the service's own words; `status` null means that the request was found
 * wrong here, by the rules of the specification, and never left: then `errors` are ours, in Spanish.
 */
export interface Refused {
  kind: 'refused';
  status: number | null;
  errors: string[];
}

/** 402: the wallet that pays for it must be recharged first. */
export interface NoFunds {
  kind: 'no-funds';
  mensaje: string | null;
}

/** How any call with a key may fail. */
export type Failure = Unauthorized | Throttled | Unknown;
/** How a call may fail that must not happen twice. */
export type EffectFailure = Unauthorized | Throttled | UnknownEffect;

/**
 * Says whether the same call may be made again, later, without doing harm: after `retryAfterMs` when
 * throttled; after a pause when nothing was learned, unless the call may have left and must not happen twice
 * (an emission, a new company, a new verification). Then ask first what became of it.
 */
export function isRetryable(answer: { kind: string; mayHaveLeft?: boolean }): boolean {
  if (answer.kind === 'throttled') return true;
  return answer.kind === 'unknown' && answer.mayHaveLeft !== true;
}

/**
 * What came back from an emission (spec, "Errors" 1, 2, 4, 6, 7). `date`: the service's time, null when it does not say;
 * `errors` of an unknown outcome: its words, if it said some, which belong into no log.
 */
export type EmissionAnswer =
  | { kind: 'created'; claveacceso: string; idComprobante: number | null; aviso: string | null }
  /** Nothing was created. */
  | (Refused & { aviso: string | null; date: Date | null })
  /** The number was used before; whose document it is must be asked. */
  | { kind: 'duplicate'; claveacceso: string | null; errors: string[] }
  | Unauthorized
  | Throttled
  | (UnknownEffect & { claveacceso: string | null; errors?: string[] });

/** What the service knows about one document. `errors` of an authorised one are warnings. */
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
  /** Where the service says that its files are; they are had by the key (`descargarXml`, `descargarPdf`). */
  enlaces: { xml: string | null; pdf: string | null };
  errors: ServiceMessage[];
}

/** A look-up that failed is `unknown`, never `not-found` (assumption A2). */
export type ConsultAnswer = FoundDocument | { kind: 'not-found' } | Failure;

/** The authorised XML as it came, and what it says. */
export type XmlAnswer =
  | { kind: 'found'; xml: string; facts: AuthorizedXml }
  | { kind: 'not-found' }
  | Failure;

/**
 * A file as it comes; its first bytes were seen to be a PDF's or an XML's. `length` in bytes when the service
 * says it. Whoever got the stream must read or destroy it.
 */
export type StreamAnswer =
  | { kind: 'found'; length: number | null; stream: Readable }
  | { kind: 'not-found' }
  | Failure;

/** The document is on its way to the tax authority again. */
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

/** How much the billing wallet holds, in the service's own word (assumption A7). */
export type BalanceState = 'suficiente' | 'bajo' | 'agotado';

/** Both wallets. A field is null when the answer does not say it; `saldo` in USD, `venceEn` as it comes. */
export type BalanceAnswer =
  | {
      kind: 'balance';
      /** The billing wallet. */
      creditos: number | null;
      estadoSaldo: BalanceState | null;
      venceEn: string | null;
      /** The queries wallet. */
      consultas: { saldo: number | null; gratisRestantes: number | null };
      aviso: string | null;
    }
  | Failure;

/** Whether no credits are left: by their number, or without one by the service's word. */
export const isEmpty = ({
  creditos,
  estadoSaldo,
}: Pick<Extract<BalanceAnswer, { kind: 'balance' }>, 'creditos' | 'estadoSaldo'>): boolean =>
  creditos === null ? estadoSaldo === 'agotado' : creditos <= 0;

/**
 * `unauthorized`: the service is there and asks for a key all the same. `date`: the service's time, null when it does
 * not say.
 */
export type PingAnswer = { kind: 'alive' | 'unauthorized'; date: Date | null } | Throttled | Unknown;
