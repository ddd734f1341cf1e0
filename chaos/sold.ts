import type { Sale } from './sales.ts';

/** What a disaster did to a sale, and with it to what may become of it (judge.ts). */
export type Mark =
  /** Its shop was restored from a backup that does not know it. */
  | 'vanished'
  /** Its shop was restored: what stood on the order is as old as the backup. */
  | 'restored'
  /** It bears an id that another sale had. */
  | 'id-again'
  /** A copy of another order, with what stood on that one. */
  | 'copied'
  /** Its order was changed after it was paid. */
  | 'edited'
  /** What its shop says of it cannot be read. */
  | 'unreadable'
  /** The ledger that was put back does not know it to be invoiced, or it was sold since. */
  | 'old-ledger';

/** What a shop sold and gave back: what the documents are held against. Amounts are decimal strings of USD. */
export interface Sold {
  /** The run's own identity of the sale; it stands in the codes of what is sold, and so in its documents. */
  number: number;
  store: number;
  storeId: string;
  /** The series of its factura. */
  ruc: string;
  puntoEmision: string;
  platform: 'woocommerce' | 'shopify';
  /** The shop's own, which may be given again. */
  id: string;
  name: string;
  placedAt: Date;
  /** What was paid. */
  total: string;
  sale: Sale;
  refunds: SoldBack[];
  marks: Set<Mark>;
}

export interface SoldBack {
  id: string;
  amount: string;
  /** The shop no longer knows it. */
  vanished: boolean;
}
