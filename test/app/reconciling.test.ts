import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { startReconciling } from '../../src/app/working.ts';
import { silentLog } from '../../src/domain/ports.ts';
import { reconciliationSubject } from '../../src/jobs/reconciliation/reconciliation.ts';
import { openTransport } from '../../src/queue/open.ts';
import type { Transport } from '../../src/queue/transport.ts';
import { eventually } from '../support/eventually.ts';
import { type JobBench, openJobBench } from '../support/job-bench.ts';
import { hasRedis, ownRedisPrefix, redisUrl } from '../support/servers.ts';

/** A store goes on being reconciled although its reconciliation got lost from the ledger. */
let bench: JobBench;
afterEach(() => bench?.close());

const standing = async () =>
  (await bench.ledger.jobs.existing('reconciliation', [reconciliationSubject(bench.store)])).size;

async function losesAndFinds(open: () => Promise<Transport>, processes: number): Promise<void> {
  bench = await openJobBench({ reconciliation: { every: 60_000 } });
  const { store, deps } = bench;
  for (let n = 0; n < processes; n += 1) {
    const transport = await open();
    onTestFinished(() => transport.close(1_000));
    await transport.consume(async () => {});
    await startReconciling(deps, { transport, stores: () => [store], rate: 60 });
  }
  expect(await standing()).toBe(1);
  for (let times = 0; times < 2; times += 1) {
    await bench.ledger.jobs.forget('reconciliation', reconciliationSubject(store));
    expect(await standing()).toBe(0);
    await eventually(async () => (await standing()) === 1, 'the reconciliation to be back');
  }
}

describe('a reconciliation that got lost comes back', () => {
  it('by a timer of the process, without Redis', () =>
    losesAndFinds(() => openTransport({ concurrency: 1, log: silentLog }), 1));

  it.skipIf(!hasRedis)('by the job scheduler that all processes share, with Redis', async () => {
    const prefix = ownRedisPrefix();
    await losesAndFinds(() => openTransport({ redisUrl, prefix, concurrency: 1, log: silentLog }), 2);
  });
});

it('a restart reconciles every known store at once, because webhooks were lost while nothing ran', async () => {
  bench = await openJobBench();
  const transport = await openTransport({ concurrency: 1, log: silentLog });
  onTestFinished(() => transport.close(1_000));
  const start = () => startReconciling(bench.deps, { transport, stores: () => [bench.store], rate: 1 });
  await start();
  expect(await bench.run()).toEqual([]);
  await start();
  expect(await bench.run()).toContain('reconciliation');
});
