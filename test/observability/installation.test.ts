import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../src/domain/ports.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { ratesOf, watchInstallation } from '../../src/observability/installation.ts';
import { cacheReading, openMetrics } from '../../src/observability/observer.ts';
import { memoryRateLimitTable, rateLimitsOver, serviceRate } from '../../src/queue/rate-limit.ts';
import { claimNext } from '../ledger/contract/jobs.ts';
import { at, document, encryptionKey, job, noon } from '../ledger/samples.ts';

async function openWatched(more: Partial<Parameters<typeof watchInstallation>[1]> = {}) {
  const directory = await mkdtemp(join(tmpdir(), 'fp-watch-'));
  const clock = { now: () => at(90_000) };
  const ledger = await openLedger({ directory, encryptionKey }, clock, silentLog);
  onTestFinished(async () => {
    await ledger.close().catch(() => {});
    await rm(directory, { recursive: true });
  });
  const metrics = openMetrics({ version: 'test', role: 'all' });
  watchInstallation(metrics.registry, {
    counts: ledger.counts,
    clock,
    rates: async () => [],
    pauses: () => ledger.pauses.list(),
    lookUps: async () => [{ store: 'cuenca', count: 1 }],
    failing: async () => [],
    reconciliations: async () => [],
    ...more,
  });
  /** Values of our gauges by name and labels, as `documents{kind="factura",state="ready"}`. */
  const scrape = async () => {
    const { text } = await metrics.scrape();
    return new Map(
      [...text.matchAll(/^facturapuente_(\S+) (\S+)$/gm)].map(([, name, value]) => [name, Number(value)]),
    );
  };
  return { ledger, scrape };
}

test('names looked up today are shown by store', async () => {
  const { scrape } = await openWatched();
  expect((await scrape()).get('registry_look_ups{store="cuenca"}')).toBe(1);
});

test('documents are shown by kind and state, with the age of the oldest, zeros included', async () => {
  const { ledger, scrape } = await openWatched();
  await ledger.documents.create(document({ sourceId: '1', now: noon }));
  await ledger.documents.create(document({ sourceId: '2', now: at(30_000) }));
  const lost = await ledger.documents.create(document({ sourceId: '3', now: at(60_000) }));
  for (const to of ['sending', 'uncertain'] as const)
    await ledger.documents.move(lost?.id ?? '', {
      from: to === 'sending' ? ['ready'] : ['sending'],
      to,
      now: at(61_000),
    });
  const seen = await scrape();
  expect(seen.get('documents{kind="factura",state="ready"}')).toBe(2);
  expect(seen.get('documents{kind="factura",state="uncertain"}')).toBe(1);
  expect(seen.get('documents{kind="nota-credito",state="held"}')).toBe(0);
  expect(seen.get('documents_oldest_seconds{kind="factura",state="ready"}')).toBe(90);
  expect(seen.get('documents_oldest_seconds{kind="factura",state="uncertain"}')).toBe(30);
  expect(seen.get('oldest_unsent_seconds')).toBe(90);
});

test('work is shown by kind and state, with how long the first is overdue', async () => {
  const { ledger, scrape } = await openWatched();
  await ledger.jobs.enqueue(job('a', { dueAt: at(60_000) }));
  await ledger.jobs.enqueue(job('b', { kind: 'write-back', dueAt: at(120_000) }));
  const seen = await scrape();
  expect(seen.get('jobs{kind="submit-document",state="waiting"}')).toBe(1);
  expect(seen.get('jobs{kind="sync-order",state="waiting"}')).toBe(0);
  expect(seen.get('job_late_seconds{kind="submit-document"}')).toBe(30);
  expect(seen.get('job_late_seconds{kind="write-back"}')).toBe(0);
});

test('a job that waits for a person is shown as held, and is not late', async () => {
  const { ledger, scrape } = await openWatched();
  await ledger.jobs.enqueue(job('a', { dueAt: at(0) }));
  for (let deaths = 0; deaths < 2; deaths += 1) {
    await claimNext(ledger, at(0));
    await ledger.jobs.recover(at(60_000), 60_000);
  }
  const seen = await scrape();
  expect(seen.get('jobs{kind="submit-document",state="held"}')).toBe(1);
  expect(seen.get('job_late_seconds{kind="submit-document"}')).toBe(0);
});

