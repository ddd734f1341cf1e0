import { ecuadorDay } from '../../domain/clock.ts';
import { documentCodes, documentNumber, numberIn, type Series } from '../../domain/document.ts';
import { decimal, isWithinCents, sum, toAmount } from '../../domain/money.ts';
import type { Order } from '../../domain/order.ts';
import type { Known } from '../../jobs/prepare.ts';
import { type ApartField, closing, plannedText } from '../../messages/closing.ts';
import { type ParamsOf, say } from '../../messages/message.ts';
import { stateWords } from '../../messages/timeline.ts';
import type { Action } from '../../planner/action.ts';
import { isDocumentOf, isOfThatOrder } from '../../planner/eligibility.ts';
import { isPaidStill } from '../../planner/order-money.ts';
import { soldTwice, takenOver } from '../../planner/split-orders.ts';
import type { AuthorizedXml } from '../../service/authorized-xml.ts';
import { readAccessKey } from '../../service/event.ts';
import { authorizedTaxes, type TaxRow, taxName } from '../tax-rows.ts';
import type { Difference, DifferenceCode, Foreign } from './day-close.ts';
import { isRounded, ourTaxes, shopTotal } from './figures.ts';
import { type DayRead, isOfOtherSale, type ReadDocument } from './read-day.ts';
import { type ReadOrder, type Sold, saleDay } from './read-sales.ts';

interface Comparison {
  differences: Difference[];
  /** By the service's own rounding: what was authorised counts. */
  roundings: Difference[];
  foreign: Foreign[];
}

/**
 * Shop, ledger and service must state the same of each sale, refund and number of the day.
 * Only the shop: `sale-without-document`, `sale-passed-over`. Only the ledger: `document-without-sale`, `state-differs`,
 * `key-not-on-order`. Only the service: `document-unknown`. None of them: `number-gap`, `document-removed`.
 * Twice: `authorized-twice`, `document-of-other-sale`. Each in its own way: `document-differs`.
 */
export function compareDay(read: DayRead): Comparison {
  const { sales, documents } = read;
  const stated = documents.flatMap(compareDocument);
  const isRounding = ({ code }: Difference) => code === 'rounding-difference';
  const strays = classifyStrayKeys(read);
  return {
    differences: [
      ...sales.flatMap(({ sold }) => sold).flatMap(withoutDocument),
      ...stated.filter((one) => !isRounding(one)),
      ...documents.flatMap(authorizedUnderOtherKey),
      ...knownByAlert(read, stated),
      ...sales.flatMap(soldInTwoOrders),
      ...documents.flatMap(issuedAgain),
      ...soldUnderTwoStores(sales),
      ...read.underOtherShops.flatMap(issuedForFormerShop),
      ...documents.flatMap(ofOtherSale),
      ...documents.flatMap(keyNotOnOrder),
      ...passedOver(read),
      ...strays.differences,
      ...removedDocuments(read),
      ...read.gaps.map(numberGap),
      ...read.credits
        .filter(({ result }) => result === 'differs')
        .map((reported) => differenceOf('credits-differ', nowhere, { why: 'account', ...reported })),
    ],
    roundings: stated.filter(isRounding),
    foreign: strays.foreign,
  };
}

type Entries = typeof closing.entries;
type Place = Pick<Difference, 'store' | 'order' | 'number'>;

const differenceOf = <C extends keyof Entries>(
  code: C,
  { store, order, number }: Place,
  params: ParamsOf<Entries[C]>,
): Difference => ({ code, sentence: say(closing.entries[code][0], params), store, order, number });

const nowhere: Place = { store: null, order: null, number: null };

type Named = Pick<
  Known,
  'kind' | 'storeId' | 'orderName' | 'establecimiento' | 'puntoEmision' | 'secuencial'
>;
/** The sentence names the document. */
type MoreThanName<P> = P extends unknown ? Omit<P, 'kind' | 'number' | 'order'> : never;

function ofDocument<C extends keyof Entries>(
  code: C,
  document: Named,
  more: MoreThanName<ParamsOf<Entries[C]>>,
): Difference {
  const { kind, storeId: store, orderName: order } = document;
  const number = documentNumber(document);
  const params = { ...more, kind, number, order } as unknown as ParamsOf<Entries[C]>;
  return differenceOf(code, { store, order, number }, params);
}

function withoutDocument({ fate, kind, store, order, sourceId, amount }: Sold): Difference[] {
  if (fate !== 'missing') return [];
  const facts = { order: order.name, amount, day: saleDay(order) };
  const params =
    kind === 'factura'
      ? ({ why: 'sale', ...facts } as const)
      : ({ why: 'refund', refund: sourceId, ...facts } as const);
  return [
    differenceOf('sale-without-document', { store: store.id, order: order.name, number: null }, params),
  ];
}

