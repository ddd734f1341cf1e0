import type { Store } from '../../core/settings.ts';
import type { StepDeps } from '../deps.ts';
import { beginSweep } from './run.ts';
import { askSweep, nextSweep } from './sweep.ts';

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
