import type { JobKind } from '../../src/domain/job.ts';
import { enqueueReconciliation } from '../../src/jobs/reconciliation/reconciliation.ts';
import type { JobBench } from './job-bench.ts';

/** Reconciliations now, and does all the work that follows. Answers what ran. */
export async function reconcileNow(bench: JobBench): Promise<JobKind[]> {
  await enqueueReconciliation(bench.ledger, bench.store, bench.deps.clock.now());
  return bench.run();
}

/** Reconciliations until everything the reconciliation found is settled, the authority's decisions included. */
export async function reconcileAndSettle(bench: JobBench): Promise<void> {
  await reconcileNow(bench);
  await bench.decided();
  bench.advance(5 * 60_000);
  await bench.run();
}

/** The paths of the shop's API called since the last question. */
export function calls(bench: JobBench): () => string[] {
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
export async function freshness(bench: JobBench): Promise<number> {
  const [shop] = await bench.ledger.reconciliations.freshness();
  if (!shop) throw new Error('The shop was never reconciled.');
  return bench.deps.clock.now().getTime() - Date.parse(shop.reconciledTo);
}
