import type { WorkKind } from '../../src/domain/work.ts';
import { askSweep } from '../../src/jobs/sweep/sweep.ts';
import type { StepBench } from './steps.ts';

/** Sweeps now, and does all the work that follows. Answers what ran. */
export async function sweepNow(bench: StepBench): Promise<WorkKind[]> {
  await askSweep(bench.ledger, bench.store, bench.deps.clock.now());
  return bench.run();
}

/** Sweeps until everything the sweep found is settled, the authority's decisions included. */
export async function sweepAndSettle(bench: StepBench): Promise<void> {
  await sweepNow(bench);
  await bench.decided();
  bench.advance(5 * 60_000);
  await bench.run();
}

/** The paths of the shop's API called since the last question. */
export function calls(bench: StepBench): () => string[] {
  let seen = bench.shop.requests.length;
  return () => {
    const paths = bench.shop.requests.slice(seen).map(({ method, path }) => `${method} ${path}`);
    seen = bench.shop.requests.length;
    return paths;
  };
}

/** A paid order that changed at an instant, made from another one of the shop. */
export function orderAt(like: object, id: number, instant: Date): Record<string, unknown> {
  const gmt = instant.toISOString().slice(0, 19);
  const times = { date_created_gmt: gmt, date_modified_gmt: gmt, date_paid_gmt: gmt };
  return { ...structuredClone(like), id, number: String(id), ...times, refunds: [] };
}

/** Milliseconds since everything the shop told was known. */
export async function freshness(bench: StepBench): Promise<number> {
  const [shop] = await bench.ledger.sweeps.freshness();
  if (!shop) throw new Error('The shop was never swept.');
  return bench.deps.clock.now().getTime() - Date.parse(shop.sweptTo);
}
