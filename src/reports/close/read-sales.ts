import PQueue from 'p-queue';
import { withKinds } from '../../../mappers/entries.ts';
import { type Day, dayMs, ecuadorDay, startOfEcuadorDay } from '../../domain/clock.ts';
import type { DocumentKind, DocumentState } from '../../domain/document.ts';
import { FacturapuenteError, ShopError } from '../../domain/errors.ts';
import { orderSubject } from '../../domain/job.ts';
import { isListedAs, type ListedOrder } from '../../domain/listing.ts';
import { readJson } from '../../domain/loose.ts';
import { type Amount, decimal, toAmount } from '../../domain/money.ts';
import type { Order } from '../../domain/order.ts';
import type { Shop } from '../../domain/platform.ts';
import { orderOf, type Store } from '../../domain/settings.ts';
import { clocksAgree, type Known, plannedDocuments, relativesOf } from '../../jobs/prepare.ts';
import type { StoredDelivery } from '../../ledger/orders.ts';
import { internalError, unansweredText } from '../../messages/closing.ts';
import type { Action, PlannedDocument, Relative } from '../../planner/action.ts';
import { creditDocumentOf, nettedBy } from '../../planner/action.ts';
import { currentFactura, isDocumentOf } from '../../planner/eligibility.ts';
import { plan } from '../../planner/plan.ts';
import { type AccountingDeps, everyRow } from '../sources.ts';
import type { Unanswered } from './day-close.ts';

interface StoreDay {
  sales: ReadOrder[];
  gone: string[];
  unanswered: Unanswered[];
}

export async function readStore(
  deps: AccountingDeps,
  store: Store,
  day: Day,
  others: ReadonlySet<string>,
): Promise<StoreDay> {
  const read: StoreDay = { sales: [], gone: [], unanswered: [] };
  const shop = deps.shop(store);
  if (!shop) {
    const sentence = unansweredText({ why: 'shop-without-access', store: store.id });
    return { ...read, unanswered: [{ source: 'shop-without-access', name: store.id, sentence }] };
  }
  let orders: Awaited<ReturnType<typeof readShopDay>>;
  try {
    orders = await readShopDay(deps, { store, shop }, day, others);
  } catch (error) {
    deps.log.warn({ store: store.id, err: error }, 'A shop did not answer for the close of a day');
    const sentence = unansweredText({ why: 'shop', store: store.id, error: whatFailed(error) });
    return { ...read, unanswered: [{ source: 'shop', name: store.id, sentence }] };
  }
  for (const orderId of await unreadOn(deps, store, day, orders)) {
    orders.delete(orderId);
    const sentence = unansweredText({ why: 'order-unread', store: store.id, order: orderId });
    read.unanswered.push({ source: 'order', name: orderId, sentence });
  }
  for (const [id, order] of orders)
    try {
      if (order instanceof Error) throw order;
      if (order === null) read.gone.push(id);
      else read.sales.push(await readSale(deps, store, order, day));
    } catch (error) {
      deps.log.warn({ store: store.id, order: id, err: error }, 'An order is missing in the close of a day');
      const failed = { store: store.id, order: id, error: whatFailed(error) };
      const sentence = unansweredText({ why: 'order-failed', ...failed });
      read.unanswered.push({ source: 'order', name: id, sentence });
    }
  return read;
}

async function unreadOn(
  { ledger }: Pick<AccountingDeps, 'ledger'>,
  store: Store,
  day: Day,
  orders: ShopDay,
): Promise<string[]> {
  const unread: string[] = [];
  for (const key of await ledger.failing.unreadOrders()) {
    if (key.platform !== store.platform.name || key.shop !== store.shop) continue;
    const isAboutDay = async () =>
      (await ledger.deliveries.ofOrder(key, 50)).some((one) => mayConcern(store, one, day));
    if (orders.has(key.orderId) || (await isAboutDay())) unread.push(key.orderId);
  }
  return unread;
}

/** Without the time of each payment and refund, the day of arrival and the day before count. */
function mayConcern(store: Store, { body, receivedAt }: StoredDelivery, day: Day): boolean {
  const order = readBody(store, body);
  if (order && isSoldOrRefundedOn(order, day)) return true;
  if (order?.paidAt && wasPaid(order) && order.refunds.every(({ at }) => at !== null)) return false;
  const came = Date.parse(receivedAt);
  return [came, came - dayMs].some((at) => ecuadorDay(new Date(at)) === day);
}

