import { afterEach, describe, expect, it } from 'vitest';
import { takeKey } from '../../src/jobs/take-key.ts';
import { type JobBench, openJobBench } from '../support/job-bench.ts';

/** A series that stopped for a number which proves ours after all has no reason to stand still. */
let bench: JobBench;
afterEach(() => bench?.close());

const minute = 60_000;
const stored = () => bench.sandbox.documents()[0]?.claveacceso ?? '';
const pass = async (...waits: number[]) => {
  for (const wait of waits) {
    bench.advance(wait * minute);
    await bench.run();
  }
};
const series = async () => {
  const { ruc, ambiente, codDoc, establecimiento, puntoEmision } = await first();
  return { ruc, ambiente, codDoc, establecimiento, puntoEmision };
};
const first = async () => {
  const [document] = (await bench.ledger.documents.list({ limit: 9 })).toReversed();
  if (!document) throw new Error('There is no document.');
  return document;
};
const states = async () =>
  (await bench.ledger.documents.list({ limit: 9 })).toReversed().map(({ state, code }) => [state, code]);
const alerts = async () => (await bench.ledger.alerts.open()).map(({ code }) => code);
const stopped = async () => bench.ledger.sequences.stopped(await series());

/** The service denied our key for hours: its number counts as foreign, and the next sale is held. Answers how to end it. */
async function disowned(): Promise<() => void> {
  bench = await openJobBench();
  bench.sandbox.faults.add({ dropAnswer: true });
  bench.sandbox.faults.add({ outcome: { resultado: 'autorizado', enProcesoMs: 60 * minute, times: 1 } });
  await bench.sync('1201');
  await bench.run();
  await pass(3);
  const { service } = bench.deps;
  bench.deps.service = (...asked) => ({
    ...service(...asked),
    consultarComprobante: async () => ({ kind: 'not-found' }),
  });
  await pass(3, 5, 10);
  await bench.sync('1203');
  await bench.run();
  expect(await states()).toEqual([
    ['manual', 'number-conflict'],
    ['held', 'series-stopped'],
  ]);
  expect(await alerts()).toContain('series-stopped');
  return () => {
    bench.deps.service = service;
  };
}
const decide = async () => {
  bench.sandbox.clock.step(90 * minute);
  await bench.decided();
};
const isOver = async () => {
  expect(await stopped()).toBeNull();
  await pass(0, 5);
  await bench.decided();
  await pass(5);
  expect(await states()).toEqual([
    ['authorized', null],
    ['authorized', null],
  ]);
  expect(await alerts()).toEqual([]);
};

describe('a series that stopped for a number of ours', () => {
  it('flows again by itself when an event says that ours was authorised', async () => {
    const remember = await disowned();
    remember();
    await decide();
    await bench.event(stored());
    await bench.run();
    await isOver();
  });

  it('flows again when a person gives the key', async () => {
    const remember = await disowned();
    remember();
    await decide();
    const given = { accessKey: stored(), by: 'ana@caja', vouched: false };
    expect(await takeKey(bench.deps, await first(), given)).toMatchObject({ kind: 'authorized' });
    await isOver();
  });

  it('flows again when what a person gave in process is authorised', async () => {
    const remember = await disowned();
    remember();
    const given = { accessKey: stored(), by: 'ana@caja', vouched: false };
    expect(await takeKey(bench.deps, await first(), given)).toMatchObject({ kind: 'processing' });
    expect(await stopped()).not.toBeNull();
    await decide();
    await pass(30);
    await isOver();
  });

  it('stands still while another number of it is foreign', async () => {
    const remember = await disowned();
    const now = bench.clock.now();
    // A second one had left before the stop, and met a foreign number as well.
    const [, held] = (await bench.ledger.documents.list({ limit: 9 })).toReversed();
    const stop = await stopped();
    if (!stop) throw new Error('The series is not stopped.');
    await bench.ledger.sequences.raise(await series(), 3);
    const id = held?.id ?? '';
    await bench.ledger.documents.move(id, { from: ['held'], to: 'ready', now });
    await bench.ledger.sequences.stop(await series(), stop, now);
    await bench.ledger.documents.move(id, { from: ['ready'], to: 'sending', now });
    const patch = { code: 'number-conflict', reason: 'El número es ajeno.' };
    await bench.ledger.documents.move(id, { from: ['sending'], to: 'manual', patch, now });
    remember();
    await decide();
    await bench.event(stored());
    await bench.run();
    expect((await first()).state).toBe('authorized');
    expect(await stopped()).not.toBeNull();
    expect(await alerts()).toContain('series-stopped');
  });

  it('stands still when it stopped for another number', async () => {
    const remember = await disowned();
    await bench.ledger.sequences.raise(await series(), 50);
    const reason = 'El número 001-001-000000050 ya fue usado por un documento que este sistema no emitió.';
    const other = { reason, secuencial: '000000050' };
    await bench.ledger.sequences.stop(await series(), other, bench.clock.now());
    remember();
    await decide();
    await bench.event(stored());
    await bench.run();
    expect((await first()).state).toBe('authorized');
    expect(await stopped()).toEqual(other);
  });
});
