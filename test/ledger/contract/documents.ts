import { describe, expect, test } from 'vitest';
import type { OpenLedger } from '../contract.ts';
import { at, attempt, document, noon, order, series } from '../samples.ts';

export function documentsContract(open: OpenLedger): void {
  describe('documents', () => {
    test('a document born ready has its number from the start', async () => {
      const ledger = await open();
      const made = await ledger.documents.create(document({ firstSecuencial: 41 }));
      expect(made).toMatchObject({ secuencial: '000000041', state: 'ready', version: 1, writtenBack: null });
      expect(await ledger.documents.get(made?.id ?? '')).toEqual(made);
      expect(await ledger.documents.byNumber(series, '000000041')).toEqual(made);
      expect(await ledger.documents.byNumber({ ...series, ambiente: 2 }, '000000041')).toBeUndefined();
    });

    test('a held document has no number until its first move to ready, and keeps it from then on', async () => {
      const ledger = await open();
      const held = await ledger.documents.create(document({ state: 'held', firstSecuencial: 7, code: 'x' }));
      const id = held?.id ?? '';
      expect(held?.secuencial).toBeNull();
      const ready = await ledger.documents.move(id, { from: ['held'], to: 'ready', now: at(1) });
      expect(ready).toMatchObject({ secuencial: '000000007', version: 2, updatedAt: at(1).toISOString() });
      await ledger.documents.move(id, { from: ['ready'], to: 'held', now: at(2) });
      const again = await ledger.documents.move(id, { from: ['held'], to: 'ready', now: at(3) });
      expect(again).toMatchObject({ secuencial: '000000007', version: 4 });
      expect(await ledger.sequences.reserve(series, 1)).toBe('000000008');
    });

    test('fifty at once with one key make one document and take one number', async () => {
      const ledger = await open();
      const made = await Promise.all(Array.from({ length: 50 }, () => ledger.documents.create(document())));
      expect(made.filter((it) => it !== undefined)).toHaveLength(1);
      expect(await ledger.sequences.reserve(series, 1)).toBe('000000002');
    });

    test('a move is won once; the loser changes nothing', async () => {
      const ledger = await open();
      const made = await ledger.documents.create(document());
      const moves = await Promise.all(
        Array.from({ length: 10 }, () =>
          ledger.documents.move(made?.id ?? '', { from: ['ready'], to: 'sending', now: at(1) }),
        ),
      );
      expect(moves.filter((it) => it !== undefined)).toHaveLength(1);
      expect(await ledger.documents.history(made?.id ?? '')).toHaveLength(2);
    });

    test('illegal moves throw and name the move', async () => {
      const ledger = await open();
      const made = await ledger.documents.create(document());
      const illegal = ledger.documents.move(made?.id ?? '', { from: ['authorized'], to: 'ready', now: noon });
      await expect(illegal).rejects.toMatchObject({
        code: 'internal',
        params: expect.objectContaining({ why: 'move', from: 'authorized', to: 'ready' }),
      });
    });

    test('a patch changes what it names, nulls included, and nothing else', async () => {
      const ledger = await open();
      const made = await ledger.documents.create(document({ code: 'c', reason: 'Falta la cédula.' }));
      const moved = await ledger.documents.move(made?.id ?? '', {
        from: ['ready'],
        to: 'sending',
        patch: { code: null, issueDate: '2026-11-20', total: '115.00', accessKey: '49' },
        now: at(1),
      });
      expect(moved).toMatchObject({
        code: null,
        reason: 'Falta la cédula.',
        issueDate: '2026-11-20',
        total: '115.00',
        accessKey: '49',
        charged: '115.00',
      });
    });

    test('the history tells every move with its note, oldest first', async () => {
      const ledger = await open();
      const made = await ledger.documents.create(document());
      const id = made?.id ?? '';
      await ledger.documents.move(id, { from: ['ready'], to: 'sending', note: { try: 1 }, now: at(1) });
      await ledger.documents.move(id, { from: ['sending'], to: 'uncertain', now: at(2) });
      expect(await ledger.documents.history(id)).toEqual([
        { at: at(0).toISOString(), from: null, to: 'ready', note: null },
        { at: at(1).toISOString(), from: 'ready', to: 'sending', note: { try: 1 } },
        { at: at(2).toISOString(), from: 'sending', to: 'uncertain', note: null },
      ]);
    });

    test('a moved document is answered as the ledger has it', async () => {
      const ledger = await open();
      const made = await ledger.documents.create(document());
      const id = made?.id ?? '';
      const patch = { account: 'otra', issueDate: '2026-11-20', accessKey: '4'.repeat(49), code: null };
      const move = { from: ['ready' as const], to: 'sending' as const, patch, note: { try: 1 }, now: at(1) };
      const moved = await ledger.documents.move(id, move);
      expect(moved).toEqual(await ledger.documents.get(id));
      expect(moved).toMatchObject({ ...patch, state: 'sending', version: 2 });
      expect((await ledger.documents.history(id)).at(-1)).toMatchObject({ from: 'ready', to: 'sending' });
    });

    test('the outcome of an attempt is set again, until it is authorised', async () => {
      const ledger = await open();
      const made = await ledger.documents.create(document());
      const { id, documentId } = await ledger.attempts.add(attempt(made?.id ?? ''));
      const accessKey = '4'.repeat(49);
      const late = { outcome: 'created', accessKey, now: at(2) } as const;
      const stands = async () => (await ledger.attempts.ofDocument(documentId))[0];
      await ledger.attempts.end(id, { outcome: 'error', now: at(1) });
      expect(await stands()).toMatchObject({ outcome: 'error', accessKey: null });
      await ledger.attempts.end(id, late);
      await ledger.attempts.end(id, { ...late, outcome: 'unknown' });
      expect(await stands()).toMatchObject({ outcome: 'unknown', accessKey });
      await ledger.attempts.end(id, { outcome: 'authorized', now: at(3) });
      await ledger.attempts.end(id, { ...late, outcome: 'refused', accessKey: null });
      expect(await stands()).toMatchObject({ outcome: 'authorized', accessKey });
    });

    test('what was written back is noted without a move', async () => {
      const ledger = await open();
      const made = await ledger.documents.create(document());
      await ledger.documents.written(made?.id ?? '', 'ready', at(1));
      expect(await ledger.documents.get(made?.id ?? '')).toMatchObject({ writtenBack: 'ready', version: 1 });
    });

    test('what the authorised XML said is noted without a move: that it agrees, or which fields differ', async () => {
      const ledger = await open();
      const made = await ledger.documents.create(document());
      const id = made?.id ?? '';
      expect(made).toMatchObject({ verifiedAt: null, verification: null });
      await ledger.documents.verified(id, ['importeTotal', 'pago 1 total'], at(1));
      const verifiedAt = at(1).toISOString();
      const verification = ['importeTotal', 'pago 1 total'];
      expect(await ledger.documents.get(id)).toMatchObject({ verifiedAt, verification, version: 1 });
      await ledger.documents.verified(id, 'agrees', at(2));
      expect(await ledger.documents.get(id)).toMatchObject({ verification: 'agrees' });
    });

    test('one annulled at the portal of the authority is noted once, without a move', async () => {
      const ledger = await open();
      const made = await ledger.documents.create(document());
      const id = made?.id ?? '';
      expect(made).toMatchObject({ annulledAt: null });
      await ledger.documents.annulled(id, at(1));
      await ledger.documents.annulled(id, at(2));
      expect(await ledger.documents.get(id)).toMatchObject({ annulledAt: at(1).toISOString(), version: 1 });
      const history = await ledger.documents.history(id);
      expect(history.map(({ note }) => note)).toEqual([null, { code: 'document-annulled' }]);
    });

    test('a move may name the API key that the document leaves under', async () => {
      const ledger = await open();
      const made = await ledger.documents.create(document());
      const patch = { account: 'otra', keyHash: 'key-b' };
      const moved = await ledger.documents.move(made?.id ?? '', {
        ...{ from: ['ready'], to: 'sending', patch, now: at(1) },
      });
      expect(moved).toMatchObject(patch);
    });

    test('an attempt that is reprocessed has its fate open again, and counts how often', async () => {
      const ledger = await open();
      const made = await ledger.documents.create(document());
      const { id, documentId } = await ledger.attempts.add(attempt(made?.id ?? ''));
      await ledger.attempts.end(id, {
        outcome: 'error',
        accessKey: '4'.repeat(49),
        errors: ['39'],
        now: at(1),
      });
      for (const reprocessed of [1, 2]) {
        await ledger.attempts.reprocessed(id);
        expect(await ledger.attempts.ofDocument(documentId)).toMatchObject([
          { outcome: 'reprocessed', reprocessed, accessKey: '4'.repeat(49), errors: ['39'] },
        ]);
      }
    });

    test('lists newest first, by state; an order shows its own, oldest first', async () => {
      const ledger = await open();
      for (const [n, state] of (['held', 'ready', 'manual'] as const).entries())
        await ledger.documents.create(document({ ordinal: n, state, now: at(n) }));
      await ledger.documents.create(document({ sourceId: 'x', orderId: '9', state: 'held', now: at(5) }));
      const states = async (filter: Parameters<typeof ledger.documents.list>[0]) =>
        (await ledger.documents.list(filter)).map((it) => it.state);
      expect(await states({ limit: 3 })).toEqual(['held', 'manual', 'ready']);
      expect(await states({ states: ['held', 'manual'], limit: 9 })).toEqual(['held', 'manual', 'held']);
      expect(await states({ states: [], limit: 9 })).toEqual([]);
      const own = await ledger.documents.ofOrder(order);
      expect(own.map((it) => it.state)).toEqual(['held', 'ready', 'manual']);
    });

    test('attempts are numbered, opened again as they were encrypted, and end with what is known', async () => {
      const ledger = await open();
      const made = await ledger.documents.create(document());
      const id = made?.id ?? '';
      const one = await ledger.attempts.add(attempt(id));
      const two = await ledger.attempts.add(attempt(id, { issueDate: '2026-11-21', nettedRefunds: [] }));
      await ledger.attempts.end(one.id, { outcome: 'error', errors: ['[43] clave'], now: at(1) });
      const created = { outcome: 'created', accessKey: '4'.repeat(49), serviceId: 2 ** 40 } as const;
      await ledger.attempts.end(two.id, { ...created, now: at(2) });
      expect(await ledger.attempts.ofDocument(id)).toEqual([
        { ...one, outcome: 'error', errors: ['[43] clave'] },
        { ...two, ...created },
      ]);
      expect(one).toMatchObject({ n: 1, body: attempt(id).body, outcome: 'open', nettedRefunds: ['r1'] });
      expect(two.n).toBe(2);
    });

    test('a document is found by the access key of any of its attempts', async () => {
      const ledger = await open();
      const made = await ledger.documents.create(document());
      for (const key of ['1', '2']) {
        const { id } = await ledger.attempts.add(attempt(made?.id ?? ''));
        await ledger.attempts.end(id, { outcome: 'created', accessKey: key, now: noon });
      }
      expect((await ledger.documents.byAccessKey('1'))?.id).toBe(made?.id);
      expect((await ledger.documents.byAccessKey('2'))?.id).toBe(made?.id);
      expect(await ledger.documents.byAccessKey('3')).toBeUndefined();
    });
  });
}
