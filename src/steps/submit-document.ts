import { type ClaimedWork, done, type Step, type StepOutcome } from '../core/work.ts';
import { probeWait } from './account-pause.ts';
import { lookForAnnulment } from './annulled.ts';
import { beginSending } from './begin-sending.ts';
import type { StepDeps } from './deps.ts';
import { takeAnswer } from './emission-answer.ts';
import { askAboutSeries, takeProof } from './older-ledger/check-series.ts';
import { unknownStoreOf } from './unknown-store.ts';

/** Sends one document: first the attempt is on disk (begin-sending.ts), then it leaves, then its answer is written. */
export function submitDocument(deps: StepDeps): Step {
  return (work) => submit(deps, work.subject, work, 'backlog');
}

/**
 * The same for one document by its id, paid for by the slot of `work`.
 * @param as a document of the backlog stays where it is while its account is paused; a probe goes on.
 */
export async function submit(
  deps: StepDeps,
  documentId: string,
  work: ClaimedWork | null,
  as: 'backlog' | 'probe',
): Promise<StepOutcome> {
  const slower = await lookForAnnulment(deps, documentId);
  if (slower) return slower;
  const begun = await deps.ledger.transaction((tables) => beginSending(deps, tables, documentId, as));
  switch (begun.kind) {
    case 'stays':
      return done;
    case 'store-unknown':
      // A probe takes another document.
      if (as === 'probe') return done;
      throw unknownStoreOf(deps, begun.document);
    case 'held':
      return begun.until;
    case 'check-series':
      await askAboutSeries(deps, begun);
      return submit(deps, documentId, work, as);
    case 'later':
      return { kind: 'again', dueAt: begun.at, reason: begun.reason };
    case 'paused':
      return {
        kind: 'put-back',
        dueAt: new Date(deps.clock.now().getTime() + probeWait(deps, 0)),
        reason: 'its account is paused',
      };
    case 'leaves': {
      const { document, attempt, key } = begun;
      const calls = deps.service(key.account, work, key.keyHash);
      const answer = await (document.kind === 'factura'
        ? calls.emitirFactura(attempt.body)
        : calls.emitirNotaCredito(attempt.body));
      const outcome = await takeAnswer(deps, { ...begun, work, answer });
      takeProof(deps, document, answer);
      return outcome;
    }
  }
}
