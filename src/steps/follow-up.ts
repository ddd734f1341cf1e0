import { type Attempt, type AttemptOutcome, type Document, documentNumber } from '../core/document.ts';
import type { MoveNote } from '../core/move-note.ts';
import type { IssuingKey } from '../core/settings.ts';
import { done, type Step, type StepOutcome } from '../core/work.ts';
import type { ServiceCalls } from '../service/client.ts';
import { pauseAccount } from './account-pause.ts';
import { askSubmit } from './ask.ts';
import { confirmOutcome } from './confirm.ts';
import type { StepDeps } from './deps.ts';
import { foreseeLost, foreseenOf, takeForeseen } from './foreseen.ts';
import { isRevoked, serviceOf } from './issued.ts';
import { takeFound, takeNotFound } from './not-found.ts';
import { isAmbiguous, mayRepeat } from './repeat.ts';
import { findTheKey, keyGone } from './sentences.ts';
import { showMove } from './show-move.ts';
import { tellUnconfirmed } from './unconfirmed.ts';
import { storeOfDocument } from './unknown-store.ts';

/** What a document says while nobody knows what became of its POST. */
const noAnswer = new Set<string | null>(['answer-lost', 'key-unexpected', 'unconfirmed']);
/** Attempts whose fate is known. */
const ended = new Set<AttemptOutcome>(['error', 'refused', 'unsent', 'authorized']);

/**
 * Asks the service about a document without a final state, slower and slower, until it has one: webhooks are
 * lost. A lost answer is asked about under its foreseen key, at once and before each repeat; where that tells nothing, the
 * webhook gets its time first and then the same number is repeated.
 */
export function followUp(deps: StepDeps): Step {
  return async (work) => {
    const document = await deps.ledger.documents.get(work.subject);
    if (document?.state !== 'processing' && document?.state !== 'uncertain') return done;
    const store = storeOfDocument(deps, document);
    const { ledger } = deps;
    const attempts = await foreseeLost(ledger, document, await ledger.attempts.ofDocument(document.id));
    const keyed = attempts.filter((attempt) => attempt.accessKey !== null && !ended.has(attempt.outcome));
    const key = serviceOf(deps, document, store);
    const calls = key.calls(work);
    let after: Document | undefined = document;
    const ask = async (some: readonly Attempt[]): Promise<StepOutcome | null> => {
      for (const attempt of some) {
        const outcome = await askAbout(deps, calls, { document, key }, attempt);
        if (outcome) return outcome;
      }
      if (some.length > 0) after = await deps.ledger.documents.get(document.id);
      return after?.state === 'processing' || after?.state === 'uncertain' ? null : done;
    };
    const outcome = await ask(keyed.length > 0 ? keyed : foreseenOf(attempts));
    if (outcome) return outcome;
    if (keyed.length === 0 && after.state === document.state)
      return withoutKey(deps, document, attempts, ask);
    await tellUnconfirmed(deps, document.id);
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
  const asked = attempt.accessKey ?? attempt.foreseenKey;
  if (asked === null) return null;
  const answer = await calls.consultarComprobante(asked);
  if (answer.kind === 'unauthorized')
    return isRevoked(deps, key)
      ? { kind: 'again', dueAt: deps.clock.now(), reason: 'an older API key was revoked' }
      : pauseAccount(deps, key.account, 'api-key');
  if (attempt.accessKey === null) {
    const taken = answer.kind === 'found' ? await takeForeseen(deps, document, attempt, answer) : undefined;
    if (taken && answer.kind === 'found') await confirmOutcome(deps, calls, taken, answer);
    return null;
  }
  if (answer.kind === 'not-found' && key.gone) return tellKeyGone(deps, document);
  if (answer.kind === 'not-found') return takeNotFound(deps, calls, document, attempt);
  if (answer.kind !== 'found') return null;
  await takeFound(deps, document, attempt);
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
 * No key is open to be asked about: wait for the webhook, then repeat the number, or leave it to a person who finds the
 * key. Before either, the keys of earlier sendings that were given up are asked about once more.
 */
async function withoutKey(
  deps: StepDeps,
  document: Document,
  attempts: readonly Attempt[],
  ask: (some: readonly Attempt[]) => Promise<StepOutcome | null>,
): Promise<StepOutcome> {
  // Every attempt has ended: what follows is other work (reprocess-document.ts).
  if (!attempts.some(isAmbiguous)) return done;
  await tellUnconfirmed(deps, document.id);
  const now = deps.clock.now();
  const verdict = mayRepeat(document, attempts, now, deps.timings);
  if (verdict.kind === 'later')
    return { kind: 'again', dueAt: verdict.at, reason: 'waiting for the webhook of a lost answer' };
  const settled = await ask(attempts.filter(({ accessKey }) => accessKey !== null));
  if (settled) return settled;
  if (verdict.kind === 'now') {
    await askSubmit(deps.ledger, document, now);
    return done;
  }
  const sent = new Date(attempts.at(-1)?.createdAt ?? now).getTime();
  const at = new Date(sent + deps.timings.repeatAcrossMidnight);
  if (at > now) return { kind: 'again', dueAt: at, reason: 'waiting for every retry of a webhook' };
  const note: MoveNote = { cause: 'no webhook told the key' };
  const patch = {
    code: noAnswer.has(document.code) ? 'key-unknown' : document.code,
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
