import type { SriMessage } from '../authority/tables.ts';
import type { Outcome } from '../faults/schema.ts';
import type { Figures } from './arithmetic.ts';
import type { GuiaRemisionBody } from './guia-remision.ts';
import type { NotaCreditoBody } from './nota-credito.ts';
import type { RetencionBody } from './retencion.ts';
import type { FacturaBody, OtherBody } from './schema.ts';

/** 1 in process, 4 or 9 authorised, 5 returned by the reception, 6 not authorised. */
export type Estado = 1 | 4 | 5 | 6 | 9;

export const estadoTexts: Readonly<Record<Estado, string>> = {
  1: 'En procesamiento',
  4: 'Autorizado',
  5: 'Devuelto',
  6: 'No autorizado',
  9: 'Autorizado',
};

/** Document types (spec, "What the service does"). */
export type Tipo = '01' | '03' | '04' | '05' | '06' | '07';

interface Stored {
  id: number;
  claveacceso: string;
  apiKey: string;
  ambiente: 1 | 2;
  ruc: string;
  establecimiento: string;
  puntoEmision: string;
  secuencial: string;
  /** `001-001-000000001` */
  numero: string;
  fechaEmision: string;
  /** What the client sent plus what the service adds (RUC Proveedor). */
  informacionAdicional: { nombre: string; detalle: string }[];
  recibido: string;
  estado: Estado;
  errores: SriMessage[];
  advertencias: SriMessage[];
  fechaAutorizacion: string | null;
  /** Annulled at the authority's portal after it was authorised. */
  annulled?: true;
  /** How often it went to the tax authority. */
  tries?: number;
  /** While in process: how a script or a magic buyer lets it end. */
  ordered?: Outcome;
  /** While in process: when it ends on the sandbox's clock (ISO); null or missing: after `authorizeDelayMs`. */
  decideAt?: string | null;
}

export type FacturaDocument = Stored & { tipo: '01'; body: FacturaBody; figures: Figures };
export type NotaCreditoDocument = Stored & { tipo: '04'; body: NotaCreditoBody; figures: Figures };
export type GuiaRemisionDocument = Stored & { tipo: '06'; body: GuiaRemisionBody; figures: null };
export type RetencionDocument = Stored & { tipo: '07'; body: RetencionBody; figures: null };
/** Of these only the common blocks are known, so nothing is computed. */
export type OtherDocument = Stored & { tipo: '03' | '05'; body: OtherBody; figures: null };
/** A document whose lines and totals the sandbox works out. */
export type PricedDocument = FacturaDocument | NotaCreditoDocument;
/** A document the sandbox prints and writes as XML. */
export type WrittenDocument = PricedDocument | GuiaRemisionDocument | RetencionDocument;

/** One document the sandbox has stored. Amounts are decimal strings, `fechaEmision` is `YYYY/MM/DD`. */
export type StoredDocument = WrittenDocument | OtherDocument;

/** Where a number is unique: issuer, environment, type, establishment and point of emission. */
export type Series = Pick<StoredDocument, 'ruc' | 'ambiente' | 'tipo' | 'establecimiento' | 'puntoEmision'>;

export const isAuthorised = (document: StoredDocument) => document.estado === 4 || document.estado === 9;
export const isWritten = (document: StoredDocument): document is WrittenDocument =>
  document.tipo !== '03' && document.tipo !== '05';
export const isRefused = (document: StoredDocument) => document.estado === 5 || document.estado === 6;

type Receiver = FacturaBody['comprador'];

/** The recipient of a document: the buyer, the supplier withheld from, the addressee of the goods. */
export function receiverOf(document: WrittenDocument): Receiver;
export function receiverOf(document: StoredDocument): Receiver | undefined;
export function receiverOf({ tipo, body }: StoredDocument): Receiver | undefined {
  if (tipo === '06') return body.destinatario;
  return tipo === '07' ? body.proveedor : body.comprador;
}

export interface DocumentStore {
  nextId(): number;
  /** The number after the highest one of the series, nine digits; null after 999999999. */
  nextSecuencial(series: Series): string | null;
  byKey(claveacceso: string): StoredDocument | undefined;
  /** Every document under this number, oldest first. */
  byNumber(series: Series, secuencial: string): StoredDocument[];
  /** Stores the document; one under the same key, known to be refused, is replaced by its correction. */
  put(document: StoredDocument): void;
  /** Says that a stored document has changed. */
  changed(document: StoredDocument): void;
  all(): StoredDocument[];
  clear(): void;
}

/** Documents in memory, found by key and by number; `keep` hears of every new and changed one. */
export function openDocuments(
  keep: (document: StoredDocument) => void = () => {},
  kept: readonly StoredDocument[] = [],
): DocumentStore {
  const byKey = new Map<string, StoredDocument>();
  const byNumber = new Map<string, StoredDocument[]>();
  const lastNumber = new Map<string, number>();
  let lastId = 0;
  const seriesOf = (s: Series) => [s.ruc, s.ambiente, s.tipo, s.establecimiento, s.puntoEmision].join('-');
  const numberOf = (series: Series, secuencial: string) => `${seriesOf(series)}-${secuencial}`;
  const add = (document: StoredDocument) => {
    const place = numberOf(document, document.secuencial);
    const others = (byNumber.get(place) ?? []).filter((d) => d.claveacceso !== document.claveacceso);
    byNumber.set(place, [...others, document]);
    byKey.delete(document.claveacceso);
    byKey.set(document.claveacceso, document);
    const last = lastNumber.get(seriesOf(document)) ?? 0;
    lastNumber.set(seriesOf(document), Math.max(last, Number(document.secuencial)));
    lastId = Math.max(lastId, document.id);
  };
  kept.forEach(add);
  return {
    nextId: () => ++lastId,
    nextSecuencial(series) {
      const next = String((lastNumber.get(seriesOf(series)) ?? 0) + 1).padStart(9, '0');
      return next.length > 9 ? null : next;
    },
    byKey: (claveacceso) => byKey.get(claveacceso),
    byNumber: (series, secuencial) => byNumber.get(numberOf(series, secuencial)) ?? [],
    put(document) {
      add(document);
      keep(document);
    },
    changed: keep,
    all: () => [...byKey.values()],
    clear() {
      byKey.clear();
      byNumber.clear();
      lastNumber.clear();
      lastId = 0;
    },
  };
}
