import type { Attempt } from '../core/document.ts';
import { done, type StepOutcome } from '../core/work.ts';
import { bearerOf } from './bearer.ts';
import { type Comparison, readStored } from './compare-stored.ts';
import type { StepDeps } from './deps.ts';
import { flowAgain } from './flow-again.ts';
import { keepStopped, stopSeries } from './foreign.ts';
import { serviceOf } from './issued.ts';
import { isStillRefused, takeRejected } from './rejected-number.ts';
import { isAmbiguous, leftNothing } from './repeat.ts';
import { earlierAmbiguous, record, type Sent } from './sent.ts';
import { lostBefore } from './sentences.ts';

/**
 * 409: the service already holds this number. After a lost answer of ours it is most likely ours and adopted, unless
 * its authorised XML is none of our attempts'.
 */
export async function takeDuplicate(
  deps: StepDeps,
  sent: Sent,
  accessKey: string | null,
  errors: string[],
): Promise<StepOutcome> {
  const { document, store, attempt } = sent;
  const attempts = await deps.ledger.attempts.ofDocument(document.id);
  const earlier = attempts.filter((one) => one.id !== attempt.id && isAmbiguous(one));
  if (earlier.length === 0) return takeSettled(deps, sent, accessKey, errors);
  if (accessKey === null) {
    await record(deps, sent, (lost) => ({ outcome: 'refused', errors, to: lost ? 'uncertain' : 'ready' }));
    return done;
  }
  const calls = serviceOf(deps, document, store).calls(null);
  const compared = await readStored(calls, accessKey, document, attempts);
  if (compared.agreement === 'foreign') return takeForeign(deps, sent, accessKey, errors, compared);
  if (!(await adopt(deps, sent, earlier, accessKey))) return takeSettled(deps, sent, accessKey, errors);
  return goOnWith(deps, sent, accessKey, errors);
}

/** This POST left nothing: what is stored came with an earlier one, and so under its API key. */
async function goOnWith(
  deps: StepDeps,
  sent: Sent,
  accessKey: string | null,
  errors: string[],
): Promise<StepOutcome> {
  const { account, keyHash } = sent.document;
  const patch = { accessKey, account, keyHash, code: null, reason: null };
  await record(deps, sent, { outcome: 'unsent', errors, to: 'processing', patch });
  return done;
}

/** What was believed of an attempt does not hold: its key is asked about, and its XML compared, once more. */
async function reopen(deps: StepDeps, sent: Sent, told: Attempt, errors: string[]): Promise<StepOutcome> {
  await deps.ledger.attempts.end(told.id, { outcome: 'adopted', now: deps.clock.now() });
  return goOnWith(deps, sent, told.accessKey, errors);
}

/**
 * No answer is missing any more: the webhook told of the first POST while its number was being repeated, or the first
 * one was believed to have left nothing. What is known of its key stands.
 */
async function takeSettled(
  deps: StepDeps,
  sent: Sent,
  accessKey: string | null,
  errors: string[],
): Promise<StepOutcome> {
  const { document, attempt } = sent;
  const attempts = await deps.ledger.attempts.ofDocument(document.id);
  const keyed = attempts.filter((other) => other.id !== attempt.id && other.accessKey !== null);
  const told = keyed.findLast((other) => accessKey === null || other.accessKey === accessKey);
  if (told?.outcome === 'error')
    return (await isStillRefused(deps, sent, told))
      ? takeRejected(deps, sent, told, errors)
      : reopen(deps, sent, told, errors);
  if (told && !leftNothing(told)) return goOnWith(deps, sent, told.accessKey, errors);
  return takeUnexpected(deps, sent, {
    accessKey: accessKey ?? told?.accessKey ?? null,
    told,
    attempts,
    errors,
  });
}

/**
 * Nothing of ours should stand there. It is ours all the same where its authorised XML says so (the service had not
 * known what it held; a gateway delivered one POST twice) or, until that can be read, where an attempt bears its key.
 * Else it is somebody else's, and the series burns no more numbers until a person has looked.
 */
async function takeUnexpected(
  deps: StepDeps,
  sent: Sent,
  found: {
    accessKey: string | null;
    told: Attempt | undefined;
    attempts: readonly Attempt[];
    errors: string[];
  },
): Promise<StepOutcome> {
  const { document, store } = sent;
  const { accessKey, told, attempts, errors } = found;
  if (accessKey === null) return takeForeign(deps, sent, accessKey, errors);
  const calls = serviceOf(deps, document, store).calls(null);
  const compared = await readStored(calls, accessKey, document, attempts);
  if (compared.agreement === 'foreign' || (compared.agreement === 'provisional' && !told))
    return takeForeign(deps, sent, accessKey, errors, compared);
  if (told) return reopen(deps, sent, told, errors);
  const patch = { accessKey, code: null, reason: null };
  await record(deps, sent, { outcome: 'adopted', accessKey, errors, to: 'processing', patch });
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
    const bearer = bearerOf(open, accessKey) ?? open.at(-1);
    for (const one of open) {
      const end =
        one === bearer ? ({ outcome: 'adopted', accessKey } as const) : ({ outcome: 'unsent' } as const);
      await attempts.end(one.id, { ...end, now });
    }
    return true;
  });
}

async function takeForeign(
  deps: StepDeps,
  sent: Sent,
  accessKey: string | null,
  errors: string[],
  compared?: Comparison,
): Promise<StepOutcome> {
  const stopped = await stopSeries(deps, sent.document, accessKey, compared);
  // Whether a sending of ours is somewhere else all the same, only a person can find out.
  const lost = (await earlierAmbiguous(deps, sent)).length > 0;
  const patch = lost ? { ...stopped, reason: `${stopped.reason} ${lostBefore(sent.document)}` } : stopped;
  const note = accessKey === null ? {} : { foreignKey: accessKey };
  await record(deps, sent, { outcome: 'refused', errors, to: 'manual', patch, note, next: keepStopped });
  // Where a webhook told meanwhile that it is ours, nothing moved.
  await deps.ledger.transaction((tables) => flowAgain(deps, tables, sent.document, deps.clock.now()));
  return done;
}
