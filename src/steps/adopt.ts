import { referenceField } from '../../mappers/additional-info.ts';
import { type Attempt, type Document, documentNumber, documentReference } from '../core/document.ts';
import { toAmount } from '../core/money.ts';
import { done, type StepOutcome } from '../core/work.ts';
import type { ServiceCalls } from '../service/client.ts';
import type { StepDeps } from './deps.ts';
import { stopSeries } from './foreign.ts';
import { serviceOf } from './issued.ts';
import { takeRejected } from './rejected-number.ts';
import { isAmbiguous } from './repeat.ts';
import { earlierAmbiguous, record, type Sent } from './sent.ts';

/** Whether a stored document is ours: `provisional` while its XML cannot be read yet. */
export type Agreement = 'ours' | 'foreign' | 'provisional';

/**
 * Compares what the service holds under a key with our attempts: our reference, the number, the buyer and the
 * total of the authorised XML. Never with a new mapping, which may have changed since.
 */
export async function compareStored(
  calls: ServiceCalls,
  accessKey: string,
  document: Document,
  attempts: readonly Attempt[],
): Promise<Agreement> {
  const answer = await calls.descargarXml(accessKey);
  if (answer.kind !== 'found') return 'provisional';
  const stored = answer.facts;
  const agrees =
    stored.campoAdicional[referenceField] === documentReference(document) &&
    stored.numero === documentNumber(document) &&
    attempts.some(
      (attempt) =>
        attempt.buyerId === stored.identificacionComprador && attempt.total === toAmount(stored.importeTotal),
    );
  return agrees ? 'ours' : 'foreign';
}

/**
 * 409: the service already holds this number. After a lost answer of ours it is most likely ours and adopted;
 * without one it is somebody else's, and the series burns no more numbers until a person has looked.
 */
export async function takeDuplicate(
  deps: StepDeps,
  sent: Sent,
  accessKey: string | null,
  errors: string[],
): Promise<StepOutcome> {
  const { document, store } = sent;
  const earlier = await earlierAmbiguous(deps, sent);
  if (earlier.length === 0) return takeSettled(deps, sent, accessKey, errors);
  if (accessKey === null) {
    await record(deps, sent, (lost) => ({ outcome: 'unsent', errors, to: lost ? 'uncertain' : 'ready' }));
    return done;
  }
  const calls = serviceOf(deps, document, store).calls(null);
  const agreement = await compareStored(calls, accessKey, document, earlier);
  if (agreement === 'foreign') return takeForeign(deps, sent, accessKey, errors);
  if (!(await adopt(deps, sent, earlier, accessKey))) return takeSettled(deps, sent, accessKey, errors);
  // What is stored came with the earlier POST, and so under its key.
  const { account, keyHash } = document;
  const patch = { accessKey, account, keyHash, code: null, reason: null };
  await record(deps, sent, { outcome: 'unsent', errors, to: 'processing', patch });
  return done;
}

/**
 * No answer is missing any more: the webhook told of the first POST while its number was being repeated. What it
 * told stands; only a key that none of our attempts bears is somebody else's.
 */
async function takeSettled(
  deps: StepDeps,
  sent: Sent,
  accessKey: string | null,
  errors: string[],
): Promise<StepOutcome> {
  const { document, attempt } = sent;
  const keyed = (await deps.ledger.attempts.ofDocument(document.id)).filter(
    (other) => other.id !== attempt.id && other.accessKey !== null,
  );
  const told = keyed.findLast((other) => accessKey === null || other.accessKey === accessKey);
  if (!told) return takeForeign(deps, sent, accessKey, errors);
  if (told.outcome === 'error') return takeRejected(deps, sent, told, errors);
  const patch = { accessKey: told.accessKey, code: null, reason: null };
  await record(deps, sent, { outcome: 'unsent', errors, to: 'processing', patch });
  return done;
}

/**
 * What is stored came with an earlier POST; one number is stored once, so the others left nothing. What the webhook
 * told while the stored document was being read is more than this answer knows: then false, and nothing changes.
 */
async function adopt(
  deps: StepDeps,
  { document, attempt }: Sent,
  earlier: readonly Attempt[],
  accessKey: string,
): Promise<boolean> {
  const now = deps.clock.now();
  return deps.ledger.transaction(async ({ attempts }) => {
    const before = (await attempts.ofDocument(document.id)).filter(({ id }) => id !== attempt.id);
    if (before.some((one) => one.accessKey === accessKey && !isAmbiguous(one))) return false;
    const open = before.filter((one) => isAmbiguous(one) && earlier.some(({ id }) => id === one.id));
    for (const one of open.slice(0, -1)) await attempts.end(one.id, { outcome: 'unsent', now });
    const last = open.at(-1);
    if (last) await attempts.end(last.id, { outcome: 'adopted', accessKey, now });
    return true;
  });
}

async function takeForeign(
  deps: StepDeps,
  sent: Sent,
  accessKey: string | null,
  errors: string[],
): Promise<StepOutcome> {
  const patch = await stopSeries(deps, sent.document, accessKey);
  await record(deps, sent, { outcome: 'refused', errors, to: 'manual', patch });
  return done;
}