function compareDocument(one: ReadDocument): Difference[] {
  if (one.annulled) return annulment(one);
  return [...withService(one), ...(one.document.state === 'authorized' ? withShop(one) : [])];
}

/** No difference where the sale is undone too. */
function annulment({ document, sale }: ReadDocument): Difference[] {
  if (sale === null || sale === 'gone' || isUndone(sale.order) || isOfOtherSale(document, sale.order))
    return [];
  return [ofDocument('document-annulled', document, { why: 'sold' })];
}

const isUndone = (order: Order): boolean =>
  order.settlement === 'cancelled' ||
  order.settlement === 'refunded' ||
  !isPaidStill(order) ||
  sum(order.refunds.map(({ amount }) => amount ?? '0')).gte(order.total);

function withService(one: ReadDocument): Difference[] {
  const { document, found } = one;
  if (found === null || found.kind === 'unanswered') return [];
  if (document.state === 'authorized') {
    if (found.kind === 'authorized') return withAuthorized(document, found.facts);
    const there = found.kind === 'nothing' ? 'nothing' : found.state;
    return [ofDocument('state-differs', document, { why: 'authorised-here', there })];
  }
  const settled =
    document.state === 'rejected' || document.state === 'manual' || document.state === 'cancelled';
  if (!settled || found.kind !== 'authorized') return [];
  const facts = { total: toAmount(found.facts.importeTotal), state: stateWords[document.state] };
  return [ofDocument('state-differs', document, { why: 'authorised-there', ...facts })];
}

/** What one source states of one document, by field. */
type Row = ReadonlyMap<string, string | null>;

const taxFields = (taxes: readonly TaxRow[]): [string, string][] =>
  taxes.flatMap((row): [string, string][] => [
    [`base ${taxName(row)}`, row.base],
    [`valor ${taxName(row)}`, row.valor],
  ]);

const ledgerRow = (document: Known): Row =>
  new Map([
    ['number', documentNumber(document)],
    ['ruc', document.ruc],
    ['issueDate', document.issueDate],
    ['total', document.total && toAmount(document.total)],
    ...taxFields(ourTaxes({ document })),
  ]);

const serviceRow = (facts: AuthorizedXml, hasTaxes: boolean): Row =>
  new Map([
    ['number', facts.numero],
    ['ruc', facts.ruc],
    ['issueDate', facts.fechaEmision],
    ['total', toAmount(facts.importeTotal)],
    ...(hasTaxes ? taxFields(authorizedTaxes(facts.totalImpuestos)) : []),
  ]);

function apart(source: ApartField['in'], ours: Row, theirs: Row, fields: Iterable<string>): ApartField[] {
  return [...new Set(fields)]
    .map((field) => ({
      field,
      ours: ours.get(field) ?? null,
      theirs: theirs.get(field) ?? null,
      in: source,
    }))
    .filter((one) => one.ours !== one.theirs);
}

function withAuthorized(document: Known, facts: AuthorizedXml): Difference[] {
  const { sent } = document;
  const ours = ledgerRow(document);
  const service = serviceRow(facts, sent !== null);
  const attempt = new Map(sent ? [['total', toAmount(sent.total)]] : []);
  const fields = [
    ...apart('service', ours, service, [...ours.keys(), ...service.keys()]),
    ...apart('attempt', ours, attempt, attempt.keys()),
  ];
  if (fields.length === 0) return [];
  const params = { why: 'service', fields } as const;
  return fields.every((one) => isServiceRounding(one, facts.totalImpuestos.length))
    ? [ofDocument('rounding-difference', document, params)]
    : [ofDocument('document-differs', document, params)];
}

/** The service rounds the value of each tax for itself. */
function isServiceRounding({ field, ours, theirs, in: source }: ApartField, taxes: number): boolean {
  const cents = field === 'total' ? Math.max(taxes, 1) : field.startsWith('valor ') ? 1 : 0;
  if (source !== 'service' || cents === 0 || ours === null || theirs === null) return false;
  return isWithinCents(ours, theirs, cents);
}

function withShop(one: ReadDocument): Difference[] {
  const { document, sale } = one;
  if (sale === null) return [];
  if (sale === 'gone') return [ofDocument('document-without-sale', document, { why: 'order' })];
  if (isOfOtherSale(document, sale.order)) return [];
  const undone = undoingOf(document, sale.actions);
  if (undone) {
    const { storeId: store, orderName: order } = document;
    const sentence = plannedText(order, undone.reason);
    return [{ code: undone.difference, sentence, store, order, number: documentNumber(document) }];
  }
  const expected = shopTotal(one);
  if (document.kind === 'nota-credito' && expected === null)
    return [ofDocument('document-without-sale', document, { why: 'refund', refund: document.sourceId })];
  if (expected === null) return [ofDocument('document-differs', document, { why: 'refund-gone' })];
  const { total } = document;
  if (total !== null && decimal(expected).equals(total)) return [];
  if (isRounded(one) || isTakenOver(document, sale)) return [];
  const isShort = decimal(expected).gt(total ?? '0');
  return [ofDocument('document-differs', document, { why: 'shop', total, expected, isShort })];
}