function readBody({ platform, connection }: Store, body: Uint8Array): Order | null {
  try {
    return platform.readOrder(readJson(new TextDecoder().decode(body)), connection);
  } catch {
    return null;
  }
}

export const whatFailed = (error: unknown): string =>
  error instanceof FacturapuenteError ? error.merchant : internalError;

export interface Sold extends Fate {
  kind: DocumentKind;
  store: Store;
  order: Order;
  sourceId: string;
  amount: Amount;
  document: Known | undefined;
}

export interface ReadOrder {
  store: Store;
  order: Order;
  documents: Known[];
  relatives: Relative[];
  sold: Sold[];
  actions: readonly Action[];
}

/** Assumption: a payment or refund this new may not be processed yet. */
const freshMs = 15 * 60_000;

const isFresh = (at: Date, now: Date): boolean =>
  at > now ? clocksAgree(at, now) : now.getTime() - at.getTime() < freshMs;

async function readSale(
  deps: Pick<AccountingDeps, 'ledger' | 'clock' | 'invoiceFrom'>,
  store: Store,
  read: Order,
  day: Day,
): Promise<ReadOrder> {
  const order = withKinds(read, store.policy);
  const now = deps.clock.now();
  const key = { platform: order.platform, shop: order.shop, orderId: order.id };
  const all = await plannedDocuments(deps.ledger, key);
  // Documents of the other environment are tests.
  const documents = all.filter(({ ambiente }) => ambiente === store.issuer.ambiente);
  const own = documents.filter(isDocumentOf(order));
  const relatives = await relativesOf(deps.ledger, order);
  const actions = plan({ order, documents, store, relatives, invoiceFrom: deps.invoiceFrom(store), now });
  const planned = (kind: DocumentKind, sourceId: string) =>
    actions.find((one) => one.kind === kind && one.identity.sourceId === sourceId) ?? unplanned;
  const isQueued = (await deps.ledger.jobs.existing('sync-order', [orderSubject(key)])).size > 0;
  const lateness = (at: Date): Late => (isFresh(at, now) ? 'fresh' : isQueued ? 'queued' : null);
  const current = (kind: DocumentKind, sourceId: string) =>
    own.find((one) => one.kind === kind && one.sourceId === sourceId && one.state !== 'cancelled');
  const sold: Sold[] = [];
  const factura = current('factura', order.id);
  // With a document it was sold that day, whatever its status is now.
  if (paidOn(order, day) || (factura && saleDay(order) === day)) {
    const fate = fateOfSale(own, planned('factura', order.id), lateness(soldAt(order)));
    const of = { kind: 'factura', sourceId: order.id, amount: toAmount(order.total) } as const;
    sold.push({ ...fate, ...of, store, order, document: factura });
  }
  for (const refund of order.refunds) {
    const amount = toAmount(refund.amount ?? '0');
    const at = refundedAt(order, refund);
    // A return without money is no refund.
    if (ecuadorDay(at) !== day || decimal(amount).isZero()) continue;
    const fate = fateOfRefund(own, refund.id, planned('nota-credito', refund.id), lateness(at));
    const of = { kind: 'nota-credito', sourceId: refund.id, amount } as const;
    sold.push({ ...fate, ...of, store, order, document: current('nota-credito', refund.id) });
  }
  return { store, order, documents, relatives, sold, actions };
}

const unplanned = {
  action: 'hold',
  code: 'unplanned',
  reason: 'El planificador no dijo nada de esto.',
} as const;

export const today = ({ clock }: Pick<AccountingDeps, 'clock'>): Day => ecuadorDay(clock.now());

interface Fate {
  fate: 'issued' | 'underWay' | 'waiting' | 'netted' | 'unneeded' | 'missing';
  code: string;
  reason: string;
}

const fateOfState: Record<DocumentState, Fate['fate']> = {
  cancelled: 'unneeded',
  held: 'waiting',
  rejected: 'waiting',
  manual: 'waiting',
  ready: 'underWay',
  sending: 'underWay',
  processing: 'underWay',
  uncertain: 'underWay',
  authorized: 'issued',
};

type Planned = Pick<Action, 'action' | 'code' | 'reason'>;

type Late = 'fresh' | 'queued' | null;

function fateOfSale(documents: readonly PlannedDocument[], planned: Planned, late: Late): Fate {
  const factura = currentFactura(documents);
  return factura ? fateOf(factura, planned) : withoutDocument(planned, late);
}

