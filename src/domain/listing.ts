/* What a platform's lists tell of orders: just enough to see whether the ledger has read this state of them. */

/** An order as a list names it. */
export interface ListedOrder {
  id: string;
  /** ISO instant by the shop's clock; moves with every change of the order. */
  updatedAt: string;
  /** Ids of its refunds; null where the list does not name all of them. */
  refunds: readonly string[] | null;
}

/** A refund as a list of the whole shop names it. */
export interface ListedRefund {
  id: string;
  orderId: string;
}

/** `since` is an instant of the shop's clock, itself included; a listing goes on at the `next` of its last page. */
export interface Asked {
  since: Date;
  cursor: string | null;
}

export interface ListPage<Row> {
  rows: readonly Row[];
  /** Where to go on; null when nothing is left. */
  next: string | null;
}

export interface ChangesPage extends ListPage<ListedOrder> {
  /** The shop's clock when it answered; null where it does not tell. */
  asOf: Date | null;
}

/** As many ids as `Shop.listOrders` takes at once. */
export const mostListed = 100;
