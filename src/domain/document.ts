import type { Day } from './calendar.ts';
import type { Amount } from './money.ts';
import type { SourceFingerprint } from './order-fingerprint.ts';
import type { Tie } from './refund.ts';

/** The service's document codes that we emit (spec, supported types). */
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

/**
 * The legal moves. `authorized` and `cancelled` are final. `uncertain` means that an answer was lost: only
 * questions and repeats of the same number may follow until it is known; known unused, it is `ready` again.
 */
const moves: Record<DocumentState, readonly DocumentState[]> = {
  // To itself: the reason of a hold changes with the order.
  held: ['held', 'ready', 'manual', 'authorized', 'cancelled'],
  // Authorised after all: the service knew the sending that it had said it did not know.
  ready: ['sending', 'held', 'manual', 'authorized', 'cancelled'],
  sending: ['processing', 'authorized', 'rejected', 'ready', 'uncertain', 'manual'],
  // To itself: what it waits for changes.
  processing: ['processing', 'authorized', 'rejected', 'uncertain', 'manual'],
  uncertain: ['uncertain', 'sending', 'processing', 'ready', 'authorized', 'rejected', 'manual'],
  rejected: ['ready', 'sending', 'processing', 'authorized', 'manual', 'cancelled'],
  // Back to itself or held: what only the planner said may change with the order.
  manual: ['manual', 'held', 'ready', 'processing', 'authorized', 'cancelled'],
  authorized: [],
  cancelled: [],
};

export const documentStates = Object.keys(moves) as DocumentState[];
/** On the way to the service or to its answer; whatever else is not final waits for a person or for its order. */
export const statesUnderWay: readonly DocumentState[] = ['ready', 'sending', 'processing', 'uncertain'];

export function mayMove(from: DocumentState, to: DocumentState): boolean {
  return moves[from].includes(to);
}

/**
 * The factura that counts of an order's: the authorised one, else one that is not cancelled. None is later than another by its
 * time: our clock may have been set back between them.
 */
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

/** A numbering series: one per issuer, environment, type, establishment and point, shared by all its stores. */
export interface Series {
  ruc: string;
  ambiente: Ambiente;
  codDoc: string;
  establecimiento: string;
  puntoEmision: string;
}

/** What a document is for. The same sale always gives the same identity, no two sales share one. */
export interface DocumentIdentity {
  platform: string;
  shop: string;
  ambiente: Ambiente;
  kind: DocumentKind;
  /** Order id for a factura, refund id for a nota de crédito. */
  sourceId: string;
  ordinal: number;
}

/** The identity as one text, unique in the ledger. */
export function documentKey(identity: DocumentIdentity): string {
  const { platform, shop, ambiente, kind, sourceId, ordinal } = identity;
  return [platform, shop, ambiente, kind, sourceId, ordinal]
    .map((part) => encodeURIComponent(part))
    .join('/');
}

/**
 * Our reference inside the document (one entry of `informacion_adicional`): tells two equal sales apart when a
 * lost answer must be recognised. The environment is in the access key already.
 */
export function documentReference(identity: DocumentIdentity): string {
  const { platform, shop, kind, sourceId, ordinal } = identity;
  return `${platform}/${shop.replace(/^https?:\/\//, '')}/${kind}/${sourceId}/${ordinal}`;
}

/** What a reference of ours names: the shop without its scheme. Null for what is none. */
export function readReference(
  text: string | undefined,
): Pick<DocumentIdentity, 'platform' | 'shop' | 'kind' | 'sourceId' | 'ordinal'> | null {
  const [, platform, shop, kind, sourceId, ordinal] =
    /^([^/]+)\/(.+)\/(factura|nota-credito)\/([^/]+)\/(\d{1,6})$/.exec(text ?? '') ?? [];
  if (!platform || !shop || !sourceId) return null;
  return { platform, shop, kind: kind as DocumentKind, sourceId, ordinal: Number(ordinal) };
}

