import type { Line } from './order.ts';

export interface ListedOrder {
  id: string;
  /** ISO instant by the shop's clock; moves with every change of the order. */
  updatedAt: string;
  /** As `Order.status`; absent where the list has none. */
  status?: string;
  /** Ids of its refunds; null when the list does not have all of them. */
  refunds: readonly string[] | null;
}

/** Two states of one second (WooCommerce) have the same time of change. */
export const isListedAs = (
  { updatedAt, status, refunds }: ListedOrder,
  read: { sourceUpdatedAt: string; status: string; refunds: readonly string[] },
): boolean =>
  // An older time is another state too: after a restore or a corrected clock newer states have one.
  Date.parse(updatedAt) === Date.parse(read.sourceUpdatedAt) &&
  (status === undefined || status === read.status) &&
  // A deleted refund does not change the order's time (WooCommerce).
  (refunds === null ||
    (refunds.length === read.refunds.length && refunds.every((id) => read.refunds.includes(id))));

export interface ListedRefund {
  id: string;
  orderId: string;
}

/** `since` is an instant of the shop's clock, inclusive; a listing continues at the `next` of its last page. */
export interface Asked {
  since: Date;
  cursor: string | null;
}

export interface ListPage<Row> {
  rows: readonly Row[];
  /** Where to continue; null at the end. */
  next: string | null;
}

export interface ChangesPage extends ListPage<ListedOrder> {
  /** The shop's clock when it answered; null when unknown. */
  asOf: Date | null;
}

export const mostListed = 100;

export const reconciliationLists = ['changes', 'refunds', 'review'] as const;
export type ReconciliationList = (typeof reconciliationLists)[number];

/** Lists that did not reach their end, and since when: they failed, or are long and continue. */
export type Behind = Partial<Record<ReconciliationList, { since: string; failed: boolean }>>;

export const listNames: Readonly<Record<ReconciliationList, string>> = {
  changes: 'la lista de pedidos nuevos y cambiados',
  refunds: 'la lista de reembolsos',
  review: 'el repaso nocturno de los pedidos conocidos',
};

export const listLosses: Readonly<Record<ReconciliationList, string>> = {
  changes: 'los pedidos cuyo aviso se perdió no se facturan',
  refunds: 'un reembolso que no cambió su pedido y cuyo aviso se perdió se queda sin nota de crédito',
  review: 'no se nota qué pedidos y reembolsos se borraron en la tienda',
};

export function failedLists(behind: Behind): ReconciliationList[] {
  return reconciliationLists.filter((list) => behind[list]?.failed === true);
}

export function inSentence(
  lists: readonly ReconciliationList[],
  words: Readonly<Record<ReconciliationList, string>>,
): string {
  return new Intl.ListFormat('es', { type: 'conjunction' }).format(lists.map((list) => words[list]));
}

export interface CatalogItem {
  line: Line;
  variant?: string;
  /** False when the shop says only whether there are taxes. */
  taxesKnown: boolean;
}
