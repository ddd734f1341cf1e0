import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../src/domain/ports.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { encryptionKey, noon } from './samples.ts';

const hour = 3_600_000;
const after = (ms: number) => new Date(noon.getTime() + ms);

test('a running job keeps its lease when the clock is set, and a job enqueued meanwhile keeps its wait', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'fp-leases-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const ledger = await openLedger({ directory, encryptionKey }, { now: () => noon }, silentLog);
  const job = { kind: 'follow-up', subject: 'd1', storeId: 't1', rateLimit: null, priority: 5 } as const;
  await ledger.jobs.enqueue({ ...job, dueAt: noon });
  const [due] = await ledger.jobs.due(noon, 4, 10);
  const id = due?.id ?? '';
  await ledger.jobs.release([id], noon);
  const claimed = await ledger.jobs.claim(id, 60_000, noon);
  await ledger.jobs.enqueue({ ...job, dueAt: after(30_000) });
  await ledger.clockMoved(hour);
  expect(await ledger.jobs.recover(after(hour), 30_000)).toBe(0);
  expect(await ledger.jobs.finish(id, claimed?.token ?? '')).toBe(true);
  expect(await ledger.jobs.nextDueAt()).toEqual(after(hour + 30_000));
  await ledger.close();
});