/** A person decides these: a document remains and its sale or refund does not. */
const undoing: Readonly<Record<string, DifferenceCode>> = {
  'cancelled-kept': 'document-without-sale',
  'unpaid-after-invoice': 'unpaid-after-invoice',
  'refund-missing': 'refund-missing',
  'refund-deleted': 'document-without-sale',
};

function undoingOf({ kind, sourceId }: Known, actions: readonly Action[]) {
  const undone = actions.find(
    (one) =>
      one.action === 'manual' &&
      one.kind === kind &&
      one.identity.sourceId === sourceId &&
      Object.hasOwn(undoing, one.code),
  );
  const difference = undoing[undone?.code ?? ''];
  return undone && difference && { difference, reason: undone.reason };
}

/** The factura of a split order billed what its other order sells now. */
function isTakenOver(document: Known, sale: ReadOrder): boolean {
  const expected = shopTotal({ document, sale });
  if (document.kind !== 'factura' || !document.sent || document.total === null || expected === null)
    return false;
  const moved = takenOver(sale.order, sale.documents, sale.relatives, document.sent);
  return moved.gt(0) && moved.plus(expected).minus(document.total).abs().lte('0.02');
}

const authorizedUnderOtherKey = ({ document, otherNumbers }: ReadDocument): Difference[] =>
  otherNumbers.map((number) => {
    const { storeId: store, orderName: order } = document;
    return differenceOf('authorized-twice', { store, order, number }, { why: 'other-key', order, number });
  });

function knownByAlert({ alerts, documents }: DayRead, stated: readonly Difference[]): Difference[] {
  return alerts.flatMap(({ subject, what, resolution }) => {
    const document = documents.find((one) => one.document.id === subject)?.document;
    if (!document || stated.some(({ number }) => number === documentNumber(document))) return [];
    const message = `${what} ${resolution}`;
    return [ofDocument('document-differs', document, { why: 'alert', message })];
  });
}

function soldInTwoOrders({ order, documents, relatives }: ReadOrder): Difference[] {
  const factura = documents.find(({ kind, state }) => kind === 'factura' && state === 'authorized');
  const other = soldTwice(order, documents, relatives);
  if (!factura || !other) return [];
  return [ofDocument('authorized-twice', factura, { why: 'split-order', other: other.name })];
}

function issuedAgain({ document, sale }: ReadDocument): Difference[] {
  if (document.state !== 'authorized' || sale === null || sale === 'gone') return [];
  // In the order of creation; a reused id belongs to two sales.
  const isOfSale = isDocumentOf(sale.order);
  const first = sale.documents.find(
    (one) =>
      one.kind === document.kind &&
      one.sourceId === document.sourceId &&
      one.state === 'authorized' &&
      isOfSale(one) === isOfSale(document),
  );
  if (!first || first.id === document.id) return [];
  return [ofDocument('authorized-twice', document, { why: 'same-order', first: numberOf(first) })];
}

const numberOf = (document: Parameters<typeof documentNumber>[0]): string => documentNumber(document) ?? '';

const facturaOf = ({ documents }: ReadOrder): Known | undefined =>
  documents.find(
    ({ kind, state, annulledAt }) => kind === 'factura' && state === 'authorized' && !annulledAt,
  );

function soldUnderTwoStores(sales: readonly ReadOrder[]): Difference[] {
  const first = new Map<string, { store: string; factura: Known }>();
  return sales.flatMap((sale) => {
    const factura = facturaOf(sale);
    if (!factura) return [];
    const { platform, id, name, placedAt, total, currency } = sale.order;
    const same = JSON.stringify([platform, id, name, Date.parse(placedAt), total, currency]);
    const before = first.get(same);
    if (!before) {
      first.set(same, { store: sale.store.id, factura });
      return [];
    }
    const params = { first: numberOf(before.factura), other: before.store };
    return [ofDocument('authorized-twice', factura, { why: 'same-shop', ...params })];
  });
}

function issuedForFormerShop({ shop, sale, documents }: DayRead['underOtherShops'][number]): Difference[] {
  const factura = facturaOf(sale);
  const first = documents.find(
    (one) =>
      one.kind === 'factura' &&
      one.state === 'authorized' &&
      one.annulledAt === null &&
      one.ambiente === factura?.ambiente &&
      one.orderName === factura.orderName &&
      decimal(one.total ?? '0').equals(factura.total ?? '0'),
  );
  if (!factura || !first) return [];
  const params = { first: numberOf(first), other: shop };
  return [ofDocument('authorized-twice', factura, { why: 'former-shop', ...params })];
}

