import PQueue from 'p-queue';
import type { OpenAlert } from '../../domain/alerts.ts';
import { type Day, ecuadorDay } from '../../domain/clock.ts';
import type { Document } from '../../domain/document.ts';
import type { Account, Store } from '../../domain/settings.ts';
import { type Known, plannedDocuments } from '../../jobs/prepare.ts';
import type { Orphan } from '../../ledger/days.ts';
import { isOfThatOrder } from '../../planner/eligibility.ts';
import { readAccessKey } from '../../service/event.ts';
import {
  type AccountingDeps,
  askAnnulled,
  askService,
  type Found,
  isOf,
  issuedDocuments,
  keyOf,
  type OpenSeries,
  orderName,
  seriesOfStores,
} from '../sources.ts';
import { creditDay } from './credits.ts';
import type { CreditDay, Unanswered } from './day-close.ts';
import { type ReadOrder, readStore } from './read-sales.ts';

/** A document of the ledger beside what shop and service say of it. */
export interface ReadDocument {
  document: Known;
  /** Null where the shop was not asked or did not answer. */
  sale: ReadOrder | 'gone' | null;
  found: Found | null;
  annulled: boolean;
  /** Numbers that the service authorised under keys of its other attempts. */
  otherNumbers: string[];
}

/** An access key that the service reported or an order has, and the ledger does not. */
export interface StrayKey {
  accessKey: string;
  order: { name: string; store: string } | null;
  account: string;
  found: Found;
}

/** All that the sources say of a day; nothing is asked after this. */
export interface DayRead {
  day: Day;
  scope: string;
  stores: readonly Store[];
  readAt: Date;
  series: readonly OpenSeries[];
  sales: readonly ReadOrder[];
  documents: readonly ReadDocument[];
  strayKeys: readonly StrayKey[];
  /** Attempts whose document somebody deleted. */
  removed: readonly Orphan[];
  gaps: readonly { series: OpenSeries; from: number; to: number }[];
  /** Open alerts about what the authority authorised. */
  alerts: readonly OpenAlert[];
  /** The same order under another address of its shop. */
  underOtherShops: readonly { shop: string; sale: ReadOrder; documents: readonly Document[] }[];
  /** Since when the ledger has records of a shop, by `store.shop`. */
  firstRecords: ReadonlyMap<string, number>;
  credits: readonly CreditDay[];
  /** Shops and orders that could not be read. */
  unanswered: readonly Unanswered[];
}

export interface DayAsked {
  day: Day;
  stores: readonly Store[];
  scope: string;
  /** Whose credits are compared. */
  wallets?: readonly Account[];
}

/** Changes nothing. */
export async function readDay(
  deps: AccountingDeps,
  { day, stores, scope, wallets = [] }: DayAsked,
): Promise<DayRead> {
  const { ledger } = deps;
  // Before anything is read: what is paid or sent meanwhile belongs to a later close.
  const readAt = deps.clock.now();
  const issued: Document[] = [];
  for await (const one of issuedDocuments(deps, { stores, scope }, { from: day, to: day })) issued.push(one);
  const unanswered: Unanswered[] = [];
  const sales: ReadOrder[] = [];
  const gone = new Set<string>();
  for (const store of stores) {
    const ours = issued.filter((one) => isOf(one)(store));
    const read = await readStore(deps, store, day, new Set(ours.map(({ orderId }) => orderId)));
    unanswered.push(...read.unanswered);
    sales.push(...read.sales);
    for (const orderId of read.gone) gone.add(orderName({ ...keyOf(store), orderId }));
  }
  const documents = await documentsOf(deps, { issued, sales, gone, day });
  await askAboutAll(deps, documents);
  const series = seriesOfStores(stores);
  const credits: CreditDay[] = [];
  for (const account of wallets) credits.push(await creditDay(deps, account, day));
  return {
    day,
    scope,
    stores,
    readAt,
    series,
    sales,
    documents,
    strayKeys: await readStrayKeys(deps, stores, sales, day),
    removed: await ledger.days.orphans(day),
    gaps: await readGaps(deps, series, day),
    alerts: (await ledger.alerts.open()).filter(({ code }) => code === 'document-differs'),
    underOtherShops: await readOtherShops(deps, stores, sales),
    firstRecords: await readFirstRecords(deps, sales),
    credits,
    unanswered,
  };
}

/** Documents of the day's sales and refunds, and those with its date. */
async function documentsOf(
  { ledger }: AccountingDeps,
  known: { issued: readonly Document[]; sales: readonly ReadOrder[]; gone: ReadonlySet<string>; day: Day },
): Promise<ReadDocument[]> {
  const found = new Map<string, ReadDocument>();
  const add = (document: Known, sale: ReadDocument['sale']) =>
    found.set(document.id, {
      document,
      sale,
      found: null,
      annulled: document.annulledAt !== null,
      otherNumbers: [],
    });
  for (const sale of known.sales) {
    const ofDay = new Set(sale.sold.flatMap(({ document }) => (document ? [document.id] : [])));
    for (const document of sale.documents)
      if (
        ofDay.has(document.id) ||
        document.issueDate === known.day ||
        (sale.sold.length > 0 && isOfOtherSale(document, sale.order))
      )
        add(document, sale);
  }
  for (const one of known.issued) {
    if (found.has(one.id)) continue;
    const documents = await plannedDocuments(ledger, one);
    const document = documents.find(({ id }) => id === one.id);
    if (document) add(document, known.gone.has(orderName(one)) ? 'gone' : null);
  }
  return [...found.values()];
}

