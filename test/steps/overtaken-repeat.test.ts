import { afterEach, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { openSteps, type StepBench } from '../support/steps.ts';

/** Found by chaos: the webhook of a lost answer comes while the number is being repeated. */
let bench: StepBench;
afterEach(() => bench?.close());

const minute = 60_000;
const series = {
  ruc: '1790012345001',
  ambiente: 1,
  codDoc: '01',
  establecimiento: '001',
  puntoEmision: '001',
} as const;

const posts = () => bench.sandbox.requests().filter(({ path }) => path.endsWith('/factura/emision')).length;

/** The answer of the first POST is lost, the time for its webhook is over, the number is repeated, and then told of. */
async function overtake(decided: () => Promise<void>): Promise<void> {
  await bench.sync('1201');
  await bench.run();
  expect((await bench.document()).state).toBe('uncertain');
  bench.advance(3 * minute);
  // Longer than question and download need, shorter than the client's patience.
  bench.sandbox.faults.add({ delayAnswerMs: { ms: 350, operacion: 'emitir_factura' } });
  const repeating = bench.run();
  await eventually(() => posts() === 2, 'the number to be repeated');
  await decided();
  const [stored] = bench.sandbox.documents();
  await bench.event(stored?.claveacceso ?? '');
  await bench.run();
  await repeating;
  await bench.run();
  expect(bench.sandbox.requests().map(({ status }) => status)).toContain(409);
}

describe('a webhook that overtakes the repeat of its own number', () => {
  it('leaves the factura authorised and its series open: the 409 names our own key', async () => {
    bench = await openSteps();
    bench.sandbox.faults.add({ dropAnswer: true });
    await overtake(() => bench.decided());
    const [stored] = bench.sandbox.documents();
    expect(await bench.document()).toMatchObject({ state: 'authorized', accessKey: stored?.claveacceso });
    expect(await bench.ledger.sequences.stopped(series)).toBeNull();
    const attempts = await bench.ledger.attempts.ofDocument((await bench.document()).id);
    expect(attempts.map(({ outcome }) => outcome)).toEqual(['authorized', 'unsent']);
  });

  it('and tells that it was not authorised ends as rejected, in the authority’s words', async () => {
    bench = await openSteps();
    bench.sandbox.faults.add({
      dropAnswer: true,
      outcome: { codigo: 52, times: 1, enProcesoMs: 30 * minute },
    });
    await overtake(() => {
      bench.sandbox.clock.step(31 * minute);
      return bench.decided();
    });
    expect(await bench.document()).toMatchObject({ state: 'rejected', code: 'not-authorised' });
    expect(await bench.ledger.sequences.stopped(series)).toBeNull();
  });
});
