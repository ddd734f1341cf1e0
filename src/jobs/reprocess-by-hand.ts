import type { Document } from '../domain/document.ts';
import type { Refusal } from '../protocol/effects.ts';
import type { StepDeps } from './deps.ts';
import { happens } from './sending/happen.ts';

/**
 * A person has put right, outside of the document, what the authority refused it for: its key is handed over again
 * (reprocess-document.ts), or leaves with today's date where its day is over. Answers null, or in Spanish why not.
 */
export async function reprocessByHand(
  deps: StepDeps,
  document: Document,
  by: string,
): Promise<string | null> {
  const { said } = await happens(deps, document.id, { kind: 'reprocess-asked' }, { facts: { by } });
  return said?.kind === 'refused' ? (whyNot[said.why] ?? '') : null;
}

const whyNot: Partial<Record<Refusal, string>> = {
  'not-reprocessable': 'Solo se reprocesa un documento rechazado que ya tiene clave de acceso.',
  'not-refused': 'El SRI no ha rechazado ningún envío de este documento: use «Intentar otra vez».',
  'refused-for-its-body': 'El SRI lo rechazó por su contenido: corrija el pedido y use «Intentar otra vez».',
};
