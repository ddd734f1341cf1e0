import { ecuadorDay } from '../domain/calendar.ts';
import { type ClaimedWork, done, type Step, type StepOutcome } from '../domain/work.ts';
import type { Sending } from '../protocol/events.ts';
import { lookForAnnulment } from './annulled.ts';
import type { StepDeps } from './deps.ts';
import { foresee } from './foreseen.ts';
import { serviceOf } from './issued.ts';
import { isOfOtherIssuer, isOfTrials } from './other-issuer.ts';
import { whileHeld } from './prove-shop.ts';
import { happens, type Observe } from './sending/happen.ts';
import { unknownStoreOf } from './unknown-store.ts';

/** Sends one document: first the attempt is on disk, then it leaves, then its answer is written. */
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
  as: Sending['as'],
): Promise<StepOutcome> {
  const slower = await lookForAnnulment(deps, documentId);
  if (slower) return slower;
  const run = { job: work && ('submit' as const), work };
  return (await happens(deps, documentId, isDue(deps, as), run)).outcome;
}

/** What is known of its store, issuer and key when it is to leave. */
export const isDue =
  (deps: StepDeps, as: Sending['as']): Observe =>
  async (tables, document, _attempts, now) => {
    const due = (sending: Omit<Sending, 'as'>) =>
      ({ kind: 'due', job: 'submit', sending: { as, ...sending } }) as const;
    const isNew = document.state === 'ready';
    if (!isNew && document.state !== 'uncertain')
      return { event: due({ issuer: 'same', foreseenKey: null }) };
    const store = deps.storeOf(document.platform, document.shop);
    if (!store) {
      // A probe takes another document.
      if (as === 'probe') return done;
      throw unknownStoreOf(deps, document);
    }
    // What may have left already is followed to its end, whatever became of its shop.
    const until = isNew && (await whileHeld({ ledger: tables, clock: { now: () => now } }, document));
    if (until) return until;
    const { account } = store;
    // Nothing of a new one is stored anywhere, so nothing binds it to the key it was planned under; a repeat leaves under
    // the key that sent it, and with that gone under the newest: the service or the authority refuses the second.
    const key = isNew ? { account, keyHash: account.keyHash } : serviceOf(deps, document, store);
    const isOther = isNew && isOfOtherIssuer(document, store);
    const issuer = !isOther ? 'same' : isOfTrials(document, store) ? 'trial' : 'other';
    const secuencial = document.secuencial ?? '';
    const issueDate = ecuadorDay(now);
    const issued = { ...document, account: key.account.id };
    const foreseenKey = await foresee(tables, issued, { issueDate, secuencial });
    return { event: due({ issuer, foreseenKey }), leaves: { store, key } };
  };
