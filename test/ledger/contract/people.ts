import { describe, expect, test } from 'vitest';
import type { OpenLedger } from '../contract.ts';
import { at, attempt, document, noon, order, series } from '../samples.ts';

export function peopleContract(open: OpenLedger): void {
  describe('people', () => {
    const session = { tokenHash: 'h1', person: 'ana', mark: 'm1', stage: 'code', now: noon } as const;

    test('a session lasts until it ends or nobody uses it', async () => {
      const { sessions } = await open();
      await sessions.begin(session);
      await sessions.begin({ ...session, tokenHash: 'h2', now: at(5) });
      await sessions.seen('h2', at(9));
      await sessions.notify('h2', 'Hecho.');
      expect(await sessions.get('h2')).toEqual({
        tokenHash: 'h2',
        person: 'ana',
        mark: 'm1',
        beganAt: at(5).toISOString(),
        seenAt: at(9).toISOString(),
        notice: 'Hecho.',
        stage: 'code',
      });
      await sessions.prune({ seen: at(8), began: at(-1) });
      expect(await sessions.get('h1')).toBeUndefined();
      expect(await sessions.end('h2')).toBe(true);
      expect(await sessions.end('h2')).toBe(false);
    });

    test('what was done is read newest first, page by page, whole or of one subject', async () => {
      const { auditLog } = await open();
      for (let n = 0; n < 12; n += 1)
        await auditLog.add({
          who: n % 2 === 0 ? 'ana' : null,
          what: 'retry',
          subject: `d${n % 3}`,
          outcome: n === 11 ? 'failed' : 'done',
          now: at(n),
          ...(n === 11 && { facts: { code: 'x' } }),
        });
      const first = await auditLog.list({ limit: 5 });
      expect(first.map(({ at: instant }) => instant)).toEqual(
        [11, 10, 9, 8, 7].map((ms) => at(ms).toISOString()),
      );
      expect(first[0]).toMatchObject({ who: null, outcome: 'failed', facts: { code: 'x' } });
      const rest = await auditLog.list({ limit: 50, before: first[4]?.id ?? '' });
      expect(rest).toHaveLength(7);
      expect((await auditLog.of('d2', 9)).map(({ at: instant }) => instant)).toEqual(
        [11, 8, 5, 2].map((ms) => at(ms).toISOString()),
      );
      await auditLog.prune(at(9), ['sign-in']);
      expect(await auditLog.list({ limit: 50 })).toHaveLength(12);
      await auditLog.prune(at(6), ['retry']);
      expect(await auditLog.list({ limit: 50 })).toHaveLength(6);
      await auditLog.prune(at(7));
      expect(await auditLog.list({ limit: 50 })).toHaveLength(5);
    });

    test('what repeats is one entry, whose facts are replaced', async () => {
      const { auditLog } = await open();
      const auditEntry = { who: null, what: 'wrong-password', subject: 'h 1', outcome: 'refused' } as const;
      const more = (before: unknown) => ({
        attempts: ((before as { attempts?: number })?.attempts ?? 0) + 1,
      });
      for (const ms of [1, 2, 3]) await auditLog.fold({ ...auditEntry, now: at(ms), facts: more });
      await auditLog.fold({ ...auditEntry, subject: 'h 2', now: at(4), facts: more });
      const kept = await auditLog.list({ limit: 2 });
      expect(kept.map(({ at: instant, subject, facts }) => [instant, subject, facts])).toEqual([
        [at(4).toISOString(), 'h 2', { attempts: 1 }],
        [at(1).toISOString(), 'h 1', { attempts: 3 }],
      ]);
    });

    test('a session keeps the first secret it is given, encrypted, and all of a person end at once', async () => {
      const { sessions } = await open();
      await sessions.begin({ ...session, stage: 'pending' });
      await sessions.begin({ ...session, tokenHash: 'h2' });
      await sessions.begin({ ...session, tokenHash: 'h3', person: 'eva' });
      expect(await Promise.all([sessions.draft('h1', 'AAAA'), sessions.draft('h2', 'BBBB')])).toEqual([
        'AAAA',
        'BBBB',
      ]);
      expect(await sessions.draft('h1', 'CCCC')).toBe('AAAA');
      await sessions.endOf('ana');
      expect(
        await Promise.all(['h1', 'h2', 'h3'].map(async (one) => (await sessions.get(one))?.person)),
      ).toEqual([undefined, undefined, 'eva']);
    });

    test('a second factor is enrolled once, each time step and each recovery code counts once', async () => {
      const { secondFactors } = await open();
      const factor = { person: 'ana', secret: 'JBSWY3DP', step: 100, codeHashes: ['a', 'b'], now: noon };
      expect(await secondFactors.get('ana')).toBeNull();
      expect(await secondFactors.enrol(factor)).toBe(true);
      expect(await secondFactors.enrol({ ...factor, secret: 'OTHER', codeHashes: ['z'] })).toBe(false);
      expect(await secondFactors.get('ana')).toEqual({
        secret: 'JBSWY3DP',
        enrolledAt: noon.toISOString(),
        codesLeft: 2,
      });
      const steps = await Promise.all([100, 102, 102].map((step) => secondFactors.acceptStep('ana', step)));
      expect(steps.filter(Boolean)).toHaveLength(1);
      expect(await secondFactors.acceptStep('ana', 101)).toBe(false);
      const spent = await Promise.all(['a', 'a', 'z'].map((code) => secondFactors.spendCode('ana', code)));
      expect(spent.filter(Boolean)).toHaveLength(1);
      await secondFactors.replaceCodes('ana', ['c', 'd', 'e']);
      expect(await secondFactors.spendCode('ana', 'b')).toBe(false);
      expect((await secondFactors.get('ana'))?.codesLeft).toBe(3);
      expect([await secondFactors.remove('ana'), await secondFactors.remove('ana')]).toEqual([true, false]);
      expect(await secondFactors.enrol({ ...factor, codeHashes: ['q'] })).toBe(true);
      expect((await secondFactors.get('ana'))?.codesLeft).toBe(1);
    });

    test('what waits for a person is listed oldest first, with the time its buyer has', async () => {
      const ledger = await open();
      const { documents, questions, sequences } = ledger;
      const { tasks } = ledger.view(null);
      const born = (sourceId: string, state: 'held' | 'ready' | 'manual', ms: number) =>
        documents.create(document({ sourceId, orderId: sourceId, state, now: at(ms), ambiente: 2 }));
      await born('1', 'ready', 1);
      await born('2', 'manual', 3);
      await born('3', 'held', 2);
      const cancelled = await born('4', 'held', 4);
      await documents.move(cancelled?.id ?? '', { from: ['held'], to: 'cancelled', now: at(5) });
      await questions.open({ ...order, orderId: '3' }, { cutOffAt: at(60), expiresAt: at(90), now: noon });
      const waiting = await tasks.documents(9);
      expect(waiting.map(({ document: one, question }) => [one.sourceId, one.state, question])).toEqual([
        [
          '3',
          'held',
          { cutOffAt: at(60).toISOString(), expiresAt: at(90).toISOString(), passed: false, answered: false },
        ],
        ['2', 'manual', null],
      ]);
      expect([await tasks.count(), (await tasks.documents(1)).length]).toEqual([2, 1]);
      expect(await tasks.ready()).toEqual([{ account: 'principal', ambiente: 2, count: 1 }]);
      expect(await tasks.stoppedSeries()).toEqual([]);
      await sequences.stop(
        series,
        { reason: 'Otro documento usa el número.', secuencial: '000000001' },
        at(7),
      );
      expect(await tasks.stoppedSeries()).toEqual([
        { ...series, reason: 'Otro documento usa el número.', since: at(7).toISOString() },
      ]);
    });

    test('a document refused because of its issuer waits for a person while its alert lasts', async () => {
      const ledger = await open();
      const { alerts, documents } = ledger;
      const { tasks } = ledger.view(null);
      const under = async (sourceId: string, code: string | null) => {
        const made = await documents.create(document({ sourceId, orderId: sourceId, now: noon }));
        const id = made?.id ?? '';
        await documents.move(id, { from: ['ready'], to: 'sending', now: at(1) });
        await documents.move(id, { from: ['sending'], to: 'processing', patch: { code }, now: at(2) });
        return id;
      };
      const refused = await under('1', 'reprocess');
      const again = await under('2', null);
      await under('3', 'reprocess');
      const alert = { code: 'issuer-refused', params: { order: '1', reason: 'x' } } as const;
      for (const subject of [refused, again]) await alerts.raise({ ...alert, subject }, noon);
      expect((await tasks.documents(9)).map(({ document: { id } }) => id)).toEqual([refused]);
      expect([await tasks.count(), await tasks.refused()]).toEqual([1, 1]);
      await alerts.end({ ...alert, subject: refused }, at(3));
      expect([await tasks.count(), await tasks.refused()]).toEqual([0, 0]);
    });

    test('the attempts and states of many documents are read at once', async () => {
      const ledger = await open();
      const { attempts, documents } = ledger;
      const born = (sourceId: string) =>
        documents.create(document({ sourceId, orderId: sourceId, now: noon }));
      const sent = (await born('1'))?.id ?? '';
      const unsent = (await born('2'))?.id ?? '';
      const accessKey = '4'.repeat(49);
      for (const key of [null, accessKey]) {
        const { id } = await attempts.add(attempt(sent));
        await attempts.end(id, { outcome: 'unknown', accessKey: key, now: at(1) });
      }
      await documents.move(sent, { from: ['ready'], to: 'sending', now: at(1) });
      const found = await Promise.all([sent, unsent].map((id) => documents.get(id)));
      const pasts = await ledger.view(null).tasks.pasts(found.flatMap((one) => one ?? []));
      expect(pasts.get(sent)).toEqual({
        attempts: [
          { outcome: 'unknown', accessKey: null },
          { outcome: 'unknown', accessKey },
        ],
        history: [{ to: 'ready' }, { to: 'sending' }],
      });
      expect(pasts.get(unsent)).toEqual({ attempts: [], history: [{ to: 'ready' }] });
      expect(await ledger.view(null).tasks.pasts([])).toEqual(new Map());
    });
  });
}
