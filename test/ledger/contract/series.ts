import { describe, expect, test } from 'vitest';
import type { SeriesStop } from '../../../src/ledger/series.ts';
import type { OpenLedger } from '../contract.ts';
import { at, document, noon, series } from '../samples.ts';

const foreignSecond: SeriesStop = { reason: 'El número 2 es ajeno.', secuencial: '000000002' };
/** Of no number in particular. */
const look: SeriesStop = { reason: 'Revisar.', secuencial: null };

export function seriesContract(open: OpenLedger): void {
  describe('series', () => {
    test('a hundred reservations at once give a hundred consecutive numbers', async () => {
      const ledger = await open();
      const numbers = await Promise.all(
        Array.from({ length: 100 }, () => ledger.sequences.reserve(series, 500)),
      );
      expect(numbers.sort()).toEqual(Array.from({ length: 100 }, (_, n) => String(500 + n).padStart(9, '0')));
    });

    test('every series counts by itself', async () => {
      const ledger = await open();
      await ledger.sequences.reserve(series, 1);
      expect(await ledger.sequences.reserve({ ...series, ambiente: 2 }, 1)).toBe('000000001');
      expect(await ledger.sequences.reserve({ ...series, codDoc: '04' }, 9)).toBe('000000009');
      expect(await ledger.sequences.reserve(series, 77)).toBe('000000002');
    });

    test('a number taken in a transaction that fails is not lost', async () => {
      const ledger = await open();
      const failed = ledger.transaction(async (tables) => {
        await tables.sequences.reserve(series, 1);
        throw new Error('on purpose');
      });
      await expect(failed).rejects.toThrow('on purpose');
      expect(await ledger.sequences.reserve(series, 1)).toBe('000000001');
    });

    test('the tenth digit is never given', async () => {
      const ledger = await open();
      expect(await ledger.sequences.reserve(series, 999_999_999)).toBe('999999999');
      expect(await ledger.sequences.stopped(series)).toMatchObject({ exhausted: true });
      await expect(ledger.sequences.reserve(series, 1)).rejects.toMatchObject({ code: 'series-exhausted' });
    });

    test('a stopped series gives no number and says why', async () => {
      const ledger = await open();
      await ledger.sequences.reserve(series, 1);
      expect(await ledger.sequences.stopped(series)).toBeNull();
      await ledger.sequences.stop(series, foreignSecond, noon);
      await ledger.sequences.stop(series, { reason: 'Otra razón.', secuencial: '000000003' }, at(1));
      expect(await ledger.sequences.stopped(series)).toEqual(foreignSecond);
      await expect(ledger.sequences.reserve(series, 1)).rejects.toMatchObject({
        code: 'series-stopped',
        merchant: expect.stringContaining('El número 2 es ajeno.'),
      });
    });

    test('raised above what it gave, a stopped series flows again from there; raised to less, it stays stopped', async () => {
      const ledger = await open();
      await ledger.sequences.reserve(series, 1);
      await ledger.sequences.stop(series, foreignSecond, noon);
      expect(await ledger.sequences.raise(series, 1)).toBe(false);
      expect(await ledger.sequences.raise(series, 2)).toBe(false);
      expect(await ledger.sequences.stopped(series)).not.toBeNull();
      expect(await ledger.sequences.raise(series, 50)).toBe(true);
      expect(await ledger.sequences.stopped(series)).toBeNull();
      expect(await ledger.sequences.reserve(series, 1)).toBe('000000050');
      expect(await ledger.sequences.raise(series, 10)).toBe(false);
      expect(await ledger.sequences.reserve(series, 1)).toBe('000000051');
    });

    test('a stop ends with the number it was for, and with no other', async () => {
      const ledger = await open();
      await ledger.sequences.reserve(series, 1);
      expect(await ledger.sequences.resume(series, '000000002')).toBe(false);
      await ledger.sequences.stop(series, foreignSecond, noon);
      expect(await ledger.sequences.resume(series, '000000001')).toBe(false);
      expect(await ledger.sequences.resume({ ...series, codDoc: '04' }, '000000002')).toBe(false);
      expect(await ledger.sequences.resume(series, '000000002')).toBe(true);
      expect(await ledger.sequences.stopped(series)).toBeNull();
      expect(await ledger.sequences.reserve(series, 1)).toBe('000000002');
    });

    test('a stop for no number ends with none, and knows nothing of the number of the one before', async () => {
      const ledger = await open();
      await ledger.sequences.reserve(series, 1);
      await ledger.sequences.stop(series, foreignSecond, noon);
      await ledger.sequences.raise(series, 50);
      await ledger.sequences.stop(series, look, at(1));
      expect(await ledger.sequences.stopped(series)).toEqual(look);
      expect(await ledger.sequences.resume(series, '000000002')).toBe(false);
    });

    test('the numbers found to be somebody else’s since a series stopped are its own, and no older ones', async () => {
      const ledger = await open();
      const called = async (ordinal: number, minute: number) => {
        const made = await ledger.documents.create(document({ ordinal }));
        const id = made?.id ?? '';
        const patch = { code: 'number-conflict' };
        await ledger.documents.move(id, { from: ['ready'], to: 'manual', patch, now: at(minute) });
        return id;
      };
      await called(1, 1);
      const made = await called(2, 5);
      await ledger.sequences.stop(series, look, at(5));
      expect(await ledger.sequences.numberConflicts(series)).toEqual([made]);
      expect(await ledger.sequences.numberConflicts({ ...series, codDoc: '04' })).toEqual([]);
    });

    test('raising a series nobody used yet changes nothing', async () => {
      const ledger = await open();
      expect(await ledger.sequences.raise(series, 30)).toBe(false);
      expect(await ledger.sequences.reserve(series, 30)).toBe('000000030');
    });

    test('no document becomes ready for its first time in a stopped series, nor is born so', async () => {
      const ledger = await open();
      const held = await ledger.documents.create(document({ state: 'held' }));
      await ledger.sequences.stop(series, look, noon);
      const move = ledger.documents.move(held?.id ?? '', { from: ['held'], to: 'ready', now: at(1) });
      await expect(move).rejects.toMatchObject({ code: 'series-stopped' });
      const born = ledger.documents.create(document({ ordinal: 1 }));
      await expect(born).rejects.toMatchObject({ code: 'series-stopped' });
      expect(await ledger.documents.list({ limit: 9 })).toEqual([held]);
    });

    test('a transaction that catches the stop finds no half document and may hold it instead', async () => {
      const ledger = await open();
      await ledger.sequences.stop(series, look, noon);
      const made = await ledger.transaction(async (tables) => {
        await expect(tables.documents.create(document())).rejects.toMatchObject({ code: 'series-stopped' });
        return tables.documents.create(document({ state: 'held' }));
      });
      expect(made).toMatchObject({ state: 'held', secuencial: null });
      expect(await ledger.documents.list({ limit: 9 })).toEqual([made]);
    });

    test('a document that has its number moves on although the series is stopped', async () => {
      const ledger = await open();
      const made = await ledger.documents.create(document());
      await ledger.documents.move(made?.id ?? '', { from: ['ready'], to: 'sending', now: at(1) });
      await ledger.sequences.stop(series, look, noon);
      const back = await ledger.documents.move(made?.id ?? '', {
        from: ['sending'],
        to: 'ready',
        now: at(2),
      });
      expect(back?.secuencial).toBe('000000001');
    });
  });
}
