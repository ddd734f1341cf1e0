import type { Store } from '../domain/settings.ts';
import type { StepDeps } from '../jobs/deps.ts';
import { beginSweeps, keepSweeps } from '../jobs/sweep/begin.ts';
import type { Transport } from '../queue/transport.ts';

/** However fast a test clock runs. */
const leastMs = 1_000;

/**
 * Has every store swept from now on, and looked after: as often as a store is swept, one process makes sure that each
 * still has its sweep. With Redis that is a job scheduler, which Bull Board shows; `stores` are those of the moment.
 */
export async function startSweeping(
  steps: StepDeps,
  { transport, stores, rate }: { transport: Transport; stores(): Iterable<Store>; rate: number },
): Promise<void> {
  await beginSweeps(steps, stores());
  transport.repeat({
    name: 'keep-sweeps',
    everyMs: Math.max(Math.round(steps.timings.sweep.every / rate), leastMs),
    run: () => keepSweeps(steps, stores()),
  });
}
