import { type Document, documentNumber, isAuthorisedFactura } from '../domain/document.ts';
import type { JobOutcome } from '../domain/job.ts';
import { isShadowShop, owner } from '../domain/settings.ts';
import { again, type JobDeps } from './deps.ts';
import { enqueueDocument, enqueueSync } from './enqueue.ts';
import { serviceOf } from './issuing-key.ts';
import { named } from './sentences.ts';
import { storeOfDocument } from './unknown-here.ts';

/**
 * Before a nota de crédito is sent: whether a person annulled its factura at the authority's portal, which no event reports.
 * If the service does not say, nothing changes; after a 429 the job waits.
 */
export async function lookForAnnulment(deps: JobDeps, documentId: string): Promise<JobOutcome | null> {
  const credit = await deps.ledger.documents.get(documentId);
  if (credit?.kind !== 'nota-credito' || isShadowShop(credit.shop)) return null;
  const factura = (await deps.ledger.documents.ofOrder(credit)).find(isAuthorisedFactura);
  if (!factura?.accessKey || factura.annulledAt !== null) return null;
  const key = serviceOf(deps, factura, storeOfDocument(deps, factura));
  const answer = await key.calls(null).consultarComprobante(factura.accessKey);
  if (answer.kind === 'throttled')
    return again(deps.clock, answer.retryAfterMs, 'the service asks to slow down');
  if (answer.kind === 'found' && answer.annulled) await noteAnnulled(deps, factura);
  return null;
}

/** Noted on the document, whose state stays final; people are alerted, and the order is planned again. */
export async function noteAnnulled(
  deps: Pick<JobDeps, 'ledger' | 'clock' | 'log' | 'alerts'>,
  document: Document,
): Promise<void> {
  const now = deps.clock.now();
  const number = documentNumber(document);
  await deps.ledger.transaction(async (tables) => {
    await tables.documents.annulled(document.id, now);
    await enqueueDocument(tables, 'write-back', document, now);
    await enqueueSync(tables, document, now);
  });
  deps.log.error(
    { store: document.storeId, order: document.orderId, number },
    'An authorised document was annulled at the portal of the authority; it is never credited',
  );
  await deps.alerts.raise({
    code: 'document-annulled',
    subject: document.id,
    about: owner.shop(document),
    what: `Pedido ${document.orderName}: ${named(document)} ${number} figura ANULADA en el portal del SRI.`,
    resolution:
      'Si la venta quedó sin efecto, no hay más que hacer; si sigue en pie, emita a mano otro documento por ella.',
  });
}
