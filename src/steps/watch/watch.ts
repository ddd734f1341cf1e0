import type { StepDeps } from '../deps.ts';
import { resumeOpen } from '../resume.ts';
import { openAbsentStoreWatch } from './absent-stores.ts';
import { watchCertificates } from './certificates.ts';
import { watchClock } from './clock.ts';
import { watchCredits } from './credits.ts';
import { watchExhausted } from './exhausted.ts';
import { watchFailing } from './failing.ts';
import { openFreshnessWatch } from './freshness.ts';
import { watchLookUps } from './look-ups.ts';

const minute = 60_000;
/** What the ledger alone tells. */
const soonEveryMs = minute;
const everyMs = 10 * minute;
const creditsEveryMs = 12 * 60 * minute;
const resumeEveryMs = 24 * 60 * minute;

/**
 * Looks now and then for what no step meets on its way: shops nobody can search, stores that left the config with
 * documents on their way, documents without work, jobs that keep failing, series without numbers, our clock, credits and electronic signatures that will not last. Answers how to stop. In real time: what it looks at is the world's, not an order's.
 */
export function startWatch(
  deps: StepDeps,
  /** The service lives in the same time as we do: not under a test clock. */
  { comparesClock }: { comparesClock: boolean },
): () => Promise<void> {
  const freshness = openFreshnessWatch(deps);
  const absentStores = openAbsentStoreWatch(deps);
  let creditsAt = Number.NEGATIVE_INFINITY;
  // At the start it was done before anything else.
  let resumedAt = performance.now();
  const look = async () => {
    if (comparesClock) await watchClock(deps);
    await freshness();
    await absentStores();
    await watchLookUps(deps);
    if (performance.now() - resumedAt >= resumeEveryMs) {
      resumedAt = performance.now();
      await resumeOpen(deps);
    }
    if (performance.now() - creditsAt < creditsEveryMs) return;
    creditsAt = performance.now();
    await watchCertificates(deps);
    for (const account of deps.accounts.values()) await watchCredits(deps, account);
  };
  const soon = async () => {
    await watchFailing(deps);
    await watchExhausted(deps);
  };
  const stops = [repeat(look, everyMs), repeat(soon, soonEveryMs)];
  return async () => {
    for (const stop of stops) await stop();
  };

  function repeat(task: () => Promise<void>, ms: number): () => Promise<void> {
    let running = Promise.resolve();
    const next = () => {
      running = task().catch((error: unknown) =>
        deps.log.warn({ err: error }, 'A look at shops, jobs and credits failed; it is tried again later'),
      );
    };
    next();
    const timer = setInterval(next, ms);
    timer.unref();
    return async () => {
      clearInterval(timer);
      await running;
    };
  }
}
