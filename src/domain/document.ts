import type { Day } from './clock.ts';
import type { Amount } from './money.ts';
import type { LeftOut, LineReference, SourceFingerprint } from './order.ts';

/** The service's codes of the documents we issue (spec, supported types). */
export const documentCodes = { factura: '01', 'nota-credito': '04' } as const;
export type DocumentKind = keyof typeof documentCodes;
export const documentKinds = Object.keys(documentCodes) as DocumentKind[];
export type Ambiente = 1 | 2;

export type DocumentState =
  | 'held'
  | 'ready'
  | 'sending'
  | 'processing'
  | 'uncertain'
  | 'authorized'
  | 'rejected'
  | 'manual'
  | 'cancelled';

/** `authorized` and `cancelled` are final. `uncertain`: only status queries and repeats of the same number may follow. */
const moves: Record<DocumentState, readonly DocumentState[]> = {
  // To itself: the reason of a hold changes with the order.
  held: ['held', 'ready', 'manual', 'authorized', 'cancelled'],
  // Authorised after all: the service has a document it had said it did not have.
  ready: ['sending', 'held', 'manual', 'authorized', 'cancelled'],
  sending: ['processing', 'authorized', 'rejected', 'ready', 'uncertain', 'manual'],
  // To itself: what it waits for changes.
  processing: ['processing', 'authorized', 'rejected', 'uncertain', 'manual'],
  uncertain: ['uncertain', 'sending', 'processing', 'ready', 'authorized', 'rejected', 'manual'],
  rejected: ['ready', 'sending', 'processing', 'authorized', 'manual', 'cancelled'],
  // To itself or held: a decision of the planner alone may change with the order.
  manual: ['manual', 'held', 'ready', 'processing', 'authorized', 'cancelled'],
  authorized: [],
  cancelled: [],
};

export const documentStates = Object.keys(moves) as DocumentState[];
export const statesUnderWay: readonly DocumentState[] = ['ready', 'sending', 'processing', 'uncertain'];

export function mayMove(from: DocumentState, to: DocumentState): boolean {
  return moves[from].includes(to);
}

export const isAuthorisedFactura = ({ kind, state }: Pick<Document, 'kind' | 'state'>): boolean =>
  kind === 'factura' && state === 'authorized';

/** The factura of an order that counts: the authorised one, else one that is not cancelled. By position, since clocks may be set back. */
export function countingFactura<D extends { kind: DocumentKind; state: DocumentState }>(
  documents: readonly D[],
): D | undefined {
  const facturas = documents.filter(({ kind }) => kind === 'factura');
  return (
    facturas.findLast(({ state }) => state === 'authorized') ??
    facturas.findLast(({ state }) => state !== 'cancelled') ??
    facturas.at(-1)
  );
}

export interface Series {
  ruc: string;
  ambiente: Ambiente;
  codDoc: string;
  establecimiento: string;
  puntoEmision: string;
}

export interface DocumentIdentity {
  platform: string;
  shop: string;
  ambiente: Ambiente;
  kind: DocumentKind;
  /** Order id for a factura, refund id for a nota de crédito. */
  sourceId: string;
  ordinal: number;
}

export function documentKey(identity: DocumentIdentity): string {
  const { platform, shop, ambiente, kind, sourceId, ordinal } = identity;
  return [platform, shop, ambiente, kind, sourceId, ordinal]
    .map((part) => encodeURIComponent(part))
    .join('/');
}

/** In the document's `informacion_adicional`: identifies its sale when an answer was lost. */
export function documentReference(identity: DocumentIdentity): string {
  const { platform, shop, kind, sourceId, ordinal } = identity;
  return `${platform}/${shop.replace(/^https?:\/\//, '')}/${kind}/${sourceId}/${ordinal}`;
}

/** The shop comes without its scheme. Null for any other text. */
export function readReference(text: string | undefined): Omit<DocumentIdentity, 'ambiente'> | null {
  const [, platform, shop, kind, sourceId, ordinal] =
    /^([^/]+)\/(.+)\/(factura|nota-credito)\/([^/]+)\/(\d{1,6})$/.exec(text ?? '') ?? [];
  if (!platform || !shop || !sourceId) return null;
  return { platform, shop, kind: kind as DocumentKind, sourceId, ordinal: Number(ordinal) };
}

export interface Document extends DocumentIdentity {
  id: string;
  key: string;
  storeId: string;
  orderId: string;
  orderName: string;
  /** The config's account id, and the hash of the API key that issues it and can read it later. */
  account: string;
  keyHash: string;
  state: DocumentState;
  version: number;
  establecimiento: string;
  puntoEmision: string;
  ruc: string;
  codDoc: string;
  /** 9 digits once reserved; never changes. */
  secuencial: string | null;
  accessKey: string | null;
  issueDate: Day | null;
  authorizedAt: string | null;
  /** What the buyer was charged. */
  charged: Amount;
  total: Amount | null;
  code: string | null;
  reason: string | null;
  /** Null before the first. */
  writtenBack: DocumentState | null;
  /** Correlation id (src/observability/log.ts). */
  trace: string | null;
  /** When its authorised XML was compared with what was sent, and the result; null before. */
  verifiedAt: string | null;
  verification: Verification | null;
  /** When it was found annulled at the authority's portal, which only a person can do; `state` stays `authorized`. */
  annulledAt: string | null;
  /** What the ids of its order and refund meant when it was made; null when not recorded. */
  fingerprint: SourceFingerprint | null;
  /** How often its links were revoked: a link contains the version it was made with. */
  linkVersion: number;
  createdAt: string;
  updatedAt: string;
}

