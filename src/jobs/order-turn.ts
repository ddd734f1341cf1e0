import { randomUUID } from 'node:crypto';
import type { Document } from '../domain/document.ts';
import { type ClaimedWork, done, orderSubject, type Step, type StepOutcome } from '../domain/work.ts';
import type { StepDeps } from './deps.ts';

/** Longer than one call to a shop may take (two minutes), and `sureMs` before it. */
const turnMs = 3 * 60_000;
/** So long what the ledger said of the turn is believed: a write-back without delay asks once. */
const sureMs = 15_000;
const lookAgainMs = 1_000;

type TurnDeps = Pick<StepDeps, 'ledger' | 'clock'>;

/** A step that writes onto an order; awaits `mayWrite` right before each write, which throws once it may not. */
export type OrderStep = (work: ClaimedWork, mayWrite: () => Promise<void>) => Promise<StepOutcome>;

/** Somebody else writes onto the order by now, or has the work. */
class TurnLost extends Error {
  constructor() {
    super('This run has lost its turn to write onto the order.');
    this.name = 'TurnLost';
  }
}

/**
 * A step about a document that writes onto its order: one run at a time in all processes. Two documents of one order
 * may be done in the same moment, and a work whose lease ran out under a slow process is taken over while that one still
 * writes; a shop keeps both of two parallel writes (measured on WooCommerce 11.0.1). The turn is the run's, so that
 * whoever takes the work over waits until the other one is done, or until nothing of it can arrive any more; then it
 * reads what stands there. A run that sleeps through its turn, or loses its work, writes nothing more.
 */
export function inOrderTurn(deps: TurnDeps, step: OrderStep): Step {
  const { ledger, clock } = deps;
  return async (work) => {
    const document = await ledger.documents.get(work.subject);
    if (!document) return done;
    const later = (): StepOutcome => ({
      kind: 'again',
      dueAt: new Date(clock.now().getTime() + lookAgainMs),
      reason: 'the order is being written onto by another run',
    });
    const turn = openTurn(deps, document);
    if (!(await turn.take())) return later();
    try {
      return await step(work, async () => {
        if (turn.isSure()) return;
        if (!(await ledger.work.holds(work.id, work.token)) || !(await turn.take())) throw new TurnLost();
      });
    } catch (error) {
      if (error instanceof TurnLost) return later();
      throw error;
    } finally {
      await turn.giveBack();
    }
  };
}

/** One run's turn on the order of a document. */
function openTurn({ ledger, clock }: TurnDeps, document: Document) {
  const turn = { name: `write onto ${orderSubject(document)}`, holder: randomUUID() };
  let sureFrom = Number.NEGATIVE_INFINITY;
  return {
    /** Takes or prolongs it; false when another run has it. */
    async take(): Promise<boolean> {
      const now = clock.now();
      const taken = await ledger.turns.take({ ...turn, now, until: new Date(now.getTime() + turnMs) });
      // From before the question: its answer may have been long on its way.
      sureFrom = taken ? now.getTime() : Number.NEGATIVE_INFINITY;
      return taken;
    },
    isSure() {
      const age = clock.now().getTime() - sureFrom;
      // Below 0 the clock was set back, and what the ledger says of the turn with it.
      return age >= 0 && age < sureMs;
    },
    giveBack: () => ledger.turns.giveBack(turn),
  };
}
