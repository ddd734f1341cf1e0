import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../src/domain/log.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { noon, sealKey } from './samples.ts';

const hour = 3_600_000;
const after = (ms: number) => new Date(noon.getTime() + ms);

test('a job that runs on SQLite is not taken for lost because the clock was set, and what was asked for meanwhile keeps its wait', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'fp-leases-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const ledger = await openLedger({ directory, sealKey }, { now: () => noon }, silentLog);
  const job = { kind: 'follow-up', subject: 'd1', storeId: 't1', budget: null, priority: 5 } as const;
  await ledger.work.ask({ ...job, dueAt: noon });
  const [due] = await ledger.work.due(noon, 4, 10);
  const id = due?.id ?? '';
  await ledger.work.release([id], noon);
  const claimed = await ledger.work.claim(id, 60_000, noon);
  await ledger.work.ask({ ...job, dueAt: after(30_000) });
  await ledger.clockMoved(hour);
  expect(await ledger.work.recover(after(hour), 30_000)).toBe(0);
  expect(await ledger.work.finish(id, claimed?.token ?? '', after(hour))).toBe(true);
  expect(await ledger.work.nextDueAt()).toEqual(after(hour + 30_000));
  await ledger.close();
});
