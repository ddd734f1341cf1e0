import { type Step, type WorkKind, workKinds } from '../../../src/domain/work.ts';
import { allSteps } from '../../../src/jobs/all.ts';
import { openDoubts } from '../../../src/jobs/doubts.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import type { StepBench } from '../steps.ts';
import { openWorkLoop, type WorkLoop } from '../work-loop.ts';
import type { Fate } from './fate.ts';
import { mortalCalls, mortalLedger } from './mortal.ts';

type Steps = Readonly<Record<WorkKind, Step>>;

/**
 * A process that `fate` may end: the same ledger, service and shop as any other, and nothing of what another one had
 * in its memory.
 */
export function openProcess(parts: {
  bench: StepBench;
  fate: Fate;
  /** Runs right before a request leaves. */
  onLeaving?: (name: string) => void;
  /** A second process, which runs every step at the same time: its own way to the ledger. */
  twin?: ((ledger: Ledger) => Ledger) | undefined;
}): WorkLoop {
  const { bench, fate, onLeaving = () => {}, twin } = parts;
  const stepsOn = (ledger: Ledger): Steps =>
    allSteps({
      ...bench.deps,
      get accounts() {
        return bench.deps.accounts;
      },
      revoked: new Set(),
      ledger,
      doubts: openDoubts(),
      seriesChecks: new Map(),
      service: (...args) => mortalCalls(bench.deps.service(...args), fate, onLeaving),
      shop: (store) => {
        const shop = bench.deps.shop(store);
        return shop && mortalCalls(shop, fate);
      },
    });
  const ledger = mortalLedger(bench.ledger, fate);
  const mine = stepsOn(ledger);
  const steps = twin ? together(mine, stepsOn(twin(bench.ledger))) : mine;
  return openWorkLoop({ ledger, steps, clock: bench.clock, isDead: () => fate.dead });
}

/** Both at once on the same work; the first one holds it and settles it, the other one was given up for dead. */
function together(mine: Steps, others: Steps): Steps {
  const both = (kind: WorkKind): Step => {
    return async (work) => {
      const [outcome] = await Promise.allSettled([mine[kind](work), others[kind](work)]);
      if (outcome.status === 'rejected') throw outcome.reason;
      return outcome.value;
    };
  };
  return Object.fromEntries(workKinds.map((kind) => [kind, both(kind)])) as unknown as Steps;
}
