import PQueue from 'p-queue';
import type { Day } from '../../domain/calendar.ts';
import { type Document, documentKinds } from '../../domain/document.ts';
import { FacturapuenteError } from '../../domain/errors.ts';
import { toAmount } from '../../domain/money.ts';
import type { Account, Store } from '../../domain/settings.ts';
import { type Known, plannedDocuments } from '../../jobs/planned-documents.ts';
import { askAnnulled, askService, type Found } from '../ask-service.ts';
import type { AccountingDeps } from '../deps.ts';
import { seriesOfStores } from '../open-series.ts';
import { isAbout, isOf, keyOf, orderName } from '../shop-names.ts';
import { authorizedTaxes } from '../tax-rows.ts';
import { disagreements, type Held, ourTaxes, roundedOnes, shopTotal } from './agree.ts';
import { creditDay, creditDifferences } from './credits.ts';
import type { ClosedDay, CreditDay, DayClose, Difference, Issued, Unanswered } from './day-close.ts';
import { bears, type ReadOrder, readSale, type Sold } from './read-sales.ts';
import { fatesOf, missingOnes } from './sales.ts';
import { gapsOfDay, removedOn, type StrayKey, strays } from './series-day.ts';
import { readShopDay } from './shop-day.ts';
import { shopOrders } from './shop-orders.ts';
import { openSeen, openSum } from './sums.ts';

const pageSize = 500;

/**
 * Closes one day of Ecuador: lays what the shops sold and gave back beside our documents and beside what the service
 * has, document by document and to the cent. Changes nothing. `scope` names the stores
 * (chosen-stores.ts).
 * A source that does not answer leaves the close `incomplete`, a store without API access `partial`; nothing is called
 * green by absence.
 */
export async function closeDay(
  deps: AccountingDeps,
  {
    day,
    stores,
    scope,
    wallets = [],
  }: {
    day: Day;
    stores: readonly Store[];
    scope: string;
    /** Accounts whose credits are reconciled (credits.ts). */
    wallets?: readonly Account[];
  },
): Promise<ClosedDay> {
  const unanswered: Unanswered[] = [];
  const issued = (await issuedOn(deps, day)).filter((one) => isAbout(one, stores, scope));
  const sales: ReadOrder[] = [];
  const gone = new Set<string>();
  for (const store of stores) {
    const ours = issued.filter((one) => isOf(one)(store));
    const read = await readStore(deps, store, day, new Set(ours.map(({ orderId }) => orderId)));
    if ('sentence' in read) {
      unanswered.push(read);
      continue;
    }
    sales.push(...read.sales);
    for (const orderId of read.gone) gone.add(orderName({ ...keyOf(store), orderId }));
  }

  const held = await heldDocuments(deps, { issued, sales, gone, day });
  const twice = await askAll(deps, held);
  for (const { found } of held.values())
    if (found?.kind === 'unanswered') addUnanswered(unanswered, found.account);

  const series = seriesOfStores(stores);
  const sold = sales.flatMap((sale) => sale.sold);
  const outside = await strays(deps, stores, series, await strayKeys(deps, sales, day));
  for (const account of outside.unanswered) addUnanswered(unanswered, account);
  const disagreeing = [...held.values()].flatMap(disagreements);
  const isRounding = ({ code }: Difference) => code === 'rounding-difference';
  const roundings = disagreeing.filter(isRounding);
  const credits: CreditDay[] = [];
  for (const account of wallets) credits.push(await creditDay(deps, account, day));
  const differences: Difference[] = [
    ...missingOnes(sold),
    ...disagreeing.filter((one) => !isRounding(one)),
    ...twice,
    ...(await shopOrders(deps, { stores, sales, held: held.values() })),
    ...outside.differences,
    ...(await removedOn(deps, day, scope === '*' ? null : series)),
    ...(await gapsOfDay(deps, series, day)),
    ...creditDifferences(credits),
  ];
  const fates = fatesOf(sold, day);
  const { foreign } = outside;
  const provisional = fates.provisional || [...held.values()].some(({ document }) => isUnderWay(document));
  const close: DayClose = {
    day,
    scope,
    stores: stores.map(({ id }) => id),
    closedAt: deps.clock.now().toISOString(),
    result: resultOf(unanswered, differences),
    provisional,
    sales: fates.sales,
    refunds: fates.refunds,
    issued: issuedFigures([...held.values()], sold, day),
    differences,
    foreign,
    unanswered,
    ...(roundings.length > 0 ? { roundings } : {}),
    ...(credits.length > 0 ? { credits } : {}),
  };
  const annulled = [...held.values()].filter((one) => one.annulled && one.document.annulledAt === null);
  return {
    close,
    explained: [...fates.explained, ...roundedOnes(held.values())],
    annulled: annulled.map(({ document }) => document),
  };
}