/** The authorised XML agrees with what was sent, differs in these fields, or by a cent of rounding. */
export type Verification = 'agrees' | readonly string[] | RoundingDifference;

export interface RoundingDifference {
  code: 'rounding-difference';
  /** The document's `total` is the sent one. */
  total: Amount;
}

export const differingFields = (verification: Verification | null): readonly string[] | null =>
  Array.isArray(verification) ? verification : null;

export const roundingOf = (verification: Verification | null): RoundingDifference | null =>
  verification !== null && typeof verification === 'object' && 'code' in verification ? verification : null;

export const roundingWords = (total: Amount | null, { total: authorised }: RoundingDifference): string =>
  `El servicio redondeó el IVA a su manera: se envió por ${total ?? '—'} y está autorizado por ${authorised}. Vale lo autorizado; no hay nada que corregir.`;

export const annulledWords =
  'Figura ANULADO en el portal del SRI: no se acredita. Si la venta sigue en pie, emita a mano otro documento.';

export const secuencialOf = (number: number): string => String(number).padStart(9, '0');

export const numberIn = (
  { establecimiento, puntoEmision }: Pick<Series, 'establecimiento' | 'puntoEmision'>,
  number: number,
): string => `${establecimiento}-${puntoEmision}-${secuencialOf(number)}`;

export function documentNumber(
  document: Pick<Document, 'establecimiento' | 'puntoEmision' | 'secuencial'>,
): string | null {
  if (document.secuencial === null) return null;
  return `${document.establecimiento}-${document.puntoEmision}-${document.secuencial}`;
}

/** How one POST ended. `open`: not known yet. `reprocessed`: refused, and the key was submitted again. */
export type AttemptOutcome =
  | 'open'
  | 'created'
  | 'adopted'
  | 'refused'
  | 'unsent'
  | 'unknown'
  | 'authorized'
  | 'error'
  | 'reprocessed';

export interface Attempt {
  id: string;
  documentId: string;
  n: number;
  issueDate: Day;
  secuencial: string;
  /** The exact JSON sent (encrypted at rest). */
  body: string;
  total: Amount;
  buyerId: string;
  /** Other refund records it includes: taken off a factura, or whose lines a nota de crédito took. */
  nettedRefunds: string[];
  /** What the shop had received beyond the order's total (`Order.overpaid`), for a factura. */
  overpaid: Amount;
  lineReferences: LineReference[];
  /** The gift cards that policy left out of a factura. */
  leftOut: LeftOut[];
  /** The access key computed in advance from the free digits the service gives; null when they are unknown. */
  foreseenKey: string | null;
  /** The access key the service stated; null before. */
  accessKey: string | null;
  /** The service's own number of the document (`id_comprobante`); null when no answer had it. */
  serviceId: number | null;
  outcome: AttemptOutcome;
  /** How often the service was asked to reprocess the key. */
  reprocessed: number;
  errors: string[];
  createdAt: string;
}

/** Final states, and those that wait for a person. */
export const reportedStates = ['authorized', 'held', 'rejected', 'manual', 'cancelled'] as const;
export type ReportedState = (typeof reportedStates)[number];

export function isReported(state: DocumentState): state is ReportedState {
  return (reportedStates as readonly DocumentState[]).includes(state);
}

export type DocumentEventType = `${DocumentKind}.${ReportedState}`;

/** Holds no data of the buyer. */
export interface DocumentEvent {
  /** The same for every delivery of this event, so that duplicates can be dropped. */
  id: string;
  type: DocumentEventType;
  /** When the document entered this state; ISO 8601. */
  timestamp: string;
  data: {
    documentId: string;
    kind: DocumentKind;
    state: ReportedState;
    ambiente: Ambiente;
    store: string;
    platform: string;
    shop: string;
    orderId: string;
    orderName: string;
    /** Order id for a factura, refund id for a nota de crédito. */
    sourceId: string;
    number: string | null;
    accessKey: string | null;
    authorizedAt: string | null;
    /** What the buyer paid or got back, and the document's total; USD. */
    charged: Amount | null;
    total: Amount | null;
    /** For machines and in Spanish, when a person is needed. */
    code: string | null;
    reason: string | null;
    pdfUrl: string | null;
    xmlUrl: string | null;
  };
}

/** Receives document events: a webhook, or a function of the embedding program. `notify` throws when it was not delivered. */
export interface DocumentListener {
  id: string;
  wants(type: DocumentEventType): boolean;
  notify(event: DocumentEvent): Promise<void>;
}

/**
 * `issuer` (the merchant fixes it), `authority` (temporary): the same key is reprocessed. `registered`: the authority has
 * this key; `number-taken`: the number under another key; `in-process`: not finished; `date`: the day of issue is over.
 */
export type ErrorCause =
  | 'issuer'
  | 'authority'
  | 'registered'
  | 'number-taken'
  | 'in-process'
  | 'date'
  | 'document';

export type MoveCause =
  | ErrorCause
  | 'retry'
  | 'new number'
  | 'reprocess'
  | 'accepted'
  | 'key given by hand'
  | 'found'
  | 'not found'
  | 'unknown key'
  | 'foreseen key'
  | 'unexpected key'
  | 'no webhook with the key'
  | 'no final state'
  | 'known unsent'
  | 'known not authorised'
  | 'sent again with today’s date'
  | 'reprocessed'
  | 'not reprocessed'
  | 'the process that sent it died'
  | 'lost by the ledger'
  | 'written again';

export interface MoveNote {
  code?: string;
  cause?: MoveCause;
  by?: string;
  [fact: string]: unknown;
}