test('the rate budget of each key of an account is shown, and how long one rests', async () => {
  const [newest, former] = ['1'.repeat(64), '2'.repeat(64)];
  const clock = { now: () => noon };
  const rateLimits = rateLimitsOver(memoryRateLimitTable(), { clock, log: silentLog });
  const account = { id: 'principal', keys: [{ keyHash: newest }, { keyHash: former }] };
  const { ledger, scrape } = await openWatched({ rates: () => ratesOf([account], rateLimits) });
  for (let n = 0; n < 2; n += 1) await rateLimits.reserve(newest, { kind: 'emission', lookAheadMs: 0 });
  await rateLimits.slow(former, 60_000);
  await ledger.pauses.begin({ account: 'principal', ambiente: null, cause: 'api-key', now: at(30_000) });
  const seen = await scrape();
  expect(seen.get('rate_used{account="principal",key="11111111"}')).toBe(2);
  expect(seen.get('rate_free{account="principal",key="11111111"}')).toBe(serviceRate.burst - 2);
  expect(seen.get('rate_wait_seconds{account="principal",key="11111111"}')).toBe(0);
  // Documents it issued are still read under it.
  expect(seen.get('rate_wait_seconds{account="principal",key="22222222"}')).toBe(60);
  expect(seen.get('account_paused_seconds{account="principal",ambiente="both",cause="api-key"}')).toBe(60);
  expect([...seen.keys()].join()).not.toContain('1'.repeat(9));
});

test('jobs that keep failing are counted by kind, zeros included', async () => {
  const seen = await (await openWatched({ failing: async () => [{ kind: 'sync-order' }] })).scrape();
  expect(seen.get('jobs_failing{kind="sync-order"}')).toBe(1);
  expect(seen.get('jobs_failing{kind="write-back"}')).toBe(0);
});

test('transport and reconciliation are shown where the process knows them, and are absent elsewhere', async () => {
  const bare = await (await openWatched()).scrape();
  expect([...bare.keys()].filter((name) => /^(transport|reconciliation)/.test(name ?? ''))).toEqual([]);
  const { scrape } = await openWatched({
    jobs: async () => ({ waiting: 3, delayed: 2, active: 1 }),
    reconciliations: async () => [
      {
        store: 'tienda',
        reconciledTo: at(30_000).toISOString(),
        behind: { refunds: { since: at(60_000).toISOString(), failed: true } },
      },
    ],
  });
  const seen = await scrape();
  expect(seen.get('transport_jobs{state="waiting"}')).toBe(3);
  expect(seen.get('reconciliation_age_seconds{store="tienda"}')).toBe(60);
  expect(seen.get('reconciliation_behind_seconds{store="tienda",list="refunds"}')).toBe(30);
  expect(seen.get('reconciliation_behind_seconds{store="tienda",list="changes"}')).toBe(0);
});

test('without its ledger a process still shows what it knows by itself', async () => {
  const { ledger, scrape } = await openWatched({
    jobs: async () => {
      throw new Error('Redis is away.');
    },
  });
  await ledger.close();
  const seen = await scrape();
  expect(seen.get('ledger_up')).toBe(0);
  expect(seen.get('info{version="test",role="all"}')).toBe(1);
  expect([...seen.keys()].some((name) => name?.startsWith('documents{'))).toBe(false);
});

test('an expensive question is asked seldom, by several scrapes at once only once, and again after a failure', async () => {
  let asked = 0;
  const slow = cacheReading(
    async () => {
      asked += 1;
      if (asked === 1) throw new Error('away');
      return asked;
    },
    { atLeastMs: 60_000 },
  );
  await expect(slow()).rejects.toThrow('away');
  expect(await Promise.all([slow(), slow(), slow()])).toEqual([2, 2, 2]);
  expect(await slow()).toBe(2);
  const free = cacheReading(async () => (asked += 1), { atLeastMs: 0, share: Number.POSITIVE_INFINITY });
  expect([await free(), await free()]).toEqual([3, 4]);
});
