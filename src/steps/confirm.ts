import type { AttemptOutcome, Document } from '../core/document.ts';
import type { FoundDocument } from '../service/answers.ts';
import type { ServiceCalls } from '../service/client.ts';
import { bearerOfNewKey } from './bearer.ts';
import { type Comparison, readStored } from './compare-stored.ts';
import type { StepDeps } from './deps.ts';
import { disown } from './foreign.ts';
import { findHolder, keysInQuestion } from './known-keys.ts';
import { meetStored } from './older-ledger/meet.ts';
import { applyOutcome } from './outcome.ts';
import { isAmbiguous } from './repeat.ts';

/**
 * Applies what the service says of a key, once it is sure that the document behind it is ours: our POST was answered
 * `creado: true` with it, else the XML must say so. A key we were never told, on one of our numbers, belongs to the
 * attempt whose answer is still out, if there is one; without, only an authorised document's XML can make it ours.
 * A number the authority has already is searched for under every other key of ours first. False = not sure yet, ask
 * again.
 */
export async function confirmOutcome(
  deps: StepDeps,
  calls: ServiceCalls,
  document: Document,
  found: FoundDocument,
): Promise<boolean> {
  const { claveacceso: accessKey } = found;
  const attempts = await deps.ledger.attempts.ofDocument(document.id);
  const bearer = attempts.findLast((attempt) => attempt.accessKey === accessKey);
  const isTold = bearer !== undefined || document.accessKey === accessKey;
  const open = isTold ? undefined : bearerOfNewKey(attempts, accessKey);
  if (found.state !== 'authorized' && !isTold && !(open && isAmbiguous(open))) return true;
  const attempt = bearer ?? open;
  if (found.state === 'authorized' && (attempt ? !answered.has(attempt.outcome) : !isTold)) {
    const compared = await readStored(calls, accessKey, document, attempts);
    if (compared.agreement === 'provisional') return false;
    if (compared.agreement === 'ours') await applyOutcome(deps, document, found, compared.sending);
    // What is known to be foreign already does not stop the series again that somebody has mended since.
    else if (bearer && document.code !== 'foreign-number')
      await disown(deps, document, bearer, 'read', compared);
    else if ((await meetForeign(deps, document, accessKey, compared)) !== 'noted')
      deps.log.error(
        { number: found.numero },
        'The service announced a foreign document under one of our numbers',
      );
    return true;
  }
  if (found.state === 'error' && attempt?.outcome !== 'error') {
    const keys = keysInQuestion(attempts, found);
    const holder = await findHolder(calls, document, attempts, keys);
    if (holder === 'unsure') return false;
    if (holder !== 'none') await applyOutcome(deps, document, holder.found, holder.sending);
  }
  if (open)
    await deps.ledger.attempts.end(open.id, { outcome: open.outcome, accessKey, now: deps.clock.now() });
  await applyOutcome(deps, document, found);
  return true;
}

/** One that names another order of ours is no stranger: the ledger had lost it (older-ledger/meet.ts). */
const meetForeign = (
  deps: StepDeps,
  { account, keyHash }: Document,
  accessKey: string,
  { stored }: Extract<Comparison, { agreement: 'foreign' }>,
) => meetStored(deps, { accessKey, stored, account, keyHash });

const answered = new Set<AttemptOutcome>(['created', 'authorized']);
