import { expect, test } from 'vitest';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { claimsTogether } from '../../src/ledger/open.ts';
import { openSmallStreet, request } from '../queue/house.ts';

test('writes that come together share a transaction, and each gets its own answer', async () => {
  const { ledger, clock } = await (await openSmallStreet()).open();
  const now = clock.now();
  for (let i = 0; i < 20; i += 1) await ledger.work.ask(request(clock, `p${i}`, { storeId: `t${i}` }));
  const ids = (await ledger.work.due(clock.now(), 1, 20)).map((due) => due.id);
  await ledger.work.release(ids.slice(0, 19), clock.now());
  let transactions = 0;
  const transaction: Ledger['transaction'] = (task) => {
    transactions += 1;
    return ledger.transaction(task);
  };
  const together = claimsTogether({ transaction });
  const claims = await Promise.all(ids.map((id) => together.claim(id, 60_000, now)));
  expect(claims.map((claim) => claim?.id)).toEqual([...ids.slice(0, 19), undefined]);
  expect(transactions).toBe(1);
  expect((await ledger.work.counts()).leased).toBe(19);
});

test('a failed transaction fails its writes, and the next ones go on', async () => {
  const { ledger } = await (await openSmallStreet()).open();
  let refused = true;
  const transaction: Ledger['transaction'] = async (task) => {
    if (refused) throw new Error('refused');
    return ledger.transaction(task);
  };
  const together = claimsTogether({ transaction });
  await expect(together.claim('x', 60_000, new Date(0))).rejects.toThrow('refused');
  refused = false;
  await expect(together.claim('x', 60_000, new Date(0))).resolves.toBeUndefined();
});
