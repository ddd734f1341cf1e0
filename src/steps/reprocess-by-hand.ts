import type { Document } from '../core/document.ts';
import { askReprocess } from './ask.ts';
import { causeOfTold } from './authority-errors.ts';
import type { StepDeps } from './deps.ts';

/**
 * A person has put right, outside of the document, what the authority refused it for: its key is handed over again
 * (reprocess-document.ts), or leaves with today's date where its day is over. Answers null, or in Spanish why not.
 */
export async function reprocessByHand(
  { ledger, clock }: Pick<StepDeps, 'ledger' | 'clock'>,
  document: Document,
  by: string,
): Promise<string | null> {
  if (document.state !== 'rejected' || document.accessKey === null)
    return 'Solo se reprocesa un documento rechazado que ya tiene clave de acceso.';
  const attempts = await ledger.attempts.ofDocument(document.id);
  const ended = attempts.findLast(({ outcome }) => outcome === 'error');
  if (!ended) return 'El SRI no ha rechazado ningún envío de este documento: use «Intentar otra vez».';
  if (causeOfTold(ended.errors).cause === 'document')
    return 'El SRI lo rechazó por su contenido: corrija el pedido y use «Intentar otra vez».';
  const now = clock.now();
  const moved = await ledger.transaction(async (tables) => {
    const to = await tables.documents.move(document.id, {
      from: ['rejected'],
      to: 'processing',
      patch: { code: 'reprocess' },
      note: { cause: 'reprocess', by },
      now,
    });
    if (to) await askReprocess(tables, to, now);
    return to !== undefined;
  });
  return moved ? null : 'Otro proceso lo movió en este momento; vea cómo quedó.';
}
