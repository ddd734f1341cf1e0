import { type Document, documentNumber } from '../core/document.ts';
import { owner } from '../core/scope.ts';
import { isShadowShop } from '../core/shadow.ts';
import type { FoundDocument } from '../service/answers.ts';
import type { ServiceCalls } from '../service/client.ts';
import { compareStored } from './compare-stored.ts';
import type { StepDeps } from './deps.ts';
import { named } from './sentences.ts';

/**
 * What was dropped here was authorised all the same: dropped is final, and its sale may have another document by now, so
 * a person must know. Asked and compared like any other key. False = not sure yet whose it is, ask again.
 */
export async function tellDropped(
  deps: StepDeps,
  calls: ServiceCalls,
  document: Document,
  found: FoundDocument,
): Promise<boolean> {
  if (found.state !== 'authorized' || isShadowShop(document.shop)) return true;
  const attempts = await deps.ledger.attempts.ofDocument(document.id);
  const agreement = await compareStored(calls, found.claveacceso, document, attempts);
  if (agreement === 'ours')
    await deps.alerts.raise({
      code: 'dropped-authorized',
      subject: document.id,
      about: owner.shop(document),
      what: `Pedido ${document.orderName}: el SRI autorizó ${named(document)} ${documentNumber(document)}, que aquí se había descartado.`,
      cure: `Si el pedido ya tiene otra o no debe llevarla, anúlela en el portal del SRI (clave ${found.claveacceso}).`,
    });
  return agreement !== 'provisional';
}
