import { type Attempt, type Document, documentNumber, type Series } from '../domain/document.ts';
import type { NewAttempt } from '../ledger/attempts.ts';
import type { Tables } from '../ledger/ledger.ts';
import type { KeyIssuer } from '../ledger/schema.ts';
import type { NamedKey } from '../protocol/events.ts';
import { rules } from '../protocol/rules.ts';
import {
  type AccessKeyFacts,
  accessKeyOf,
  freeDigitsOf,
  hasCheckDigit,
  issueDayOf,
  otherParts,
} from '../service/event.ts';

export const namedKey = (document: Document, accessKey: string): NamedKey => ({
  accessKey,
  isOfThis: keyNames(document, accessKey),
  issueDate: issueDayOf(accessKey),
});

/* A key can be foreseen where two authorised documents had the same free digits. It is a guess: "not found" under it says
 * nothing. */

/** The key this sending of a document will get; null where it cannot be foreseen. */
export async function foresee(
  { keyDigits }: Pick<Tables, 'keyDigits'>,
  document: Document,
  { issueDate, secuencial }: Pick<NewAttempt, 'issueDate' | 'secuencial'>,
): Promise<string | null> {
  const digits = await keyDigits.constant(document);
  return digits === null ? null : accessKeyOf({ ...document, issueDate, secuencial }, digits);
}

export async function foreseeLost(
  tables: Pick<Tables, 'keyDigits'>,
  document: Document,
  attempts: readonly Attempt[],
): Promise<Attempt[]> {
  const lastKey = attempts.findLast(({ accessKey }) => accessKey)?.accessKey;
  const digits = await digitsToAsk(tables, document, lastKey);
  return attempts.map((one) => {
    if (digits === null || !rules.outcomeUnknown(one) || one.accessKey !== null || one.foreseenKey !== null)
      return one;
    const { issueDate, secuencial } = one;
    return { ...one, foreseenKey: accessKeyOf({ ...document, issueDate, secuencial }, digits) };
  });
}

/** The digits of a key to ask about: constant ones, else the latest, else those of `accessKey`. */
export const digitsToAsk = async (
  { keyDigits }: Pick<Tables, 'keyDigits'>,
  issuer: KeyIssuer,
  accessKey: string | null | undefined,
): Promise<string | null> =>
  (await keyDigits.constant(issuer)) ??
  (await keyDigits.latest(issuer)) ??
  (accessKey ? freeDigitsOf(accessKey) : null);

type Numbered = Series & Pick<Document, 'secuencial'>;

export const factsOf = (document: Numbered): AccessKeyFacts => ({
  tipo_comprobante: document.codDoc,
  ruc_emisor: document.ruc,
  ambiente: document.ambiente,
  numero: documentNumber(document) ?? '',
});

/** Whether a key names this document: type, RUC, ambiente and number. A key from outside that does not never counts. */
export const keyNames = (document: Numbered, accessKey: string): boolean =>
  hasCheckDigit(accessKey) && otherParts(accessKey, factsOf(document)).length === 0;

export const isKey = (text: unknown): text is string => typeof text === 'string' && /^\d{49}$/.test(text);
