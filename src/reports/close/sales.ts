import type { Day } from '../../domain/calendar.ts';
import type { Difference, Explained, Fates } from './day-close.ts';
import type { Sold } from './read-sales.ts';
import { saleDay } from './shop-day.ts';
import { openReasons, openSum } from './sums.ts';

/** What became of everything sold and given back, counted and added up. */
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
  const sums = {
    sold: openSum(),
    issued: openSum(),
    issuedOtherDay: openSum(),
    underWay: openSum(),
    netted: openSum(),
    missing: openSum(),
  };
  const reasons = { waiting: openReasons(), unneeded: openReasons() };
  for (const { fate, code, amount: charged, document, order } of sold) {
    // Pesos do not add up with dollars; the order is counted, and its sentence names its money.
    const amount = order.currency === 'USD' ? charged : '0.00';
    sums.sold.add(amount);
    if (fate === 'waiting' || fate === 'unneeded') reasons[fate].add(code, amount);
    else sums[fate].add(amount);
    if (fate === 'issued' && document?.issueDate !== day) sums.issuedOtherDay.add(amount);
  }
  return {
    sold: sums.sold.tally(),
    issued: sums.issued.tally(),
    issuedOtherDay: sums.issuedOtherDay.tally(),
    underWay: sums.underWay.tally(),
    waiting: reasons.waiting.reasoned(),
    netted: sums.netted.tally(),
    unneeded: reasons.unneeded.reasoned(),
    missing: sums.missing.tally(),
  };
}

/** Money that came or went without the document it must have. */
export function missingOnes(sold: readonly Sold[]): Difference[] {
  return sold.flatMap(({ fate, kind, store, order, sourceId, amount }): Difference[] => {
    if (fate !== 'missing') return [];
    const of = { store: store.id, order: order.name, number: null };
    return kind === 'factura'
      ? [
          {
            ...of,
            code: 'order-without-document',
            sentence: `El pedido ${order.name} cobró ${amount} y el registro no tiene su factura: pídala con «facturapuente sweep --since ${saleDay(order)}», y si no aparece recupere el registro de un respaldo.`,
          },
        ]
      : [
          {
            ...of,
            code: 'refund-without-document',
            sentence: `El reembolso ${sourceId} del pedido ${order.name} devolvió ${amount} y el registro no tiene su nota de crédito: pídala con «facturapuente sweep --since ${saleDay(order)}», y si no aparece recupere el registro de un respaldo.`,
          },
        ];
  });
}
