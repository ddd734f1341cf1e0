import type { Rehearsal } from './rehearse.ts';
import { centsText, creditsText, finalConsumerText, verdictText } from './sentences.ts';
import { count, dayOf, many, usd } from './words.ts';

/** The rehearsal for the terminal: what would leave, what would wait and why, and what it would cost. */
export function summary(found: Rehearsal): string {
  const { store, since, until, figures, unreadable } = found;
  const waits = figures.obstacles.map(({ title, count: times, total, examples, kind }) => {
    const what =
      kind === 'factura' ? many(times, 'factura', 'facturas') : many(times, 'reembolso', 'reembolsos');
    return `  ${title}: ${what}, ${usd(total)} (${examples.slice(0, 3).join(', ')}${times > 3 ? '…' : ''})`;
  });
  return [
    `Ensayo de la tienda «${store}», del ${dayOf(since)} al ${dayOf(until)}. Nada se envió.`,
    '',
    verdictText(found),
    ...(waits.length > 0 ? ['', 'Esperan a una persona:', ...waits] : []),
    '',
    finalConsumerText(found),
    centsText(found),
    creditsText(found),
    ...(unreadable.length > 0
      ? [`No se pudieron leer ${count(unreadable.length)} pedidos; el informe dice cuáles y por qué.`]
      : []),
    '',
  ].join('\n');
}
