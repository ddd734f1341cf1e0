import type { Attempt, Document } from '../core/document.ts';
import type { MoveNote } from '../core/move-note.ts';
import type { NewAttempt } from '../ledger/document-tables.ts';
import type { KeyIssuer } from '../ledger/key-digits.ts';
import type { Tables } from '../ledger/ledger.ts';
import { accessKeyOf, freeDigitsOf } from '../service/access-key.ts';
import type { FoundDocument } from '../service/answers.ts';
import type { StepDeps } from './deps.ts';
import { keyNames } from './key-names.ts';
import { isAmbiguous } from './repeat.ts';

/*
 * The access key of a document can be foreseen where the service gives all documents of an account and type the same free
 * digits: the rest follows from the document. So a lost answer is asked about by the key it would have named. Digits are
 * believed constant once two authorised documents bore them, and no longer when a key is answered with others. A foreseen
 * key is a question only: what is found under it is compared like what a 409 names, and "not found" proves nothing.
 */

/** The key this sending of a document gets; null where it cannot be foreseen. */
export async function foresee(
  { keyDigits }: Pick<Tables, 'keyDigits'>,
  document: Document,
  { issueDate, secuencial }: Pick<NewAttempt, 'issueDate' | 'secuencial'>,
): Promise<string | null> {
  const digits = await keyDigits.constant(document);
  return digits === null ? null : accessKeyOf({ ...document, issueDate, secuencial }, digits);
}

/** A document was authorised just now: where under the key that its POST was answered with, its digits are learned. */
export async function learnDigits(
  { keyDigits }: Pick<Tables, 'keyDigits'>,
  document: Document,
  attempt: Attempt | undefined,
  accessKey: string,
): Promise<void> {
  if (attempt?.outcome !== 'created' || attempt.foreseenKey === accessKey) return;
  if (keyNames(document, accessKey))
    await keyDigits.learn(document, freeDigitsOf(accessKey), attempt.createdAt);
}

/**
 * Lost attempts that left before the digits were known are foreseen by those known now, else by those of the last key that
 * was told: it is a question only.
 */
export async function foreseeLost(
  tables: Pick<Tables, 'keyDigits'>,
  document: Document,
  attempts: readonly Attempt[],
): Promise<Attempt[]> {
  const digits = await digitsToAsk(
    tables,
    document,
    attempts.findLast(({ accessKey }) => accessKey)?.accessKey,
  );
  return attempts.map((one) => {
    if (digits === null || !isAmbiguous(one) || one.accessKey !== null || one.foreseenKey !== null)
      return one;
    const { issueDate, secuencial } = one;
    return { ...one, foreseenKey: accessKeyOf({ ...document, issueDate, secuencial }, digits) };
  });
}

/** The digits a key may bear that is asked about: constant ones, else the latest, else those of this key. */
export const digitsToAsk = async (
  { keyDigits }: Pick<Tables, 'keyDigits'>,
  issuer: KeyIssuer,
  accessKey: string | null | undefined,
): Promise<string | null> =>
  (await keyDigits.constant(issuer)) ??
  (await keyDigits.latest(issuer)) ??
  (accessKey ? freeDigitsOf(accessKey) : null);

/** The lost attempts that can be asked about by a foreseen key: the first of those that left on one day. */
export function foreseenOf(attempts: readonly Attempt[]): Attempt[] {
  const lost = attempts.filter(
    (one) => isAmbiguous(one) && one.accessKey === null && one.foreseenKey !== null,
  );
  return lost.filter((one, n) => lost.findIndex(({ foreseenKey }) => foreseenKey === one.foreseenKey) === n);
}

/**
 * What the service shows under the foreseen key of a lost attempt becomes that attempt's, as after a 409: its authorised
 * XML says whether it is ours. An error that ended an earlier sending under the same key says nothing of the lost one.
 * Undefined where nothing is learned, or somebody told of it meanwhile.
 */
export async function takeForeseen(
  { ledger, clock }: Pick<StepDeps, 'ledger' | 'clock'>,
  document: Document,
  { id }: Attempt,
  { state, claveacceso: accessKey }: FoundDocument,
): Promise<Document | undefined> {
  const now = clock.now();
  return ledger.transaction(async (tables) => {
    const attempts = await tables.attempts.ofDocument(document.id);
    const attempt = attempts.find((one) => one.id === id);
    if (!attempt || !isAmbiguous(attempt) || attempt.accessKey !== null) return undefined;
    const isOld = attempts.some((one) => one.accessKey === accessKey && one.outcome === 'error');
    if (state === 'error' && isOld) return undefined;
    const note: MoveNote = { cause: 'foreseen key', attempt: attempt.n, accessKey };
    const patch = { accessKey, code: null, reason: null };
    const moved = await tables.documents.move(document.id, {
      from: ['uncertain'],
      to: 'processing',
      patch,
      note,
      now,
    });
    if (moved) await tables.attempts.end(attempt.id, { outcome: 'adopted', accessKey, now });
    return moved;
  });
}
