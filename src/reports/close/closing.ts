import PQueue from 'p-queue';
import type { Alerts } from '../../domain/alerts.ts';
import type { Day } from '../../domain/clock.ts';
import { type Document, documentKinds, documentNumber, statesUnderWay } from '../../domain/document.ts';
import { CommandError } from '../../domain/errors.ts';
import { toAmount } from '../../domain/money.ts';
import type { Account, Scope, Settings, Store } from '../../domain/settings.ts';
import { type Known, plannedDocuments } from '../../jobs/prepare.ts';
import { noteAnnulled } from '../../jobs/verify-document.ts';
import type { KeptClose } from '../../ledger/schema.ts';
import { type AccountingDeps, askAnnulled, askService, type Found } from '../ask-service.ts';
import {
  type ChosenStores,
  chosenStores,
  isAbout,
  isOf,
  keyOf,
  orderName,
  seriesOfStores,
} from '../chosen-stores.ts';
import { authorizedTaxes } from '../tax-rows.ts';
import {
  differenceOf,
  disagreements,
  type Held,
  isOfOtherSale,
  nameOf,
  ourTaxes,
  roundedOnes,
  shopTotal,
  soldInTwoOrders,
} from './agree.ts';
import { creditDay, creditDifferences, walletsOf } from './credits.ts';
import type { ClosedDay, CreditDay, DayClose, Difference, Issued, Unanswered } from './day-close.ts';
import { keepClose, type Signer } from './keep-close.ts';
import { queuedOrders, type ReadOrder, readStore, type Sold, today, whatFailed } from './read-sales.ts';
import { fatesOf, missingOnes, seenOf, tallyOf } from './sales.ts';
import { gapsOfDay, removedOn, type StrayKey, strays } from './series-day.ts';
import { shopOrders } from './shop-orders.ts';

interface CloseAsked {
  day: Day;
  store?: string | undefined;
  save?: boolean | undefined;
  scope?: Scope | null | undefined;
}

export interface CloseAnswer extends Omit<ClosedDay, 'annulled'> {
  kept: KeptClose | null;
}

export interface Closing {
  /** Equal calls at the same time share one close. Throws CommandError `input-invalid`, `store-unknown`. */
  close(asked: CloseAsked): Promise<CloseAnswer>;
  reportOf(close: DayClose): Promise<void>;
  signer: Signer;
}

export function openClosing(
  deps: AccountingDeps & { alerts: Alerts },
  settings: Pick<Settings, 'stores'>,
  signer: Signer,
): Closing {
  const running = new Map<string, Promise<CloseAnswer>>();

  async function run(day: Day, chosen: ChosenStores, save: boolean): Promise<CloseAnswer> {
    if (day > today(deps)) throw new CommandError('input-invalid', { why: 'day', day });
    const wallets = walletsOf(settings.stores.values(), chosen.stores);
    const { annulled: _noted, ...closed } = await closeAndNote({ day, ...chosen, wallets }, save).catch(
      (error) => failedClose(deps, { day, ...chosen, error }),
    );
    const kept = save ? await keepClose(deps.ledger.closes, signer, closed.close) : null;
    if (kept && closed.close.scope === '*' && closed.close.result !== 'incomplete')
      await reportOf(closed.close);
    return { ...closed, kept };
  }

  async function closeAndNote(asked: Parameters<typeof closeDay>[1], save: boolean): Promise<ClosedDay> {
    const closed = await closeDay(deps, asked);
    // The one change to documents: a kept close records annulments.
    if (save) for (const document of closed.annulled) await noteAnnulled(deps, document);
    return closed;
  }

  async function reportOf({ day, result, provisional, differences, unanswered }: DayClose): Promise<void> {
    const name = { code: 'close-differs', subject: day } as const;
    // `partial` raises no alert: the merchant configured the shop without access.
    if (result === 'green' || result === 'partial') return provisional ? undefined : deps.alerts.over(name);
    const [first] = result === 'red' ? differences : unanswered;
    await deps.alerts.raise({
      ...name,
      params: { day, result, first: first?.sentence ?? '', more: Math.max(differences.length - 1, 0) },
    });
  }

  return {
    signer,
    reportOf,
    async close({ day, store, save = false, scope = null }) {
      const chosen = chosenStores(settings.stores, store, scope);
      const name = JSON.stringify([day, chosen.scope, save]);
      const known = running.get(name);
      if (known) return known;
      const begun = run(day, chosen, save).finally(() => running.delete(name));
      running.set(name, begun);
      return begun;
    },
  };
}

function failedClose(
  { clock, log }: Pick<AccountingDeps, 'clock' | 'log'>,
  { day, stores, scope, error }: ChosenStores & { day: Day; error: unknown },
): ClosedDay {
  log.error({ day, scope, err: error }, 'The close of a day failed');
  const { sales, refunds } = fatesOf([], day);
  return {
    close: {
      day,
      scope,
      stores: stores.map(({ id }) => id),
      closedAt: clock.now().toISOString(),
      result: 'incomplete',
      provisional: false,
      sales,
      refunds,
      issued: [],
      differences: [],
      foreign: [],
      unanswered: [
        { source: 'close', name: day, sentence: `El cierre no se pudo hacer: ${whatFailed(error)}` },
      ],
    },
    explained: [],
    annulled: [],
  };
}

const pageSize = 500;

