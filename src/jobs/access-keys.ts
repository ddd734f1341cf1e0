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

/** What the digits of a key say of this document. */
export const namedKey = (document: Document, accessKey: string): NamedKey => ({
  accessKey,
  isOfThis: keyNames(document, accessKey),
  issueDate: issueDayOf(accessKey),
});

/*
 * The access key of a document can be foreseen where the service gives all documents of an account and type the same free
 * digits; the rest follows from the document. After a lost answer the service is asked about that key. Digits count as
 * constant once two authorised documents had them, until a key has others. A foreseen key is a guess: what is found under it
 * is compared like the document of a 409, and "not found" means nothing.
 */

/** The key this sending of a document will get; null where it cannot be foreseen. */
export async function foresee(
  { keyDigits }: Pick<Tables, 'keyDigits'>,
  document: Document,
  { issueDate, secuencial }: Pick<NewAttempt, 'issueDate' | 'secuencial'>,
): Promise<string | null> {
  const digits = await keyDigits.constant(document);
  return digits === null ? null : accessKeyOf({ ...document, issueDate, secuencial }, digits);
}

/** Foresees the keys of lost attempts that were sent before the digits were known, by those known now or of the last key. */
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

/** What the key of a document must say of it (ficha técnica SRI, tabla 1). */
export const factsOf = (document: Numbered): AccessKeyFacts => ({
  tipo_comprobante: document.codDoc,
  ruc_emisor: document.ruc,
  ambiente: document.ambiente,
  numero: documentNumber(document) ?? '',
});

/**
 * Whether a key of 49 digits names this document: its type, RUC, ambiente and number. No key from outside (an answer, an
 * event, a list, a person) counts for a document that it does not name.
 */
export const keyNames = (document: Numbered, accessKey: string): boolean =>
  hasCheckDigit(accessKey) && otherParts(accessKey, factsOf(document)).length === 0;

/** Whether it has the form of an access key: 49 digits. */
export const isKey = (text: unknown): text is string => typeof text === 'string' && /^\d{49}$/.test(text);
