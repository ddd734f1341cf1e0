import type { Readable } from 'node:stream';
import type { AuthorizedXml } from './authorized-xml.ts';
import type { ServiceMessage } from './inferred.ts';

/** The key is wrong: the account is paused, no document is to blame. */
export interface Unauthorized {
  kind: 'unauthorized';
}

/** 429. The budget was told already. */
export interface Throttled {
  kind: 'throttled';
  retryAfterMs: number;
}

/** Nothing was learned. `reason` is an English sentence without body or key. */
export interface Unknown {
  kind: 'unknown';
  reason: string;
}

/** What came back from an emission (spec, "Errors" 1, 2, 4, 6, 7). */
export type EmissionAnswer =
  | { kind: 'created'; claveacceso: string; aviso: string | null }
  /** Nothing was created; `errors` are the service's own words. */
  | { kind: 'refused'; status: number; errors: string[]; aviso: string | null }
  /** The number was used before; whose document it is must be asked. */
  | { kind: 'duplicate'; claveacceso: string | null; errors: string[] }
  | Unauthorized
  | Throttled
  /** It may exist or not. `mayHaveLeft: false` = not one byte was sent: as if never tried. */
  | { kind: 'unknown'; claveacceso: string | null; reason: string; mayHaveLeft: boolean };

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
  errors: ServiceMessage[];
}

/** A look-up that failed is `unknown`, never `not-found` (assumption A2). */
export type ConsultAnswer = FoundDocument | { kind: 'not-found' } | Unauthorized | Throttled | Unknown;

/** The authorised XML as it came, and what it says. */
export type XmlAnswer =
  | { kind: 'found'; xml: string; facts: AuthorizedXml }
  | { kind: 'not-found' }
  | Unauthorized
  | Throttled
  | Unknown;

/** The stream begins with `%PDF`; whoever got it must read or destroy it. */
export type PdfAnswer =
  | { kind: 'found'; length: number | null; stream: Readable }
  | { kind: 'not-found' }
  | Unauthorized
  | Throttled
  | Unknown;

/** `creditos` is the billing wallet; null when the answer does not say. */
export type BalanceAnswer =
  | { kind: 'balance'; creditos: number | null; aviso: string | null }
  | Unauthorized
  | Throttled
  | Unknown;

export type PingAnswer = { kind: 'alive' } | Unknown;
