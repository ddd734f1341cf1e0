import { afterEach, expect, it } from 'vitest';
import { reprocessByHand } from '../../src/jobs/retry.ts';
import { mayBeReprocessed } from '../../src/jobs/sentences.ts';
import { type JobBench, openJobBench } from '../support/job-bench.ts';

let bench: JobBench;
afterEach(() => bench?.close());

async function sell(codigo: number): Promise<void> {
  bench = await openJobBench({ now: '2026-11-20T05:05:00Z' });
  bench.sandbox.faults.add({ outcome: { codigo, times: 6 } });
  await bench.sync('1201');
  await bench.run();
  for (let quarter = 0; quarter < 23 * 4 && (await bench.document()).state !== 'rejected'; quarter += 1) {
    await bench.decided();
    bench.advance(15 * 60_000);
    await bench.run();
  }
}
const byHand = async () => reprocessByHand(bench.deps, await bench.document(), 'omar (panel)');

it('a key refused for the issuer’s sake is reprocessed once a person has fixed that', async () => {
  await sell(39);
  expect((await bench.document()).state).toBe('rejected');
  expect(mayBeReprocessed(await bench.document())).toBe(true);
  expect(await byHand()).toBeNull();
  await bench.run();
  await bench.decided();
  await bench.event((await bench.document()).accessKey ?? '');
  await bench.run();
  const document = await bench.document();
  expect(document).toMatchObject({ state: 'authorized', secuencial: '000000001', reason: null });
  expect(bench.sandbox.documents()).toHaveLength(1);
  expect((await bench.ledger.documents.history(document.id)).map(({ note }) => note)).toContainEqual({
    cause: 'reprocess',
    by: 'omar (panel)',
  });
  expect(await byHand()).toContain('Solo se reprocesa un documento rechazado');
});

it('on another day it leaves under its number with the new date', async () => {
  await sell(39);
  bench.advance(24 * 60 * 60_000);
  expect(await byHand()).toBeNull();
  await bench.run();
  await bench.decided();
  const attempts = await bench.ledger.attempts.ofDocument((await bench.document()).id);
  expect(attempts.map(({ issueDate, secuencial }) => [issueDate, secuencial])).toEqual([
    ['2026-11-20', '000000001'],
    ['2026-11-21', '000000001'],
  ]);
});

it('what the authority refused for its content is not handed over again as it is', async () => {
  await sell(52);
  expect(mayBeReprocessed(await bench.document())).toBe(false);
  expect(await byHand()).toContain('corrija el pedido');
  expect((await bench.document()).state).toBe('rejected');
});
