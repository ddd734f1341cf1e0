import type { Day } from '../../domain/clock.ts';
import { type Amount, sum, toAmount } from '../../domain/money.ts';
import { type TaxRow, taxName } from '../tax-rows.ts';
import type { Difference, Explained, Fates, Reasoned, Seen, Tally } from './day-close.ts';
import { type Sold, saleDay } from './read-sales.ts';

export function fatesOf(
  sold: readonly Sold[],
  day: Day,
): { sales: Fates; refunds: Fates; explained: Explained[]; provisional: boolean } {
  const of = (kind: Sold['kind']) =>
    fates(
      sold.filter((one) => one.kind === kind),
      day,
    );
  const explained = sold.flatMap(({ kind, store, order, fate, code, reason }): Explained[] =>
    fate === 'waiting' || fate === 'unneeded' || fate === 'underWay'
      ? [{ kind, store: store.id, order: order.name, fate, code, reason }]
      : [],
  );
  const provisional = sold.some(({ fate }) => fate === 'underWay');
  return { sales: of('factura'), refunds: of('nota-credito'), explained, provisional };
}

function fates(sold: readonly Sold[], day: Day): Fates {
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

export function missingOnes(sold: readonly Sold[]): Difference[] {
  return sold.flatMap(({ fate, kind, store, order, sourceId, amount }): Difference[] => {
    if (fate !== 'missing') return [];
    const of = { store: store.id, order: order.name, number: null };
    const advice = `pídala con «facturapuente sync --since ${saleDay(order)}», y si no aparece recupere el registro de un respaldo.`;
    const [code, what] =
      kind === 'factura'
        ? ([
            'sale-without-document',
            `El pedido ${order.name} cobró ${amount} y el registro no tiene su factura`,
          ] as const)
        : ([
            'sale-without-document',
            `El reembolso ${sourceId} del pedido ${order.name} devolvió ${amount} y el registro no tiene su nota de crédito`,
          ] as const);
    return [{ ...of, code, sentence: `${what}: ${advice}` }];
  });
}

export const tallyOf = (amounts: readonly Amount[]): Tally => ({
  count: amounts.length,
  total: toAmount(sum(amounts)),
});

export function seenOf(documents: readonly { total: Amount; taxes: readonly TaxRow[] }[]): Seen {
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
