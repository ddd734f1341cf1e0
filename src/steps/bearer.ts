import type { Attempt } from '../core/document.ts';
import { issueDayOf } from '../service/access-key.ts';
import { isAmbiguous, leftNothing } from './repeat.ts';

/**
 * Which attempt an access key is of: the one that bears it (the newest, where a number left twice under one), else one
 * whose answer was lost. Undefined where no answer is missing.
 */
export function bearerOf(attempts: readonly Attempt[], accessKey: string): Attempt | undefined {
  return attempts.findLast((attempt) => attempt.accessKey === accessKey) ?? lostOf(attempts, accessKey);
}

/** The same for a key that the document was never told: also one that was believed to have left nothing. */
export function bearerOfNewKey(attempts: readonly Attempt[], accessKey: string): Attempt | undefined {
  const believed = attempts.filter((attempt) => attempt.accessKey === null && leftNothing(attempt));
  return lostOf(attempts, accessKey) ?? ofItsDay(believed.toReversed(), accessKey);
}

const lostOf = (attempts: readonly Attempt[], accessKey: string): Attempt | undefined =>
  ofItsDay(
    attempts.filter((attempt) => attempt.accessKey === null && isAmbiguous(attempt)),
    accessKey,
  );

/** The first of the key's own day: a number that is repeated after midnight leaves with another date. */
function ofItsDay(attempts: readonly Attempt[], accessKey: string): Attempt | undefined {
  const day = issueDayOf(accessKey);
  return attempts.find(({ issueDate }) => issueDate === day) ?? attempts[0];
}
