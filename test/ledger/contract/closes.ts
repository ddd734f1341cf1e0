import { describe, expect, it } from 'vitest';
import type { KeptClose } from '../../../src/ledger/schema.ts';
import type { OpenLedger } from '../contract.ts';
import { at, attempt, delivery, document, noon, series } from '../samples.ts';

const kept = (n: number, over: Partial<KeptClose> = {}): KeptClose => ({
  hash: `hash-${n}`,
  n,
  day: '2026-11-20',
  scope: '*',
  result: 'green',
  content: `{"n":${n}}`,
  signature: 'c2lnbmF0dXJl',
  publicKey: 'a2V5',
  closedAt: noon.toISOString(),
  ...over,
});

export function closesContract(open: OpenLedger): void {
  describe('closes of days', () => {
    it('come back as they were kept, and two never take one place', async () => {
      const { closes } = await open();
      expect(await closes.last()).toBeUndefined();
      const added = await Promise.all([closes.add(kept(1)), closes.add(kept(1, { hash: 'other' }))]);
      expect(added.filter(Boolean)).toHaveLength(1);
      await closes.add(kept(2, { day: '2026-11-21' }));
      await closes.add(kept(3));
      await closes.add(kept(4, { scope: 'tienda' }));
      expect(await closes.last()).toEqual(kept(4, { scope: 'tienda' }));
      expect((await closes.ofDay('2026-11-20', '*'))?.n).toBe(3);
      expect((await closes.recent(2)).map(({ n }) => n)).toEqual([2, 4]);
      expect((await closes.chain(1, 2)).map(({ n }) => n)).toEqual([2, 3]);
    });
  });

  describe('days', () => {
    /** Numbers 1 to 4, of which 1 and 3 were issued. */
    async function filled() {
      const ledger = await open();
      const made = [];
      for (const sourceId of ['a', 'b', 'c', 'd'])
        made.push(await ledger.documents.create(document({ sourceId, state: 'ready' })));
      const ids = made.map((one) => one?.id ?? '');
      for (const [nth, issueDate] of [
        [0, '2026-11-20'],
        [2, '2026-11-21'],
      ] as const)
        await ledger.documents.move(ids[nth] ?? '', {
          from: ['ready'],
          to: 'sending',
          patch: { issueDate },
          now: noon,
        });
      return { ledger, ids };
    }

    it('tell the documents of a span by issue date, a page behind the one before', async () => {
      const { ledger, ids } = await filled();
      const span = { from: '2026-11-01', to: '2026-11-30', limit: 1 };
      const [first] = await ledger.days.issued({ ...span, after: null });
      const [second] = await ledger.days.issued({ ...span, after: first ?? null });
      expect([first?.id, second?.id]).toEqual([ids[0], ids[2]]);
      expect(await ledger.days.issued({ ...span, after: second ?? null })).toEqual([]);
      expect(await ledger.days.issued({ ...span, states: ['authorized'], after: null })).toEqual([]);
      expect(await ledger.days.issued({ ...span, to: '2026-11-20', after: null, limit: 9 })).toHaveLength(1);
    });

    it('tell the gaps of a series from its first number up to its next', async () => {
      const { ledger } = await filled();
      const gaps = (first: number, from = '2026-11-01', to = '2026-11-30') =>
        ledger.days.gaps(series, { first, from, to });
      expect(await gaps(1)).toEqual([]);
      await ledger.sequences.raise(series, 9);
      const made = await ledger.documents.create(document({ sourceId: 'e', state: 'ready' }));
      // Number 4 never left: nobody can say of which day the gap behind it is.
      expect(await gaps(1)).toEqual([]);
      await ledger.documents.move(made?.id ?? '', {
        from: ['ready'],
        to: 'sending',
        patch: { issueDate: '2026-11-22' },
        now: noon,
      });
      const leap = { from: 5, to: 8, before: null, after: '2026-11-22' };
      expect(await gaps(1)).toEqual([leap]);
      expect(await gaps(-2, '2026-11-20', '2026-11-20')).toEqual([
        { from: -2, to: 0, before: null, after: '2026-11-20' },
      ]);
      expect(await gaps(1, '2026-11-21', '2026-11-21')).toEqual([]);
      await ledger.sequences.raise(series, 12);
      expect(await gaps(1)).toEqual([leap, { from: 10, to: 11, before: '2026-11-22', after: null }]);
      const unused = { ...series, puntoEmision: '099' };
      expect(await ledger.days.gaps(unused, { first: 1, from: '2026-11-01', to: '2026-11-30' })).toEqual([]);
    });

    it('tell no orphan while every attempt has its document', async () => {
      const { ledger, ids } = await filled();
      await ledger.attempts.add(attempt(ids[0] ?? ''));
      expect(await ledger.days.orphans('2026-11-20')).toEqual([]);
    });

    it('list the keys of a day that the service reported, each once, and the accounts', async () => {
      const { accept, days } = await open();
      const key = (date: string) => `${date}${'1'.repeat(41)}`;
      const reported = (dedupeKey: string, more: object = {}) =>
        accept(
          delivery(dedupeKey, {
            connection: 'service:cuenta',
            topic: 'comprobante.autorizado',
            job: null,
            ...more,
          }),
        );
      await reported(`${key('20112026')}:1`, { receivedAt: at(1_000) });
      await reported(`${key('20112026')}:2`, { receivedAt: at(2_000) });
      await reported(`${key('20112026')}:5`, { receivedAt: at(3_000), connection: 'service:otra' });
      await reported(`${key('19112026')}:3`, { receivedAt: at(2_000) });
      await reported(`${key('20112026').replace(/1$/, '2')}:4`, { topic: 'comprobante.error' });
      const [one, ...others] = await days.reportedKeys('2026-11-20');
      expect(one?.accessKey).toBe(key('20112026'));
      expect(one?.accounts.toSorted()).toEqual(['cuenta', 'otra']);
      expect(others).toEqual([]);
    });
  });
}
