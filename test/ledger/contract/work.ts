import { describe, expect, test } from 'vitest';
import type { ClaimedWork } from '../../../src/domain/work.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import type { OpenLedger } from '../contract.ts';
import { at, noon, work } from '../samples.ts';

/** Releases and claims the one piece of work that is due. */
export async function claimNext(ledger: Ledger, now = noon, leaseMs = 1000): Promise<ClaimedWork> {
  const [due] = await ledger.work.due(now, 1, 1);
  const [id = ''] = await ledger.work.release([due?.id ?? ''], now);
  const claimed = await ledger.work.claim(id, leaseMs, now);
  if (!claimed) throw new Error('Nothing was there to claim.');
  return claimed;
}

export function workContract(open: OpenLedger): void {
  describe('work', () => {
    test('asked for, it is due, released, claimed and gone', async () => {
      const ledger = await open();
      await ledger.work.ask(work('d1', { payload: { event: 'x' } }));
      const [due] = await ledger.work.due(noon, 1, 1);
      expect(due).toMatchObject({
        kind: 'submit-document',
        budget: 'key-a',
        priority: 0,
        dueAt: noon.toISOString(),
      });
      const id = due?.id ?? '';
      expect(await ledger.work.release([id], noon)).toEqual([id]);
      expect(await ledger.work.due(noon, 1, 1)).toEqual([]);
      const claimed = await ledger.work.claim(id, 1000, noon);
      expect(claimed).toMatchObject({
        id,
        subject: 'd1',
        storeId: 'tienda',
        attempts: 0,
        payload: { event: 'x' },
      });
      expect(await ledger.work.counts()).toEqual({ waiting: 0, released: 0, leased: 1 });
      expect(await ledger.work.finish(id, claimed?.token ?? '', noon)).toBe(true);
      expect(await ledger.work.counts()).toEqual({ waiting: 0, released: 0, leased: 0 });
    });

    test('asking again for waiting work moves it earlier, never later, and brings the newest payload', async () => {
      const ledger = await open();
      await ledger.work.ask(work('d1', { dueAt: at(100), payload: { n: 1 }, priority: 5 }));
      await ledger.work.ask(work('d1', { dueAt: at(50), priority: 0 }));
      await ledger.work.ask(work('d1', { dueAt: at(200), payload: { n: 2 }, priority: 9 }));
      expect(await ledger.work.nextDueAt()).toEqual(at(50));
      expect(await ledger.work.due(at(50), 9, 9)).toMatchObject([{ priority: 0 }]);
      expect(await claimNext(ledger, at(50))).toMatchObject({ payload: { n: 2 } });
    });

    test('forgotten, waiting work is gone, other kinds stay, and what somebody holds is finished by him', async () => {
      const ledger = await open();
      await ledger.work.ask(work('d1'));
      const held = await claimNext(ledger);
      await ledger.work.ask(work('d2'));
      await ledger.work.ask(work('d2', { kind: 'write-back', budget: null }));
      await ledger.work.forget('submit-document', 'd1');
      await ledger.work.forget('submit-document', 'd2');
      expect(await ledger.work.counts()).toEqual({ waiting: 1, released: 0, leased: 1 });
      expect(await ledger.work.finish(held.id, held.token, noon)).toBe(true);
    });

    test('which work of a kind stands is told in whatever hands it is', async () => {
      const ledger = await open();
      for (const subject of ['d1', 'd2', 'd3']) await ledger.work.ask(work(subject));
      const claimed = await claimNext(ledger);
      expect(await ledger.work.standing('submit-document', ['d1', 'd2', 'd3', 'd4'])).toEqual(
        new Set(['d1', 'd2', 'd3']),
      );
      await ledger.work.finish(claimed.id, claimed.token, noon);
      const left = await ledger.work.standing('submit-document', ['d1', 'd2', 'd3']);
      expect([left.size, left.has(claimed.subject)]).toEqual([2, false]);
      expect(await ledger.work.standing('sweep', ['d1', 'd2', 'd3'])).toEqual(new Set());
      expect(await ledger.work.standing('sweep', [])).toEqual(new Set());
    });

    test('the same subject for another kind is other work', async () => {
      const ledger = await open();
      await ledger.work.ask(work('d1'));
      await ledger.work.ask(work('d1', { kind: 'write-back', budget: null }));
      expect((await ledger.work.counts()).waiting).toBe(2);
    });

    test('asked for while it runs, it runs once more with the new payload', async () => {
      const ledger = await open();
      await ledger.work.ask(work('d1', { payload: { n: 1 } }));
      const first = await claimNext(ledger);
      await ledger.work.ask(work('d1', { dueAt: at(30), payload: { n: 2 } }));
      await ledger.work.ask(work('d1', { dueAt: at(20) }));
      await ledger.work.ask(work('d1', { dueAt: at(40) }));
      expect(await ledger.work.nextDueAt()).toBeNull();
      expect(await ledger.work.finish(first.id, first.token, at(5))).toBe(true);
      expect(await ledger.work.nextDueAt()).toEqual(at(20));
      const second = await claimNext(ledger, at(20));
      expect(second).toMatchObject({ payload: { n: 2 }, attempts: 0 });
      await ledger.work.finish(second.id, second.token, at(21));
      expect(await ledger.work.nextDueAt()).toBeNull();
    });

    test('asked for while it lies at the transport, it runs once', async () => {
      const ledger = await open();
      await ledger.work.ask(work('d1'));
      const [due] = await ledger.work.due(noon, 1, 1);
      await ledger.work.release([due?.id ?? ''], noon);
      await ledger.work.ask(work('d1', { payload: { n: 2 } }));
      const claimed = await ledger.work.claim(due?.id ?? '', 1000, noon);
      expect(claimed?.payload).toEqual({ n: 2 });
      await ledger.work.finish(due?.id ?? '', claimed?.token ?? '', noon);
      expect(await ledger.work.counts()).toEqual({ waiting: 0, released: 0, leased: 0 });
    });

    test('asked for right after its release began, it runs with what was asked', async () => {
      const ledger = await open();
      await ledger.work.ask(work('d1', { payload: { n: 1 } }));
      const [due] = await ledger.work.due(noon, 1, 1);
      const id = due?.id ?? '';
      const released = ledger.work.release([id], noon);
      const asked = ledger.transaction((tables) => tables.work.ask(work('d1', { payload: { n: 2 } })));
      await Promise.all([released, asked]);
      expect((await ledger.work.claim(id, 1000, noon))?.payload).toEqual({ n: 2 });
    });

    test('an ending that comes to nothing leaves the work with its holder', async () => {
      const ledger = await open();
      await ledger.work.ask(work('d1'));
      const { id, token } = await claimNext(ledger);
      const broken = ledger.transaction(async (tables) => {
        expect(await tables.work.finish(id, token, noon)).toBe(true);
        throw new Error('The disk is full.');
      });
      await expect(broken).rejects.toThrow('The disk is full.');
      expect(await ledger.work.counts()).toEqual({ waiting: 0, released: 0, leased: 1 });
      expect(await ledger.work.finish(id, token, noon)).toBe(true);
      expect(await ledger.work.counts()).toEqual({ waiting: 0, released: 0, leased: 0 });
    });

    test('asked for in the transaction that ended it, it is new work', async () => {
      const ledger = await open();
      await ledger.work.ask(work('d1', { payload: { n: 1 } }));
      const { id, token } = await claimNext(ledger);
      await ledger.transaction(async (tables) => {
        await tables.work.finish(id, token, noon);
        await tables.work.ask(work('d1', { dueAt: at(50) }));
      });
      expect(await ledger.work.counts()).toEqual({ waiting: 1, released: 0, leased: 0 });
      expect(await ledger.work.nextDueAt()).toEqual(at(50));
      expect((await claimNext(ledger, at(50))).payload).toBeUndefined();
    });

    test('an ask that comes to nothing at most has the work run once more', async () => {
      const ledger = await open();
      await ledger.work.ask(work('d1', { payload: { n: 1 } }));
      const { id, token } = await claimNext(ledger);
      const broken = ledger.transaction(async (tables) => {
        await tables.work.ask(work('d1', { payload: { n: 2 } }));
        throw new Error('The disk is full.');
      });
      await expect(broken).rejects.toThrow();
      await ledger.work.finish(id, token, noon);
      const { waiting } = await ledger.work.counts();
      if (waiting > 0) expect((await claimNext(ledger)).payload).toEqual({ n: 1 });
    });

    test('postponed work is due later; only failures count, and the reason stays readable', async () => {
      const ledger = await open();
      await ledger.work.ask(work());
      const first = await claimNext(ledger);
      const later = { dueAt: at(100), failedAt: null, reason: '429' };
      expect(await ledger.work.postpone(first.id, first.token, later)).toBe(true);
      expect(await ledger.work.due(at(99), 1, 1)).toEqual([]);
      const second = await claimNext(ledger, at(100));
      expect(second.attempts).toBe(0);
      await ledger.work.postpone(second.id, second.token, {
        dueAt: at(200),
        failedAt: at(100),
        reason: 'broken',
      });
      expect((await claimNext(ledger, at(200))).attempts).toBe(1);
    });

    test('work put back behind a pause is as due as before, and stands before what became due later', async () => {
      const ledger = await open();
      const paused = { account: 'cuenta', ambiente: null, cause: 'api-key' } as const;
      const account = { id: 'cuenta', ambiente: 1 } as const;
      await ledger.work.ask(work('first', { account, dueAt: at(1) }));
      await ledger.work.ask(work('second', { account, dueAt: at(2) }));
      const claimed = await claimNext(ledger, at(5));
      await ledger.pauses.begin({ ...paused, now: at(5) });
      const later = { dueAt: at(100), putBack: true, failedAt: null, reason: 'paused' };
      await ledger.work.postpone(claimed.id, claimed.token, later);
      await ledger.pauses.end(paused);
      expect(await claimNext(ledger, at(5))).toMatchObject({ subject: 'first', attempts: 0 });
    });

    test('work put back into a lane that no pause shuts comes later, never at once', async () => {
      const ledger = await open();
      const account = { id: 'cuenta', ambiente: 2 } as const;
      await ledger.work.ask(work('question', { kind: 'reprocess-document', account, dueAt: at(1) }));
      const claimed = await claimNext(ledger, at(5));
      const paused = { account: 'cuenta', ambiente: 2, cause: 'credits' } as const;
      await ledger.pauses.begin({ ...paused, now: at(5) });
      const later = { dueAt: at(100), putBack: true, failedAt: null, reason: 'paused' };
      await ledger.work.postpone(claimed.id, claimed.token, later);
      expect(await ledger.work.due(at(99), 1, 1)).toEqual([]);
      expect((await claimNext(ledger, at(100))).subject).toBe('question');
      await ledger.pauses.end(paused);
    });

    test('work postponed far away but asked for meanwhile keeps the earlier time', async () => {
      const ledger = await open();
      await ledger.work.ask(work());
      const claimed = await claimNext(ledger);
      await ledger.work.ask(work('document-1', { dueAt: at(10) }));
      await ledger.work.postpone(claimed.id, claimed.token, {
        dueAt: at(9000),
        failedAt: at(100),
        reason: 'x',
      });
      expect(await ledger.work.nextDueAt()).toEqual(at(10));
    });

    test('each lane gets its share: urgency, account, ambiente and store of a key, and stores without one', async () => {
      const ledger = await open();
      const account = { id: 'cuenta', ambiente: 1 } as const;
      for (let n = 0; n < 20; n += 1) await ledger.work.ask(work(`e${n}`, { account }));
      for (let n = 0; n < 20; n += 1) await ledger.work.ask(work(`o${n}`, { account, storeId: 'otra' }));
      for (let n = 0; n < 20; n += 1)
        await ledger.work.ask(work(`q${n}`, { account, kind: 'follow-up', priority: 5 }));
      await ledger.work.ask(work('production', { account: { id: 'cuenta', ambiente: 2 } }));
      const due = await ledger.work.due(noon, 2, 100);
      expect(due.map((it) => it.lane).sort()).toEqual([
        'emission/cuenta/1/otra/key-a',
        'emission/cuenta/1/otra/key-a',
        'emission/cuenta/1/tienda/key-a',
        'emission/cuenta/1/tienda/key-a',
        'emission/cuenta/2/tienda/key-a',
        'question/cuenta/1/tienda/key-a',
        'question/cuenta/1/tienda/key-a',
      ]);
    });

    test('the next due time is that after a given one; what is handed over is counted', async () => {
      const ledger = await open();
      await ledger.work.ask(work('d1', { dueAt: at(10) }));
      await ledger.work.ask(work('d2', { dueAt: at(20) }));
      expect(await ledger.work.nextDueAt()).toEqual(at(10));
      expect(await ledger.work.nextDueAt(at(10))).toEqual(at(20));
      expect(await ledger.work.nextDueAt(at(20))).toBeNull();
      expect(await ledger.work.unclaimed()).toEqual(new Map());
      await ledger.work.release(
        (await ledger.work.due(at(20), 9, 9)).map(({ id }) => id),
        at(20),
      );
      expect(await ledger.work.unclaimed()).toEqual(new Map([['key-a', 2]]));
    });

    test('each budget gets its share, however long the queue of another is', async () => {
      const ledger = await open();
      for (let n = 0; n < 60; n += 1) await ledger.work.ask(work(`big-${n}`));
      await ledger.work.ask(work('small', { budget: 'key-b', dueAt: at(1) }));
      await ledger.work.ask(work('free-1', { budget: null, priority: 9 }));
      await ledger.work.ask(work('free-2', { budget: null, storeId: 'otra', priority: 9 }));
      const due = await ledger.work.due(at(1), 2, 100);
      expect(due.map((it) => it.budget)).toEqual(['key-a', 'key-a', 'key-b', null, null]);
      expect(await ledger.work.due(at(1), 2, 3)).toHaveLength(3);
    });

    test('within a budget the more urgent goes first, then the longer due', async () => {
      const ledger = await open();
      await ledger.work.ask(work('c', { priority: 5, dueAt: at(0) }));
      await ledger.work.ask(work('b', { priority: 0, dueAt: at(2) }));
      await ledger.work.ask(work('a', { priority: 0, dueAt: at(1) }));
      await ledger.work.ask(work('not yet', { priority: 0, dueAt: at(9) }));
      const due = await ledger.work.due(at(5), 3, 9);
      expect(due.map((it) => it.dueAt)).toEqual([at(1), at(2), at(0)].map((it) => it.toISOString()));
      expect((await ledger.work.due(at(5), 1, 9)).map((it) => it.dueAt)).toEqual([at(1).toISOString()]);
    });

    test('released once, claimed once', async () => {
      const ledger = await open();
      await ledger.work.ask(work());
      const [due] = await ledger.work.due(noon, 1, 1);
      const id = due?.id ?? '';
      const releases = await Promise.all(Array.from({ length: 10 }, () => ledger.work.release([id], noon)));
      expect(releases.flat()).toEqual([id]);
      const claims = await Promise.all(Array.from({ length: 10 }, () => ledger.work.claim(id, 1000, noon)));
      expect(claims.filter((it) => it !== undefined)).toHaveLength(1);
    });

    test('only released work can be claimed, only due work released', async () => {
      const ledger = await open();
      await ledger.work.ask(work('d1', { dueAt: at(10) }));
      const [due] = await ledger.work.due(at(10), 1, 1);
      expect(await ledger.work.claim(due?.id ?? '', 1000, at(10))).toBeUndefined();
      expect(await ledger.work.release([due?.id ?? ''], at(9))).toEqual([]);
      expect(await ledger.work.release([], at(10))).toEqual([]);
      expect(await ledger.work.release(['unknown'], at(10))).toEqual([]);
    });

    test('a lost token can neither finish nor postpone nor extend', async () => {
      const ledger = await open();
      await ledger.work.ask(work());
      const lost = await claimNext(ledger);
      expect(await ledger.work.recover(at(1000), 60_000)).toBe(1);
      const held = await claimNext(ledger, at(1000));
      expect(held.id).toBe(lost.id);
      expect(held.attempts).toBe(1);
      const later = { dueAt: at(1), failedAt: null, reason: 'x' };
      expect(await ledger.work.finish(lost.id, lost.token, at(1001))).toBe(false);
      expect(await ledger.work.postpone(lost.id, lost.token, later)).toBe(false);
      expect(await ledger.work.extend(lost.id, lost.token, 9000, at(1001))).toBe(false);
      expect(await ledger.work.holds(lost.id, lost.token)).toBe(false);
      expect(await ledger.work.finish(held.id, held.token, at(1001))).toBe(true);
    });

    test('an extended lease is not recovered', async () => {
      const ledger = await open();
      await ledger.work.ask(work());
      const claimed = await claimNext(ledger, noon, 1000);
      expect(await ledger.work.recover(at(999), 60_000)).toBe(0);
      expect(await ledger.work.extend(claimed.id, claimed.token, 5000, at(900))).toBe(true);
      expect(await ledger.work.holds(claimed.id, claimed.token)).toBe(true);
      expect(await ledger.work.recover(at(5899), 60_000)).toBe(0);
      expect(await ledger.work.recover(at(5900), 60_000)).toBe(1);
    });

    test('released work that nobody came for is due again, and counts no failure', async () => {
      const ledger = await open();
      await ledger.work.ask(work());
      const [due] = await ledger.work.due(noon, 1, 1);
      await ledger.work.release([due?.id ?? ''], noon);
      expect(await ledger.work.recover(at(999), 1000)).toBe(0);
      expect(await ledger.work.recover(at(1000), 1000)).toBe(1);
      expect((await claimNext(ledger, at(1000))).attempts).toBe(0);
    });
  });
}
