import type { Document } from '../../src/domain/document.ts';
import { openRunJob } from '../../src/jobs/run-job.ts';
import type { JobBench } from './job-bench.ts';

/** The shop tells of an order, and a worker plans it: what follows from that waits. */
export async function planOnly(
  { ledger, clock, deps, sync, document }: JobBench,
  orderId: string,
): Promise<Document> {
  await sync(orderId);
  const due = await ledger.jobs.due(clock.now(), 9, 9);
  const job = due.find(({ kind }) => kind === 'sync-order');
  await ledger.jobs.release([job?.id ?? ''], clock.now());
  const claimed = await ledger.jobs.claim(job?.id ?? '', 60_000, clock.now());
  if (!claimed) throw new Error('Nothing was due.');
  await openRunJob(deps)(claimed);
  await ledger.jobs.finish(claimed.id, claimed.token);
  return document();
}
