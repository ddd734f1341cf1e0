import { describe, expect, test } from 'vitest';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import type { OpenLedger } from '../contract.ts';
import { document } from '../samples.ts';

/** Documents and amounts by day: always what a look through all documents would say. */
export function talliesContract(open: OpenLedger): void {
  const now = new Date('2026-11-20T17:30:00.000Z');
  const make = async (ledger: Ledger, n: number, when: string, over: Parameters<typeof document>[0] = {}) => {
    const made = await ledger.documents.create(
      document({ sourceId: String(n), state: 'held', charged: '10.10', now: new Date(when), ...over }),
    );
    return made?.id ?? '';
  };
  const reported = async (ledger: Ledger, from = '2026-11-18') =>
    (await ledger.dayTallies.since(from, now))
      .map(({ day, storeId, state, count, amount }) => `${day} ${storeId} ${state} ${count} ${amount}`)
      .toSorted();

  describe('tallies of days', () => {
    test('a day is Ecuador’s: it ends five hours after midnight in UTC', async () => {
      const ledger = await open();
      await make(ledger, 1, '2026-11-19T04:59:59.999Z');
      await make(ledger, 2, '2026-11-19T05:00:00.000Z');
      await make(ledger, 3, '2026-11-20T04:59:59.999Z');
      await make(ledger, 4, '2026-11-20T17:29:00.000Z');
      await make(ledger, 5, '2026-11-18T04:59:59.999Z');
      expect(await reported(ledger)).toEqual([
        '2026-11-18 tienda held 1 10.10',
        '2026-11-19 tienda held 2 20.20',
        '2026-11-20 tienda held 1 10.10',
      ]);
    });

    test('a document that moves after its day was tallied is counted in its current state, yesterday and an hour ago', async () => {
      const ledger = await open();
      const ids = [
        await make(ledger, 1, '2026-11-18T15:00:00.000Z'),
        await make(ledger, 2, '2026-11-18T15:00:00.000Z'),
        await make(ledger, 3, '2026-11-20T15:00:00.000Z', { storeId: 'otra', charged: '0.07' }),
      ];
      const cancel = (id = '') => ledger.documents.move(id, { from: ['held'], to: 'cancelled', now });
      expect(await reported(ledger)).toEqual([
        '2026-11-18 tienda held 2 20.20',
        '2026-11-20 otra held 1 0.07',
      ]);
      await cancel(ids[0]);
      await cancel(ids[2]);
      const moved = [
        '2026-11-18 tienda cancelled 1 10.10',
        '2026-11-18 tienda held 1 10.10',
        '2026-11-20 otra cancelled 1 0.07',
      ];
      expect(await reported(ledger)).toEqual(moved);
      expect(await reported(ledger)).toEqual(moved);
      await cancel(ids[1]);
      expect(await reported(ledger)).toEqual([
        '2026-11-18 tienda cancelled 2 20.20',
        '2026-11-20 otra cancelled 1 0.07',
      ]);
    });

    test('what comes in within this hour counts at once', async () => {
      const ledger = await open();
      await make(ledger, 1, '2026-11-20T17:01:00.000Z');
      expect(await reported(ledger)).toEqual(['2026-11-20 tienda held 1 10.10']);
      await make(ledger, 2, '2026-11-20T17:29:00.000Z');
      expect(await reported(ledger)).toEqual(['2026-11-20 tienda held 2 20.20']);
    });

    test('amounts add up to the cent, from the document where there is one', async () => {
      const ledger = await open();
      for (let n = 0; n < 30; n += 1) await make(ledger, n, '2026-11-19T15:00:00.000Z', { charged: '0.10' });
      await make(ledger, 99, '2026-11-19T15:00:00.000Z', { charged: '1.00', total: '1234567.89' });
      expect(await reported(ledger)).toEqual(['2026-11-19 tienda held 31 1234570.89']);
    });
  });
}
