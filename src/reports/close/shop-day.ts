import PQueue from 'p-queue';
import { type Day, ecuadorDay, startOfEcuadorDay } from '../../domain/calendar.ts';
import type { ListedOrder } from '../../domain/listing.ts';
import type { Order } from '../../domain/order.ts';
import type { Shop } from '../../domain/platform.ts';
import type { Store } from '../../domain/settings.ts';
import type { AccountingDeps } from '../deps.ts';

/** A shop's clock may be off, and its lists lag (adapters/shopify/api.ts). */
const overlapMs = 15 * 60_000;
/** Shops answer a few calls at a time (Shopify's points, a small WordPress). */
const atOnce = 4;

/** What a shop says of a day: each order that matters, null where the shop no longer has it. */
export type ShopDay = ReadonlyMap<string, Order | null>;

/**
 * Every order that was paid or refunded on a day, and those of `others`, each read from the shop now. An order the
 * shop lists as the ledger read it last is read again only if that reading speaks of the day. Throws ShopError.
 */
export async function readShopDay(
  { ledger }: Pick<AccountingDeps, 'ledger'>,
  { store, shop }: { store: Store; shop: Shop },
  day: Day,
  others: Iterable<string>,
): Promise<ShopDay> {
  const wanted = new Set(others);
  let cursor: string | null = null;
  const since = new Date(startOfEcuadorDay(day).getTime() - overlapMs);
  do {
    const page: Awaited<ReturnType<Shop['changedOrders']>> = await shop.changedOrders({ since, cursor });
    for (const row of page.rows) if (await concerns(ledger, store, row, day)) wanted.add(row.id);
    cursor = page.next;
  } while (cursor !== null);
  const queue = new PQueue({ concurrency: atOnce });
  const ids = [...wanted].sort();
  const orders = await queue.addAll(ids.map((id) => () => shop.fetchOrder(id)));
  return new Map(ids.map((id, at) => [id, orders[at] ?? null]));
}

/** Whether the order may have to do with the day; what we do not know as the shop has it now, may. */
async function concerns(
  ledger: AccountingDeps['ledger'],
  { platform, shop }: Store,
  row: ListedOrder,
  day: Day,
): Promise<boolean> {
  const known = await ledger.orders.get({ platform: platform.name, shop, orderId: row.id });
  if (!known || Date.parse(known.sourceUpdatedAt) !== Date.parse(row.updatedAt)) return true;
  const order = known.snapshot as Order;
  const refunds = order.refunds.map(({ id }) => id);
  if (row.refunds === null || row.refunds.length !== refunds.length) return true;
  if (!row.refunds.every((id) => refunds.includes(id))) return true;
  return paidOn(order, day) || order.refunds.some((refund) => refundDay(order, refund) === day);
}

/** The day on which an order counts as sold: when its money came. */
export const saleDay = ({ paidAt, placedAt }: Order): Day => ecuadorDay(new Date(paidAt ?? placedAt));

/** Whether an order was paid on this day, whatever became of it since. */
export function paidOn(order: Order, day: Day): boolean {
  const { settlement, paidAt } = order;
  if (settlement === 'draft' || settlement === 'unpaid' || settlement === 'partially-paid') return false;
  if (settlement === 'cancelled' && paidAt === null) return false;
  return saleDay(order) === day;
}

/** A refund whose source tells no time counts on the day its order last changed. */
export const refundDay = (order: Order, { at }: { at: string | null }): Day =>
  ecuadorDay(new Date(at ?? order.updatedAt));
