import type { Document } from '../../src/domain/document.ts';
import { allSteps } from '../../src/jobs/all.ts';
import type { StepBench } from './steps.ts';

/** The shop tells of an order, and a worker plans it: what follows from that waits. */
export async function planOnly(
  { ledger, clock, deps, sync, document }: StepBench,
  orderId: string,
): Promise<Document> {
  await sync(orderId);
  const due = await ledger.work.due(clock.now(), 9, 9);
  const work = due.find(({ kind }) => kind === 'sync-order');
  await ledger.work.release([work?.id ?? ''], clock.now());
  const claimed = await ledger.work.claim(work?.id ?? '', 60_000, clock.now());
  if (!claimed) throw new Error('Nothing was due.');
  await allSteps(deps)[claimed.kind](claimed);
  await ledger.work.finish(claimed.id, claimed.token, clock.now());
  return document();
}
