import { type Attempt, type AttemptOutcome, type Document, documentNumber } from '../core/document.ts';
import type { IssuingKey } from '../core/settings.ts';
import { done, type Step, type StepOutcome } from '../core/work.ts';
import type { ServiceCalls } from '../service/client.ts';
import { pauseAccount } from './account-pause.ts';
import { askFollowUp, askSubmit } from './ask.ts';
import { confirmOutcome } from './confirm.ts';
import type { StepDeps } from './deps.ts';
import { disown } from './foreign.ts';
import { isRevoked, serviceOf } from './issued.ts';
import { isAmbiguous, mayRepeat } from './repeat.ts';
import { findTheKey, keyGone } from './sentences.ts';
import { showMove } from './show-move.ts';
import { storeOfDocument } from './unknown-store.ts';

/** Attempts whose fate is known. */
const ended = new Set<AttemptOutcome>(['error', 'refused', 'unsent', 'authorized']);

/**
 * Asks the service about a document without a final state, slower and slower, until it has one: webhooks are
 * lost. For a lost answer it waits for the webhook first and then has the same number repeated.
 */
export function followUp(deps: StepDeps): Step {
  return async (work) => {
    const document = await deps.ledger.documents.get(work.subject);
    if (document?.state !== 'processing' && document?.state !== 'uncertain') return done;
    const store = storeOfDocument(deps, document);
    const attempts = await deps.ledger.attempts.ofDocument(document.id);
    const keyed = attempts.filter((attempt) => attempt.accessKey !== null && !ended.has(attempt.outcome));
    if (keyed.length === 0) return withoutKey(deps, document, attempts);
    const key = serviceOf(deps, document, store);
    const calls = key.calls(work);
    for (const attempt of keyed) {
      const outcome = await askAbout(deps, calls, { document, key }, attempt);
      if (outcome) return outcome;
    }
    const after = await deps.ledger.documents.get(document.id);
    if (after?.state !== 'processing' && after?.state !== 'uncertain') return done;
    return { kind: 'again', dueAt: nextLook(deps, attempts), reason: 'the document has no final state yet' };
  };
}

/** Asks about one attempt; an outcome only when nothing more can be done now. */
async function askAbout(
  deps: StepDeps,
  calls: ServiceCalls,
  { document, key }: { document: Document; key: IssuingKey },
  attempt: Attempt,
): Promise<StepOutcome | null> {
  if (attempt.accessKey === null) return null;
  const answer = await calls.consultarComprobante(attempt.accessKey);
  if (answer.kind === 'unauthorized')
    return isRevoked(deps, key)
      ? { kind: 'again', dueAt: deps.clock.now(), reason: 'an older API key was revoked' }
      : pauseAccount(deps, key.account, 'api-key');
  if (answer.kind === 'not-found' && key.gone) return tellKeyGone(deps, document);
  if (answer.kind === 'not-found') return takeNotFound(deps, document, attempt);
  if (answer.kind !== 'found') return null;
  await confirmOutcome(deps, calls, document, answer);
  return null;
}

/** The newest key cannot see what another one issued: nothing was learned. A webhook may still tell it. */
async function tellKeyGone(deps: StepDeps, document: Document): Promise<null> {
  if (document.code === 'key-gone') return null;
  const { id, state, storeId } = document;
  const patch = { code: 'key-gone', reason: keyGone(document) };
  await deps.ledger.documents.move(id, { from: [state], to: state, patch, now: deps.clock.now() });
  deps.log.warn(
    { store: storeId, number: documentNumber(document) },
    'The API key that issued this document left the config; add it to apiKeys so that it can be asked about',
  );
  return null;
}

/**
 * The service knows no such document, once it had its time: what it answered 500 to was never stored, and a key it
 * named in a 409 without showing us the document was issued with another API key (spec, key rules).
 */
async function takeNotFound(
  deps: StepDeps,
  document: Document,
  attempt: Attempt,
): Promise<StepOutcome | null> {
  const now = deps.clock.now();
  if (new Date(attempt.createdAt).getTime() + deps.timings.repeatAfter > now.getTime()) return null;
  if (isAmbiguous(attempt)) return dismiss(deps, document, attempt);
  if (attempt.outcome === 'adopted') await disown(deps, document, attempt);
  return null;
}

/** That POST left nothing behind. With no other in doubt the number is known unused; else the others are asked for. */
async function dismiss(deps: StepDeps, document: Document, attempt: Attempt): Promise<StepOutcome> {
  const now = deps.clock.now();
  await deps.ledger.transaction(async (tables) => {
    await tables.attempts.end(attempt.id, { outcome: 'unsent', accessKey: null, now });
    const others = (await tables.attempts.ofDocument(document.id)).some(
      (other) => other.id !== attempt.id && isAmbiguous(other),
    );
    const moved = await tables.documents.move(document.id, {
      from: ['uncertain'],
      to: others ? 'uncertain' : 'ready',
      patch: { accessKey: null, ...(others ? {} : { code: null, reason: null }) },
      note: { cause: 'known unsent' },
      now,
    });
    if (moved) await (others ? askFollowUp : askSubmit)(tables, moved, now);
  });
  return done;
}

/** Nothing can be asked: wait for the webhook, then repeat the number, or leave it to a person who finds the key. */
async function withoutKey(
  deps: StepDeps,
  document: Document,
  attempts: readonly Attempt[],
): Promise<StepOutcome> {
  // Every attempt has ended: what follows is other work (reprocess-document.ts).
  if (!attempts.some(isAmbiguous)) return done;
  const now = deps.clock.now();
  const verdict = mayRepeat(document, attempts, now, deps.timings);
  if (verdict.kind === 'later')
    return { kind: 'again', dueAt: verdict.at, reason: 'waiting for the webhook of a lost answer' };
  if (verdict.kind === 'now') {
    await askSubmit(deps.ledger, document, now);
    return done;
  }
  const sent = new Date(attempts.at(-1)?.createdAt ?? now).getTime();
  const at = new Date(sent + deps.timings.repeatAcrossMidnight);
  if (at > now) return { kind: 'again', dueAt: at, reason: 'waiting for every retry of a webhook' };
  const note = { cause: 'no webhook told the key' };
  const patch = {
    code: document.code === 'answer-lost' ? 'key-unknown' : document.code,
    reason: findTheKey(document),
  };
  await showMove(deps, document.id, {
    from: ['uncertain'],
    to: 'manual',
    patch,
    note,
    now,
  });
  return done;
}

/** The next look lies one step of the schedule after the last emission, counted from its age. */
function nextLook(deps: StepDeps, attempts: readonly Attempt[]): Date {
  const now = deps.clock.now().getTime();
  const schedule = deps.timings.followUp;
  let at = new Date(attempts.at(-1)?.createdAt ?? now).getTime();
  for (const wait of schedule) {
    at += wait;
    if (at > now) return new Date(at);
  }
  return new Date(now + (schedule.at(-1) ?? 0));
}