/** By the kept fingerprint, or because the sale is younger than the document. */
export function isOfOtherSale(document: Known, order: ReadOrder['order']): boolean {
  const placed = ecuadorDay(new Date(order.placedAt));
  return document.fingerprint ? !isOfThatOrder(order)(document) : (document.issueDate ?? placed) < placed;
}

const atOnce = 8;

async function askAboutAll(deps: AccountingDeps, documents: readonly ReadDocument[]): Promise<void> {
  const queue = new PQueue({ concurrency: atOnce });
  await queue.addAll(
    documents.map((one) => async () => {
      const { document } = one;
      const { accessKey } = document;
      if (accessKey !== null) one.found = slim(await askService(deps, document, accessKey));
      if (document.state === 'authorized' && accessKey !== null && !one.annulled)
        one.annulled = await askAnnulled(deps, document, accessKey);
      for (const attempt of await deps.ledger.attempts.ofDocument(document.id)) {
        if (attempt.accessKey === null || attempt.accessKey === accessKey) continue;
        const other = await askService(deps, document, attempt.accessKey);
        if (other.kind === 'unanswered') one.found = other;
        if (other.kind === 'authorized') one.otherNumbers.push(other.facts.numero);
      }
    }),
  );
}

/** Lines and XML take much memory on a day of ten thousand documents. */
const slim = (found: Found): Found =>
  found.kind === 'authorized' ? { ...found, xml: '', facts: { ...found.facts, detalles: [] } } : found;

/** A key of a webhook counts once the service confirms it to the account of the key's RUC. */
async function readStrayKeys(
  deps: AccountingDeps,
  stores: readonly Store[],
  sales: readonly ReadOrder[],
  day: Day,
): Promise<StrayKey[]> {
  const onOrders = new Map(
    sales.flatMap((sale) =>
      sale.order.accessKeys
        .filter((accessKey) => !sale.documents.some((one) => one.accessKey === accessKey))
        .map((accessKey) => [accessKey, sale] as const),
    ),
  );
  const reported = new Map(
    (await deps.ledger.days.reportedKeys(day)).map(({ accessKey, accounts }) => [accessKey, accounts]),
  );
  const strays: StrayKey[] = [];
  for (const accessKey of new Set([...reported.keys(), ...onOrders.keys()])) {
    if (await deps.ledger.documents.byAccessKey(accessKey)) continue;
    const sale = onOrders.get(accessKey);
    const { ruc_emisor: ruc, ambiente } = readAccessKey(accessKey);
    const issuer = stores.find((store) => store.issuer.ruc === ruc && store.issuer.ambiente === ambiente);
    const account = issuer?.account ?? sale?.store.account;
    const mayReport = (id: string) => id === account?.id || !deps.accounts.has(id);
    if (!account || (!sale && !reported.get(accessKey)?.some(mayReport))) continue;
    strays.push({
      accessKey,
      order: sale ? { name: sale.order.name, store: sale.store.id } : null,
      account: account.id,
      found: await askService(deps, { account: account.id, keyHash: account.keyHash }, accessKey),
    });
  }
  return strays;
}

async function readGaps(
  { ledger }: AccountingDeps,
  series: readonly OpenSeries[],
  day: Day,
): Promise<DayRead['gaps']> {
  const gaps: { series: OpenSeries; from: number; to: number }[] = [];
  for (const one of series)
    for (const { from, to } of await ledger.days.gaps(one, { first: one.first, from: day, to: day })) {
      const first = to + 1 >= one.first ? Math.max(from, one.first) : from;
      if (first <= to) gaps.push({ series: one, from: first, to });
    }
  return gaps;
}

async function readOtherShops(
  { ledger }: AccountingDeps,
  stores: readonly Store[],
  sales: readonly ReadOrder[],
): Promise<DayRead['underOtherShops']> {
  const found: DayRead['underOtherShops'][number][] = [];
  for (const { platform, shop } of await ledger.stores.list()) {
    if (stores.some((store) => store.platform.name === platform && store.shop === shop)) continue;
    for (const sale of sales) {
      if (sale.order.platform !== platform || !sale.documents.some(({ state }) => state === 'authorized'))
        continue;
      const documents = await ledger.documents.ofOrder({ platform, shop, orderId: sale.order.id });
      if (documents.length > 0) found.push({ shop, sale, documents });
    }
  }
  return found;
}

async function readFirstRecords(
  { ledger }: AccountingDeps,
  sales: readonly ReadOrder[],
): Promise<Map<string, number>> {
  const records = new Map<string, number>();
  for (const { store, sold } of sales)
    if (!records.has(store.shop) && sold.some(({ code }) => code === 'before-start'))
      records.set(store.shop, Date.parse((await ledger.days.firstRecord(keyOf(store))) ?? ''));
  return records;
}
