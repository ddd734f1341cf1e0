import { documentNumber } from '../../core/document.ts';
import { differenceOf, type Held, kindName } from './agree.ts';
import type { Difference } from './day-close.ts';

/**
 * Names each authorised document whose sale or refund had one already: each may be right by itself, to the cent, and
 * together they declare the money twice.
 */
export function doubled(held: Iterable<Held>): Difference[] {
  return [...held].flatMap(({ document, sale }) => {
    if (document.state !== 'authorized' || sale === null || sale === 'gone') return [];
    // They are in the order in which they were made.
    const first = sale.documents.find(
      ({ kind, sourceId, state }) =>
        kind === document.kind && sourceId === document.sourceId && state === 'authorized',
    );
    if (!first || first.id === document.id) return [];
    return differenceOf(
      'authorized-twice',
      document,
      `${kindName(document.kind)} ${documentNumber(document)} del pedido ${document.orderName} es la segunda de lo mismo: ya estaba autorizada la ${documentNumber(first)}. Anule una de las dos en el portal del SRI.`,
    );
  });
}
