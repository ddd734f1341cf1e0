import { describe, expect, test } from 'vitest';
import type { ClaimedJob } from '../../../src/domain/job.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import type { OpenLedger } from '../contract.ts';
import { at, job, noon } from '../samples.ts';

/** Releases and claims the only due job. */
export async function claimNext(ledger: Ledger, now = noon, leaseMs = 1000): Promise<ClaimedJob> {
  const [due] = await ledger.jobs.due(now, 1, 1);
  const [id = ''] = await ledger.jobs.release([due?.id ?? ''], now);
  const claimed = await ledger.jobs.claim(id, leaseMs, now);
  if (!claimed) throw new Error('Nothing was there to claim.');
  return claimed;
}

export function jobContract(open: OpenLedger): void {
  describe('jobs', () => {
    test('is enqueued, due, released, claimed and finished', async () => {
      const ledger = await open();
      await ledger.jobs.enqueue(job('d1', { payload: { event: 'x' } }));
      const [due] = await ledger.jobs.due(noon, 1, 1);
      expect(due).toMatchObject({
        kind: 'submit-document',
        rateLimit: 'key-a',
        priority: 0,
        dueAt: noon.toISOString(),
      });
      const id = due?.id ?? '';
      expect(await ledger.jobs.release([id], noon)).toEqual([id]);
      expect(await ledger.jobs.due(noon, 1, 1)).toEqual([]);
      const claimed = await ledger.jobs.claim(id, 1000, noon);
      expect(claimed).toMatchObject({
        id,
        subject: 'd1',
        storeId: 'tienda',
        attempts: 0,
        payload: { event: 'x' },
      });
      expect(await ledger.jobs.counts()).toEqual({ waiting: 0, released: 0, leased: 1, held: 0 });
      expect(await ledger.jobs.finish(id, claimed?.token ?? '')).toBe(true);
      expect(await ledger.jobs.counts()).toEqual({ waiting: 0, released: 0, leased: 0, held: 0 });
    });

    test('enqueueing a waiting job again moves it earlier, never later, and sets the newest payload', async () => {
      const ledger = await open();
      await ledger.jobs.enqueue(job('d1', { dueAt: at(100), payload: { n: 1 }, priority: 5 }));
      await ledger.jobs.enqueue(job('d1', { dueAt: at(50), priority: 0 }));
      await ledger.jobs.enqueue(job('d1', { dueAt: at(200), payload: { n: 2 }, priority: 9 }));
      expect(await ledger.jobs.nextDueAt()).toEqual(at(50));
      expect(await ledger.jobs.due(at(50), 9, 9)).toMatchObject([{ priority: 0 }]);
      expect(await claimNext(ledger, at(50))).toMatchObject({ payload: { n: 2 } });
    });

    test('`forget` deletes a waiting job, not other kinds, and not a leased one', async () => {
      const ledger = await open();
      await ledger.jobs.enqueue(job('d1'));
      const held = await claimNext(ledger);
      await ledger.jobs.enqueue(job('d2'));
      await ledger.jobs.enqueue(job('d2', { kind: 'write-back', rateLimit: null }));
      await ledger.jobs.forget('submit-document', 'd1');
      await ledger.jobs.forget('submit-document', 'd2');
      expect(await ledger.jobs.counts()).toEqual({ waiting: 1, released: 0, leased: 1, held: 0 });
      expect(await ledger.jobs.finish(held.id, held.token)).toBe(true);
    });

    test('`existing` finds jobs of a kind in any state', async () => {
      const ledger = await open();
      for (const subject of ['d1', 'd2', 'd3']) await ledger.jobs.enqueue(job(subject));
      const claimed = await claimNext(ledger);
      expect(await ledger.jobs.existing('submit-document', ['d1', 'd2', 'd3', 'd4'])).toEqual(
        new Set(['d1', 'd2', 'd3']),
      );
      await ledger.jobs.finish(claimed.id, claimed.token);
      const left = await ledger.jobs.existing('submit-document', ['d1', 'd2', 'd3']);
      expect([left.size, left.has(claimed.subject)]).toEqual([2, false]);
      expect(await ledger.jobs.existing('reconciliation', ['d1', 'd2', 'd3'])).toEqual(new Set());
      expect(await ledger.jobs.existing('reconciliation', [])).toEqual(new Set());
    });

    test('the same subject with another kind is another job', async () => {
      const ledger = await open();
      await ledger.jobs.enqueue(job('d1'));
      await ledger.jobs.enqueue(job('d1', { kind: 'write-back', rateLimit: null }));
      expect((await ledger.jobs.counts()).waiting).toBe(2);
    });

    test('enqueued while it runs, it runs once more with the new payload', async () => {
      const ledger = await open();
      await ledger.jobs.enqueue(job('d1', { payload: { n: 1 } }));
      const first = await claimNext(ledger);
      await ledger.jobs.enqueue(job('d1', { dueAt: at(30), payload: { n: 2 } }));
      await ledger.jobs.enqueue(job('d1', { dueAt: at(20) }));
      await ledger.jobs.enqueue(job('d1', { dueAt: at(40) }));
      expect(await ledger.jobs.nextDueAt()).toBeNull();
      expect(await ledger.jobs.finish(first.id, first.token)).toBe(true);
      expect(await ledger.jobs.nextDueAt()).toEqual(at(20));
      const second = await claimNext(ledger, at(20));
      expect(second).toMatchObject({ payload: { n: 2 }, attempts: 0 });
      await ledger.jobs.finish(second.id, second.token);
      expect(await ledger.jobs.nextDueAt()).toBeNull();
    });

    test('enqueued while it is at the transport, it runs once', async () => {
      const ledger = await open();
      await ledger.jobs.enqueue(job('d1'));
      const [due] = await ledger.jobs.due(noon, 1, 1);
      await ledger.jobs.release([due?.id ?? ''], noon);
      await ledger.jobs.enqueue(job('d1', { payload: { n: 2 } }));
      const claimed = await ledger.jobs.claim(due?.id ?? '', 1000, noon);
      expect(claimed?.payload).toEqual({ n: 2 });
      await ledger.jobs.finish(due?.id ?? '', claimed?.token ?? '');
      expect(await ledger.jobs.counts()).toEqual({ waiting: 0, released: 0, leased: 0, held: 0 });
    });

    test('enqueued right after its release, it runs with the new payload', async () => {
      const ledger = await open();
      await ledger.jobs.enqueue(job('d1', { payload: { n: 1 } }));
      const [due] = await ledger.jobs.due(noon, 1, 1);
      const id = due?.id ?? '';
      const released = ledger.jobs.release([id], noon);
      const asked = ledger.transaction((tables) => tables.jobs.enqueue(job('d1', { payload: { n: 2 } })));
      await Promise.all([released, asked]);
      expect((await ledger.jobs.claim(id, 1000, noon))?.payload).toEqual({ n: 2 });
    });

    test('a `finish` that is rolled back leaves the job with its holder', async () => {
      const ledger = await open();
      await ledger.jobs.enqueue(job('d1'));
      const { id, token } = await claimNext(ledger);
      const broken = ledger.transaction(async (tables) => {
        expect(await tables.jobs.finish(id, token)).toBe(true);
        throw new Error('The disk is full.');
      });
      await expect(broken).rejects.toThrow('The disk is full.');
      expect(await ledger.jobs.counts()).toEqual({ waiting: 0, released: 0, leased: 1, held: 0 });
      expect(await ledger.jobs.finish(id, token)).toBe(true);
      expect(await ledger.jobs.counts()).toEqual({ waiting: 0, released: 0, leased: 0, held: 0 });
    });

    test('enqueued in the transaction that finished it, it is a new job', async () => {
      const ledger = await open();
      await ledger.jobs.enqueue(job('d1', { payload: { n: 1 } }));
      const { id, token } = await claimNext(ledger);
      await ledger.transaction(async (tables) => {
        await tables.jobs.finish(id, token);
        await tables.jobs.enqueue(job('d1', { dueAt: at(50) }));
      });
      expect(await ledger.jobs.counts()).toEqual({ waiting: 1, released: 0, leased: 0, held: 0 });
      expect(await ledger.jobs.nextDueAt()).toEqual(at(50));
      expect((await claimNext(ledger, at(50))).payload).toBeUndefined();
    });

    test('an enqueue that is rolled back at most makes the job run once more', async () => {
      const ledger = await open();
      await ledger.jobs.enqueue(job('d1', { payload: { n: 1 } }));
      const { id, token } = await claimNext(ledger);
      const broken = ledger.transaction(async (tables) => {
        await tables.jobs.enqueue(job('d1', { payload: { n: 2 } }));
        throw new Error('The disk is full.');
      });
      await expect(broken).rejects.toThrow();
      await ledger.jobs.finish(id, token);
      const { waiting } = await ledger.jobs.counts();
      if (waiting > 0) expect((await claimNext(ledger)).payload).toEqual({ n: 1 });
    });

    test('a postponed job is due later; only failures count, and the reason is stored', async () => {
      const ledger = await open();
      await ledger.jobs.enqueue(job());
      const first = await claimNext(ledger);
      const later = { dueAt: at(100), failedAt: null, reason: '429' };
      expect(await ledger.jobs.postpone(first.id, first.token, later)).toBe(true);
      expect(await ledger.jobs.due(at(99), 1, 1)).toEqual([]);
      const second = await claimNext(ledger, at(100));
      expect(second.attempts).toBe(0);
      await ledger.jobs.postpone(second.id, second.token, {
        dueAt: at(200),
        failedAt: at(100),
        reason: 'broken',
      });
      expect((await claimNext(ledger, at(200))).attempts).toBe(1);
    });

    test('a job put back behind a pause keeps its due time, before jobs due later', async () => {
      const ledger = await open();
      const paused = { account: 'cuenta', ambiente: null, cause: 'api-key' } as const;
      const account = { id: 'cuenta', ambiente: 1 } as const;
      await ledger.jobs.enqueue(job('first', { account, dueAt: at(1) }));
      await ledger.jobs.enqueue(job('second', { account, dueAt: at(2) }));
      const claimed = await claimNext(ledger, at(5));
      await ledger.pauses.begin({ ...paused, now: at(5) });
      const later = { dueAt: at(100), putBack: true, failedAt: null, reason: 'paused' };
      await ledger.jobs.postpone(claimed.id, claimed.token, later);
      await ledger.pauses.end(paused);
      expect(await claimNext(ledger, at(5))).toMatchObject({ subject: 'first', attempts: 0 });
    });

    test('a job put back into an open partition is due later, never at once', async () => {
      const ledger = await open();
      const account = { id: 'cuenta', ambiente: 2 } as const;
      await ledger.jobs.enqueue(job('question', { kind: 'reprocess-document', account, dueAt: at(1) }));
      const claimed = await claimNext(ledger, at(5));
      const paused = { account: 'cuenta', ambiente: 2, cause: 'credits' } as const;
      await ledger.pauses.begin({ ...paused, now: at(5) });
      const later = { dueAt: at(100), putBack: true, failedAt: null, reason: 'paused' };
      await ledger.jobs.postpone(claimed.id, claimed.token, later);
      expect(await ledger.jobs.due(at(99), 1, 1)).toEqual([]);
      expect((await claimNext(ledger, at(100))).subject).toBe('question');
      await ledger.pauses.end(paused);
    });

    test('a job postponed but enqueued meanwhile keeps the earlier time', async () => {
      const ledger = await open();
      await ledger.jobs.enqueue(job());
      const claimed = await claimNext(ledger);
      await ledger.jobs.enqueue(job('document-1', { dueAt: at(10) }));
      await ledger.jobs.postpone(claimed.id, claimed.token, {
        dueAt: at(9000),
        failedAt: at(100),
        reason: 'x',
      });
      expect(await ledger.jobs.nextDueAt()).toEqual(at(10));
    });

    test('each partition gets its share: urgency, account, ambiente and store of a key, and stores without one', async () => {
      const ledger = await open();
      const account = { id: 'cuenta', ambiente: 1 } as const;
      for (let n = 0; n < 20; n += 1) await ledger.jobs.enqueue(job(`e${n}`, { account }));
      for (let n = 0; n < 20; n += 1) await ledger.jobs.enqueue(job(`o${n}`, { account, storeId: 'otra' }));
      for (let n = 0; n < 20; n += 1)
        await ledger.jobs.enqueue(job(`q${n}`, { account, kind: 'follow-up', priority: 5 }));
      await ledger.jobs.enqueue(job('production', { account: { id: 'cuenta', ambiente: 2 } }));
      const due = await ledger.jobs.due(noon, 2, 100);
      expect(due.map((it) => it.partition).sort()).toEqual([
        'emission/cuenta/1/otra/key-a',
        'emission/cuenta/1/otra/key-a',
        'emission/cuenta/1/tienda/key-a',
        'emission/cuenta/1/tienda/key-a',
        'emission/cuenta/2/tienda/key-a',
        'question/cuenta/1/tienda/key-a',
        'question/cuenta/1/tienda/key-a',
      ]);
    });

    test('jobs that call a shop hide none of its others, however many wait', async () => {
      const ledger = await open();
      const free = { rateLimit: null, storeId: 'tienda' };
      for (let n = 0; n < 20; n += 1)
        await ledger.jobs.enqueue(job(`p${n}`, { ...free, kind: 'sync-order' }));
      await ledger.jobs.enqueue(job('w', { ...free, kind: 'write-back', priority: 9 }));
      await ledger.jobs.enqueue(job('s', { ...free, kind: 'settle-document', priority: 9 }));
      const due = await ledger.jobs.due(noon, 2, 100);
      expect(due.map(({ partition }) => partition).sort()).toEqual([
        'shop:tienda/sync-order',
        'shop:tienda/sync-order',
        'shop:tienda/write-back',
        'store:tienda',
      ]);
    });

    test('of what was handed over the ledger names what has not ended', async () => {
      const ledger = await open();
      for (const subject of ['waits', 'released', 'runs', 'done'])
        await ledger.jobs.enqueue(job(subject, { storeId: subject }));
      const ids = new Map((await ledger.jobs.due(noon, 1, 9)).map(({ id, storeId }) => [storeId, id]));
      const idOf = (subject: string) => ids.get(subject) ?? '';
      await ledger.jobs.release(['released', 'runs', 'done'].map(idOf), noon);
      await ledger.jobs.claim(idOf('runs'), 60_000, noon);
      const claimed = await ledger.jobs.claim(idOf('done'), 60_000, noon);
      await ledger.jobs.finish(idOf('done'), claimed?.token ?? '');
      expect(await ledger.jobs.unfinished([...ids.values(), 'nobody'])).toEqual(
        new Set(['released', 'runs'].map(idOf)),
      );
      expect(await ledger.jobs.unfinished([])).toEqual(new Set());
    });

    test('the next due time is that after a given one; what is handed over is counted', async () => {
      const ledger = await open();
      await ledger.jobs.enqueue(job('d1', { dueAt: at(10) }));
      await ledger.jobs.enqueue(job('d2', { dueAt: at(20) }));
      expect(await ledger.jobs.nextDueAt()).toEqual(at(10));
      expect(await ledger.jobs.nextDueAt(at(10))).toEqual(at(20));
      expect(await ledger.jobs.nextDueAt(at(20))).toBeNull();
      expect(await ledger.jobs.unclaimed()).toEqual(new Map());
      await ledger.jobs.release(
        (await ledger.jobs.due(at(20), 9, 9)).map(({ id }) => id),
        at(20),
      );
      expect(await ledger.jobs.unclaimed()).toEqual(new Map([['key-a', 2]]));
    });

    test('each rate limit gets its share, however long the queue of another is', async () => {
      const ledger = await open();
      for (let n = 0; n < 60; n += 1) await ledger.jobs.enqueue(job(`big-${n}`));
      await ledger.jobs.enqueue(job('small', { rateLimit: 'key-b', dueAt: at(1) }));
      await ledger.jobs.enqueue(job('free-1', { rateLimit: null, priority: 9 }));
      await ledger.jobs.enqueue(job('free-2', { rateLimit: null, storeId: 'otra', priority: 9 }));
      const due = await ledger.jobs.due(at(1), 2, 100);
      expect(due.map((it) => it.rateLimit)).toEqual(['key-a', 'key-a', 'key-b', null, null]);
      expect(await ledger.jobs.due(at(1), 2, 3)).toHaveLength(3);
    });

    test('within a rate limit the more urgent job goes first, then the longer due', async () => {
      const ledger = await open();
      await ledger.jobs.enqueue(job('c', { priority: 5, dueAt: at(0) }));
      await ledger.jobs.enqueue(job('b', { priority: 0, dueAt: at(2) }));
      await ledger.jobs.enqueue(job('a', { priority: 0, dueAt: at(1) }));
      await ledger.jobs.enqueue(job('not yet', { priority: 0, dueAt: at(9) }));
      const due = await ledger.jobs.due(at(5), 3, 9);
      expect(due.map((it) => it.dueAt)).toEqual([at(1), at(2), at(0)].map((it) => it.toISOString()));
      expect((await ledger.jobs.due(at(5), 1, 9)).map((it) => it.dueAt)).toEqual([at(1).toISOString()]);
    });

    test('released once, claimed once', async () => {
      const ledger = await open();
      await ledger.jobs.enqueue(job());
      const [due] = await ledger.jobs.due(noon, 1, 1);
      const id = due?.id ?? '';
      const releases = await Promise.all(Array.from({ length: 10 }, () => ledger.jobs.release([id], noon)));
      expect(releases.flat()).toEqual([id]);
      const claims = await Promise.all(Array.from({ length: 10 }, () => ledger.jobs.claim(id, 1000, noon)));
      expect(claims.filter((it) => it !== undefined)).toHaveLength(1);
    });

    test('only released jobs can be claimed, only due jobs released', async () => {
      const ledger = await open();
      await ledger.jobs.enqueue(job('d1', { dueAt: at(10) }));
      const [due] = await ledger.jobs.due(at(10), 1, 1);
      expect(await ledger.jobs.claim(due?.id ?? '', 1000, at(10))).toBeUndefined();
      expect(await ledger.jobs.release([due?.id ?? ''], at(9))).toEqual([]);
      expect(await ledger.jobs.release([], at(10))).toEqual([]);
      expect(await ledger.jobs.release(['unknown'], at(10))).toEqual([]);
    });

    test('a lost token can neither finish nor postpone nor extend', async () => {
      const ledger = await open();
      await ledger.jobs.enqueue(job());
      const lost = await claimNext(ledger);
      expect(await ledger.jobs.recover(at(1000), 60_000)).toBe(1);
      const held = await claimNext(ledger, at(1000));
      expect(held.id).toBe(lost.id);
      expect(held.attempts).toBe(1);
      const later = { dueAt: at(1), failedAt: null, reason: 'x' };
      expect(await ledger.jobs.finish(lost.id, lost.token)).toBe(false);
      expect(await ledger.jobs.postpone(lost.id, lost.token, later)).toBe(false);
      expect(await ledger.jobs.extend(lost.id, lost.token, 9000, at(1001))).toBe(false);
      expect(await ledger.jobs.holds(lost.id, lost.token)).toBe(false);
      expect(await ledger.jobs.finish(held.id, held.token)).toBe(true);
    });

    test('an extended lease is not recovered', async () => {
      const ledger = await open();
      await ledger.jobs.enqueue(job());
      const claimed = await claimNext(ledger, noon, 1000);
      expect(await ledger.jobs.recover(at(999), 60_000)).toBe(0);
      expect(await ledger.jobs.extend(claimed.id, claimed.token, 5000, at(900))).toBe(true);
      expect(await ledger.jobs.holds(claimed.id, claimed.token)).toBe(true);
      expect(await ledger.jobs.recover(at(5899), 60_000)).toBe(0);
      expect(await ledger.jobs.recover(at(5900), 60_000)).toBe(1);
    });

    test('a released job that nobody claimed is due again, and counts no failure', async () => {
      const ledger = await open();
      await ledger.jobs.enqueue(job());
      const [due] = await ledger.jobs.due(noon, 1, 1);
      await ledger.jobs.release([due?.id ?? ''], noon);
      expect(await ledger.jobs.recover(at(999), 1000)).toBe(0);
      expect(await ledger.jobs.recover(at(1000), 1000)).toBe(1);
      expect((await claimNext(ledger, at(1000))).attempts).toBe(0);
    });
  });
}
