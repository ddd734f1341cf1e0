import { describe, expect, test } from 'vitest';
import type { JobKind } from '../../../src/domain/job.ts';
import type { OpenLedger } from '../contract.ts';
import { at, attempt, document, job, noon, order, series } from '../samples.ts';

const hour = 3_600_000;
/** When the clock was 26 hours ahead. */
const ahead = at(26 * hour);

export function clockCorrectionContract(openAny: OpenLedger): void {
  /** Nothing of an earlier test lies in the future. */
  const open: OpenLedger = async () => {
    const ledger = await openAny();
    await ledger.clockCorrection.correct(noon, false);
    return ledger;
  };
  describe('what a clock that was ahead left behind', () => {
    const dueAt = async (ledger: Awaited<ReturnType<OpenLedger>>, kind: JobKind) =>
      (await ledger.counts.jobs()).find((one) => one.kind === kind)?.firstDue;

    test('is nothing where every clock was right, whatever waits by its nature', async () => {
      const ledger = await open();
      await ledger.jobs.enqueue(job('later', { kind: 'follow-up', dueAt: at(24 * hour) }));
      await ledger.jobs.enqueue(job('avisos', { kind: 'deliver-alerts', dueAt: at(7 * 24 * hour) }));
      await ledger.alerts.raise({ code: 'account-credits', subject: 'y', params: {} }, at(30_000));
      expect(await ledger.clockCorrection.correct(noon, false)).toEqual({});
    });

    test('is due now: jobs, also half a day ahead where anything shows that the clock was', async () => {
      const ledger = await open();
      await ledger.jobs.enqueue(job('far', { kind: 'sync-order', dueAt: ahead }));
      await ledger.jobs.enqueue(job('near', { kind: 'follow-up', dueAt: at(12 * hour) }));
      expect(await ledger.clockCorrection.correct(noon, false)).toEqual({ 'jobs.dueAt': 1 });
      expect(await dueAt(ledger, 'sync-order')).toBe(noon.toISOString());
      expect(await dueAt(ledger, 'follow-up')).toBe(at(12 * hour).toISOString());
      await ledger.pauses.begin({ account: 'cuenta', ambiente: null, cause: 'service', now: ahead });
      await ledger.clockCorrection.correct(noon, false);
      expect(await dueAt(ledger, 'follow-up')).toBe(noon.toISOString());
    });

    test('after a jump everything that waits is due, and what is asked while it runs', async () => {
      const ledger = await open();
      await ledger.jobs.enqueue(job('near', { kind: 'follow-up', dueAt: at(12 * hour) }));
      expect(await ledger.clockCorrection.correct(noon, true)).toEqual({ 'jobs.dueAt': 1 });
      expect(await ledger.jobs.nextDueAt()).toEqual(noon);
    });

    test('rate limits, locks, reconciliations, series, sessions and alerts go on from now', async () => {
      const ledger = await open();
      await ledger.rateLimits.swap('key', null, {
        reserveTat: 0,
        tat: ahead.getTime(),
        slowUntil: ahead.getTime(),
      });
      await ledger.locks.take({ name: 'orden', holder: 'a', now: ahead, until: at(26 * hour + 180_000) });
      await ledger.reconciliations.begin(order, ahead);
      await ledger.sequences.stop(series, { reason: 'x', secuencial: null }, ahead);
      const session = { tokenHash: 'hash', person: 'ana', mark: 'm', stage: 'password' } as const;
      await ledger.sessions.begin({ ...session, now: ahead });
      await ledger.alerts.raise({ code: 'account-credits', subject: 'y', params: {} }, ahead);
      await ledger.counters.add('cubo', { endsAt: new Date(ahead.getTime() + hour), now: ahead });
      const found = await ledger.clockCorrection.correct(noon, false);
      expect(found).toEqual({
        'rateLimits.tat': 1,
        'locks.until': 1,
        'reconciliations.reconciledTo': 1,
        'series.stoppedAt': 1,
        'sessions.beganAt': 1,
        'sessions.seenAt': 1,
        'alerts.since': 1,
        'counters.endsAt': 1,
      });
      expect(await ledger.rateLimits.read('key')).toEqual({
        reserveTat: 0,
        tat: noon.getTime(),
        slowUntil: 0,
      });
      const other = { name: 'orden', holder: 'b', until: at(9) };
      expect(await ledger.locks.take({ ...other, now: noon })).toBe(false);
      expect(await ledger.locks.take({ ...other, now: at(180_000) })).toBe(true);
      expect((await ledger.reconciliations.get(order))?.reconciledTo).toBe(noon.toISOString());
      expect((await ledger.sessions.get('hash'))?.seenAt).toBe(noon.toISOString());
      expect((await ledger.alerts.open())[0]?.since).toBe(noon.toISOString());
      expect(await ledger.counters.read(['cubo'], at(1))).toEqual([0]);
      expect(await ledger.clockCorrection.correct(noon, false)).toEqual({});
    });

    test('open documents and their sendings happened by now: what is reckoned from them goes on', async () => {
      const ledger = await open();
      const made = await ledger.documents.create(document({ now: ahead }));
      if (!made) throw new Error('There is no document.');
      await ledger.attempts.add(attempt(made.id, { now: ahead }));
      const found = await ledger.clockCorrection.correct(noon, false);
      expect(found).toMatchObject({ 'documents.createdAt': 1, 'attempts.createdAt': 1, 'history.at': 1 });
      const [sent] = await ledger.attempts.ofDocument(made.id);
      expect(sent?.createdAt).toBe(noon.toISOString());
    });
  });

  describe('jobs that keep failing', () => {
    test('are known by their failures or their age, until one runs well', async () => {
      const ledger = await open();
      await ledger.jobs.enqueue(job('pedido', { kind: 'sync-order', rateLimit: null }));
      const fail = async (ms: number, failedAt: Date | null = at(ms)) => {
        const [due] = await ledger.jobs.due(at(ms), 1, 1);
        await ledger.jobs.release([due?.id ?? ''], at(ms));
        const claimed = await ledger.jobs.claim(due?.id ?? '', 60_000, at(ms));
        if (!claimed) throw new Error('Nothing is due.');
        await ledger.jobs.postpone(claimed.id, claimed.token, {
          dueAt: at(ms),
          failedAt,
          reason: 'No abre.',
        });
      };
      const list = () => ledger.failing.list({ failures: 3, since: at(-1) });
      await fail(1);
      await fail(2);
      expect(await list()).toEqual([]);
      expect(await ledger.failing.list({ failures: 3, since: at(1) })).toHaveLength(1);
      await fail(3);
      expect(await list()).toEqual([
        {
          kind: 'sync-order',
          subject: 'pedido',
          storeId: 'tienda',
          failures: 3,
          since: at(1).toISOString(),
          reason: 'No abre.',
          dueAt: at(3).toISOString(),
        },
      ]);
      await fail(4, null);
      expect(await list()).toEqual([]);
      expect(await ledger.failing.list({ failures: 0, since: at(9) })).toEqual([]);
    });
  });
}
