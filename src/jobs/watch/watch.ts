import type { StepDeps } from '../deps.ts';
import { openAbsentStoreWatch } from './absent-stores.ts';
import { watchCertificates } from './certificates.ts';
import { watchClock } from './clock.ts';
import { watchCredits } from './credits.ts';
import { watchExhausted } from './exhausted.ts';
import { watchFailing } from './failing.ts';
import { openFreshnessWatch } from './freshness.ts';
import { watchLookUps } from './look-ups.ts';

/**
 * What no job meets on its way, in turns: shops nobody can search, stores that left the config with documents on their way, our
 * clock; every minute what the ledger alone tells, jobs that keep failing and series without numbers; twice a day credits and
 * electronic signatures that will not last. In real time: what is looked at is the world's, not an order's.
 */
export function openWatches(
  deps: StepDeps,
  /** The service lives in the same time as we do: not under a test clock. */
  { comparesClock }: { comparesClock: boolean },
) {
  const freshness = openFreshnessWatch(deps);
  const absentStores = openAbsentStoreWatch(deps);
  return {
    async shops(): Promise<void> {
      if (comparesClock) await watchClock(deps);
      await freshness();
      await absentStores();
      await watchLookUps(deps);
    },
    async ledger(): Promise<void> {
      await watchFailing(deps);
      await watchExhausted(deps);
    },
    async accounts(): Promise<void> {
      await watchCertificates(deps);
      for (const account of deps.accounts.values()) await watchCredits(deps, account);
    },
  };
}
