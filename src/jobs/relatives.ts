import type { Order } from '../domain/order.ts';
import type { Tables } from '../ledger/ledger.ts';
import type { OrderKey } from '../ledger/shop-tables.ts';
import type { Relative } from '../planner/action.ts';

type Read = Pick<Tables, 'orders' | 'documents'>;

/** The order that this one was split from, and those that were split from it, as the ledger has them. */
export async function relativesOf({ orders, documents }: Read, order: Order): Promise<Relative[]> {
  const { platform, shop } = order;
  const parent = order.parentId === undefined ? undefined : await orders.get(parentOf(order));
  const children = await orders.children({ platform, shop, orderId: order.id });
  const rows = [
    ...(parent ? [{ as: 'parent' as const, row: parent }] : []),
    ...children.map((row) => ({ as: 'child' as const, row })),
  ];
  const relatives: Relative[] = [];
  for (const { as, row } of rows) {
    const { name, lines, total, settlement } = row.snapshot as Order;
    const made = await documents.ofOrder(row);
    const isInvoiced = made.some(
      ({ kind, state }) => kind === 'factura' && state !== 'held' && state !== 'cancelled',
    );
    relatives.push({ as, name, lines, total, isSale: isInvoiced || sales.has(settlement), isInvoiced });
  }
  return relatives;
}

/** An order that may yet be paid is a sale as well. */
const sales: ReadonlySet<Order['settlement']> = new Set([
  ...(['unpaid', 'partially-paid', 'paid', 'partially-refunded', 'refunded'] as const),
]);

export const parentOf = ({ platform, shop, id, parentId }: Order): OrderKey => ({
  ...{ platform, shop, orderId: parentId ?? id },
});
