import { type Document, documentNumber } from '../domain/document.ts';
import { type AccessKeyFacts, hasCheckDigit, issueDayOf, otherParts } from '../service/access-key.ts';

type Numbered = Pick<
  Document,
  'codDoc' | 'ruc' | 'ambiente' | 'establecimiento' | 'puntoEmision' | 'secuencial'
>;

/** What the key of a document must say of it (ficha técnica SRI, tabla 1). */
export const factsOf = (document: Numbered): AccessKeyFacts => ({
  tipo_comprobante: document.codDoc,
  ruc_emisor: document.ruc,
  ambiente: document.ambiente,
  numero: documentNumber(document) ?? '',
});

/**
 * Whether a key of 49 digits names this document: its type, issuer, environment and number. A key that comes from
 * anybody (an answer, an event, a list, a person) is believed to be a document's only where it does; `at` also its day.
 */
export function keyNames(document: Numbered, accessKey: string, at?: { issueDate: string }): boolean {
  if (!hasCheckDigit(accessKey) || otherParts(accessKey, factsOf(document)).length > 0) return false;
  return at === undefined || issueDayOf(accessKey) === at.issueDate;
}

/** Whether it has the form of an access key. */
export const isKey = (text: unknown): text is string => typeof text === 'string' && /^\d{49}$/.test(text);
