import type { CompradorBody, FacturaBody, NotaCreditoBody } from '../../mappers/body.ts';
import type { CreditCalculation, MappingCalculation } from '../../mappers/calculation.ts';
import type { Issued } from '../../mappers/credit/balance.ts';
import { reasonOf } from '../../mappers/hold.ts';
import type { Day } from '../domain/clock.ts';
import { type Document, type DocumentIdentity, type DocumentKind, documentKey } from '../domain/document.ts';
import type { Amount } from '../domain/money.ts';
import type { LeftOut, Order, OrderFingerprint, PaidTotal } from '../domain/order.ts';
import type { Store } from '../domain/settings.ts';
import type { Said } from '../messages/reasons.ts';
import type { IdentityReasons } from './identity/choice.ts';

export type ActionKind = 'emit' | 'wait' | 'hold' | 'manual' | 'nothing';

/** What should happen for one sale or refund, and why. */
export interface Action {
  /** The document's identity as text (domain/document.ts). */
  key: string;
  kind: DocumentKind;
  action: ActionKind;
  code: string;
  /** A Spanish sentence for the merchant. */
  reason: string;
  /** A Spanish sentence for the buyer; null when it does not concern him. */
  buyerReason: string | null;
  identity: DocumentIdentity;
  /** The service's request body, without number; null unless there is something to emit. */
  body: FacturaBody | NotaCreditoBody | null;
  /** USD: what was charged or given back, the total the document has or would have, and the difference. */
  charged: Amount;
  document: Amount | null;
  difference: Amount | null;
  trace: Trace;
  /** Ids of orders that sell the same. A person may state that this one was paid apart from them. */
  besides?: readonly string[];
}

/** Stored with the document; without buyers' data. */
export interface Trace {
  /** Absent when it was not decided whom the document names. */
  identity?: IdentityReasons;
  /** Absent when the order could not be mapped. */
  mapping?: MappingCalculation;
  /** Ids of the refunds a factura was reduced by before it was sent. */
  netted?: string[];
  credit?: CreditCalculation;
}

export interface Verdict {
  action: ActionKind;
  code: string;
  reason: string;
  besides?: readonly string[];
}

const verdict =
  (action: ActionKind) =>
  (...said: Said): Verdict => ({ action, code: said[0], reason: reasonOf(...said) });

export const emit = verdict('emit');
export const nothing = verdict('nothing');
export const wait = verdict('wait');
export const hold = verdict('hold');
export const manual = verdict('manual');

/** The answer of the first question that has one. */
export function firstAnswer<Asked extends unknown[], Answer>(
  questions: readonly ((...asked: Asked) => Answer | null)[],
  ...asked: Asked
): Answer | null {
  for (const question of questions) {
    const answer = question(...asked);
    if (answer !== null) return answer;
  }
  return null;
}

export const nothingLeft: Verdict = nothing('fully-refunded', { why: 'order' });

export function makeAction(
  identity: DocumentIdentity,
  decided: Verdict & { buyerReason?: string | null },
  charged: Amount,
  trace: Trace = {},
): Action {
  return {
    key: documentKey(identity),
    kind: identity.kind,
    buyerReason: null,
    ...decided,
    identity,
    body: null,
    charged,
    document: null,
    difference: null,
    trace,
  };
}

/** A cancelled document keeps its identity, as does one of another order with this id: the next gets a new ordinal. */
export function identityOf(
  { order, store, documents, others = [] }: PlanInput,
  kind: DocumentKind,
  sourceId: string,
): DocumentIdentity {
  const { platform, shop } = order;
  const isOfSource = (document: PlannedDocument) => document.kind === kind && document.sourceId === sourceId;
  const current = documents.find((document) => isOfSource(document) && document.state !== 'cancelled');
  const gone = documents.filter((document) => isOfSource(document) && document.state === 'cancelled');
  const ordinal = current?.ordinal ?? gone.length + others.filter(isOfSource).length + 1;
  return { platform, shop, ambiente: store.issuer.ambiente, kind, sourceId, ordinal };
}

