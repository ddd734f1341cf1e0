import type { Step } from '../domain/work.ts';
import type { StepDeps } from './deps.ts';
import { happens } from './sending/happen.ts';

/**
 * Asks the service to hand a key that ended with an error to the tax authority again (spec, `POST
 * /api/comprobante/reprocesar`; src/protocol/reprocess.ts).
 */
export function reprocessDocument(deps: StepDeps): Step {
  const isDue = { kind: 'due', job: 'reprocess' } as const;
  return async (work) => (await happens(deps, work.subject, isDue, { job: 'reprocess', work })).outcome;
}
