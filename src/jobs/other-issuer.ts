import { type Document, documentNumber } from '../domain/document.ts';
import type { Store } from '../domain/settings.ts';
import type { Move } from '../ledger/document-tables.ts';
import type { Tables } from '../ledger/ledger.ts';
import { nothingLeft } from '../planner/refunds/sentences.ts';
import { askSync, askWriteBack } from './ask.ts';
import { named } from './sentences.ts';
import { showStopped } from './wake-order.ts';

const code = 'other-issuer';

/** Its store issues with another RUC, or in the other environment, than when the document got its number. */
export const isOfOtherIssuer = ({ ruc, ambiente }: Document, { issuer }: Pick<Store, 'issuer'>): boolean =>
  ruc !== issuer.ruc || ambiente !== issuer.ambiente;

/**
 * A number names one document of one issuer: under another it would be somebody else's, now or once that series is so
 * far. The document waits until its issuer is back. One that is left of the trials has no tax value: it is dropped, and
 * its order planned anew.
 */
export async function awaitIssuer(
  tables: Tables,
  document: Document,
  store: Pick<Store, 'issuer'>,
  now: Date,
): Promise<void> {
  const { id } = document;
  const from = ['held', 'ready'] as const;
  const reason = otherIssuerReason(document, store);
  if (isOfTrials(document, store)) {
    if (await moveShown(tables, id, { from, to: 'cancelled', patch: { code, reason }, note: { code }, now }))
      await askSync(tables, document, now);
    return;
  }
  if (document.state === 'held' && document.reason === reason) return;
  await moveShown(tables, id, { from, to: 'held', patch: { code, reason }, note: { code }, now });
}

/** What is left of the trials of the issuer its store has now. */
export const isOfTrials = ({ ruc, ambiente }: Document, { issuer }: Pick<Store, 'issuer'>): boolean =>
  ruc === issuer.ruc && ambiente === 1;

/** What the merchant reads of it. */
export function otherIssuerReason(document: Document, { issuer }: Pick<Store, 'issuer'>): string {
  const { ruc, ambiente, kind } = document;
  const number = `El número ${documentNumber(document)} de ${named(document)} es del RUC ${ruc} en ambiente ${ambiente}`;
  if (isOfTrials(document, { issuer }))
    return `${number}, de pruebas${kind === 'factura' ? '; el pedido se factura con uno nuevo' : ''}.`;
  return `${number}, y la tienda emite ahora con el RUC ${issuer.ruc} en ambiente ${issuer.ambiente}. Devuelva ese emisor a la configuración hasta que salga.`;
}

/** The same inside the transaction that `tables` belongs to. */
async function moveShown(tables: Tables, id: string, move: Move): Promise<Document | undefined> {
  const moved = await tables.documents.move(id, move);
  if (moved) await (isStopped(moved) ? showStopped : askWriteBack)(tables, moved, move.now);
  return moved;
}

/** Any other hold is the planner's own word, and says already what becomes of the refunds. */
const isStopped = ({ state, code }: Document): boolean =>
  state === 'rejected' || state === 'manual' || (state === 'held' && code === nothingLeft.code);