export interface PlanInput {
  order: Order;
  /** Oldest first; with those of orders that had the id before. */
  documents: readonly PlannedDocument[];
  /** Those among them of an order or refund that had the id before; `plan` separates them (eligibility.ts). */
  others?: readonly PlannedDocument[];
  /** The order this id belongs to, when that is another (eligibility.ts). */
  reused?: OrderFingerprint | null;
  /** The total when the order was paid; null when unknown, and then nothing is compared. */
  paid?: PaidTotal | null;
  store: Pick<Store, 'issuer' | 'series' | 'policy'>;
  /** Sales paid before this instant are not invoiced. */
  invoiceFrom: Date;
  now: Date;
  /** Access keys on the order that belong to other orders of the ledger. */
  keyOwners?: readonly KeyOwner[];
  /** The orders it was split from, and all that were split from the same. */
  relatives?: readonly Relative[];
}

export type Relative = Pick<
  Order,
  | 'id'
  | 'name'
  | 'parentId'
  | 'hasSubOrders'
  | 'paidApart'
  | 'settlement'
  | 'paidAt'
  | 'lines'
  | 'total'
  | 'refunds'
> & {
  /** Deleted, or in the trash. */
  thrownAway?: true;
  isInvoiced: boolean;
  /** The content of its factura: an edit may have taken lines out of the order since. Null: nothing was sent. */
  billed: Billed | null;
  /** Ids of the orders this one was paid apart from, by a person's word; absent: no person was asked. */
  apartFrom?: readonly string[];
};

export type Billed = Pick<SentContent, 'items' | 'totales' | 'lineReferences' | 'number' | 'total'>;

export interface KeyOwner {
  accessKey: string;
  /** Null for an order of another shop. */
  orderName: string | null;
  paidAt: string | null;
}

export type PlannedDocument = Pick<
  Document,
  'kind' | 'state' | 'accessKey' | 'sourceId' | 'reason' | 'code' | 'secuencial' | 'charged'
> &
  Partial<Pick<Document, 'orderId' | 'orderName' | 'ordinal' | 'fingerprint'>> & {
    /** When it was found annulled at the authority's portal. */
    annulledAt?: string | null;
    /** Absent: the store's issuer of today. */
    issuedBy?: Pick<Document, 'ruc' | 'ambiente'>;
    /** The content that was, or may become, authorised; null when nothing was sent. */
    sent: SentContent | null;
  };

export interface SentContent extends Issued {
  /** "001-001-000000123". */
  number: string;
  issueDate: Day;
  accessKey: string | null;
  total: Amount;
  comprador: CompradorBody;
  /** Refund records taken off a factura, or whose lines a nota de crédito took (refund-records.ts). */
  nettedRefunds: readonly string[];
  /** `Order.overpaid` when it was sent; absent: nothing. */
  overpaid?: Amount;
  /** The gift cards that policy left out of a factura; absent: none. */
  leftOut?: readonly LeftOut[];
}

export const isUndecided = (actions: unknown): boolean =>
  Array.isArray(actions) &&
  (actions as Pick<Action, 'action' | 'code'>[]).some(
    ({ action, code }) =>
      ['wait', 'hold', 'manual'].includes(action) && !['in-process', 'answer-lost'].includes(code),
  );

export interface Authorized extends PlannedDocument {
  sent: SentContent;
}

export function authorizedFactura(documents: readonly PlannedDocument[]): Authorized | undefined {
  return documents.find(
    (document): document is Authorized =>
      document.kind === 'factura' && document.state === 'authorized' && document.sent !== null,
  );
}

export function creditDocumentOf(documents: readonly PlannedDocument[], refundId: string) {
  return documents.find(
    ({ kind, sourceId, state }) => kind === 'nota-credito' && sourceId === refundId && state !== 'cancelled',
  );
}

export function nettedBy(documents: readonly PlannedDocument[], refundId: string): SentContent | undefined {
  return (
    documents.find(({ kind, sent }) => kind === 'factura' && sent?.nettedRefunds.includes(refundId))?.sent ??
    undefined
  );
}

export const sentFactura = (documents: readonly PlannedDocument[]): SentContent | undefined =>
  documents.find(({ kind, state, sent }) => kind === 'factura' && state !== 'cancelled' && sent !== null)
    ?.sent ?? undefined;
