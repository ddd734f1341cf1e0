import type { Document } from '../core/document.ts';
import type { FoundDocument } from '../service/answers.ts';
import type { ServiceCalls } from '../service/client.ts';
import { compareStored } from './adopt.ts';
import type { StepDeps } from './deps.ts';
import { applyOutcome } from './outcome.ts';
import { isAmbiguous } from './repeat.ts';

/**
 * A key we were never told, on one of our numbers: it belongs to an attempt whose answer is still out. Before it is
 * believed to be authorised, its XML must be ours. False = that cannot be read yet.
 */
export async function claimKey(
  deps: StepDeps,
  calls: ServiceCalls,
  document: Document,
  found: FoundDocument,
): Promise<boolean> {
  const attempts = await deps.ledger.attempts.ofDocument(document.id);
  const open = attempts.find((attempt) => attempt.accessKey === null && isAmbiguous(attempt));
  if (!open) return true;
  if (found.state === 'authorized') {
    const agreement = await compareStored(calls, found.claveacceso, document, attempts);
    if (agreement === 'provisional') return false;
    if (agreement === 'foreign') {
      deps.log.error(
        { number: found.numero },
        'The service announced a foreign document under one of our numbers',
      );
      return true;
    }
  }
  await deps.ledger.attempts.end(open.id, {
    outcome: open.outcome,
    accessKey: found.claveacceso,
    now: deps.clock.now(),
  });
  await applyOutcome(deps, document, found);
  return true;
}
