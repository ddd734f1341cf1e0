import { type Attempt, type Document, documentNumber } from '../core/document.ts';
import type { MoveNote } from '../core/move-note.ts';
import { seriesOf } from '../core/series.ts';
import { askSync, askWriteBack } from './ask.ts';
import type { StepDeps } from './deps.ts';
import { overtaken, type Retried } from './retried.ts';
import { searchOurs } from './search-ours.ts';
import { named } from './sentences.ts';

/**
 * A person has looked at the service and the authority and answers for it that no document of this sale exists. The
 * service is asked once more about every key there is of it, and whatever is found to be ours, or may be, stands above
 * that word. Never called by anything but a person: an order with two facturas cannot be mended by us.
 */
export const answerForNewNumber = (
  deps: StepDeps,
  document: Document,
  attempts: readonly Attempt[],
  by: string,
): Promise<Retried> =>
  replaceUnlessOurs(deps, document, attempts, {
    note: { cause: 'new number', by, vouched: true },
    reason: vouchedFor(document),
  });

/**
 * A number that was somebody else's when its only sending was answered. The key it was told with is asked about once
 * more all the same: while its document was on its way nobody could read whose it is.
 */
export const replaceForeign = (
  deps: StepDeps,
  document: Document,
  attempts: readonly Attempt[],
  by: string,
): Promise<Retried> =>
  replaceUnlessOurs(deps, document, attempts, {
    note: { cause: 'retry', by },
    reason: replaced(document),
  });

async function replaceUnlessOurs(
  deps: StepDeps,
  document: Document,
  attempts: readonly Attempt[],
  { note, reason }: { note: MoveNote; reason: string },
): Promise<Retried> {
  const search = await searchOurs(deps, document, attempts);
  if (search.kind === 'stands') return { kind: 'refused', says: search.says };
  const { asked, webhooks } = search;
  return replaceNumber(deps, document, {
    note: { ...note, asked, webhooks },
    reason,
    unlessTold: Object.keys(asked),
    now: deps.clock.now(),
  });
}

/**
 * The document is dropped, its number stays as a gap with its reason, and its order is planned anew: with a number of
 * its series, once that gives any. Not where it moved since it was read, or a key came to light that nobody asked about
 * (none of `unlessTold`).
 */
async function replaceNumber(
  { ledger, storeOf }: StepDeps,
  document: Document,
  change: { note: MoveNote; reason: string; unlessTold: readonly string[]; now: Date },
): Promise<Retried> {
  const { note, reason, unlessTold, now } = change;
  const stopped = await ledger.transaction(async (tables) => {
    await tables.documents.lock(document.id);
    if ((await tables.documents.get(document.id))?.version !== document.version) return undefined;
    const keys = (await tables.attempts.ofDocument(document.id)).map(({ accessKey }) => accessKey);
    if (keys.some((key) => key !== null && !unlessTold.includes(key))) return undefined;
    const patch = { code: 'replaced', reason };
    const moved = await tables.documents.move(document.id, {
      from: [document.state],
      to: 'cancelled',
      ...{ patch, note, now },
    });
    if (!moved) return undefined;
    await askWriteBack(tables, moved, now);
    await askSync(tables, document, now);
    // The new one comes from the series its store has now.
    const store = storeOf(document.platform, document.shop);
    return tables.sequences.stopped(store ? seriesOf(store, document.kind) : document);
  });
  if (stopped === undefined) return overtaken;
  const series = stopped === null ? '' : ` La serie está detenida y espera por usted: ${stopped.reason}`;
  return { kind: 'replaced', says: `El pedido se factura con un número nuevo de la serie.${series}` };
}

const replaced = (document: Document): string =>
  `El número ${documentNumber(document)} es de otro documento; el pedido se factura con uno nuevo.`;

const vouchedFor = (document: Document): string =>
  `Una persona comprobó que ${named(document)} con el número ${documentNumber(document)} no existe en el servicio ni en el SRI; el pedido se factura con uno nuevo.`;
