import type { JobHandler } from '../../../src/domain/job.ts';
import { openFailureCounter } from '../../../src/jobs/deps.ts';
import { openRunJob } from '../../../src/jobs/run-job.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import type { JobBench } from '../job-bench.ts';
import { type JobLoop, openJobLoop } from '../job-loop.ts';
import type { Fate } from './fate.ts';
import { mortalCalls, mortalLedger } from './mortal.ts';

/**
 * A process that `fate` may end: the same ledger, service and shop as any other, and nothing of what another one had
 * in its memory.
 */
export function openProcess(parts: {
  bench: JobBench;
  fate: Fate;
  /** Runs right before a request leaves. */
  onLeaving?: (name: string) => void;
  /** A second process, which runs every job at the same time: its own way to the ledger. */
  twin?: ((ledger: Ledger) => Ledger) | undefined;
}): JobLoop {
  const { bench, fate, onLeaving = () => {}, twin } = parts;
  const runsOn = (ledger: Ledger): JobHandler =>
    openRunJob({
      ...bench.deps,
      get accounts() {
        return bench.deps.accounts;
      },
      revoked: new Set(),
      ledger,
      failureCounter: openFailureCounter(),
      seriesChecks: new Map(),
      startedAt: bench.clock.now(),
      service: (...args) => mortalCalls(bench.deps.service(...args), fate, onLeaving),
      shop: (store) => {
        const shop = bench.deps.shop(store);
        return shop && mortalCalls(shop, fate);
      },
    });
  const ledger = mortalLedger(bench.ledger, fate);
  const mine = runsOn(ledger);
  const runJob = twin ? together(mine, runsOn(twin(bench.ledger))) : mine;
  return openJobLoop({ ledger, runJob, clock: bench.clock, isDead: () => fate.dead });
}

/** Both at once on the same job; the first one holds it and settles it, the other one was given up for dead. */
function together(mine: JobHandler, other: JobHandler): JobHandler {
  return async (job) => {
    const [outcome] = await Promise.allSettled([mine(job), other(job)]);
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  };
}
