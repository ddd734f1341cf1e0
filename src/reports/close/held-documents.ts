import PQueue from 'p-queue';
import type { Day } from '../../domain/calendar.ts';
import type { Document } from '../../domain/document.ts';
import { type Known, plannedDocuments } from '../../jobs/planned-documents.ts';
import { askAnnulled, askService, type Found } from '../ask-service.ts';
import type { AccountingDeps } from '../deps.ts';
import { orderName } from '../shop-names.ts';
import type { Held } from './agree.ts';
import type { Difference } from './day-close.ts';
import { bears, type ReadOrder } from './read-sales.ts';

/** Questions to the service under way at once; its rate budget sets the pace. */
const atOnce = 8;

/** Every document that bears the date, or belongs to what was sold and given back that day; by id. */
export async function heldDocuments(
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
export async function askAll(deps: AccountingDeps, held: ReadonlyMap<string, Held>): Promise<Difference[]> {
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
