import type { AttemptOutcome, Document } from '../core/document.ts';
import type { FoundDocument } from '../service/answers.ts';
import type { ServiceCalls } from '../service/client.ts';
import { compareStored } from './adopt.ts';
import type { StepDeps } from './deps.ts';
import { disown } from './foreign.ts';
import { applyOutcome } from './outcome.ts';

/**
 * Applies what the service says of a key, once it is sure that the document behind it is ours: our POST was answered
 * `creado: true` with it, else the XML must say so. False = not sure yet, ask again.
 */
export async function confirmOutcome(
  deps: StepDeps,
  calls: ServiceCalls,
  document: Document,
  found: FoundDocument,
): Promise<boolean> {
  const attempts = await deps.ledger.attempts.ofDocument(document.id);
  const attempt = attempts.findLast((candidate) => candidate.accessKey === found.claveacceso);
  if (found.state === 'authorized' && attempt && !answered.has(attempt.outcome)) {
    const agreement = await compareStored(calls, found.claveacceso, document, attempts);
    if (agreement === 'provisional') return false;
    if (agreement === 'foreign') {
      await disown(deps, document, attempt);
      return true;
    }
  }
  await applyOutcome(deps, document, found);
  return true;
}

const answered = new Set<AttemptOutcome>(['created', 'authorized']);
