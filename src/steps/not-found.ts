import type { Attempt, Document } from '../core/document.ts';
import type { MoveNote } from '../core/move-note.ts';
import { done, type StepOutcome } from '../core/work.ts';
import type { ServiceCalls } from '../service/client.ts';
import { askFollowUp, askSubmit } from './ask.ts';
import { compareStored } from './compare-stored.ts';
import type { StepDeps } from './deps.ts';
import { disown } from './foreign.ts';
import { isAmbiguous, leavesAgainAt } from './repeat.ts';

/** How the history keeps such an answer. */
type Told = MoveNote & { accessKey?: string };
const cause = 'not found';
/** How it keeps what is believed then. */
export const knownUnsent = 'known unsent';

/**
 * The service knows no such document, once it has said so often enough: what it answered 500 to was never stored, and
 * a key it named in a 409 without showing us the document was issued with another API key (spec, key rules).
 */
export async function takeNotFound(
  deps: StepDeps,
  calls: ServiceCalls,
  document: Document,
  attempt: Attempt,
): Promise<StepOutcome | null> {
  if (!isAmbiguous(attempt) && attempt.outcome !== 'adopted') return null;
  if (!(await isBelieved(deps, document, attempt))) return null;
  if (isAmbiguous(attempt)) return dismiss(deps, document, attempt);
  const { accessKey } = attempt;
  const attempts = await deps.ledger.attempts.ofDocument(document.id);
  // Its XML may be there all the same, and then it says whose it is.
  const isOurs = accessKey !== null && (await compareStored(calls, accessKey, document, attempts)) === 'ours';
  if (!isOurs) await disown(deps, document, attempt, 'unseen');
  return null;
}

/** The service shows it after all: what it said before does not count any more. */
export async function takeFound({ ledger, clock }: StepDeps, document: Document, attempt: Attempt) {
  const { id, state } = document;
  if (!isAmbiguous(attempt) && attempt.outcome !== 'adopted') return;
  if ((await toldOf(ledger, id, attempt.accessKey)).length === 0) return;
  const note: MoveNote = { cause: 'found', accessKey: attempt.accessKey };
  await ledger.documents.move(id, { from: [state], to: state, note, now: clock.now() });
}

/**
 * One such answer proves nothing: behind it may stand a replica that lags, or a cache. Several over some time do. Each
 * is kept in the history of the document, so that no restart forgets them; those close together count once.
 */
async function isBelieved(
  { ledger, clock, timings }: StepDeps,
  { id, state }: Document,
  { accessKey, createdAt }: Attempt,
): Promise<boolean> {
  const now = clock.now();
  const age = (instant: string) => now.getTime() - Date.parse(instant);
  const told = await toldOf(ledger, id, accessKey);
  const { answers, apart, over } = timings.notFound;
  const isEnough = (count: number) => count >= answers && age(told[0] ?? now.toISOString()) >= over;
  if (isEnough(told.length)) return true;
  if (age(told.at(-1) ?? createdAt) < apart) return false;
  const moved = await ledger.documents.move(id, {
    from: [state],
    to: state,
    note: { cause, accessKey },
    now,
  });
  return moved !== undefined && isEnough(told.length + 1);
}

/** When the service said so of this key, since anything else became of the document. */
async function toldOf(
  { documents }: Pick<StepDeps['ledger'], 'documents'>,
  id: string,
  accessKey: string | null,
): Promise<string[]> {
  const moves = (await documents.history(id)).map(({ at, note }) => ({ at, ...(note as Told | null) }));
  const since = moves.findLastIndex((move) => move.cause !== cause) + 1;
  return moves.slice(since).flatMap((move) => (move.accessKey === accessKey ? [move.at] : []));
}

/**
 * That POST left nothing behind. With no other in doubt the number is known unused and leaves again, at its pace; else
 * the others are asked for.
 */
async function dismiss(deps: StepDeps, document: Document, attempt: Attempt): Promise<StepOutcome> {
  const now = deps.clock.now();
  await deps.ledger.transaction(async (tables) => {
    // Its key stays: should the service be wrong, the 409 or the event that names it finds it here. An event may be here.
    await tables.attempts.end(attempt.id, { outcome: 'unsent', now, unlessSettled: true });
    const attempts = await tables.attempts.ofDocument(document.id);
    const others = attempts.some(isAmbiguous);
    const moved = await tables.documents.move(document.id, {
      from: ['uncertain'],
      to: others ? 'uncertain' : 'ready',
      patch: { accessKey: null, ...(others ? {} : { code: null, reason: null }) },
      note: { cause: knownUnsent },
      now,
    });
    if (!moved) return;
    if (others) return askFollowUp(tables, moved, now);
    await askSubmit(tables, moved, leavesAgainAt(attempts, deps.timings));
  });
  return done;
}