/** A restored or reinstalled shop reuses ids. Accepted where the sale has its own factura (jobs/retry.ts). */
function ofOtherSale({ document, sale }: ReadDocument): Difference[] {
  if (document.state !== 'authorized' || sale === null || sale === 'gone') return [];
  const isOfSale = isOfThatOrder(sale.order);
  const isAccepted = sale.documents.some(
    (one) => one.fingerprint && one.state === 'authorized' && isOfSale(one),
  );
  if (isAccepted || !isOfOtherSale(document, sale.order)) return [];
  const { issueDate } = document;
  const placed = ecuadorDay(new Date(sale.order.placedAt));
  const params = { why: 'reused', issueDate, today: sale.order.name, placed } as const;
  return [ofDocument('document-of-other-sale', document, params)];
}

/** The shop was restored, or a person removed the key. */
function keyNotOnOrder({ document, sale }: ReadDocument): Difference[] {
  const { accessKey, state, writtenBack, kind } = document;
  if (sale === null || sale === 'gone' || state !== 'authorized' || writtenBack !== 'authorized') return [];
  if (accessKey === null || sale.order.accessKeys.includes(accessKey)) return [];
  if (!isOfThatOrder(sale.order)(document)) return [];
  // A duplicated order has the key of the original too.
  const others = sale.order.accessKeys.filter(
    (key) => readAccessKey(key).tipo_comprobante === documentCodes[kind],
  );
  return [ofDocument('key-not-on-order', document, { why: 'removed', others })];
}

/** The clock was ahead at the first start. An `invoiceFrom` of the config is the merchant's decision. */
function passedOver({ sales, firstRecords }: DayRead): Difference[] {
  return sales.flatMap(({ store, order, sold }) => {
    const sale = sold.find(({ kind, code }) => kind === 'factura' && code === 'before-start');
    const begun = firstRecords.get(store.shop) ?? Number.NaN;
    if (!sale || store.policy.invoiceFrom || !(Date.parse(order.paidAt ?? order.placedAt) > begun)) return [];
    const place = { store: store.id, order: order.name };
    const params = { ...place, amount: sale.amount, day: saleDay(order) };
    return [differenceOf('sale-passed-over', { ...place, number: null }, { why: 'early', ...params })];
  });
}

function classifyStrayKeys({ strayKeys, series }: DayRead): Pick<Comparison, 'differences' | 'foreign'> {
  const differences: Difference[] = [];
  const foreign: Foreign[] = [];
  for (const { accessKey, order, found } of strayKeys) {
    const { tipo_comprobante: codDoc, numero: number } = readAccessKey(accessKey);
    const total = found.kind === 'authorized' ? toAmount(found.facts.importeTotal) : null;
    if (order) {
      const place = { store: order.store, order: order.name, number };
      const params = { why: 'on-order', order: order.name, number, total } as const;
      differences.push(differenceOf('document-unknown', place, params));
    } else if (total === null) continue;
    else if (isOfSeries(series, accessKey)) {
      const params = { why: 'in-series', number, total } as const;
      differences.push(differenceOf('document-unknown', { ...nowhere, number }, params));
    } else foreign.push({ accessKey, number, codDoc, total });
  }
  return { differences, foreign };
}

/** Only the access key names their series; those without one are in closes of all stores alone. */
function removedDocuments({ removed, series, scope }: DayRead): Difference[] {
  return removed
    .filter(({ accessKey }) => scope === '*' || (accessKey !== null && isOfSeries(series, accessKey)))
    .map(({ secuencial, accessKey, total }) => {
      const number = accessKey === null ? secuencial : readAccessKey(accessKey).numero;
      const params = { why: 'attempt', number, total: toAmount(total) } as const;
      return differenceOf('document-removed', { ...nowhere, number }, params);
    });
}

function isOfSeries(series: readonly Series[], accessKey: string): boolean {
  const { ruc_emisor: ruc, ambiente, tipo_comprobante: codDoc, numero } = readAccessKey(accessKey);
  return series.some(
    (one) =>
      one.ruc === ruc &&
      one.ambiente === ambiente &&
      one.codDoc === codDoc &&
      numero.startsWith(`${one.establecimiento}-${one.puntoEmision}-`),
  );
}

function numberGap({ series, from, to }: DayRead['gaps'][number]): Difference {
  const [first, last] = [numberIn(series, from), numberIn(series, to)];
  const of = series.codDoc === documentCodes.factura ? 'factura' : 'nota-credito';
  const why = from === to ? 'one' : 'several';
  return differenceOf('number-gap', { ...nowhere, number: first }, { why, of, ruc: series.ruc, first, last });
}
