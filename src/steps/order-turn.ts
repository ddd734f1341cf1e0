import { orderSubject, type Step } from '../core/work.ts';
import type { StepDeps } from './deps.ts';

/** Longer than the calls of one write-back may take together. */
const turnMs = 3 * 60_000;
const lookAgainMs = 1_000;

/**
 * A step about a document that writes onto its order: one at a time in all processes. Two documents of one order may
 * be done in the same moment, and a shop keeps both of two parallel writes (measured on WooCommerce 11.0.1). The work
 * itself holds the turn, so that it still has it after its process died.
 */
export function inOrderTurn({ ledger, clock }: Pick<StepDeps, 'ledger' | 'clock'>, step: Step): Step {
  return async (work) => {
    const document = await ledger.documents.get(work.subject);
    if (!document) return step(work);
    const turn = { name: `write onto ${orderSubject(document)}`, holder: work.id };
    const now = clock.now();
    if (!(await ledger.turns.take({ ...turn, now, until: new Date(now.getTime() + turnMs) }))) {
      const dueAt = new Date(now.getTime() + lookAgainMs);
      return { kind: 'again', dueAt, reason: 'another document of the order is being written onto it' };
    }
    try {
      return await step(work);
    } finally {
      await ledger.turns.giveBack(turn);
    }
  };
}
