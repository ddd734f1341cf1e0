import { describe, expect, test } from 'vitest';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import type { OpenLedger } from '../contract.ts';
import { at, delivery, job, noon } from '../samples.ts';
import { claimNext } from './jobs.ts';

/** The ways to enqueue a job, used at the moment in which the job ends. */
const enqueuers: Record<string, (ledger: Ledger) => Promise<unknown>> = {
  'in a transaction': (ledger) =>
    ledger.transaction(async ({ jobs: table }) => {
      await table.enqueue(job('d1', { payload: { n: 2 } }));
    }),
  alone: (ledger) => ledger.jobs.enqueue(job('d1', { payload: { n: 2 } })),
  'through the endpoint': (ledger) =>
    ledger.accept(delivery('e1', { job: job('d1', { payload: { n: 2 } }) })),
};

/** Whether it is enqueued just before or just after the end, no request is lost. */
export function jobEndingsContract(open: OpenLedger): void {
  describe.each(Object.entries(enqueuers))('a job enqueued %s while it ends', (_, ask) => {
    test.each(['before', 'after'])('runs once more, enqueued a moment %s it is finished', async (when) => {
      const ledger = await open();
      await ledger.jobs.enqueue(job('d1', { payload: { n: 1 } }));
      const { id, token } = await claimNext(ledger);
      const finish = () => ledger.jobs.finish(id, token);
      await Promise.all(when === 'before' ? [ask(ledger), finish()] : [finish(), ask(ledger)]);
      expect((await claimNext(ledger)).payload).toEqual({ n: 2 });
    });

    test.each(['before', 'after'])('is due as enqueued, a moment %s it is postponed', async (when) => {
      const ledger = await open();
      await ledger.jobs.enqueue(job('d1', { payload: { n: 1 } }));
      const { id, token } = await claimNext(ledger);
      const later = { dueAt: at(9000), failedAt: null, reason: 'x' };
      const postpone = () => ledger.jobs.postpone(id, token, later);
      await Promise.all(when === 'before' ? [ask(ledger), postpone()] : [postpone(), ask(ledger)]);
      expect(await ledger.jobs.nextDueAt()).toEqual(noon);
    });
  });
}
