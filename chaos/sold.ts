import type { Sale } from './sales.ts';

/** Effect of a disaster on a sale, which changes the allowed outcomes (judge.ts). */
export type Mark =
  /** Its shop was restored from a backup that does not know it. */
  | 'vanished'
  /** Its shop was restored: the order's data is as old as the backup. */
  | 'restored'
  /** Its id was another sale's. */
  | 'id-again'
  /** A copy of another order, with that order's data. */
  | 'copied'
  /** Its order was changed after it was paid. */
  | 'edited'
  /** Its order cannot be read. */
  | 'unreadable'
  /** The shop lists and signs it, and does not show it as it is. */
  | 'hidden'
  /** It stopped being paid. */
  | 'unpaid'
  /** The restored ledger does not know that it was invoiced, or it was sold later. */
  | 'old-ledger';

/** Effects after which a sale may need a person. */
export const needPerson: ReadonlySet<Mark> = new Set([
  'id-again',
  'copied',
  'edited',
  'unreadable',
  'hidden',
  'unpaid',
  'old-ledger',
]);

/** A sale and its refunds, with which the documents are compared. Amounts are decimal strings of USD. */
export interface Sold {
  /** Unique in the run; part of the product codes, and so of the documents. */
  number: number;
  store: number;
  storeId: string;
  /** The series of its factura. */
  ruc: string;
  puntoEmision: string;
  platform: 'woocommerce' | 'shopify';
  /** The shop's own, which may be reused. */
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
