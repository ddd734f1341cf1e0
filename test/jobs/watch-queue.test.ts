import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { openDirectWorker } from '../../src/app/working.ts';
import type { AlertNews } from '../../src/domain/alerts.ts';
import { LedgerError } from '../../src/domain/errors.ts';
import { silentLog } from '../../src/domain/ports.ts';
import { openQueueWatch, openWritableWatch, stoppedQueue } from '../../src/jobs/alerts.ts';
import { openFreshnessWatch } from '../../src/jobs/watch.ts';
import { alertTexts } from '../../src/messages/alerts.ts';
import { eventually } from '../support/eventually.ts';
import { type JobBench, openJobBench } from '../support/job-bench.ts';

let bench: JobBench;
afterEach(() => bench?.close());

const minute = 60_000;
const now = new Date('2026-11-20T15:00:00Z');
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * minute);
const oom = "OOM command not allowed when used memory > 'maxmemory'.";

test.each([
  ['nothing is due', null, minutesAgo(600), null, null],
  ['a job is due for four minutes', minutesAgo(4), null, null, null],
  [
    'a backlog of hours whose jobs are claimed one after the other',
    minutesAgo(300),
    minutesAgo(1),
    null,
    null,
  ],
  ['no worker claims a job', minutesAgo(5), minutesAgo(5), null, /Ningún proceso worker trabaja/],
  ['no worker ever claimed one', minutesAgo(5), null, null, /Ningún proceso worker trabaja/],
  ['Redis is full', minutesAgo(5), minutesAgo(9), oom, /La memoria de Redis está llena/],
  ['Redis is away', minutesAgo(5), minutesAgo(9), 'Redis is not connected.', /Redis no responde/],
])(
  'a queue is stopped when due jobs wait and none is claimed: %s',
  (_, dueAt, lastClaimAt, refusal, what) => {
    const alert = stoppedQueue({ dueAt, lastClaimAt, refusal }, now);
    if (what === null) expect(alert).toBeNull();
    else expect(alertTexts(alert?.code ?? '', alert?.params).what).toMatch(what);
  },
);

const news: string[] = [];
const named = (one: AlertNews) =>
  (['begun', 'still', 'ended'] as const).flatMap((how) => one[how].map(({ code }) => `${how} ${code}`));
const channel = { id: 'correo', notify: async (one: AlertNews) => void news.push(...named(one)) };

/** The watch of one more process; its queue carries nothing. */
async function openProcess(mayRelease = () => true) {
  const direct = await openDirectWorker({ ...bench, jobDeps: bench.deps, log: silentLog });
  onTestFinished(() => direct.stop(1_000));
  return openQueueWatch(bench.deps, { ready: async () => {}, run: direct.run, mayRelease });
}

test('each process sees a stopped queue and one of them notifies each channel, while no queue carries that', async () => {
  news.length = 0;
  bench = await openJobBench({ channels: [channel] });
  const looks = [await openProcess(), await openProcess()];
  const pass = async (ms: number) => {
    bench.advance(ms);
    for (const look of looks) await look();
  };
  await bench.sync('1201');
  await pass(4 * minute);
  for (let times = 0; times < 3; times += 1) await pass(minute);
  expect(bench.alerts).toEqual(['jobs-overdue']);
  await pass(minute);
  await eventually(() => news.length > 0, 'the channel to be notified');
  await pass(4 * 60 * minute);
  await eventually(() => news.length > 1, 'the channel to be notified again');
  await bench.run();
  await pass(1_000);
  bench.advance(minute);
  await bench.run();
  expect(news).toEqual(['begun jobs-overdue', 'still jobs-overdue', 'ended jobs-overdue']);
});

test('while no job is released because the clock may be wrong, alerts are delivered all the same', async () => {
  news.length = 0;
  bench = await openJobBench({ channels: [channel] });
  const look = await openProcess(() => false);
  await bench.sync('1201');
  await bench.deps.alerts.raise({ code: 'account-service', subject: 'cuenta', params: {} });
  bench.advance(minute);
  await look();
  await eventually(() => news.length > 0, 'the channel to be notified');
  expect(news).toEqual(['begun account-service']);
  expect((await bench.ledger.jobs.overdue(bench.clock.now())).length).toBe(1);
});

test('a shop is not said to give no answer while the queue is stopped', async () => {
  bench = await openJobBench();
  await bench.read();
  const look = openFreshnessWatch(bench.deps);
  await bench.deps.alerts.raise({
    code: 'jobs-overdue',
    subject: 'cola',
    params: { since: '', why: 'nobody' },
  });
  for (const hours of [0, 1, 1, 1]) {
    bench.advance(hours * 60 * minute);
    await look();
  }
  expect(bench.alerts).toEqual(['jobs-overdue']);
});

test('a ledger that cannot be written is reported straight to every channel, with its reason, and its end too', async () => {
  news.length = 0;
  const file = new LedgerError('ledger-unwritable', {
    why: 'damaged',
    path: 'ledger.db',
    cause: 'malformed',
  });
  const check = vi
    .fn(async (_withinMs?: number) => {})
    .mockRejectedValueOnce(file)
    .mockRejectedValueOnce(file);
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const whats: string[] = [];
  const notify = async (one: AlertNews) => {
    await channel.notify(one);
    whats.push(...one.begun.map(({ what }) => what));
  };
  const channels = new Map([['correo', { id: 'correo', notify }]]);
  const look = openWritableWatch({ ledger: { check }, clock: { now: () => now }, log: silentLog, channels });
  for (let times = 0; times < 3; times += 1) {
    vi.advanceTimersByTime(30_000);
    await look();
  }
  expect(news).toEqual(['begun ledger-unwritable', 'ended ledger-unwritable']);
  expect(check.mock.calls).toEqual([[30_000], [30_000], [30_000]]);
  expect(whats).toEqual([expect.stringMatching(/^El archivo del registro ledger\.db está dañado/)]);
});

test('a ledger whose server is away says that, and not that its disk is full', async () => {
  const away = new LedgerError('ledger-unreachable', {
    reason: 'ECONNREFUSED',
    rightAre: 'la dirección sea correcta',
  });
  const whats: string[] = [];
  const notify = async (one: AlertNews) => void whats.push(...one.begun.map(({ what }) => what));
  const look = openWritableWatch({
    ledger: { check: () => Promise.reject(away) },
    clock: { now: () => now },
    log: silentLog,
    channels: new Map([['correo', { id: 'correo', notify }]]),
  });
  await look();
  expect(whats).toEqual([`No se puede escribir en el registro. ${away.merchant}`]);
});
