import { expect, test } from 'vitest';
import { commitTogether } from '../../src/dispatch/together.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { openSmallStreet, request } from './house.ts';

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
  const together = commitTogether({ transaction });
  const claims = await Promise.all(ids.map((id) => together((work) => work.claim(id, 60_000, now))));
  expect(claims.map((claim) => claim?.id)).toEqual([...ids.slice(0, 19), undefined]);
  expect(transactions).toBe(1);
  expect((await ledger.work.counts()).leased).toBe(19);
});

test('a failed transaction fails its writes, and the next ones go on', async () => {
  const { ledger } = await (await openSmallStreet()).open();
  const together = commitTogether(ledger);
  const broken = together(async () => {
    throw new Error('refused');
  });
  await expect(broken).rejects.toThrow('refused');
  await expect(together((work) => work.nextDueAt())).resolves.toBeNull();
});
