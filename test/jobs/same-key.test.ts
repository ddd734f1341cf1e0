import { afterEach, expect, it } from 'vitest';
import { retryDocument } from '../../src/jobs/retry.ts';
import { type JobBench, openJobBench } from '../support/job-bench.ts';

/** A corrected document leaves on the same day under the key of the one before it (assumption A14). */
let bench: JobBench;
afterEach(() => bench?.close());

const minutes = (count: number) => count * 60_000;
const key = () => bench.sandbox.documents()[0]?.claveacceso ?? '';
const outcomes = async () =>
  (await bench.ledger.attempts.ofDocument((await bench.document()).id)).map(({ outcome }) => outcome);
const questions = () => bench.sandbox.requests().filter(({ path }) => path.includes('/consulta/')).length;
const refusal = {
  evento: 'comprobante.error',
  estado: 6,
  autorizado: false,
  requiere_correccion: true,
  errores: [{ identificador: '52', mensaje: 'ERROR EN DIFERENCIAS' }],
};

async function pass(hours: number): Promise<void> {
  for (let hour = 0; hour < hours; hour += 1) {
    bench.advance(minutes(60));
    await bench.run();
    await bench.decided();
  }
}

/** The authority refuses the first sending, a question shows it, and the corrected one leaves; it takes its time. */
async function sendCorrected(): Promise<void> {
  bench = await openJobBench();
  bench.sandbox.faults.add({ outcome: { codigo: 52, times: 1 } });
  await bench.sync('1201');
  await bench.run();
  await bench.decided();
  bench.advance(minutes(3));
  await bench.run();
  expect((await bench.document()).state).toBe('rejected');
  bench.sandbox.faults.add({ outcome: { resultado: 'autorizado', enProcesoMs: minutes(10), times: 1 } });
  await retryDocument(bench.deps, await bench.document(), 'ana@conector');
  await bench.run();
  expect(await outcomes()).toEqual(['error', 'created']);
}

it('the late error event of the first one is asked about, and does not spoil the corrected one', async () => {
  await sendCorrected();
  const before = questions();
  await bench.event(key(), refusal);
  await bench.run();
  expect(await bench.document()).toMatchObject({ state: 'processing', accessKey: key() });
  expect(questions()).toBe(before + 1);
  bench.sandbox.clock.step(minutes(20));
  await bench.decided();
  await pass(1);
  expect(await bench.document()).toMatchObject({ state: 'authorized', accessKey: key() });
  expect(bench.sandbox.documents()).toHaveLength(1);
});

it.each([
  ['authorised', 20],
  ['still with the authority', 0],
])(
  'a 409 with a key that was refused before is asked about: it is %s by now, and the document is never called rejected',
  async (_state, later) => {
    await sendCorrected();
    // What the product believed before it asked: both ended, and a person tries once more.
    const { id } = await bench.document();
    const [, corrected] = await bench.ledger.attempts.ofDocument(id);
    const now = bench.clock.now();
    const errors = ['52 ERROR EN DIFERENCIAS'];
    await bench.ledger.attempts.end(corrected?.id ?? '', { outcome: 'error', errors, now });
    await bench.ledger.documents.move(id, { from: ['processing'], to: 'rejected', now });
    await bench.ledger.jobs.forget('follow-up', id);
    bench.sandbox.clock.step(minutes(later));
    await retryDocument(bench.deps, await bench.document(), 'ana@conector');
    await bench.run();
    expect(bench.sandbox.requests().map(({ status }) => status)).toContain(409);
    expect((await bench.document()).state).toBe('processing');
    bench.sandbox.clock.step(minutes(20));
    await bench.decided();
    await pass(1);
    expect(await bench.document()).toMatchObject({ state: 'authorized', accessKey: key(), reason: null });
  },
);
