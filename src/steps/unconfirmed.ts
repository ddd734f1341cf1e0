import type { Document } from '../core/document.ts';
import { isShadowShop } from '../core/shadow.ts';
import type { StepDeps } from './deps.ts';
import { unconfirmed } from './sentences.ts';

/** What a document says that is only on its way, and may be told better. */
const passing: readonly (string | null)[] = [null, 'answer-lost'];

/**
 * A document that stands where it stood a day ago, though it was asked about all the time: the document says so, and
 * people are told. The questions go on, and its end ends the alert (announce.ts).
 */
export async function tellUnconfirmed(deps: StepDeps, id: string): Promise<void> {
  const { ledger, clock, timings } = deps;
  const document = await ledger.documents.get(id);
  if (!document || (document.state !== 'processing' && document.state !== 'uncertain')) return;
  const now = clock.now();
  const isOld = Date.parse(document.updatedAt) + timings.unconfirmed <= now.getTime();
  if (!isOld && document.code !== 'unconfirmed') return;
  const { state } = document;
  const patch = { code: 'unconfirmed', reason: unconfirmed(document) };
  const note = { cause: 'no final state' };
  const moved = passing.includes(document.code)
    ? await ledger.documents.move(id, { from: [state], to: state, patch, note, now })
    : document;
  if (moved && !isShadowShop(moved.shop)) await deps.alerts.raise(alertOf(moved));
}

const alertOf = ({ id, orderName, reason }: Document) => ({
  code: 'document-unconfirmed',
  subject: id,
  what: `Pedido ${orderName}: ${reason}`,
  cure: 'Búsquelo en el panel del servicio o en el portal del SRI; lo que el servicio diga después se reconoce solo.',
});
