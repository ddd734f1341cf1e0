import type { Attempt, Document } from '../core/document.ts';
import type { Tables } from '../ledger/ledger.ts';
import type { FoundDocument } from '../service/answers.ts';
import { askVerify, askWriteBack } from './ask.ts';
import { bearerOf } from './bearer.ts';
import type { StepDeps } from './deps.ts';
import { endWithError } from './error-outcome.ts';
import { flowAgain } from './flow-again.ts';
import { learnDigits } from './foreseen.ts';
import { isAmbiguous } from './repeat.ts';
import { wakeOrder } from './wake-order.ts';

/**
 * Applies what the service says of one access key. An authorised attempt makes the document authorised, finally;
 * an error ends only its attempt, and what follows depends on its cause (error-outcome.ts).
 * @param sending which attempt it is, where its XML was compared; else the key says it.
 */
export async function applyOutcome(
  deps: StepDeps,
  document: Document,
  found: FoundDocument,
  sending?: Attempt,
): Promise<void> {
  if (found.state === 'processing') return;
  const now = deps.clock.now();
  await deps.ledger.transaction(async (tables) => {
    const attempts = await tables.attempts.ofDocument(document.id);
    const attempt = attempts.find(({ id }) => id === sending?.id) ?? bearerOf(attempts, found.claveacceso);
    if (found.state === 'authorized') {
      await authorise(tables, { document, found, attempt, now });
      if (!leftOnce(attempts)) await flowAgain(deps, tables, document, now);
    } else await endWithError(deps, tables, { document, found, attempt, attempts, now });
  });
}

/** One POST that met no 409, as nearly always: its number was never called somebody else's. */
const leftOnce = (attempts: readonly Attempt[]): boolean =>
  attempts.length === 1 && attempts.every((one) => one.outcome === 'created' || isAmbiguous(one));

/** One attempt, what was said of its key, and when. */
interface Told {
  document: Document;
  found: FoundDocument;
  attempt: Attempt | undefined;
  now: Date;
}

/** Inside the transaction that learns of it. */
export async function authorise(tables: Tables, { document, found, attempt, now }: Told): Promise<void> {
  const { claveacceso: accessKey, fechaAutorizacion } = found;
  if (attempt) await tables.attempts.end(attempt.id, { outcome: 'authorized', accessKey, now });
  const moved = await tables.documents.move(document.id, {
    from: ['held', 'ready', 'sending', 'processing', 'uncertain', 'rejected', 'manual'],
    to: 'authorized',
    patch: {
      accessKey,
      authorizedAt: fechaAutorizacion ?? now.toISOString(),
      issueDate: attempt?.issueDate ?? document.issueDate,
      // An earlier sending than the last may have come true, and it may have been of another content.
      ...(attempt ? { total: attempt.total } : {}),
      code: null,
      reason: null,
    },
    note: { accessKey },
    now,
  });
  if (moved) {
    await askWriteBack(tables, moved, now);
    await askVerify(tables, moved, now);
    await wakeOrder(tables, moved, attempt, now);
    await learnDigits(tables, moved, attempt, accessKey);
  }
  // The questions nobody needs answered any more would still book slots of the key's rate.
  for (const kind of ['follow-up', 'reprocess-document'] as const)
    await tables.work.forget(kind, document.id);
}
