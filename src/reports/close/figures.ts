import type { Day } from '../../domain/clock.ts';
import { documentKinds } from '../../domain/document.ts';
import { type Amount, decimal, roundCents, sum, toAmount } from '../../domain/money.ts';
import { creditRounding, isCreditRounding } from '../../domain/money-policy.ts';
import type { Order } from '../../domain/order.ts';
import type { PlannedDocument, SentContent } from '../../planner/action.ts';
import { moneyOn, withOverpaidReturned, worthOutside } from '../../planner/refund-money.ts';
import { inOrder, withRecordsCombined } from '../../planner/refund-records.ts';
import { authorizedTaxes, sentTaxes, type TaxRow, taxName } from '../tax-rows.ts';
import type { Explained, Fates, Issued, Reasoned, Seen, Tally } from './day-close.ts';
import { isOfOtherSale, type ReadDocument } from './read-day.ts';
import type { Sold } from './read-sales.ts';

/** What a factura must come to by the shop's data; null where the shop no longer has a refund that it omits. */
export function expectedFactura(read: Order, sent: SentContent): Amount | null {
  const { nettedRefunds } = sent;
  const order = withRecordsCombined(withOverpaidReturned(read, sent), []);
  const { refunds } = order;
  const netted = refunds.filter(({ id }) => nettedRefunds.includes(id));
  if (netted.length < nettedRefunds.length || netted.some(({ amount }) => amount === null)) return null;
  const outside = roundCents(worthOutside(order, sent));
  const back = sum(netted.map((refund) => moneyOn(sent, order, refund).money));
  const received = decimal(order.total).plus(order.overpaid ?? '0');
  return toAmount(
    received
      .minus(sent.overpaid ?? '0')
      .minus(outside)
      .minus(back),
  );
}

/** What the nota de crédito of a refund must come to; null where the shop does not have it or its amount. */
export function expectedCredit(
  order: Order,
  refundId: string,
  factura: PlannedDocument | undefined,
): Amount | null {
  const combined = withRecordsCombined(withOverpaidReturned(order, factura?.sent ?? undefined), []);
  const refund = combined.refunds.find(({ id }) => id === refundId);
  if (refund?.amount == null) return null;
  if (!factura?.sent) return toAmount(refund.amount);
  const before = inOrder(combined.refunds).slice(0, inOrder(combined.refunds).indexOf(refund));
  const left = decimal(factura.sent.total).minus(sum(before.map(({ amount }) => amount ?? '0')));
  return moneyOn(factura.sent, combined, refund, left).money;
}

/** By the shop's data; null where unknown. */
export function shopTotal({ document, sale }: Pick<ReadDocument, 'document' | 'sale'>): Amount | null {
  if (sale === null || sale === 'gone' || isOfOtherSale(document, sale.order)) return null;
  const { order, documents } = sale;
  if (document.kind === 'factura') return document.sent && expectedFactura(order, document.sent);
  const factura = documents.find(({ kind, state }) => kind === 'factura' && state === 'authorized');
  return expectedCredit(order, document.sourceId, factura);
}

/** As sent; empty without an attempt (a key given by hand without a check). */
export const ourTaxes = ({ document: { sent } }: Pick<ReadDocument, 'document'>): TaxRow[] =>
  sent ? sentTaxes(sent) : [];

/** A cent off the shop's refund, as planned (ADR 22). */
export function isRounded(one: ReadDocument): boolean {
  const { kind, state, charged, total } = one.document;
  const expected = shopTotal(one);
  if (kind !== 'nota-credito' || state !== 'authorized' || expected === null || total === null) return false;
  return isCreditRounding(charged, total) && decimal(expected).equals(charged);
}

export function explainedOf(sold: readonly Sold[], documents: readonly ReadDocument[]): Explained[] {
  const waiting = sold.flatMap(({ kind, store, order, fate, code, reason }): Explained[] =>
    fate === 'waiting' || fate === 'unneeded' || fate === 'underWay'
      ? [{ kind, store: store.id, order: order.name, fate, code, reason }]
      : [],
  );
  const rounded = documents.filter(isRounded).map(
    ({ document: { kind, storeId, orderName, charged, total } }): Explained => ({
      kind,
      store: storeId,
      order: orderName,
      fate: 'rounded',
      code: 'credit-rounding',
      reason: creditRounding(charged, total) ?? '',
    }),
  );
  return [...waiting, ...rounded];
}

export function fatesOf(all: readonly Sold[], kind: Sold['kind'], day: Day): Fates {
  const sold = all.filter((one) => one.kind === kind);
  const of = (fate: Sold['fate']) => sold.filter((one) => one.fate === fate);
  const issued = of('issued');
  return {
    sold: soldTally(sold),
    issued: soldTally(issued),
    issuedOtherDay: soldTally(issued.filter(({ document }) => document?.issueDate !== day)),
    underWay: soldTally(of('underWay')),
    waiting: byReason(of('waiting')),
    netted: soldTally(of('netted')),
    unneeded: byReason(of('unneeded')),
    missing: soldTally(of('missing')),
  };
}

/** Orders in other currencies count as 0; their sentences name the currency. */
const soldTally = (sold: readonly Sold[]): Tally =>
  tallyOf(sold.map(({ amount, order }) => (order.currency === 'USD' ? amount : '0.00')));

const byReason = (sold: readonly Sold[]): Reasoned[] =>
  [...Map.groupBy(sold, ({ code }) => code)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, of]) => ({ code, ...soldTally(of) }));

const tallyOf = (amounts: readonly Amount[]): Tally => ({
  count: amounts.length,
  total: toAmount(sum(amounts)),
});

/** The documents with the day's date, by each source. */
export function issuedFigures(documents: readonly ReadDocument[], sold: readonly Sold[], day: Day): Issued[] {
  const ofDay = new Set(sold.flatMap(({ document }) => (document ? [document.id] : [])));
  return documentKinds.map((kind): Issued => {
    const dated = documents.filter(({ document }) => document.kind === kind && document.issueDate === day);
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

function seenOf(documents: readonly { total: Amount; taxes: readonly TaxRow[] }[]): Seen {
  const byCode = Map.groupBy(
    documents.flatMap(({ taxes }) => taxes),
    taxName,
  );
  const added = [...byCode.values()].flatMap(([first, ...more]): TaxRow[] => {
    if (!first) return [];
    const all = [first, ...more];
    const base = toAmount(sum(all.map((row) => row.base)));
    return [{ ...first, base, valor: toAmount(sum(all.map((row) => row.valor))) }];
  });
  return {
    ...tallyOf(documents.map(({ total }) => total)),
    taxes: added.sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1)),
  };
}

const sortKey = ({ codigo, codigoPorcentaje }: Pick<TaxRow, 'codigo' | 'codigoPorcentaje'>): string =>
  `${codigo}/${codigoPorcentaje.padStart(4, '0')}`;
