import { z } from 'zod';
import type { Alert } from '../domain/alerts.ts';
import { dayMs, momentInEcuador } from '../domain/clock.ts';
import { PayloadError } from '../domain/errors.ts';
import { type JobOutcome, orderSubject, orderUnread } from '../domain/job.ts';
import type { ListedOrder } from '../domain/listing.ts';
import { readJson } from '../domain/loose.ts';
import {
  deletedStatus,
  fingerprintOf,
  isGone,
  isSameOrder,
  type Order,
  paidTotalOf,
} from '../domain/order.ts';
import type { Shop } from '../domain/platform.ts';
import { addressOf, owner, type Store } from '../domain/settings.ts';
import type { NewDelivery } from '../ledger/orders.ts';
import type { OrderKey, OrderRow } from '../ledger/schema.ts';
import { isUndecided } from '../planner/action.ts';
import { type Bound, boundTo } from '../planner/eligibility.ts';
import { again, type JobDeps } from './deps.ts';
import { type Known, plannedDocuments } from './prepare.ts';

/** `order` null: the shop has none that counts. */
interface OrderReading {
  order: Order | null;
  /** The later time of change that was known of the order, when an older one counts all the same. */
  later: string | null;
  /** When to read it again. */
  unread: JobOutcome | null;
}

/** An answer counts when it is no older than what webhooks, lists and earlier readings say. */
export async function readOrder(
  deps: Pick<JobDeps, 'alerts' | 'clock' | 'ledger' | 'log' | 'shop'>,
  store: Store,
  key: OrderKey,
  row: OrderRow | undefined,
): Promise<OrderReading> {
  const shop = deps.shop(store);
  if (!shop) {
    const order = await newestDelivered(deps, store, key);
    const later = row && order && isOlder(row, order) ? row.sourceUpdatedAt : null;
    return { order: order ?? (await goneOrder(deps, store, key)), later, unread: null };
  }
  const all = await statementsOf(deps, store, key, row);
  let order = ofKey(store, key, await shop.fetchOrder(key.orderId));
  let stated = aboutSame(order, all);
  let later: string | null = null;
  let unread: JobOutcome | null = null;
  if (isContradicted(order, row, stated)) {
    order = ofKey(store, key, await shop.fetchOrder(key.orderId, true));
    stated = aboutSame(order, all);
    if (isContradicted(order, row, stated)) {
      const [listed] = await shop.listOrders([key.orderId]);
      const hides = order === null && (await hiddenFrom(shop, row, stated, deps.clock.now()));
      ({ later, unread } = await judgeAgain(deps, store, key, { order, row, stated, listed, hides }));
    }
  }
  if (unread) return { order: null, later: null, unread };
  const since = sinceWhen(row, stated) ?? Number.POSITIVE_INFINITY;
  // Else no run can have left it unread.
  if (stated.length > 1 || order === null || deps.clock.now().getTime() - since >= surelyReadMs)
    await deps.alerts.over({ code: 'order-unread', subject: orderSubject(key) });
  const isDeleted = stated.some((one) => one.isDeletion);
  return { order: order ?? (await goneOrder(deps, store, key, isDeleted)), later, unread };
}

function aboutSame(order: Order | null, stated: readonly Statement[]): readonly Statement[] {
  if (order === null) return stated;
  return stated.filter((one) => !one.order || isSameOrder(fingerprintOf(one.order), fingerprintOf(order)));
}

function ofKey({ platform }: Store, key: OrderKey, order: Order | null): Order | null {
  if (order && (order.id !== key.orderId || order.shop !== key.shop)) {
    const { shop, orderId } = key;
    throw new PayloadError('shop-mixed-up', {
      platform: platform.title,
      shop,
      order: orderId,
      isChanging: false,
    });
  }
  return order;
}

/** How long a cache or a replica of a shop's database may answer with an older state. */
const surelyReadMs = 10_000;
/** From then on people are alerted, and a signed time of change that neither the order nor the list has no longer counts. */
const alertAfterMs = 3_600_000;