/** Who is away answers later and may change everything; a shop nobody can ask hides no difference of the others. */
function resultOf(unanswered: readonly Unanswered[], differences: readonly Difference[]): DayClose['result'] {
  if (unanswered.some(({ source }) => source !== 'shop-without-access')) return 'incomplete';
  if (differences.length > 0) return 'red';
  return unanswered.length > 0 ? 'partial' : 'green';
}

const underWay = new Set<Document['state']>(['ready', 'sending', 'processing', 'uncertain']);
const isUnderWay = ({ state }: Pick<Document, 'state'>): boolean => underWay.has(state);

async function issuedOn({ ledger }: AccountingDeps, day: Day): Promise<Document[]> {
  const all: Document[] = [];
  for (let after: Document | null = null; ; ) {
    const page: Document[] = await ledger.days.issued({ from: day, to: day, after, limit: pageSize });
    all.push(...page);
    after = page.at(-1) ?? null;
    if (page.length < pageSize) return all;
  }
}

async function readStore(
  deps: AccountingDeps,
  store: Store,
  day: Day,
  others: ReadonlySet<string>,
): Promise<{ sales: ReadOrder[]; gone: string[] } | Unanswered> {
  const shop = deps.shop(store);
  if (!shop)
    return {
      source: 'shop-without-access',
      name: store.id,
      sentence: `La tienda ${store.id} está configurada sin acceso a su API: no se le puede preguntar qué vendió, y solo se comparan el registro y el servicio. Para cerrar también con ella, dé acceso a su API en la configuración.`,
    };
  try {
    const orders = await readShopDay(deps, { store, shop }, day, others);
    const sales: ReadOrder[] = [];
    const gone: string[] = [];
    for (const [id, order] of orders)
      if (order === null) gone.push(id);
      else sales.push(await readSale(deps, store, order, day));
    return { sales, gone };
  } catch (error) {
    if (!(error instanceof FacturapuenteError)) throw error;
    deps.log.warn({ store: store.id, err: error }, 'A shop did not answer for the close of a day');
    return {
      source: 'shop',
      name: store.id,
      sentence: `La tienda ${store.id} no respondió: ${error.merchant}`,
    };
  }
}

/** Keys to look after: those the orders carry, and those the service told of. */
async function strayKeys(
  { ledger }: AccountingDeps,
  sales: readonly ReadOrder[],
  day: Day,
): Promise<Iterable<StrayKey>> {
  const keys = new Map<string, StrayKey>();
  for (const { accessKey, accounts } of await ledger.days.toldKeys(day))
    keys.set(accessKey, { accessKey, order: null, toldBy: accounts });
  for (const { order, store, documents } of sales)
    for (const accessKey of order.accessKeys)
      if (!documents.some((one) => one.accessKey === accessKey))
        keys.set(accessKey, { accessKey, order: { name: order.name, store }, toldBy: [] });
  return keys.values();
}

function addUnanswered(unanswered: Unanswered[], account: string): void {
  if (unanswered.some(({ source, name }) => source === 'service' && name === account)) return;
  unanswered.push({
    source: 'service',
    name: account,
    sentence: `El servicio no respondió por todos los documentos de la cuenta ${account}: repita el cierre cuando responda.`,
  });
}

