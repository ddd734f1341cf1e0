import { type Document, documentNumber } from '../domain/document.ts';
import { owner } from '../domain/scope.ts';
import { isShadowShop } from '../domain/shadow.ts';
import type { StepOutcome } from '../domain/work.ts';
import { askSync, askWriteBack } from './ask.ts';
import type { StepDeps } from './deps.ts';
import { serviceOf } from './issued.ts';
import { storeOfDocument } from './unknown-store.ts';

/**
 * Before a nota de crédito leaves: whether a person annulled its factura at the authority's portal, which no event tells.
 * A service that does not say changes nothing; one that asks to slow down is asked again then.
 */
export async function lookForAnnulment(deps: StepDeps, documentId: string): Promise<StepOutcome | null> {
  const credit = await deps.ledger.documents.get(documentId);
  // A shadow has no value that could be undone.
  if (credit?.kind !== 'nota-credito' || isShadowShop(credit.shop)) return null;
  const factura = (await deps.ledger.documents.ofOrder(credit)).find(
    ({ kind, state }) => kind === 'factura' && state === 'authorized',
  );
  if (!factura?.accessKey || factura.annulledAt !== null) return null;
  const key = serviceOf(deps, factura, storeOfDocument(deps, factura));
  const answer = await key.calls(null).consultarComprobante(factura.accessKey);
  if (answer.kind === 'throttled')
    return {
      kind: 'again',
      dueAt: new Date(deps.clock.now().getTime() + answer.retryAfterMs),
      reason: 'the service asks to slow down',
    };
  if (answer.kind === 'found' && answer.annulled) await noteAnnulled(deps, factura);
  return null;
}

/** Written onto the document, whose state stays final; told to a person, and the order planned anew. */
export async function noteAnnulled(
  deps: Pick<StepDeps, 'ledger' | 'clock' | 'log' | 'alerts'>,
  document: Document,
): Promise<void> {
  const now = deps.clock.now();
  const number = documentNumber(document);
  await deps.ledger.transaction(async (tables) => {
    await tables.documents.annulled(document.id, now);
    await askWriteBack(tables, document, now);
    await askSync(tables, document, now);
  });
  deps.log.error(
    { store: document.storeId, order: document.orderId, number },
    'An authorised document was annulled at the portal of the authority; it is never credited',
  );
  await deps.alerts.raise({
    code: 'document-annulled',
    subject: document.id,
    about: owner.shop(document),
    what: `Pedido ${document.orderName}: ${document.kind === 'factura' ? 'la factura' : 'la nota de crédito'} ${number} figura ANULADA en el portal del SRI.`,
    cure: 'Si la venta quedó sin efecto, no hay más que hacer; si sigue en pie, emita a mano otro documento por ella.',
  });
}
