import { afterEach, describe, expect, it } from 'vitest';
import { sendProbe } from '../../src/jobs/send-document.ts';
import { eventually } from '../support/eventually.ts';
import { type JobBench, openJobBench } from '../support/job-bench.ts';

/** Found by chaos: the webhook of a lost answer comes while the number is being repeated. */
let bench: JobBench;
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
  await bench.read();
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

/** The second POST is answered, and before that is written the webhook tells that the first was not authorised. */
async function reportBeforeWriting(): Promise<void> {
  bench = await openJobBench();
  bench.sandbox.faults.add({
    dropAnswer: true,
    outcome: [{ codigo: 52, times: 1, enProcesoMs: 2 * minute }, { codigo: 52 }],
  });
  await bench.read();
  bench.advance(3 * minute);
  bench.sandbox.clock.step(3 * minute);
  await bench.decided();
}

/** The steps on a ledger that is told of the first POST just before the repeat's answer is written. */
function reportedInBetween(): JobBench['deps'] {
  const { deps, ledger } = bench;
  let transactions = 0;
  const transaction: typeof ledger.transaction = async (task) => {
    transactions += 1;
    if (transactions === 2) {
      await bench.webhook();
    }
    return ledger.transaction(task);
  };
  return { ...deps, ledger: { ...ledger, transaction } };
}

describe('a webhook that comes between the answer to a repeat and its writing', () => {
  it.each([
    ['429', { tooManyRequests: true }, 'not-authorised'],
    ['401', { failBeforeStoring: { status: 401, times: 1 } }, 'not-authorised'],
    ['400', { failBeforeStoring: 400 }, 'refused'],
  ] as const)(
    '%s: nothing waits for an answer any more, and the document ends',
    async (_answer, fault, code) => {
      await reportBeforeWriting();
      bench.sandbox.faults.add(fault);
      const { id } = await bench.document();
      // Its own work waits meanwhile, as that of a step that runs.
      await bench.ledger.jobs.forget('follow-up', id);
      await sendProbe(reportedInBetween(), id);
      for (let turn = 0; turn < 10; turn += 1) {
        await bench.wait(10);
        await bench.decided();
      }
      expect(await bench.document()).toMatchObject({ state: 'rejected', code });
      expect(await bench.ledger.jobs.counts()).toEqual({ waiting: 0, released: 0, leased: 0, held: 0 });
    },
  );
});

describe('a webhook that overtakes the repeat of its own number', () => {
  it('leaves the factura authorised and its series open: the 409 names our own key', async () => {
    bench = await openJobBench();
    bench.sandbox.faults.add({ dropAnswer: true });
    await overtake(() => bench.decided());
    const [stored] = bench.sandbox.documents();
    expect(await bench.document()).toMatchObject({ state: 'authorized', accessKey: stored?.claveacceso });
    expect(await bench.ledger.sequences.stopped(series)).toBeNull();
    const attempts = await bench.attempts();
    expect(attempts.map(({ outcome }) => outcome)).toEqual(['authorized', 'unsent']);
  });

  it('and tells that it was not authorised ends as rejected, in the authority’s words', async () => {
    bench = await openJobBench();
    bench.sandbox.faults.add({
      dropAnswer: true,
      outcome: { codigo: 52, times: 1, enProcesoMs: 30 * minute },
    });
    await overtake(() => {
      bench.sandbox.clock.step(31 * minute);
      return bench.decided();
    });
    // Where the service was too slow to say so again, it is asked once more.
    await bench.wait(3);
    expect(await bench.document()).toMatchObject({ state: 'rejected', code: 'not-authorised' });
    expect(await bench.ledger.sequences.stopped(series)).toBeNull();
  });
});
