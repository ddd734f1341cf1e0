import { type Attempt, documentNumber } from '../core/document.ts';
import { done, type StepOutcome } from '../core/work.ts';
import { askReprocess } from './ask.ts';
import { causeOfTold } from './authority-errors.ts';
import type { StepDeps } from './deps.ts';
import { serviceOf } from './issued.ts';
import { record, type Sent } from './sent.ts';
import { heldByRejected, notAuthorised } from './sentences.ts';

/**
 * Whether the service says the same of that key now: an event may have spoken of an earlier document under it, and
 * somebody may have had it reprocessed. A service that does not answer leaves it open.
 */
export async function isStillRefused(
  deps: StepDeps,
  { document, store }: Sent,
  ended: Attempt,
): Promise<boolean> {
  if (ended.accessKey === null) return true;
  const calls = serviceOf(deps, document, store).calls(null);
  const answer = await calls.consultarComprobante(ended.accessKey);
  return answer.kind === 'not-found' || (answer.kind === 'found' && answer.state === 'error');
}

/**
 * 409 with the key of an attempt that ended with an error: the service keeps the number for our own document, which the
 * authority refused. That is not adopted. What lies in the document stays rejected; else the key is reprocessed once,
 * and then the number is for a person.
 */
export async function takeRejected(
  deps: StepDeps,
  sent: Sent,
  ended: Attempt,
  errors: string[],
): Promise<StepOutcome> {
  const { document } = sent;
  const { cause, says } = causeOfTold(ended.errors);
  if (cause === 'document') {
    const patch = { code: 'not-authorised', reason: notAuthorised(document, ended.errors, says) };
    await record(deps, sent, { outcome: 'unsent', errors, to: 'rejected', patch });
    return done;
  }
  const reason = heldByRejected(document, documentNumber(document) ?? '');
  const patch = { accessKey: ended.accessKey, code: 'number-registered', reason };
  const again = ended.reprocessed === 0;
  await record(deps, sent, {
    outcome: 'unsent',
    errors,
    to: again ? 'processing' : 'manual',
    patch,
    ...(again ? { next: askReprocess } : {}),
  });
  return done;
}
