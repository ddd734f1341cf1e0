import { PayloadError } from '../domain/errors.ts';
import { type JobOutcome, orderSubject, shopSubject } from '../domain/job.ts';
import { readJson } from '../domain/loose.ts';
import { deletedStatus, fingerprintOf, isSameOrder, type Order, paidTotalOf } from '../domain/order.ts';
import { addressOf, asShadow, isShadowShop, owner, type Store, shopBehind } from '../domain/settings.ts';
import type { Tables } from '../ledger/ledger.ts';
import type { OrderKey, OrderRow, ShopKey } from '../ledger/shop-tables.ts';
import type { Action } from '../planner/action.ts';
import { type Bound, boundTo } from '../planner/eligibility.ts';
import { again, type JobDeps } from './deps.ts';
import { type Known, plannedDocuments } from './prepare.ts';

/*
 * Reads an order, and compares it with what was read before: whether it is the same order, what was charged, and whether the
 * shop's clock went back. What an id, a total and a time meant first counts.
 */

/** The order from the shop's API, or for a store without API access from the newest signed webhook. */
export async function readOrder(deps: JobDeps, store: Store, key: OrderKey): Promise<Order | null> {
  const order = isShadowShop(key.shop) ? await readShadow(deps, key) : await readFrom(deps, store, key);
  if (!order) {
    deps.log.info({ store: store.id, order: key.orderId }, 'The shop has no such order');
    return goneOrder(deps.ledger, key, deps.clock.now());
  }
  if (order.id !== key.orderId || order.shop !== key.shop) {
    throw new PayloadError(
      'order-identity',
      'La tienda respondió con otro pedido.',
      `Asked ${key.shop} for order ${key.orderId} and got another one; nothing was stored.`,
    );
  }
  return order;
}

async function readFrom(deps: JobDeps, store: Store, key: OrderKey): Promise<Order | null> {
  const shop = deps.shop(store);
  return shop ? shop.fetchOrder(key.orderId) : newestDelivered(deps, store, key);
}

/** The shadow of an order is read from the order's shop. */
async function readShadow(deps: JobDeps, key: OrderKey): Promise<Order | null> {
  const behind = { ...key, shop: shopBehind(key.shop) };
  const store = deps.storeOf(behind.platform, behind.shop);
  const order = store ? await readFrom(deps, store, behind) : null;
  return order && asShadow(order);
}

/** How long a cache or a replica of a shop's database may answer with an older state. */
const surelyReadMs = 10_000;

/**
 * An older time than the order had comes from a cache, or the shop's clock was corrected: the order is read again, and the
 * second time it counts. Null where the reading counts.
 */
export async function lookTwice(
  { ledger, clock }: Pick<JobDeps, 'ledger' | 'clock'>,
  key: OrderKey,
  known: OrderRow | undefined,
  order: Order,
): Promise<JobOutcome | null> {
  if (!known || !isOlder(known, order)) return null;
  const now = clock.now();
  const since = known.olderSince === null ? now.getTime() : Date.parse(known.olderSince);
  // Our own clock may have been set back.
  const waited = Math.abs(now.getTime() - since);
  if (known.olderSince !== null && waited >= surelyReadMs) return null;
  await ledger.orders.older(key, now);
  return again(clock, surelyReadMs - waited, 'the shop gave an older time of the order than before');
}

const isOlder = ({ sourceUpdatedAt }: OrderRow, { updatedAt }: Order): boolean =>
  Date.parse(updatedAt) < Date.parse(sourceUpdatedAt);

/** What the reading is bound to, and the documents of its id. The order as it was paid is looked for once. */
export async function bindReading(
  deps: Pick<JobDeps, 'ledger'>,
  store: Store,
  { key, row, order }: { key: OrderKey; row: OrderRow | undefined; order: Order },
): Promise<{ bound: Bound; documents: readonly Known[] }> {
  const { ledger } = deps;
  const documents = await plannedDocuments(ledger, key);
  const whenPaid = row?.paid ? null : await firstPaid(deps, store, order);
  const known = row && { ...row, snapshot: row.snapshot as Order };
  const bound = boundTo(order, known, documents, whenPaid);
  if (!bound.reused || documents.every(({ fingerprint }) => fingerprint !== null))
    return { bound, documents };
  await ledger.documents.stamp(key, bound.reused);
  return { bound, documents: await plannedDocuments(ledger, key) };
}

const holds = ['order-id-reused', 'refund-id-reused'];

/** The document is held because its order id was used for another sale: nothing is written onto that order. */
export const isReused = ({ code, state }: Pick<Known, 'code' | 'state'>): boolean =>
  state === 'held' && code === 'order-id-reused';

