import { type Document, documentNumber } from '../core/document.ts';
import type { Store } from '../core/settings.ts';
import type { Tables } from '../ledger/ledger.ts';
import { askSync } from './ask.ts';
import { named } from './sentences.ts';
import { moveShown } from './show-move.ts';

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
  { issuer }: Pick<Store, 'issuer'>,
  now: Date,
): Promise<void> {
  const { id, ruc, ambiente } = document;
  const from = ['held', 'ready'] as const;
  const number = `El número ${documentNumber(document)} de ${named(document)} es del RUC ${ruc} en ambiente ${ambiente}`;
  if (ruc === issuer.ruc && ambiente === 1) {
    const next = document.kind === 'factura' ? '; el pedido se factura con uno nuevo' : '';
    const reason = `${number}, de pruebas${next}.`;
    if (await moveShown(tables, id, { from, to: 'cancelled', patch: { code, reason }, note: { code }, now }))
      await askSync(tables, document, now);
    return;
  }
  const reason = `${number}, y la tienda emite ahora con el RUC ${issuer.ruc} en ambiente ${issuer.ambiente}. Devuelva ese emisor a la configuración hasta que salga.`;
  if (document.state === 'held' && document.reason === reason) return;
  await moveShown(tables, id, { from, to: 'held', patch: { code, reason }, note: { code }, now });
}
