import { afterEach, expect, it } from 'vitest';
import { retryDocument } from '../../src/jobs/retry.ts';
import { type JobBench, openJobBench } from '../support/job-bench.ts';
import { raiseSeries } from '../support/taken-number.ts';

let bench: JobBench;
afterEach(() => bench?.close());

/** A gateway delivers our first POST twice, and hands on the second answer: 409, with the key of the first. */
async function deliverTwice(): Promise<void> {
  bench = await openJobBench();
  const { service } = bench.deps;
  bench.deps.service = (...asked) => ({
    ...service(...asked),
    async emitirFactura(body) {
      await service(...asked).emitirFactura(body);
      return service(...asked).emitirFactura(body);
    },
  });
  bench.sandbox.faults.add({ outcome: { resultado: 'autorizado', enProcesoMs: 600_000, times: 1 } });
  await bench.sync('1201');
  await bench.run();
  bench.deps.service = service;
}

it('a retry asks about the key that holds the number first: while it is on its way it may be ours', async () => {
  await deliverTwice();
  expect(await bench.document()).toMatchObject({ state: 'manual', code: 'number-conflict' });
  await raiseSeries(bench);
  const reported = await retryDocument(bench.deps, await bench.document(), 'ana@conector');
  expect(reported).toMatchObject({ kind: 'refused', says: expect.stringContaining('en proceso') });
  bench.sandbox.clock.step(1_200_000);
  await bench.decided();
  bench.advance(60_000);
  await bench.run();
  await retryDocument(bench.deps, await bench.document(), 'ana@conector');
  await bench.event(bench.sandbox.documents()[0]?.claveacceso ?? '');
  await bench.run();
  expect(await bench.document()).toMatchObject({ state: 'authorized', secuencial: '000000001' });
  expect(bench.sandbox.documents()).toHaveLength(1);
});
