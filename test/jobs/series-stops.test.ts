import { afterEach, describe, expect, it } from 'vitest';
import { sendProbe } from '../../src/jobs/send-document.ts';
import { takeKey } from '../../src/jobs/take-key.ts';
import { dieBefore } from '../support/die.ts';
import { type JobBench, openJobBench } from '../support/job-bench.ts';
import { planOnly } from '../support/plan-only.ts';
import { takeNumber } from '../support/taken-number.ts';

/** A series stops for a number that is not ours, which is told, and flows again where it proves ours after all. */
let bench: JobBench;
afterEach(() => bench?.close());

const minute = 60_000;
const first = () => bench.documentOf('1201');
const series = async () => {
  const { ruc, ambiente, codDoc, establecimiento, puntoEmision } = await first();
  return { ruc, ambiente, codDoc, establecimiento, puntoEmision };
};
const states = async () => (await bench.documents()).map(({ state, code }) => [state, code]);
const stopped = async () => bench.ledger.sequences.stopped(await series());
const decide = async () => {
  bench.sandbox.clock.step(90 * minute);
  await bench.decided();
};

/** The first number of a series is registered already, nobody knows yet by which document; the next sale is held. */
async function suspect(): Promise<void> {
  bench = await openJobBench();
  bench.sandbox.faults.add({ outcome: { resultado: 'autorizado', enProcesoMs: 60 * minute, times: 1 } });
  // A gateway delivers the POST twice; we read the answer to the second copy.
  const end = bench.replaceService((calls) => ({
    async emitirFactura(body) {
      end();
      await calls.emitirFactura(body);
      return calls.emitirFactura(body);
    },
  }));
  await bench.read();
  await bench.read('1203');
  expect(await states()).toEqual([
    ['uncertain', 'key-unexpected'],
    ['held', 'series-stopped'],
  ]);
  expect(await bench.openAlerts()).toEqual([]);
}
const give = async () =>
  takeKey(bench.deps, await first(), { accessKey: bench.key(), by: 'ana@caja', confirmed: false });

describe('a series that stopped for a number of ours', () => {
  it.each<[string, () => Promise<unknown>]>([
    [
      'by itself when an event says that ours was authorised',
      async () => {
        await decide();
        await bench.webhook();
      },
    ],
    [
      'when a person gives the key',
      async () => {
        await decide();
        expect(await give()).toMatchObject({ kind: 'authorized' });
      },
    ],
    [
      'when what a person gave in process is authorised, and not before',
      async () => {
        expect(await give()).toMatchObject({ kind: 'processing' });
        expect(await stopped()).not.toBeNull();
        await decide();
        await bench.wait(30);
      },
    ],
  ])('flows again %s', async (_when, prove) => {
    await suspect();
    await prove();
    expect(await stopped()).toBeNull();
    await bench.pass(0, 5, 5);
    expect(await states()).toEqual([
      ['authorized', null],
      ['authorized', null],
    ]);
    expect(await bench.openAlerts()).toEqual([]);
  });

  it('stands still while another number of it is not ours', async () => {
    await suspect();
    const now = bench.clock.now();
    const { documents, sequences } = bench.ledger;
    // A second one had left before the stop, and met a number of another program as well.
    const { id } = await bench.documentOf('1203');
    const stop = await stopped();
    if (!stop) throw new Error('The series is not stopped.');
    await sequences.raise(await series(), 3);
    await documents.move(id, { from: ['held'], to: 'ready', now });
    await sequences.stop(await series(), stop, now);
    await documents.move(id, { from: ['ready'], to: 'sending', now });
    const patch = { code: 'number-conflict', reason: 'El número es ajeno.' };
    await documents.move(id, { from: ['sending'], to: 'manual', patch, now });
    await decide();
    await bench.webhook();
    expect((await first()).state).toBe('authorized');
    expect(await stopped()).not.toBeNull();
  });

  it('stands still when it stopped for another number', async () => {
    await suspect();
    await bench.ledger.sequences.raise(await series(), 50);
    const reason = 'El número 001-001-000000050 ya fue usado por un documento que este sistema no emitió.';
    const other = { reason, secuencial: '000000050' };
    await bench.ledger.sequences.stop(await series(), other, bench.clock.now());
    await decide();
    await bench.webhook();
    expect((await first()).state).toBe('authorized');
    expect(await stopped()).toEqual(other);
  });
});

describe('the alert of a series that stops', () => {
  it('is raised although the process dies right after it wrote the stop', async () => {
    bench = await openJobBench();
    await takeNumber(bench);
    await bench.decided();
    dieBefore(bench.deps.alerts, 'raise');
    await bench.read();
    await bench.pass(5, 5, 5, 30);
    expect((await bench.attempts()).length).toBeGreaterThan(0);
    expect(await bench.document()).toMatchObject({ state: 'manual' });
    expect(await stopped()).not.toBeNull();
    expect(await bench.openAlerts()).toContain('series-stopped');
  });

  it('does not outlast a stop that was taken back, because an event told meanwhile that the number is ours', async () => {
    bench = await openJobBench();
    const { id } = await planOnly(bench, '1201');
    let isTold = false;
    // A gateway delivers the POST twice; we read the answer to the second copy, before its XML can be read.
    bench.replaceService((calls) => ({
      async emitirFactura(body) {
        const answer = await calls.emitirFactura(body);
        if (answer.kind !== 'created') throw new Error(`It was answered ${answer.kind}.`);
        return { kind: 'duplicate', claveacceso: answer.claveacceso, errors: ['ya existe'] };
      },
      descargarXml: (async (key: string) => {
        if (isTold) return calls.descargarXml(key);
        isTold = true;
        await bench.decided();
        await bench.webhook();
        return { kind: 'not-found' };
      }) as never,
    }));
    await bench.ledger.jobs.forget('submit-document', id);
    await sendProbe(bench.deps, id);
    await bench.run();
    expect(await bench.document()).toMatchObject({ state: 'authorized' });
    expect(await stopped()).toBeNull();
    expect(await bench.openAlerts()).toEqual([]);
  });
});
