import type { CompradorBody } from '../../mappers/body.ts';
import type { Issued } from '../../mappers/credit/balance.ts';
import type { Day } from '../domain/calendar.ts';
import type { Document } from '../domain/document.ts';
import type { Amount } from '../domain/money.ts';
import type { Order } from '../domain/order.ts';
import type { OrderFingerprint, PaidTotal } from '../domain/order-fingerprint.ts';
import type { Store } from '../domain/settings.ts';

export interface PlanInput {
  order: Order;
  /** Every document the ledger knows of this order, oldest first; also those of the ids' former owners. */
  documents: readonly PlannedDocument[];
  /** Of these, those of an order or refund that had the same id before; `plan` tells them apart (bound.ts). */
  others?: readonly PlannedDocument[];
  /** The order this one's id belongs to, where that is another; see bound.ts. */
  reused?: OrderFingerprint | null;
  /** What was charged when it was paid; nothing is compared where that is not known. */
  paid?: PaidTotal | null;
  store: Pick<Store, 'issuer' | 'series' | 'policy'>;
  /** Sales paid before this instant are history. */
  invoiceFrom: Date;
  now: Date;
  /** Keys on the order that the ledger knows as another order's. */
  keyOwners?: readonly KeyOwner[];
}

/** The order whose document an access key is. */
export interface KeyOwner {
  accessKey: string;
  /** Null for one of another shop, which is nobody's business here. */
  orderName: string | null;
  /** When it was paid; null where that is not known. */
  paidAt: string | null;
}

export type PlannedDocument = Pick<
  Document,
  'kind' | 'state' | 'accessKey' | 'sourceId' | 'reason' | 'code' | 'secuencial' | 'charged'
> &
  Partial<Pick<Document, 'orderId' | 'orderName' | 'ordinal' | 'fingerprint'>> & {
    /** When it was found annulled at the authority's portal. */
    annulledAt?: string | null;
    /** Who issued it, where that may be another than the store's issuer of today. */
    issuedBy?: Pick<Document, 'ruc' | 'ambiente'>;
    /** What left and counts: authorised, or it may still be; null where nothing did. */
    sent: SentContent | null;
  };

/** A document as the attempt that counts sent it: what was authorised, not what was meant. */
export interface SentContent extends Issued {
  /** "001-001-000000123". */
  number: string;
  issueDate: Day;
  accessKey: string | null;
  total: Amount;
  comprador: CompradorBody;
  /**
   * Records of refunds that are inside it beside its own: those taken off a factura before it left, those whose lines a
   * nota de crédito took (refunds/records.ts).
   */
  nettedRefunds: readonly string[];
}
