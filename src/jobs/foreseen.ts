import type { Attempt, Document } from '../domain/document.ts';
import type { NewAttempt } from '../ledger/document-tables.ts';
import type { KeyIssuer } from '../ledger/key-digits.ts';
import type { Tables } from '../ledger/ledger.ts';
import { rules } from '../protocol/rules.ts';
import { accessKeyOf, freeDigitsOf } from '../service/access-key.ts';

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
    if (digits === null || !rules.outcomeUnknown(one) || one.accessKey !== null || one.foreseenKey !== null)
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
