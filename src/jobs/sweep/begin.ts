import type { Store } from '../../domain/settings.ts';
import type { StepDeps } from '../deps.ts';
import { beginSweep } from './run.ts';
import { askSweep, nextSweep, sweepSubject } from './sweep.ts';

/**
 * Asks for every store to be swept, from one interval after the start on: what was due while nobody worked is due at
 * once. A store without API access has no sweep, and that is said.
 */
export async function beginSweeps(deps: StepDeps, stores: Iterable<Store>): Promise<void> {
  for (const store of stores) {
    if (deps.shop(store) === null) {
      deps.log.warn(
        { store: store.id },
        'The store has no API access: it is not swept, and an order whose webhook is lost is not found',
      );
      continue;
    }
    await beginSweep(deps, store);
    await askSweep(deps.ledger, store, nextSweep(deps));
  }
}

/**
 * Asks for the sweeps that got lost, whatever the reason (a row deleted by hand, a process that did not know the store
 * yet when it took its sweep): nothing else would ever ask for them again. Those that wait, fail or run are left alone.
 */
export async function keepSweeps(deps: StepDeps, stores: Iterable<Store>): Promise<void> {
  const swept = [...stores].filter((store) => deps.shop(store) !== null);
  const standing = await deps.ledger.work.standing('sweep', swept.map(sweepSubject));
  for (const store of swept.filter((one) => !standing.has(sweepSubject(one)))) {
    await beginSweep(deps, store);
    await askSweep(deps.ledger, store, deps.clock.now());
    deps.log.warn({ store: store.id }, 'The sweep of the store had got lost; it is asked for again');
  }
}
