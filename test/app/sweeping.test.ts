import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { startSweeping } from '../../src/app/working.ts';
import { silentLog } from '../../src/domain/log.ts';
import { sweepSubject } from '../../src/jobs/sweep/sweep.ts';
import { openTransport } from '../../src/queue/open.ts';
import type { Transport } from '../../src/queue/transport.ts';
import { eventually } from '../support/eventually.ts';
import { hasRedis, ownRedisPrefix, redisUrl } from '../support/servers.ts';
import { openSteps, type StepBench } from '../support/steps.ts';

/** A store goes on being swept although its sweep got lost from the ledger. */
let bench: StepBench;
afterEach(() => bench?.close());

const standing = async () => (await bench.ledger.work.standing('sweep', [sweepSubject(bench.store)])).size;

async function losesAndFinds(open: () => Promise<Transport>, processes: number): Promise<void> {
  bench = await openSteps({ sweep: { every: 60_000 } });
  const { store, deps } = bench;
  for (let n = 0; n < processes; n += 1) {
    const transport = await open();
    onTestFinished(() => transport.close(1_000));
    await transport.consume(async () => {});
    await startSweeping(deps, { transport, stores: () => [store], rate: 60 });
  }
  expect(await standing()).toBe(1);
  for (let times = 0; times < 2; times += 1) {
    await bench.ledger.work.forget('sweep', sweepSubject(store));
    expect(await standing()).toBe(0);
    await eventually(async () => (await standing()) === 1, 'the sweep to be back');
  }
}

describe('a sweep that got lost comes back', () => {
  it('by a timer of the process, without Redis', () =>
    losesAndFinds(() => openTransport({ concurrency: 1, log: silentLog }), 1));

  it.skipIf(!hasRedis)('by the job scheduler that all processes share, with Redis', async () => {
    const prefix = ownRedisPrefix();
    await losesAndFinds(() => openTransport({ redisUrl, prefix, concurrency: 1, log: silentLog }), 2);
  });
});