/** Raises the alerts for a reading that contradicts an earlier one, and ends them. */
export async function reportBound(
  deps: Pick<JobDeps, 'alerts'>,
  { store, order, row, bound }: { store: Store; order: Order; row: OrderRow | undefined; bound: Bound },
  { actions, before }: { actions: readonly Action[]; before: readonly Known[] },
): Promise<void> {
  const { platform, shop, id: orderId } = order;
  if (isShadowShop(shop)) return;
  const subject = orderSubject({ platform, shop, orderId });
  const about = owner.shop({ platform, shop });
  const reported = new Set(before.flatMap(({ code, state }) => (state === 'held' ? [code] : [])));
  for (const code of holds) {
    const held = actions.find((one) => one.action === 'hold' && one.code === code);
    if (held)
      await deps.alerts.raise({
        ...{ code, subject, about },
        what: `Tienda ${store.id}, pedido ${order.name}: ${held.reason}`,
        resolution:
          'Averigüe si la tienda se restauró de una copia. Si es otra venta u otra devolución, acéptelo con «facturapuente retry … --accept»; si no, emita a mano.',
      });
    else if (reported.has(code)) await deps.alerts.over({ code, subject });
  }
  if (row && bound.reused === null && isOlder(row, order))
    await deps.alerts.raise({
      code: 'shop-clock-back',
      subject: shopSubject({ platform, shop }),
      about,
      what: `Tienda ${store.id}: el pedido ${order.name} tenía la hora de cambio ${row.sourceUpdatedAt} y ahora dice ${new Date(order.updatedAt).toISOString()}. El reloj de la tienda se adelantó y fue corregido, o la tienda se restauró de una copia.`,
      resolution:
        'Ponga el servidor de la tienda en hora con NTP. Si se restauró de una copia, compruebe los últimos pedidos. Lo leído ahora vale; dé el aviso por revisado con «facturapuente alerts clear».',
    });
}

/** The order is stored as deleted. */
export const isGone = ({ status }: Pick<Order, 'status'>): boolean => status === deletedStatus;

/** Shopify shows an app without read_all_orders the orders of the last 60 days only. */
const surelyShownMs = 55 * 24 * 60 * 60_000;

/**
 * An order that the shop no longer has: as it was last read, and cancelled, so that what was not sent is dropped with its
 * reason. Null when the ledger never read it, stored it as deleted already, or it is too old to be sure. A too old order
 * whose buyer was removed is planned as it is, so that its documents say what they wait for.
 */
async function goneOrder(
  { orders }: Pick<Tables, 'orders'>,
  key: OrderKey,
  now: Date,
): Promise<Order | null> {
  const last = (await orders.get(key))?.snapshot as Order | undefined;
  if (last === undefined || isGone(last)) return null;
  if (now.getTime() - Date.parse(last.placedAt) > surelyShownMs) return last.buyer.forgotten ? last : null;
  return { ...last, status: deletedStatus, settlement: 'cancelled' };
}

type SilentDeps = Pick<JobDeps, 'ledger' | 'clock'>;

const monthMs = 30 * 24 * 3_600_000;

/** Whether no process reconciled a shop to the end for so long, or ever. */
export async function isSilent({ ledger, clock }: SilentDeps, shop: ShopKey, ms: number): Promise<boolean> {
  const row = await ledger.reconciliations.get(shop);
  return !row || Date.parse(row.reconciledTo) + ms < clock.now().getTime();
}

/** Whether for a month the order's shop was not reconciled, and no webhook of the order came. */
export async function isForgotten(deps: SilentDeps, order: OrderKey): Promise<boolean> {
  const [newest] = await deps.ledger.deliveries.ofOrder(order, 1);
  const since = newest ? Date.parse(newest.receivedAt) : 0;
  return since + monthMs < deps.clock.now().getTime() && isSilent(deps, order, monthMs);
}

/** More webhooks than one order has at a time; the others are older states. */
const recentDeliveries = 50;

/**
 * The newest state among the signed webhooks of an order, else the order as it was last read. By the order's own time of
 * change, since deliveries are reordered, but no later than when the webhook came, since the shop's clock may be ahead; among
 * equals the one that came last.
 */
async function newestDelivered(deps: JobDeps, store: Store, key: OrderKey): Promise<Order | null> {
  let newest: Reported | null = null;
  for (const { body, receivedAt } of await deps.ledger.deliveries.ofOrder(key, recentDeliveries)) {
    const order = readDelivered(store, body);
    const reported = order && reportedAt(order, receivedAt);
    if (reported && (newest === null || reported.at > newest.at)) newest = reported;
  }
  const row = await deps.ledger.orders.get(key);
  const last = row && reportedAt(row.snapshot as Order, row.syncedAt);
  return (last && (newest === null || last.at > newest.at) ? last : newest)?.order ?? null;
}

interface Reported {
  order: Order;
  at: number;
}

const reportedAt = (order: Order, cameAt: string): Reported => ({
  order,
  at: Math.min(Date.parse(order.updatedAt), Date.parse(cameAt)),
});

/** The order as it was paid, where it was changed since: the first signed webhook of that payment that is stored. */
async function firstPaid(
  { ledger }: Pick<JobDeps, 'ledger'>,
  store: Store,
  order: Order,
): Promise<Order | null> {
  const { platform, paidAt, updatedAt, id: orderId } = order;
  if (paidAt === null || Date.parse(updatedAt) === Date.parse(paidAt)) return null;
  const shop = shopBehind(order.shop);
  let first: Reported | null = null;
  for (const { body, receivedAt } of await ledger.deliveries.ofOrder(
    { platform, shop, orderId },
    recentDeliveries,
  )) {
    const reported = readDelivered(store, body);
    if (!reported || reported.paidAt !== paidAt || paidTotalOf(reported) === null) continue;
    if (!isSameOrder(fingerprintOf(reported), fingerprintOf(order))) continue;
    const came = reportedAt(reported, receivedAt);
    if (first === null || came.at <= first.at) first = came;
  }
  return first?.order ?? null;
}

function readDelivered(store: Store, body: Uint8Array): Order | null {
  try {
    const order = store.platform.readOrder(readJson(new TextDecoder().decode(body)), store.connection);
    return order.shop === addressOf(store) ? { ...order, shop: store.shop } : order;
  } catch (error) {
    if (error instanceof PayloadError || error instanceof SyntaxError) return null;
    throw error;
  }
}
