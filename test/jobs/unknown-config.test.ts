import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { probeAtStart } from '../../src/jobs/account-pause.ts';
import type { JobDeps } from '../../src/jobs/deps.ts';
import { openRunJob } from '../../src/jobs/run-job.ts';
import { type JobBench, type JobBenchOptions, openJobBench } from '../support/job-bench.ts';
import { openJobLoop } from '../support/job-loop.ts';
import { hasPostgres, openDatabase } from '../support/servers.ts';

/** Two processes of one ledger whose configs differ: a deploy is under way, or one was forgotten. */
const minute = 60_000;
const [quarter, hour, day] = [15 * minute, 60 * minute, 24 * 60 * minute];

let bench: JobBench;
afterEach(() => bench?.close());

const nobody = { channels: new Map(), listeners: new Map(), accounts: new Map() };

/** A process whose config has neither; `warned` is what its log warns of. */
function stranger(warned: string[] = []) {
  const warn = (_: unknown, text: string) => void warned.push(text);
  const deps: JobDeps = { ...bench.deps, ...nobody, log: { ...bench.deps.log, warn } };
  const { run } = openJobLoop({ ...bench, runJob: openRunJob(deps) });
  return {
    run,
    /** It works alone. */
    async wait(ms: number) {
      for (let passed = 0; passed < ms; passed += quarter) {
        await run();
        bench.advance(quarter);
      }
      await run();
    },
  };
}

describe('news for an alert channel that a process does not know', () => {
  const reported: string[][] = [];
  const open = async () => {
    reported.length = 0;
    const report = async ({ begun }: { begun: readonly { subject: string }[] }) =>
      void reported.push(begun.map(({ subject }) => subject));
    bench = await openJobBench({ channels: [{ id: 'correo', notify: report }] });
    await bench.deps.alerts.raise({
      code: 'document-rejected',
      subject: 'a',
      params: { order: '1', document: 'la factura', number: '', reason: 'x' },
    });
    bench.advance(minute);
  };

  it('waits for one that does', async () => {
    await open();
    await stranger().run();
    bench.advance(2_000);
    await bench.run();
    expect(reported).toEqual([['a']]);
  });

  it('ends after a day with a line in the log; a channel that comes back hears of it with the next news', async () => {
    await open();
    const warned: string[] = [];
    const { wait } = stranger(warned);
    await wait(day - hour);
    expect(await bench.jobsLeft()).toBe(1);
    await wait(2 * hour);
    expect(await bench.jobsLeft()).toBe(0);
    expect(warned.map((text) => text.replace(/;.*/, ''))).toEqual([
      'This process does not know the channel',
      'The channel has been gone for long',
    ]);
    await bench.deps.alerts.raise({
      code: 'document-rejected',
      subject: 'b',
      params: { order: '1', document: 'la factura', number: '', reason: 'x' },
    });
    await bench.wait(1);
    expect(reported).toEqual([['a', 'b']]);
  });
});

describe('what became of a document, for a listener that a process does not know', () => {
  const notified: string[] = [];
  /** A factura was authorised, and nobody was notified. */
  const open = async () => {
    notified.length = 0;
    const notify = async ({ type }: { type: string }) => void notified.push(type);
    bench = await openJobBench({ listeners: [{ id: 'erp', wants: () => true, notify }] });
    await bench.sell();
    const { id, accessKey, storeId } = await bench.document();
    await bench.event(String(accessKey));
    const without = { ...bench.deps, listeners: new Map() };
    await openJobLoop({ ...bench, runJob: openRunJob(without) }).run();
    const facts = { storeId, rateLimit: null, priority: 9, dueAt: bench.clock.now() };
    await bench.ledger.jobs.enqueue({ kind: 'announce', subject: `erp/${id}`, ...facts });
  };

  it('waits for one that does', async () => {
    await open();
    expect(await stranger().run()).toEqual(['announce']);
    bench.advance(2_000);
    await bench.run();
    expect(notified).toEqual(['factura.authorized']);
  });

  it('ends after a day', async () => {
    await open();
    await stranger().wait(day + hour);
    expect([await bench.jobsLeft(), notified]).toEqual([0, []]);
  });

  it('ends at once where the listener was notified', async () => {
    await open();
    await bench.run();
    const { id, storeId } = await bench.document();
    const facts = { storeId, rateLimit: null, priority: 9, dueAt: bench.clock.now() };
    await bench.ledger.jobs.enqueue({ kind: 'announce', subject: `erp/${id}`, ...facts });
    await stranger().run();
    expect([await bench.jobsLeft(), notified]).toEqual([0, ['factura.authorized']]);
  });
});

/** With SQLite there is no other process: what this one does not know is gone. */
describe.skipIf(!hasPostgres)('the probe of a paused account that a process does not know', () => {
  const open = async (options: JobBenchOptions = {}) => {
    const database = await openDatabase();
    onTestFinished(() => database.drop());
    bench = await openJobBench({ ledgerUrl: database.url, ...options });
    const pause = { account: 'cuenta', ambiente: null, cause: 'api-key' } as const;
    await bench.ledger.pauses.begin({ ...pause, now: bench.clock.now() });
    await probeAtStart(bench);
  };
  const pauses = async () => (await bench.ledger.pauses.list()).map(({ probes }) => probes);
  const bad = { sandbox: { accounts: [{ apiKey: 'otra-clave' }] } };

  it('waits for one that does, and the account stays paused', async () => {
    await open();
    await stranger().run();
    expect(await pauses()).toEqual([0]);
    bench.advance(2_000);
    expect(await bench.run()).toEqual(['probe-account']);
    expect(await pauses()).toEqual([]);
  });

  it('never ends the pause while another one probes it', async () => {
    await open(bad);
    const processes = [stranger(), bench];
    for (let turn = 0; turn < 16; turn += 1) {
      await processes[turn % 2]?.run();
      bench.advance(quarter);
    }
    expect(await pauses()).toEqual([8]);
    expect(await bench.jobsLeft()).toBe(1);
  });

  it('ends the pause once nobody has probed it for an hour: a removed account holds nothing back for ever', async () => {
    await open(bad);
    const { wait } = stranger();
    await wait(hour / 2);
    expect([await pauses(), await bench.jobsLeft()]).toEqual([[0], 1]);
    await wait(hour);
    expect([await pauses(), await bench.jobsLeft()]).toEqual([[], 0]);
  });
});
