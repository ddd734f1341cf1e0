import type { CompradorBody } from '../../mappers/body.ts';
import type { Issued } from '../../mappers/credit/balance.ts';
import type { Day } from '../core/calendar.ts';
import type { Document } from '../core/document.ts';
import type { Amount } from '../core/money.ts';
import type { Order } from '../core/order.ts';
import type { Store } from '../core/settings.ts';

export interface PlanInput {
  order: Order;
  /** Every document the ledger knows of this order, oldest first. */
  documents: readonly PlannedDocument[];
  store: Pick<Store, 'issuer' | 'series' | 'policy'>;
  /** Sales paid before this instant are history. */
  invoiceFrom: Date;
  now: Date;
}

export type PlannedDocument = Pick<
  Document,
  'kind' | 'state' | 'accessKey' | 'sourceId' | 'reason' | 'code' | 'secuencial' | 'charged'
> & {
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
