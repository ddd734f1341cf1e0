import { describe, expect, test } from 'vitest';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import type { OpenLedger } from '../contract.ts';
import { at, delivery, noon, work } from '../samples.ts';
import { claimNext } from './work.ts';

/** Everybody who asks for work, as the ledger is asked in the very moment in which that work ends. */
const askers: Record<string, (ledger: Ledger) => Promise<unknown>> = {
  'in a transaction': (ledger) =>
    ledger.transaction(async ({ work: table }) => {
      await table.ask(work('d1', { payload: { n: 2 } }));
    }),
  alone: (ledger) => ledger.work.ask(work('d1', { payload: { n: 2 } })),
  'through the door': (ledger) => ledger.accept(delivery('e1', { work: work('d1', { payload: { n: 2 } }) })),
};

/** Whether it was asked a moment before or after the end, nobody's word is lost. */
export function workEndingsContract(open: OpenLedger): void {
  describe.each(Object.entries(askers))('work asked for %s while it is being ended', (_, ask) => {
    test.each(['before', 'after'])('runs once more, asked a moment %s it is finished', async (when) => {
      const ledger = await open();
      await ledger.work.ask(work('d1', { payload: { n: 1 } }));
      const { id, token } = await claimNext(ledger);
      const finish = () => ledger.claims.finish(id, token, noon);
      await Promise.all(when === 'before' ? [ask(ledger), finish()] : [finish(), ask(ledger)]);
      expect((await claimNext(ledger)).payload).toEqual({ n: 2 });
    });

    test.each(['before', 'after'])('is due as asked, a moment %s it is postponed', async (when) => {
      const ledger = await open();
      await ledger.work.ask(work('d1', { payload: { n: 1 } }));
      const { id, token } = await claimNext(ledger);
      const later = { dueAt: at(9000), failedAt: null, reason: 'x' };
      const postpone = () => ledger.claims.postpone(id, token, later);
      await Promise.all(when === 'before' ? [ask(ledger), postpone()] : [postpone(), ask(ledger)]);
      expect(await ledger.work.nextDueAt()).toEqual(noon);
    });
  });
}
