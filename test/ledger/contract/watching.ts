import { describe, expect, test } from 'vitest';
import { inTrace } from '../../../src/observability/log.ts';
import type { OpenLedger } from '../contract.ts';
import { at, delivery, document, job, noon } from '../samples.ts';

const [a, b, c] = ['a', 'b', 'c'].map((letter) => letter.repeat(32)) as [string, string, string];

/** What the ledger keeps for observation: trace ids and counts. */
export function watchingContract(open: OpenLedger): void {
  describe('trace ids', () => {
    const claimOne = async (ledger: Awaited<ReturnType<OpenLedger>>) => {
      const due = await ledger.jobs.due(at(60_000), 5, 5);
      await ledger.jobs.release([due[0]?.id ?? ''], at(60_000));
      const claimed = await ledger.jobs.claim(due[0]?.id ?? '', 1_000, at(60_000));
      if (!claimed) throw new Error('Nothing was due.');
      return claimed;
    };

    test('a job has the trace id of the caller that enqueued it, in a transaction too', async () => {
      const ledger = await open();
      await inTrace(a, () => ledger.transaction((tables) => tables.jobs.enqueue(job())));
      expect(await claimOne(ledger)).toMatchObject({ trace: a });
    });

    test('deliveries of one batch keep their own trace ids', async () => {
      const ledger = await open();
      const accepted = [a, b].map((trace) =>
        inTrace(trace, () => ledger.accept(delivery(trace, { orderId: trace }))),
      );
      expect(await Promise.all(accepted)).toEqual(['stored', 'stored']);
      const traces = [await claimOne(ledger), await claimOne(ledger)].map(({ trace }) => trace);
      expect(traces.sort()).toEqual([a, b]);
    });

    test('a waiting job keeps its first trace id; enqueued while it runs, it takes the new one', async () => {
      const ledger = await open();
      await inTrace(a, () => ledger.jobs.enqueue(job()));
      await inTrace(b, () => ledger.jobs.enqueue(job()));
      await ledger.jobs.enqueue(job());
      const running = await claimOne(ledger);
      expect(running.trace).toBe(a);
      await inTrace(c, () => ledger.jobs.enqueue(job()));
      await ledger.jobs.finish(running.id, running.token);
      expect(await claimOne(ledger)).toMatchObject({ trace: c });
    });

    test('a document has the trace id of its last move; a move without one keeps the old one', async () => {
      const ledger = await open();
      const made = await inTrace(a, () => ledger.documents.create(document({ state: 'held' })));
      expect(made?.trace).toBe(a);
      const id = made?.id ?? '';
      const moved = await inTrace(b, () =>
        ledger.documents.move(id, { from: ['held'], to: 'ready', now: noon }),
      );
      expect(moved?.trace).toBe(b);
      await ledger.documents.move(id, { from: ['ready'], to: 'sending', now: noon });
      expect((await ledger.documents.get(id))?.trace).toBe(b);
    });
  });

  describe('counts', () => {
    test('documents are counted by kind and state, open ones with the oldest', async () => {
      const ledger = await open();
      const make = (n: number, over: Parameters<typeof document>[0] = {}) =>
        ledger.documents.create(document({ sourceId: String(n), now: at(n * 1_000), ...over }));
      for (const n of [1, 2, 3]) await make(n);
      await make(4, { kind: 'nota-credito', codDoc: '04', state: 'held' });
      const gone = await make(5, { state: 'held' });
      await ledger.documents.move(gone?.id ?? '', { from: ['held'], to: 'cancelled', now: noon });
      const open_ = await ledger.counts.openDocuments();
      expect(open_).toHaveLength(2);
      expect(open_).toEqual(
        expect.arrayContaining([
          { kind: 'factura', state: 'ready', count: 3, oldest: at(1_000).toISOString() },
          { kind: 'nota-credito', state: 'held', count: 1, oldest: at(4_000).toISOString() },
        ]),
      );
      expect(await ledger.counts.finalDocuments()).toEqual([
        { kind: 'factura', state: 'cancelled', count: 1, oldest: null },
      ]);
    });

    test('jobs are counted by kind and state, with the first due time', async () => {
      const ledger = await open();
      for (const n of [1, 2]) await ledger.jobs.enqueue(job(`document-${n}`, { dueAt: at(n * 1_000) }));
      const [first] = await ledger.jobs.due(at(60_000), 5, 5);
      await ledger.jobs.release([first?.id ?? ''], at(60_000));
      expect(await ledger.counts.jobs()).toEqual(
        expect.arrayContaining([
          { kind: 'submit-document', state: 'waiting', count: 1, firstDue: at(2_000).toISOString() },
          { kind: 'submit-document', state: 'released', count: 1, firstDue: at(1_000).toISOString() },
        ]),
      );
    });

    test('an issuer issues once a document of production was authorised under its account', async () => {
      const ledger = await open();
      const made = await ledger.documents.create(document({ ambiente: 2 }));
      const issues = () => ledger.counts.isIssuing('principal', document().ruc);
      const move = (from: 'ready' | 'sending' | 'processing', to: 'sending' | 'processing' | 'authorized') =>
        ledger.documents.move(made?.id ?? '', { from: [from], to, now: noon });
      await move('ready', 'sending');
      await move('sending', 'processing');
      expect(await issues()).toBe(false);
      await move('processing', 'authorized');
      expect(await issues()).toBe(true);
      expect(await ledger.counts.isIssuing('otra', document().ruc)).toBe(false);
    });
  });
}
