import { type Document, documentNumber } from '../core/document.ts';
import { acceptReading } from './accept.ts';
import { askSubmit, askSync } from './ask.ts';
import type { StepDeps } from './deps.ts';
import { isInDoubt, mayTakeNewNumber } from './in-doubt.ts';
import { answerForNewNumber, replaceForeign } from './new-number.ts';
import { overtaken, type Retried } from './retried.ts';
import { adoptIt, neverTwice } from './sentences.ts';

/**
 * A person has mended what stopped a document (the order, the company's data, the series) and says so. Whatever may
 * already stand at the authority is never sent once more: that is for `adopt`.
 * @param by who asked; kept in the document's history.
 * @param how.newNumber that person has looked at the service and the authority, and answers for it that no document of
 * this sale exists (new-number.ts).
 * @param how.accept that person says that what the shop tells now is right (accept.ts), and was shown the version `seen`.
 */
export async function retryDocument(
  deps: StepDeps,
  document: Document,
  by: string,
  { newNumber = false, accept = false, seen }: { newNumber?: boolean; accept?: boolean; seen?: number } = {},
): Promise<Retried> {
  if (accept) return acceptReading(deps, document, by, seen);
  switch (document.state) {
    case 'authorized':
    case 'cancelled':
      return { kind: 'nothing', says: 'Ese documento ya terminó; no hay nada que repetir.' };
    case 'ready':
    case 'sending':
    case 'processing':
    case 'uncertain':
      return { kind: 'nothing', says: 'Ese documento está en camino; se sigue preguntando por él.' };
    case 'held':
      return newNumber ? notNeeded : lookAgain(deps, document);
    case 'rejected':
    case 'manual': {
      if (document.secuencial === null) return newNumber ? notNeeded : lookAgain(deps, document);
      const { ledger } = deps;
      const attempts = await ledger.attempts.ofDocument(document.id);
      const past = { attempts, history: await ledger.documents.history(document.id) };
      if (document.code === 'ledger-older') return { kind: 'nothing', says: document.reason ?? '' };
      if (newNumber)
        return mayTakeNewNumber(document, past)
          ? answerForNewNumber(deps, document, attempts, by)
          : notNeeded;
      if (isInDoubt(document, past)) return { kind: 'refused', says: doubtful(document) };
      if (document.code === 'foreign-number') return replaceForeign(deps, document, attempts, by);
      return sendAgain(deps, document, by);
    }
  }
}

const notNeeded: Retried = {
  kind: 'refused',
  says: 'Ese documento no necesita un número nuevo: use facturapuente retry sin --numero-nuevo.',
};

/** Why nobody may say that nothing of this document stands at the authority. */
const doubtful = (document: Document): string =>
  document.code === 'foreign-number'
    ? neverTwice(document)
    : `Un envío anterior pudo ser autorizado: repetirlo podría facturar dos veces. ${adoptIt(document)}`;

async function sendAgain({ ledger, clock }: StepDeps, document: Document, by: string): Promise<Retried> {
  const now = clock.now();
  const sent = await ledger.transaction(async (tables) => {
    const moved = await tables.documents.move(document.id, {
      from: [document.state],
      to: 'ready',
      patch: { code: null, reason: null },
      note: { cause: 'retry', by },
      now,
    });
    if (moved) await askSubmit(tables, moved, now);
    return moved !== undefined;
  });
  return sent
    ? { kind: 'sent-again', says: `Se envía otra vez con su mismo número, ${documentNumber(document)}.` }
    : overtaken;
}

async function lookAgain({ ledger, clock }: StepDeps, document: Document): Promise<Retried> {
  await askSync(ledger, document, clock.now());
  return { kind: 'looked-again', says: 'El pedido se vuelve a leer de la tienda y se planifica de nuevo.' };
}