function fateOfRefund(
  documents: readonly PlannedDocument[],
  refundId: string,
  planned: Planned,
  late: Late,
): Fate {
  const credit = creditDocumentOf(documents, refundId);
  if (credit) return fateOf(credit, planned);
  const factura = nettedBy(documents, refundId);
  if (factura) return { fate: 'netted', code: 'netted', reason: planned.reason };
  return withoutDocument(planned, late);
}

const fateOf = ({ state, code, reason }: PlannedDocument, planned: Planned): Fate => ({
  fate: fateOfState[state],
  code: code ?? planned.code,
  reason: reason ?? planned.reason,
});

/** A planned hold counts as missing: the held document may have been removed from the ledger. */
function withoutDocument({ action, code, reason }: Planned, late: Late): Fate {
  if (action === 'nothing') return { fate: 'unneeded', code, reason };
  if (action === 'wait' || late === 'fresh') return { fate: 'underWay', code, reason };
  return late === 'queued'
    ? { fate: 'underWay', code: 'unplanned', reason: 'Está en la cola y todavía no se procesa.' }
    : { fate: 'missing', code, reason };
}

/** For shops whose clock is wrong or whose lists lag (adapters/shopify/fetch.ts). */
const overlapMs = 15 * 60_000;
/** Calls to a shop at once: Shopify counts points, and a small WordPress has few processes. */
const atOnce = 4;

type ShopDay = Map<string, Order | Error | null>;

/** An unchanged order is read again only where the ledger's reading concerns the day. Throws ShopError. */
async function readShopDay(
  { ledger }: Pick<AccountingDeps, 'ledger'>,
  { store, shop }: { store: Store; shop: Shop },
  day: Day,
  others: Iterable<string>,
): Promise<ShopDay> {
  const wanted = new Set(others);
  const since = new Date(startOfEcuadorDay(day).getTime() - overlapMs);
  for await (const row of everyRow((cursor) => shop.changedOrders({ since, cursor })))
    if (await concerns(ledger, store, row, day)) wanted.add(row.id);
  const queue = new PQueue({ concurrency: atOnce });
  const ids = [...wanted].sort();
  const read = async (id: string) => {
    const order = await shop.fetchOrder(id);
    return order && orderOf(store, order);
  };
  const orders = await queue.addAll(ids.map((id) => () => read(id).catch(ofOneOrder)));
  return new Map(ids.map((id, at) => [id, orders[at] ?? null]));
}

/** A fault of one order must not stop the others; a shop that does not answer does. */
function ofOneOrder(error: unknown): Error {
  const isOfShop =
    error instanceof ShopError && (error.disconnected || (error.retryable && error.code !== 'shop-mixed-up'));
  if (isOfShop || !(error instanceof Error)) throw error;
  return error;
}

async function concerns(
  ledger: AccountingDeps['ledger'],
  { platform, shop }: Store,
  row: ListedOrder,
  day: Day,
): Promise<boolean> {
  const known = await ledger.orders.get({ platform: platform.name, shop, orderId: row.id });
  if (!known || row.refunds === null) return true;
  const order = known.snapshot as Order;
  const { sourceUpdatedAt } = known;
  const refunds = order.refunds.map(({ id }) => id);
  if (!isListedAs(row, { sourceUpdatedAt, status: order.status, refunds })) return true;
  if (isSoldOrRefundedOn(order, day)) return true;
  return saleDay(order) === day && currentFactura(await ledger.documents.ofOrder(known)) !== undefined;
}

/** An order counts as sold when it was paid. */
const soldAt = ({ paidAt, placedAt }: Order): Date => new Date(paidAt ?? placedAt);

export const saleDay = (order: Order): Day => ecuadorDay(soldAt(order));

function wasPaid({ settlement, paidAt }: Order): boolean {
  if (settlement === 'draft' || settlement === 'unpaid' || settlement === 'partially-paid') return false;
  return settlement !== 'cancelled' || paidAt !== null;
}

const paidOn = (order: Order, day: Day): boolean => wasPaid(order) && saleDay(order) === day;

const isSoldOrRefundedOn = (order: Order, day: Day): boolean =>
  paidOn(order, day) || order.refunds.some((refund) => ecuadorDay(refundedAt(order, refund)) === day);

const refundedAt = (order: Order, { at }: { at: string | null }): Date => new Date(at ?? order.updatedAt);
