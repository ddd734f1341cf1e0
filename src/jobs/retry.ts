import { type Attempt, type Document, documentNumber } from '../domain/document.ts';
import { seriesOf } from '../domain/series.ts';
import type { HistoryEntry } from '../ledger/document-tables.ts';
import type { Refusal, Said } from '../protocol/effects.ts';
import { mayTakeNewNumber as isNewNumberOpen } from '../protocol/person.ts';
import { rules } from '../protocol/rules.ts';
import type { Stopped } from '../protocol/state.ts';
import { acceptReading } from './accept.ts';
import type { StepDeps } from './deps.ts';
import { overtaken, type Retried } from './retried.ts';
import { happens } from './sending/happen.ts';
import type { Talk } from './sending/questions.ts';
import { adoptIt, neverTwice } from './sentences.ts';

/**
 * A person has mended what stopped a document (the order, the company's data, the series) and says so. Whatever may
 * already stand at the authority is never sent once more: that is for `adopt`.
 * @param by who asked; kept in the document's history.
 * @param how.newNumber that person has looked at the service and the authority, and answers for it that no document of
 * this sale exists (src/protocol/person.ts).
 * @param how.accept that person says that what the shop tells now is right (accept.ts), and was shown the version `seen`.
 */
export async function retryDocument(
  deps: StepDeps,
  document: Document,
  by: string,
  { newNumber = false, accept = false, seen }: { newNumber?: boolean; accept?: boolean; seen?: number } = {},
): Promise<Retried> {
  if (accept) return acceptReading(deps, document, by, seen);
  const asked = { kind: 'retry-asked', newNumber } as const;
  const { said, talk } = await happens(deps, document.id, asked, { facts: { by } });
  if (said?.kind === 'done') return done(deps, document, said.what);
  return said ? refused(document, said.why, talk) : overtaken;
}

async function done(
  { ledger, storeOf }: StepDeps,
  document: Document,
  what: Extract<Said, { kind: 'done' }>['what'],
): Promise<Retried> {
  if (what === 'read-anew')
    return { kind: 'looked-again', says: 'El pedido se vuelve a leer de la tienda y se planifica de nuevo.' };
  if (what !== 'replaced')
    return {
      kind: 'sent-again',
      says: `Se envía otra vez con su mismo número, ${documentNumber(document)}.`,
    };
  // The new one comes from the series its store has now.
  const store = storeOf(document.platform, document.shop);
  const stop = await ledger.sequences.stopped(store ? seriesOf(store, document.kind) : document);
  const series = stop === null ? '' : ` La serie está detenida y espera por usted: ${stop.reason}`;
  return { kind: 'replaced', says: `El pedido se factura con un número nuevo de la serie.${series}` };
}

function refused(document: Document, why: Refusal, { search }: Talk): Retried {
  switch (why) {
    case 'finished':
      return { kind: 'nothing', says: 'Ese documento ya terminó; no hay nada que repetir.' };
    case 'on-its-way':
      return { kind: 'nothing', says: 'Ese documento está en camino; se sigue preguntando por él.' };
    case 'ledger-older':
      return { kind: 'nothing', says: document.reason ?? '' };
    case 'new-number-not-needed':
      return {
        kind: 'refused',
        says: 'Ese documento no necesita un número nuevo: use facturapuente retry sin --numero-nuevo.',
      };
    case 'may-be-authorized':
      return { kind: 'refused', says: doubtful(document) };
    case 'stands':
      return { kind: 'refused', says: search?.says ?? '' };
    default:
      return overtaken;
  }
}

/** Why nobody may say that nothing of this document stands at the authority. */
const doubtful = (document: Document): string =>
  document.code === 'foreign-number'
    ? neverTwice(document)
    : `Un envío anterior pudo ser autorizado: repetirlo podría facturar dos veces. ${adoptIt(document)}`;

/** What became of a document so far. */
export interface Past {
  attempts: readonly Pick<Attempt, 'outcome' | 'accessKey'>[];
  history: readonly Pick<HistoryEntry, 'to'>[];
}

/** Whether something of it may stand at the authority: then a mere retry is refused. */
export const mayStand = (document: Stopped['document'], past: Past): boolean =>
  rules.mayStand(stopped(document, past));

/** Whether a person may answer for a new number: the old one cannot simply leave again. */
export const mayTakeNewNumber = (document: Stopped['document'], past: Past): boolean =>
  isNewNumberOpen(stopped(document, past));

const stopped = (document: Stopped['document'], { attempts, history }: Past): Stopped => ({
  document,
  attempts,
  learnt: { wasUncertain: history.some(({ to }) => to === 'uncertain') },
});
