import type { Attempt, AttemptOutcome, Document, DocumentState } from '../core/document.ts';
import type { MoveNote } from '../core/move-note.ts';
import type { Store } from '../core/settings.ts';
import type { ClaimedWork } from '../core/work.ts';
import type { DocumentPatch } from '../ledger/document-tables.ts';
import type { Tables } from '../ledger/ledger.ts';
import type { EmissionAnswer } from '../service/answers.ts';
import { askFollowUp, askSubmit } from './ask.ts';
import type { SendingKey } from './begin-sending.ts';
import type { StepDeps } from './deps.ts';
import { isAmbiguous } from './repeat.ts';
import { showStopped } from './wake-order.ts';

/** One POST and what came back. */
export interface Sent {
  /** As it stood before it left; it stands in `sending` unless the webhook was faster. */
  document: Document;
  /** As it left: what is known of it while nobody else moves it. */
  left?: Document;
  /** The work that sent it; null for a probe. */
  work: ClaimedWork | null;
  store: Store;
  /** The key it left under. */
  key: SendingKey;
  attempt: Attempt;
  answer: EmissionAnswer;
}

interface AnswerFacts {
  outcome: AttemptOutcome;
  accessKey?: string | null;
  serviceId?: number | null;
  errors?: string[];
  to: DocumentState;
  patch?: DocumentPatch;
  /** More for the history. */
  note?: MoveNote;
  /** When a document that is `ready` again may leave; at once unless said otherwise. */
  notBefore?: Date;
  /** Asked for in the same COMMIT where the document moved. */
  next?: (tables: Tables, moved: Document, now: Date) => Promise<void>;
  /** Work that is over with this: it goes in the same COMMIT. */
  ends?: ClaimedWork | null;
}

/**
 * Ends the attempt and moves the document in one transaction; a faster webhook keeps the state it reached. Answers false
 * when `ends` was somebody else's by then.
 * @param given what depends on whether an earlier answer is lost is asked in that transaction: the webhook may tell of
 * it at any moment before.
 */
export async function record(
  deps: StepDeps,
  sent: Pick<Sent, 'document' | 'left' | 'attempt'>,
  given: AnswerFacts | ((lost: boolean) => AnswerFacts),
): Promise<boolean> {
  const now = deps.clock.now();
  return deps.ledger.transaction(async (tables) => {
    const facts =
      typeof given === 'function'
        ? given((await earlierAmbiguous({ ledger: tables }, sent)).length > 0)
        : given;
    const { outcome, accessKey, serviceId = null, errors = [], ends } = facts;
    // A key the webhook brought meanwhile stays, unless the answer names one.
    const key = accessKey === undefined ? {} : { accessKey };
    // What the webhook settled is more than the POST's answer knows.
    const end = { outcome, ...key, serviceId, errors, now, unlessSettled: true };
    await tables.attempts.end(sent.attempt.id, end);
    const { to, patch = {}, note } = facts;
    const moved = await tables.documents.move(sent.document.id, {
      from: ['sending', 'uncertain'],
      ...(sent.left ? { known: sent.left } : {}),
      to,
      patch,
      note: { attempt: sent.attempt.n, outcome, ...note },
      now,
    });
    if (moved) await askNext(deps, tables, moved, { ...facts, now });
    return !ends || tables.work.finish(ends.id, ends.token, now);
  });
}

/** The work that follows from the state a document was moved to. */
async function askNext(
  deps: StepDeps,
  tables: Tables,
  moved: Document,
  { to, notBefore, next, now }: AnswerFacts & { now: Date },
): Promise<void> {
  if (to === 'processing')
    await askFollowUp(tables, moved, new Date(now.getTime() + (deps.timings.followUp[0] ?? 0)));
  if (to === 'uncertain') await askFollowUp(tables, moved, now);
  // Not left to how the step ends: another process may hold its work by now, and think it done.
  if (to === 'ready') await askSubmit(tables, moved, notBefore ?? now);
  if (to === 'rejected' || to === 'manual') await showStopped(tables, moved, now);
  if (next) await next(tables, moved, now);
}

/** Whether an earlier attempt of this document may have been stored: then nothing may be called unsent. */
export async function earlierAmbiguous(
  { ledger }: { ledger: Pick<Tables, 'attempts'> },
  sent: Pick<Sent, 'document' | 'attempt'>,
): Promise<Attempt[]> {
  const attempts = await ledger.attempts.ofDocument(sent.document.id);
  return attempts.filter((attempt) => attempt.id !== sent.attempt.id && isAmbiguous(attempt));
}