/** The authorised documents that bear the date, as ledger, service and shop see them. */
function issuedFigures(held: readonly Held[], sold: readonly Sold[], day: Day): Issued[] {
  const ofDay = new Set(sold.flatMap(({ document }) => (document ? [document.id] : [])));
  return documentKinds.map((kind): Issued => {
    const states: Issued['states'] = {};
    const [ours, service, shop, ofOtherDays] = [openSeen(), openSeen(), openSum(), openSum()];
    for (const one of held) {
      const { document, found } = one;
      if (document.kind !== kind || !bears(document, day)) continue;
      states[document.state] = (states[document.state] ?? 0) + 1;
      if (found?.kind === 'authorized')
        service.add(toAmount(found.facts.importeTotal), authorizedTaxes(found.facts.totalImpuestos));
      if (document.state !== 'authorized') continue;
      ours.add(document.total ?? '0', ourTaxes(one));
      const expected = shopTotal(one);
      if (expected !== null) shop.add(expected);
      if (!ofDay.has(document.id)) ofOtherDays.add(document.total ?? '0');
    }
    return {
      kind,
      states,
      ours: ours.seen(),
      service: service.seen(),
      shop: shop.tally(),
      ofOtherDays: ofOtherDays.tally(),
    };
  });
}

/** Questions to the service under way at once; its rate budget sets the pace. */
const atOnce = 8;

/** Every document that bears the date, or belongs to what was sold and given back that day; by id. */
async function heldDocuments(
  deps: AccountingDeps,
  known: {
    issued: readonly Document[];
    sales: readonly ReadOrder[];
    gone: ReadonlySet<string>;
    day: Day;
  },
): Promise<Map<string, Held>> {
  const held = new Map<string, Held>();
  for (const sale of known.sales) {
    const ofDay = new Set(sale.sold.flatMap(({ document }) => (document ? [document.id] : [])));
    for (const document of sale.documents)
      if (ofDay.has(document.id) || bears(document, known.day))
        held.set(document.id, { document, sale, found: null, annulled: document.annulledAt !== null });
  }
  for (const one of known.issued) {
    if (held.has(one.id)) continue;
    const documents = await plannedDocuments(deps.ledger, one);
    const document = documents.find(({ id }) => id === one.id);
    const sale = known.gone.has(orderName(one)) ? 'gone' : null;
    if (document) held.set(one.id, { document, sale, found: null, annulled: document.annulledAt !== null });
  }
  return held;
}

/** Asks the service for each document; answers those it authorised under two keys. */
async function askAll(deps: AccountingDeps, held: ReadonlyMap<string, Held>): Promise<Difference[]> {
  const twice: Difference[] = [];
  const queue = new PQueue({ concurrency: atOnce });
  await queue.addAll(
    [...held.values()].map((one) => async () => {
      const { document } = one;
      if (document.accessKey !== null) one.found = slim(await askService(deps, document, document.accessKey));
      if (document.state === 'authorized' && document.accessKey !== null && !one.annulled)
        one.annulled = await askAnnulled(deps, document, document.accessKey);
      for (const { accessKey } of await deps.ledger.attempts.ofDocument(document.id)) {
        if (accessKey === null || accessKey === document.accessKey) continue;
        const other = await askService(deps, document, accessKey);
        if (other.kind === 'unanswered') one.found = other;
        if (other.kind === 'authorized') twice.push(authorizedTwice(document, other.facts.numero));
      }
    }),
  );
  return twice;
}

const authorizedTwice = (document: Known, number: string): Difference => ({
  code: 'authorized-twice',
  store: document.storeId,
  order: document.orderName,
  number,
  sentence: `El pedido ${document.orderName} tiene en el servicio otro documento autorizado, ${number}, con una clave que el registro dio por perdida: anule uno de los dos en el portal del SRI.`,
});

/** A day of ten thousand documents is compared by their heads: neither their lines nor their XML are held. */
const slim = (found: Found): Found =>
  found.kind === 'authorized' ? { ...found, xml: '', facts: { ...found.facts, detalles: [] } } : found;
