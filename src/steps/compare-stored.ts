import { referenceField } from '../../mappers/additional-info.ts';
import { type Attempt, type Document, documentNumber, documentReference } from '../core/document.ts';
import { isWithinCents } from '../core/money.ts';
import type { AuthorizedXml } from '../service/authorized-xml.ts';
import type { ServiceCalls } from '../service/client.ts';
import { bearerOf, bearerOfNewKey } from './bearer.ts';
import { differencesOf } from './verify/differing.ts';

/** Whether a stored document is ours: `provisional` while its XML cannot be read yet. */
export type Agreement = 'ours' | 'foreign' | 'provisional';

/** The same, and which sending it is. */
export type Comparison =
  | { agreement: 'ours'; sending: Attempt }
  /** `named`: its reference and number are those of the document all the same, only buyer or total are others. */
  | { agreement: 'foreign'; stored: AuthorizedXml; named: boolean }
  | { agreement: 'provisional' };

/**
 * Compares what the service holds under a key with our attempts: our reference, the number, the buyer and the
 * total of the authorised XML, up to a cent of the service's own rounding for each tax. Never with a new mapping, which may have changed since. A number may have left twice
 * under one key and with two contents: what is stored says which it is, line by line, and the key only among those alike.
 */
export async function readStored(
  calls: ServiceCalls,
  accessKey: string,
  document: Document,
  attempts: readonly Attempt[],
): Promise<Comparison> {
  const answer = await calls.descargarXml(accessKey);
  if (answer.kind !== 'found') return { agreement: 'provisional' };
  const stored = answer.facts;
  const isOurs =
    stored.campoAdicional[referenceField] === documentReference(document) &&
    stored.numero === documentNumber(document);
  const alike = attempts.filter(
    ({ buyerId, total }) =>
      isOurs &&
      buyerId === stored.identificacionComprador &&
      isWithinCents(stored.importeTotal, total, Math.max(stored.totalImpuestos.length, 1)),
  );
  const ofIt = nearest(alike, (one) => differencesOf(document, one, stored, accessKey).fields);
  const sending = bearerOf(ofIt, accessKey) ?? bearerOfNewKey(ofIt, accessKey) ?? ofIt.at(-1);
  return sending ? { agreement: 'ours', sending } : { agreement: 'foreign', stored, named: isOurs };
}

/** Those that differ from it least: buyer and total may be the same where a line, or the day, was another. */
function nearest(alike: readonly Attempt[], differing: (one: Attempt) => readonly string[]): Attempt[] {
  const counts = alike.map((one) => (alike.length > 1 ? differing(one).length : 0));
  return alike.filter((_one, n) => counts[n] === Math.min(...counts));
}

/** Only whether it is. */
export const compareStored = async (...asked: Parameters<typeof readStored>): Promise<Agreement> =>
  (await readStored(...asked)).agreement;