/** A document as the ledger keeps it. */
export interface Document extends DocumentIdentity {
  id: string;
  key: string;
  storeId: string;
  orderId: string;
  orderName: string;
  /** The config's account id and the hash of the API key that issues (and may later read) it. */
  account: string;
  keyHash: string;
  state: DocumentState;
  /** Compare-and-set counter; grows with every move. */
  version: number;
  establecimiento: string;
  puntoEmision: string;
  ruc: string;
  codDoc: string;
  /** 9 digits once reserved; never changes afterwards. */
  secuencial: string | null;
  accessKey: string | null;
  issueDate: Day | null;
  authorizedAt: string | null;
  /** What the buyer was charged and what the document adds up to. */
  charged: Amount;
  total: Amount | null;
  /** Why it is where it is: code for machines, sentence for the merchant. */
  code: string | null;
  reason: string | null;
  /** The last state that was written back onto the order, null before the first. */
  writtenBack: DocumentState | null;
  /** The journey that created or last moved it (src/observability/journey.ts). */
  trace: string | null;
  /** When its authorised XML was held against what was sent, and what came of it; null before. */
  verifiedAt: string | null;
  verification: Verification | null;
  /** When it was found annulled at the authority's portal, where only a person annuls; `state` stays `authorized`. */
  annulledAt: string | null;
  /** What the ids of its order and refund meant when it was made; null where that was not kept yet. */
  fingerprint: SourceFingerprint | null;
  createdAt: string;
  updatedAt: string;
}

/**
 * Whether the authorised XML says what was sent, or the names of the fields that differ (no values). A cent of the
 * service's own rounding is neither: the total it was authorised with stands beside it.
 */
export type Verification = 'agrees' | readonly string[] | RoundingDifference;

export interface RoundingDifference {
  code: 'rounding-difference';
  /** What the document was authorised for; its `total` is what was sent. */
  total: Amount;
}

/** The names of fields where a verification found another document than was sent; null where it did not. */
export const differingFields = (verification: Verification | null): readonly string[] | null =>
  Array.isArray(verification) ? verification : null;

/** The cent of the service's own rounding that a verification found; null where it found none. */
export const roundingOf = (verification: Verification | null): RoundingDifference | null =>
  verification !== null && typeof verification === 'object' && 'code' in verification ? verification : null;

/** What a merchant reads of it. */
export const roundingWords = (total: Amount | null, { total: authorised }: RoundingDifference): string =>
  `El servicio redondeó el IVA a su manera: se envió por ${total ?? '—'} y está autorizado por ${authorised}. Vale lo autorizado; no hay nada que corregir.`;

/** What a merchant reads of a document that a person annulled at the authority's portal. */
export const annulledWords =
  'Figura ANULADO en el portal del SRI: no se acredita. Si la venta sigue en pie, emita a mano otro documento.';

/** "001-002-000000123" once a number is reserved. */
export function documentNumber(
  document: Pick<Document, 'establecimiento' | 'puntoEmision' | 'secuencial'>,
): string | null {
  if (document.secuencial === null) return null;
  return `${document.establecimiento}-${document.puntoEmision}-${document.secuencial}`;
}

/**
 * How one POST ended. `open` = written before the POST, nothing known yet. `reprocessed` = it ended with an error, and
 * the service was asked to hand the same key to the authority again.
 */
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

/** One POST that left or may have left. Checks compare with attempts, never with a new mapping. */
export interface Attempt {
  id: string;
  documentId: string;
  n: number;
  issueDate: Day;
  secuencial: string;
  /** The exact JSON sent (sealed at rest). */
  body: string;
  total: Amount;
  buyerId: string;
  /** Records of refunds inside it beside its own: taken off a factura, or of whose lines a nota de crédito was made. */
  nettedRefunds: string[];
  /** What each item of the body stands for. */
  ties: Tie[];
  /** The access key it was expected to get, from the free digits the service gives; null where they are not known. */
  foreseenKey: string | null;
  /** The one the service told of it; null before. */
  accessKey: string | null;
  /** The service's own number of what it made of it (`id_comprobante`); null where no answer told it. */
  serviceId: number | null;
  outcome: AttemptOutcome;
  /** How often the service was asked to reprocess its key. */
  reprocessed: number;
  errors: string[];
  createdAt: string;
}