/** A webhook may state a time that differs so much from the API's, in whole seconds, for one change. */
const sameMomentMs = 2_000;

const listedTopic = 'listed';

export const listedDeliveries = (
  store: Store,
  rows: readonly ListedOrder[],
  receivedAt: Date,
): NewDelivery[] =>
  rows.map(({ id, updatedAt, status }) => ({
    connection: `list:${store.id}`,
    dedupeKey: [store.shop, id, updatedAt, status].join(' '),
    topic: listedTopic,
    platform: store.platform.name,
    shop: store.shop,
    orderId: id,
    body: Buffer.from(JSON.stringify({ updatedAt, status })),
    receivedAt,
    job: null,
  }));

/** The topic under which a person's word is stored that an order was deleted in the shop. */
export const deletedTopic = 'deleted';

interface Statement {
  by: 'webhook' | 'list';
  /** The order's own time of change, in milliseconds; null where it names or deletes the order only. */
  changedAt: number | null;
  isDeletion: boolean;
  cameAt: number;
  order: Order | null;
  status: string | undefined;
}

/** What came since the order was last read; newest first. What came before was compared with that reading. */
async function statementsOf(
  { ledger }: Pick<JobDeps, 'ledger'>,
  store: Store,
  key: OrderKey,
  row: OrderRow | undefined,
): Promise<Statement[]> {
  const stated: Statement[] = [];
  for (const { topic, body, receivedAt } of await ledger.deliveries.ofOrder(key, recentDeliveries)) {
    if ((row && receivedAt < row.syncedAt) || body.length === 0) continue;
    const listed = topic === listedTopic ? Listed.parse(readJson(new TextDecoder().decode(body))) : null;
    const order = listed ? null : readDelivered(store, body);
    const { updatedAt = null } = listed ?? order ?? {};
    stated.push({
      by: listed ? 'list' : 'webhook',
      changedAt: updatedAt === null ? null : Date.parse(updatedAt),
      // The topic is not signed on every platform; a deletion has no order to show.
      isDeletion: order === null && [deletedTopic, ...(store.platform.deletionTopics ?? [])].includes(topic),
      cameAt: Date.parse(receivedAt),
      order,
      status: listed?.status,
    });
  }
  return stated;
}

const Listed = z.object({ updatedAt: z.string(), status: z.string().optional() });

const changedAt = ({ updatedAt }: { updatedAt: string }): number => Date.parse(updatedAt);

const latestOf = (row: OrderRow | undefined, stated: readonly Statement[]): number =>
  Math.max(row ? Date.parse(row.sourceUpdatedAt) : 0, ...stated.map((one) => one.changedAt ?? 0));

const isContradicted = (
  order: Order | null,
  row: OrderRow | undefined,
  stated: readonly Statement[],
): boolean =>
  order === null || changedAt(order) < latestOf(row, stated) || stated.some(isPaidAgainst(order, row));

/** Of two states in the same second the paid one is later. */
const isPaidAgainst =
  (order: Order, row: OrderRow | undefined) =>
  ({ changedAt: at, order: signed, status }: Pick<Statement, 'changedAt' | 'order' | 'status'>): boolean =>
    at !== null &&
    at >= changedAt(order) &&
    at <= changedAt(order) + sameMomentMs &&
    order.settlement === 'unpaid' &&
    (signed
      ? ['paid', 'partially-refunded', 'refunded'].includes(signed.settlement)
      : status !== undefined && status !== order.status) &&
    !(row && paidTotalOf(row.snapshot as Order));

/** Null where nothing newer than its last reading is known. */
function sinceWhen(row: OrderRow | undefined, stated: readonly Statement[]): number | null {
  const times = stated.map(({ cameAt }) => cameAt);
  if (row?.olderSince) times.push(Date.parse(row.olderSince));
  return times.length === 0 ? null : Math.min(...times);
}

