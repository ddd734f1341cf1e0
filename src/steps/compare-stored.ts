import { referenceField } from '../../mappers/additional-info.ts';
import { type Attempt, type Document, documentNumber, documentReference } from '../core/document.ts';
import { toAmount } from '../core/money.ts';
import type { ServiceCalls } from '../service/client.ts';

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
