import { isThrownAway, type Order } from '../domain/order.ts';
import type { Tables } from '../ledger/ledger.ts';
import type { OrderKey, OrderRow } from '../ledger/shop-tables.ts';
import type { Billed, Relative } from '../planner/action.ts';
import { apartFromIn, lineageOf } from '../planner/order-tree.ts';
import { enqueueSync } from './enqueue.ts';
import { type Known, plannedDocuments } from './prepare.ts';

type Read = Pick<Tables, 'orders' | 'documents' | 'attempts'>;

/** The orders above this one, nearest first, and the first above them that the ledger does not have. */
export async function ancestorsOf(
  { orders }: Pick<Tables, 'orders'>,
  { platform, shop, id, parentId }: Order,
): Promise<{ rows: OrderRow[]; missing: OrderKey | null }> {
  const rows: OrderRow[] = [];
  const seen = new Set([id]);
  for (let orderId = parentId; orderId !== undefined && !seen.has(orderId); ) {
    seen.add(orderId);
    const key = { platform, shop, orderId };
    const row = await orders.get(key);
    if (!row) return { rows, missing: key };
    rows.push(row);
    orderId = (row.snapshot as Order).parentId;
  }
  return { rows, missing: null };
}

/** The tree of orders that this one was split from, or that were split from it, as the ledger has them. */
export async function relativesOf(tables: Read, order: Order): Promise<Relative[]> {
  const { platform, shop } = order;
  const { rows } = await ancestorsOf(tables, order);
  const ids = [rows.at(-1)?.orderId ?? order.id];
  const seen = new Set([order.id, ...rows.map(({ orderId }) => orderId)]);
  for (const orderId of ids) {
    for (const row of await tables.orders.children({ platform, shop, orderId })) {
      if (!ids.includes(row.orderId)) ids.push(row.orderId);
      if (seen.has(row.orderId)) continue;
      seen.add(row.orderId);
      rows.push(row);
    }
  }
  const relatives: Relative[] = [];
  for (const row of rows)
    relatives.push(relativeOf(row.snapshot as Order, await plannedDocuments(tables, row)));
  return relatives;
}

/** An order as those see it that were split from it, or from which it was split. */
export function relativeOf(order: Order, documents: readonly Known[]): Relative {
  const { id, name, parentId, hasSubOrders, paidApart, settlement, paidAt, lines, total, refunds } = order;
  const facturas = documents.filter(({ kind }) => kind === 'factura');
  const current = facturas.find(({ state }) => state !== 'held' && state !== 'cancelled');
  const apartFrom = apartFromIn(documents);
  return {
    ...{ id, name, settlement, paidAt, lines, total, refunds, isInvoiced: current !== undefined },
    ...(isThrownAway(order) && { thrownAway: true }),
    ...(parentId !== undefined && { parentId }),
    ...(hasSubOrders && { hasSubOrders }),
    ...(paidApart && { paidApart }),
    ...(apartFrom && { apartFrom }),
    billed: current?.sent ? billedOf(current.sent) : null,
  };
}

const billedOf = ({ items, totales, lineReferences, number, total }: Billed): Billed => ({
  ...{ items, totales, lineReferences, number, total },
});

/** The orders above, below and beside this one are planned again where what they see of it changed. */
export async function wakeRelatives(
  tables: Read & Pick<Tables, 'jobs'>,
  order: Order,
  relatives: readonly Relative[],
  { storeId, before, now }: { storeId: string; before: Relative | null; now: Date },
): Promise<void> {
  const { platform, shop } = order;
  const { above, below } = lineageOf(order, relatives);
  const beside = relatives.filter(({ parentId }) => parentId !== undefined && parentId === order.parentId);
  const seen = new Set([...above, ...below, ...beside].map(({ id }) => id));
  if (seen.size === 0) return;
  const documents = await plannedDocuments(tables, { platform, shop, orderId: order.id });
  if (JSON.stringify(relativeOf(order, documents)) === JSON.stringify(before)) return;
  for (const id of seen) await enqueueSync(tables, { platform, shop, orderId: id, storeId }, now);
}
