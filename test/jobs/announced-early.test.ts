import { afterEach, expect, it } from 'vitest';
import { type JobBench, openJobBench } from '../support/job-bench.ts';

/** An event overtakes the service's own books: a replica that lags does not show yet what it announces. */
let bench: JobBench;
afterEach(() => bench?.close());

const pass = async (...seconds: number[]) => {
  for (const wait of seconds) {
    bench.advance(wait * 1_000);
    await bench.run();
    await bench.decided();
  }
};

/** The answer to a POST is lost, and nothing but its event ever tells its key. */
async function announceEarly(): Promise<{ key: string; asked(): number; catchUp(): void }> {
  bench = await openJobBench({ sandbox: { codigoNumerico: 'aleatorio' } });
  bench.sandbox.faults.add({ dropAnswer: true });
  await bench.sync('1201');
  await pass(0);
  const key = bench.sandbox.documents()[0]?.claveacceso ?? '';
  const { service } = bench.deps;
  let questions = 0;
  bench.deps.service = (...asked) => ({
    ...service(...asked),
    async consultarComprobante() {
      questions += 1;
      return { kind: 'not-found' };
    },
  });
  await bench.event(key);
  await pass(0);
  return { key, asked: () => questions, catchUp: () => Object.assign(bench.deps, { service }) };
}

it('its key is asked about again, and the number does not leave once more', async () => {
  const { key, catchUp } = await announceEarly();
  catchUp();
  await pass(5, 600);
  expect(await bench.document()).toMatchObject({ state: 'authorized', accessKey: key });
  expect(bench.sandbox.documents()).toHaveLength(1);
});

it('what is never shown is given up after some tries', async () => {
  const { asked } = await announceEarly();
  await pass(...Array(15).fill(1));
  expect(asked()).toBe(11);
  expect((await bench.ledger.jobs.counts()).waiting).toBe(1);
});