/** Changes nothing. A source without answer: `incomplete`; a shop without API access: at most `partial`. */
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
    unanswered.push(...read.unanswered);
    sales.push(...read.sales);
    for (const orderId of read.gone) gone.add(orderName({ ...keyOf(store), orderId }));
  }

  const held = await heldDocuments(deps, { issued, sales, gone, day });
  const twice = await askAll(deps, held);
  for (const { found } of held.values())
    if (found?.kind === 'unanswered') addUnanswered(unanswered, found.account);

  const series = seriesOfStores(stores);
  const sold = sales.flatMap((sale) => sale.sold);
  unanswered.push(...queuedOrders(sold), ...unconfirmed(held.values(), day < today(deps)));
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
    ...(await differingAlerts(deps, held, disagreeing)),
    ...sales.flatMap(soldInTwoOrders),
    ...(await shopOrders(deps, stores, sales, held.values())),
    ...outside.differences,
    ...(await removedOn(deps, day, scope === '*' ? null : series)),
    ...(await gapsOfDay(deps, series, day)),
    ...creditDifferences(credits),
  ];
  const fates = fatesOf(sold, day);
  const { foreign } = outside;
  const provisional =
    fates.provisional || [...held.values()].some(({ document }) => statesUnderWay.includes(document.state));
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

/** A missing answer may still change everything; a shop without access hides no difference of the others. */
function resultOf(unanswered: readonly Unanswered[], differences: readonly Difference[]): DayClose['result'] {
  if (unanswered.some(({ source }) => source !== 'shop-without-access')) return 'incomplete';
  if (differences.length > 0) return 'red';
  return unanswered.length > 0 ? 'partial' : 'green';
}

async function issuedOn({ ledger }: AccountingDeps, day: Day): Promise<Document[]> {
  const all: Document[] = [];
  for (let after: Document | null = null; ; ) {
    const page: Document[] = await ledger.days.issued({ from: day, to: day, after, limit: pageSize });
    all.push(...page);
    after = page.at(-1) ?? null;
    if (page.length < pageSize) return all;
  }
}

function unconfirmed(held: Iterable<Held>, isDayOver: boolean): Unanswered[] {
  const late = [...held].filter(
    ({ document: { state, code } }) =>
      statesUnderWay.includes(state) && (isDayOver || code === 'unconfirmed'),
  );
  return [...Map.groupBy(late, ({ document }) => document.account)].flatMap(([account, [first, ...more]]) =>
    first
      ? {
          source: 'document',
          name: account,
          sentence: `${nameOf(first.document)} del pedido ${first.document.orderName} sigue sin confirmar${more.length > 0 ? `, y ${more.length} más de la cuenta ${account}` : ''}: vea qué espera con «facturapuente explain ${first.document.orderName}», y repita el cierre cuando termine.`,
        }
      : [],
  );
}

async function differingAlerts(
  { ledger }: AccountingDeps,
  held: ReadonlyMap<string, Held>,
  disagreeing: readonly Difference[],
): Promise<Difference[]> {
  const open = (await ledger.alerts.open()).filter(({ code }) => code === 'document-differs');
  return open.flatMap(({ subject, what, resolution }) => {
    const document = held.get(subject)?.document;
    if (!document || disagreeing.some(({ number }) => number === documentNumber(document))) return [];
    return differenceOf('document-differs', document, `${what} ${resolution}`);
  });
}

async function strayKeys(
  { ledger }: AccountingDeps,
  sales: readonly ReadOrder[],
  day: Day,
): Promise<Iterable<StrayKey>> {
  const keys = new Map<string, StrayKey>();
  for (const { accessKey, accounts } of await ledger.days.reportedKeys(day))
    keys.set(accessKey, { accessKey, order: null, reportedBy: accounts });
  for (const { order, store, documents } of sales)
    for (const accessKey of order.accessKeys)
      if (!documents.some((one) => one.accessKey === accessKey))
        keys.set(accessKey, { accessKey, order: { name: order.name, store }, reportedBy: [] });
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

function issuedFigures(held: readonly Held[], sold: readonly Sold[], day: Day): Issued[] {
  const ofDay = new Set(sold.flatMap(({ document }) => (document ? [document.id] : [])));
  return documentKinds.map((kind): Issued => {
    const dated = held.filter(({ document }) => document.kind === kind && document.issueDate === day);
    const ours = dated.filter(({ document }) => document.state === 'authorized');
    const theirs = dated.flatMap(({ found }) => (found?.kind === 'authorized' ? found.facts : []));
    const ofOtherDays = ours.filter(({ document }) => !ofDay.has(document.id));
    const states = Map.groupBy(dated, ({ document }) => document.state);
    return {
      kind,
      states: Object.fromEntries([...states].map(([state, of]) => [state, of.length])),
      ours: seenOf(ours.map((one) => ({ total: one.document.total ?? '0', taxes: ourTaxes(one) }))),
      service: seenOf(
        theirs.map(({ importeTotal, totalImpuestos }) => ({
          total: toAmount(importeTotal),
          taxes: authorizedTaxes(totalImpuestos),
        })),
      ),
      shop: tallyOf(ours.flatMap((one) => shopTotal(one) ?? [])),
      ofOtherDays: tallyOf(ofOtherDays.map(({ document }) => document.total ?? '0')),
    };
  });
}

const atOnce = 8;

async function heldDocuments(
  deps: AccountingDeps,
  known: { issued: readonly Document[]; sales: readonly ReadOrder[]; gone: ReadonlySet<string>; day: Day },
): Promise<Map<string, Held>> {
  const held = new Map<string, Held>();
  for (const sale of known.sales) {
    const ofDay = new Set(sale.sold.flatMap(({ document }) => (document ? [document.id] : [])));
    for (const document of sale.documents)
      if (
        ofDay.has(document.id) ||
        document.issueDate === known.day ||
        (sale.sold.length > 0 && isOfOtherSale(document, sale.order))
      )
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

/** Lines and XML take much memory on a day of ten thousand documents. */
const slim = (found: Found): Found =>
  found.kind === 'authorized' ? { ...found, xml: '', facts: { ...found.facts, detalles: [] } } : found;
