import { type Attempt, type Document, documentNumber } from '../core/document.ts';
import type { Move } from '../ledger/document-tables.ts';
import type { Tables } from '../ledger/ledger.ts';
import { askSubmit, askSync } from './ask.ts';
import type { StepDeps } from './deps.ts';
import { isAmbiguous } from './repeat.ts';
import { neverTwice } from './sentences.ts';

/** What came of asking for a document once more; `says` is for the person, in Spanish. */
export interface Retried {
  /** `looked-again`: its order is read anew; `sent-again`: under its own number; `replaced`: under a new one. */
  kind: 'looked-again' | 'sent-again' | 'replaced' | 'nothing' | 'refused';
  says: string;
}

/**
 * A person has mended what stopped a document (the order, the company's data, the series) and says so. Whatever may
 * already stand at the authority is never sent once more: that is for `adopt`.
 * @param by who asked; kept in the document's history.
 */
export async function retryDocument(deps: StepDeps, document: Document, by: string): Promise<Retried> {
  const { ledger, clock } = deps;
  const now = clock.now();
  const move = (
    change: Pick<Move, 'to' | 'patch'>,
    next: (tables: Tables, moved: Document) => Promise<void>,
  ) =>
    ledger.transaction(async (tables) => {
      const from = [document.state];
      const moved = await tables.documents.move(document.id, {
        from,
        ...change,
        note: { cause: 'retry', by },
        now,
      });
      if (moved) await next(tables, moved);
      return moved !== undefined;
    });

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
      return lookAgain(deps, document, now);
    case 'rejected':
    case 'manual': {
      if (document.secuencial === null) return lookAgain(deps, document, now);
      const attempts = await ledger.attempts.ofDocument(document.id);
      if (document.code === 'foreign-number' && (await mayBeOurs(deps, document, attempts)))
        return { kind: 'refused', says: neverTwice(document) };
      if (attempts.some(isAmbiguous) || document.code === 'number-registered')
        return {
          kind: 'refused',
          says: `Un envío anterior pudo ser autorizado: repetirlo podría facturar dos veces. Busque su clave de acceso y dela con: facturapuente adopt ${document.id} CLAVE.`,
        };
      if (document.code === 'foreign-number')
        return (await move(
          { to: 'cancelled', patch: { code: 'replaced', reason: replaced(document) } },
          (tables) => askSync(tables, document, now),
        ))
          ? { kind: 'replaced', says: 'El pedido se factura con un número nuevo de la serie.' }
          : overtaken;
      return (await move({ to: 'ready', patch: { code: null, reason: null } }, (tables, moved) =>
        askSubmit(tables, moved, now),
      ))
        ? { kind: 'sent-again', says: `Se envía otra vez con su mismo número, ${documentNumber(document)}.` }
        : overtaken;
    }
  }
}

/** Whether what holds the number may be a sending of ours all the same: one left and its fate was open, or it has a key. */
async function mayBeOurs(
  { ledger }: StepDeps,
  document: Document,
  attempts: readonly Attempt[],
): Promise<boolean> {
  if (attempts.some((attempt) => attempt.accessKey !== null || isAmbiguous(attempt))) return true;
  return (await ledger.documents.history(document.id)).some(({ to }) => to === 'uncertain');
}

const overtaken: Retried = {
  kind: 'nothing',
  says: 'Otro proceso lo movió en este momento; vea cómo quedó.',
};

const replaced = (document: Document): string =>
  `El número ${documentNumber(document)} es de otro documento; el pedido se factura con uno nuevo.`;

async function lookAgain(deps: StepDeps, document: Document, now: Date): Promise<Retried> {
  await askSync(deps.ledger, document, now);
  return { kind: 'looked-again', says: 'El pedido se vuelve a leer de la tienda y se planifica de nuevo.' };
}
