import type { Document } from '../core/document.ts';
import type { Order } from '../core/order.ts';
import type { Store } from '../core/settings.ts';

export interface PlanInput {
  order: Order;
  /** Every document the ledger knows of this order. */
  documents: readonly PlannedDocument[];
  store: Pick<Store, 'issuer' | 'series' | 'policy'>;
  /** Sales paid before this instant are history. */
  invoiceFrom: Date;
  now: Date;
}

export type PlannedDocument = Pick<Document, 'kind' | 'state' | 'accessKey' | 'sourceId' | 'reason' | 'code'>;