interface Contradiction {
  order: Order | null;
  row: OrderRow | undefined;
  stated: readonly Statement[];
  listed: ListedOrder | undefined;
  /** The permission without which the shop hides orders of its age; else null or false. */
  hides: string | null | false;
}

/** Orders are hidden from some time of a day on, and a purchase may be entered with an earlier date. */
const marginDays = 5;
async function hiddenFrom(
  shop: Shop,
  row: OrderRow | undefined,
  stated: readonly Statement[],
  now: Date,
): Promise<string | null> {
  const known = stated.find(({ order }) => order)?.order ?? (row?.snapshot as Order | undefined);
  const hides = await shop.hidesAfter?.();
  if (!hides) return null;
  const age = known ? now.getTime() - Date.parse(known.placedAt) : Number.POSITIVE_INFINITY;
  return age > (hides.days - marginDays) * dayMs ? hides.permission : null;
}

/** Not found counts when the list agrees and no later webhook denies it; an older state when the list has it too. */
function judgeContradiction(
  { order, row, stated, listed, hides }: Contradiction,
  now: number,
): 'counts' | 'twice' | 'unread' {
  const signed = stated.filter(({ by }) => by === 'webhook');
  if (order === null) {
    if (listed) return 'unread';
    const isDeleted = row !== undefined && isGone(row.snapshot as Order);
    const [last] = signed
      .filter((one) => !isDeleted || one.isDeletion || one.changedAt !== null)
      .toSorted((a, b) => stateTime(b) - stateTime(a));
    if (last) return last.isDeletion ? 'counts' : 'unread';
    return hides && isUndecided(row?.decision) ? 'unread' : 'counts';
  }
  const isAgreed = listed
    ? changedAt(listed) <= changedAt(order) &&
      !isPaidAgainst(order, row)({ changedAt: changedAt(listed), order: null, status: listed.status })
    : order.settlement === 'cancelled';
  if (!isAgreed || signed.some(isPaidAgainst(order, row))) return 'unread';
  const later = signed.filter(
    (one) => one.changedAt !== null && stateTime(one) > changedAt(order) + sameMomentMs,
  );
  if (later.some(({ cameAt }) => now - cameAt < alertAfterMs)) return 'unread';
  return row && isOlder(row, order) ? 'twice' : 'counts';
}

/** When a statement was true; the shop's clock may be ahead of ours. */
const stateTime = ({ changedAt, cameAt }: Statement): number => Math.min(changedAt ?? cameAt, cameAt);

async function judgeAgain(
  deps: Pick<JobDeps, 'alerts' | 'clock' | 'ledger'>,
  store: Store,
  key: OrderKey,
  against: Contradiction,
): Promise<Pick<OrderReading, 'later' | 'unread'>> {
  const { ledger, clock } = deps;
  const { order, row, stated, listed, hides } = against;
  const now = clock.now();
  const verdict = judgeContradiction(against, now.getTime());
  const latest = latestOf(row, stated);
  const isMoment = order && latest <= changedAt(order) + sameMomentMs && !(row && isOlder(row, order));
  const later = order && !isMoment ? new Date(latest).toISOString() : null;
  if (verdict === 'counts') return { later, unread: null };
  // Our own clock may have been set back.
  const waited = Math.abs(now.getTime() - (row?.olderSince ? Date.parse(row.olderSince) : now.getTime()));
  if (verdict === 'twice' && waited >= surelyReadMs) return { later, unread: null };
  if (row) await ledger.orders.older(key, now);
  if (verdict === 'twice') {
    const reason = 'the shop gave an older time of the order than before';
    return { later, unread: again(clock, surelyReadMs - waited, reason) };
  }
  if (listed) await ledger.deliveries.keep(listedDeliveries(store, [listed], now));
  const newer = stated.filter(
    (one) => order === null || (one.changedAt ?? 0) > changedAt(order) || isPaidAgainst(order, row)(one),
  );
  const ms = Math.max(now.getTime() - (sinceWhen(row, newer) ?? now.getTime()), 0);
  if (hides) await deps.alerts.over({ code: 'order-hidden-soon', subject: orderSubject(key) });
  if (ms >= alertAfterMs || hides) await deps.alerts.raise(unreadAlert(store, key, against, ms));
  return { later, unread: again(clock, Math.min(Math.max(ms / 4, surelyReadMs), alertAfterMs), orderUnread) };
}

