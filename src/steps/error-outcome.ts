import { ecuadorDay } from '../core/calendar.ts';
import type { Attempt, AttemptOutcome, Document } from '../core/document.ts';
import type { ErrorCause } from '../core/move-note.ts';
import type { Tables } from '../ledger/ledger.ts';
import type { FoundDocument } from '../service/answers.ts';
import { askFollowUp, askReprocess } from './ask.ts';
import { causeOf } from './authority-errors.ts';
import type { StepDeps } from './deps.ts';
import { isVerified } from './older-ledger/check-series.ts';
import { askCatchUp, suspectReason } from './older-ledger/meet.ts';
import { alreadyRegistered, notAuthorised, triedAgain } from './sentences.ts';
import { showStopped } from './wake-order.ts';

/** An attempt whose key ended with an error, among all attempts of its document. */
interface Ended {
  document: Document;
  found: FoundDocument;
  attempt: Attempt | undefined;
  attempts: readonly Attempt[];
  now: Date;
}

/**
 * An error ends its attempt. While another attempt may still come true the document is uncertain. Else, where the
 * cause lies outside the document, its key is reprocessed later, so many times (reprocess-document.ts). What lies in
 * the document or stays wrong is rejected; a number the authority has from elsewhere is for a person: 43, 45 and 70
 * never mean a new number.
 */
export async function endWithError(deps: StepDeps, tables: Tables, ended: Ended): Promise<void> {
  const { document, found, attempt, attempts, now } = ended;
  // Told before: nothing is new, and nothing may be asked because of it.
  if (attempt?.outcome === 'error') return;
  const { cause, says } = causeOf(found.errors);
  if (cause === 'in-process' && !isStale(deps, attempt, now)) return;
  const accessKey = found.claveacceso;
  const errors = found.errors.map((error) =>
    [error.identificador, error.mensaje, error.informacionAdicional].filter(Boolean).join(' '),
  );
  if (attempt) await tables.attempts.end(attempt.id, { outcome: 'error', accessKey, errors, now });
  const others = attempts.filter(({ id }) => id !== attempt?.id);
  const uncertain = others.some(({ outcome }) => mayComeTrue.has(outcome));
  const wait = uncertain || !attempt ? null : waitFor(deps, cause, attempt, others, now);
  const known = exists.has(cause);
  const final = known ? alreadyRegistered(document) : notAuthorised(document, errors, says);
  const moved = await tables.documents.move(document.id, {
    from: ['sending', 'processing', 'uncertain'],
    to: uncertain ? 'uncertain' : wait !== null ? 'processing' : known ? 'manual' : 'rejected',
    patch: {
      code: known ? 'number-registered' : wait === null ? 'not-authorised' : 'reprocess',
      reason: wait === null ? final : triedAgain(document, errors, says),
    },
    note: { accessKey, errors, cause },
    now,
  });
  if (!moved) return;
  if (uncertain) return askFollowUp(tables, moved, now);
  await tables.work.forget('follow-up', document.id);
  // Taken at its first sending: by a document of ours, perhaps, that the ledger lost.
  if (known && others.length === 0) {
    const { secuencial } = moved;
    if (!isVerified(deps, moved))
      await tables.sequences.stop(moved, { reason: suspectReason, secuencial }, now);
    await lookBehind(deps, tables, moved, now);
  }
  if (wait === null) await showStopped(tables, moved, now);
  else await askReprocess(tables, moved, new Date(now.getTime() + wait));
}

const lookBehind = (deps: StepDeps, tables: Tables, moved: Document, now: Date): Promise<void> => {
  const store = deps.storeOf(moved.platform, moved.shop);
  return store ? askCatchUp(tables, moved, { store, ...moved }, now) : Promise.resolve();
};

const mayComeTrue = new Set<AttemptOutcome>(['open', 'unknown', 'created', 'adopted', 'reprocessed']);
/** The authority has the document, under this key or another: only a person or the key itself can tell which. */
const exists = new Set<ErrorCause>(['registered', 'number-taken', 'in-process']);

/** The authority has been at its key for longer than it may. */
const isStale = ({ timings }: StepDeps, attempt: Attempt | undefined, now: Date) =>
  attempt !== undefined && Date.parse(attempt.createdAt) + timings.inProcess <= now.getTime();

/** Milliseconds until the key is reprocessed (or, on another day, leaves anew); null when that cures nothing any more. */
function waitFor(
  { timings }: StepDeps,
  cause: ErrorCause,
  attempt: Attempt,
  others: readonly Attempt[],
  now: Date,
): number | null {
  if (cause === 'document' || cause === 'number-taken') return null;
  const tried = [...others, attempt].reduce((count, one) => count + one.reprocessed, 0);
  const left = others.filter(({ outcome }) => outcome === 'error').length;
  const wait = timings.reprocess[tried + left] ?? null;
  if (cause !== 'date') return wait;
  return wait === null || attempt.issueDate === ecuadorDay(now) ? null : 0;
}