function unreadAlert(
  store: Store,
  key: OrderKey,
  { order, row, stated, hides }: Contradiction,
  ms: number,
): Alert {
  const known = stated.find((one) => one.order)?.order ?? (row?.snapshot as Order | undefined) ?? order;
  const name = known ? `${known.name} (${known.total} ${known.currency})` : key.orderId;
  const hours = Math.floor(ms / 3_600_000);
  const alert = { code: 'order-unread', subject: orderSubject(key), about: owner.shop(key) } as const;
  const said = { store: store.id, order: name };
  if (hides) return { ...alert, params: { why: 'hidden', ...said, permission: hides } };
  const shownAt = order === null ? null : momentInEcuador(order.updatedAt);
  return { ...alert, params: { why: 'contradicted', ...said, hours, shownAt, permission: '' } };
}

const isOlder = ({ sourceUpdatedAt }: OrderRow, order: Order): boolean =>
  changedAt(order) < Date.parse(sourceUpdatedAt);

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

/** Shopify shows an app without read_all_orders the orders of the last 60 days only. */
const surelyShownMs = 55 * 24 * 60 * 60_000;

/** As last read, and cancelled. Null when never read, or too old to be sure without `isDeleted`. */
async function goneOrder(
  { ledger, clock, log }: Pick<JobDeps, 'ledger' | 'clock' | 'log'>,
  store: Store,
  key: OrderKey,
  isDeleted = false,
): Promise<Order | null> {
  log.info({ store: store.id, order: key.orderId }, 'The shop has no such order');
  const last = (await ledger.orders.get(key))?.snapshot as Order | undefined;
  if (last === undefined || isGone(last)) return null;
  const isOld = clock.now().getTime() - Date.parse(last.placedAt) > surelyShownMs;
  if (isOld && !isDeleted) return last.buyer.forgotten ? last : null;
  return { ...last, status: deletedStatus, settlement: 'cancelled' };
}

/** More webhooks than one order has at a time; the others are older states. */
const recentDeliveries = 50;

/** By the time of change, since deliveries are reordered; in one second (WooCommerce) a paid state is later. */
async function newestDelivered(
  deps: Pick<JobDeps, 'ledger'>,
  store: Store,
  key: OrderKey,
): Promise<Order | null> {
  let newest: Reported | null = null;
  for (const { body, receivedAt } of await deps.ledger.deliveries.ofOrder(key, recentDeliveries)) {
    const order = readDelivered(store, body);
    const reported = order && reportedAt(order, receivedAt);
    if (reported && (newest === null || isLater(reported, newest))) newest = reported;
  }
  const row = await deps.ledger.orders.get(key);
  const last = row && reportedAt(row.snapshot as Order, row.syncedAt);
  return (last && (newest === null || isLater(last, newest)) ? last : newest)?.order ?? null;
}

const isLater = (one: Reported, other: Reported): boolean =>
  one.order.updatedAt === other.order.updatedAt
    ? isUnpaid(other.order) && !isUnpaid(one.order)
    : one.at > other.at;

const isUnpaid = ({ settlement }: Order): boolean =>
  settlement === 'draft' || settlement === 'unpaid' || settlement === 'partially-paid';

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
  const { platform, paidAt, id: orderId } = order;
  if (paidAt === null) return null;
  const { shop } = order;
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
  } catch {
    return null;
  }
}
