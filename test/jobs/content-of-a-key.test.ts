import { afterEach, describe, expect, it } from 'vitest';
import { retryDocument } from '../../src/jobs/retry.ts';
import { type JobBench, openJobBench } from '../support/job-bench.ts';

/** A number left twice under one key and with two contents. The answer to the second was lost, and it is authorised. */
let bench: JobBench;
afterEach(() => bench?.close());

async function sell(): Promise<void> {
  bench = await openJobBench();
  await bench.sync('1201');
}

async function giveBack(): Promise<void> {
  bench.shop.refund('1201', { amount: '10.00' });
  await bench.sync('1201');
  await bench.run();
  bench.sandbox.faults.add({ dropAnswer: { operacion: 'emitir_factura' } });
}

/** The authority refuses the whole sale; a person has it sent again, for what a refund has left of it. */
async function rejectedThenLess(): Promise<void> {
  await sell();
  bench.sandbox.faults.add({ outcome: { codigo: 52, times: 1 } });
  await bench.pass(0, 3);
  expect((await bench.document()).state).toBe('rejected');
  await giveBack();
  await retryDocument(bench.deps, await bench.document(), 'ana@conector');
  await bench.pass(0);
}

/** The service names a key and never knows it; the number leaves again, for less. */
async function unsentThenLess(): Promise<void> {
  await sell();
  bench.sandbox.faults.add({ failBeforeStoring: 500 });
  await bench.pass(0, 3, 4);
  await giveBack();
  await bench.pass(8, 1);
}

const key = () => bench.sandbox.documents()[0]?.claveacceso ?? '';
const byEvent = async () => {
  await bench.event(key());
  await bench.pass(1);
};
const byAsking = () => bench.pass(3, 5, 10, 60, 60);
describe.each([
  ['refused and sent again', 'error', rejectedThenLess],
  ['believed unsent', 'unsent', unsentThenLess],
] as const)('the first one was %s', (_name, first, send) => {
  it.each([
    ['an event says', byEvent],
    ['it is asked about', byAsking],
  ])(
    '%s: what is authorised is the second, and the refund it left out is not credited again',
    async (_by, report) => {
      await send();
      await report();
      await bench.pass(5);
      expect(
        (await bench.ledger.documents.list({ limit: 9 })).map(({ kind, state, total }) => [
          kind,
          state,
          total,
        ]),
      ).toEqual([['factura', 'authorized', '23.75']]);
      const attempts = await bench.ledger.attempts.ofDocument((await bench.document()).id);
      expect(attempts.slice(0, 2).map(({ outcome, total }) => [outcome, total])).toEqual([
        [first, '33.75'],
        ['authorized', '23.75'],
      ]);
      expect(bench.sandbox.documents().map(({ tipo }) => tipo)).toEqual(['01']);
      expect(await bench.ledger.alerts.open()).toEqual([]);
    },
  );
});

it('where only a line is another, and buyer and total are the same, what is authorised is the second all the same', async () => {
  await sell();
  bench.sandbox.faults.add({ outcome: { codigo: 52, times: 1 } });
  await bench.pass(0, 3);
  const order = bench.shop.order('1201');
  const lines = order?.line_items as object[];
  const line_items = lines.map((line) => ({ ...line, name: 'Camiseta corregida' }));
  bench.shop.put({ ...order, line_items, date_modified_gmt: bench.clock.now().toISOString().slice(0, 19) });
  await bench.sync('1201');
  await bench.run();
  bench.sandbox.faults.add({ dropAnswer: { operacion: 'emitir_factura' } });
  await retryDocument(bench.deps, await bench.document(), 'ana@conector');
  await bench.pass(0);
  await byAsking();
  const attempts = await bench.ledger.attempts.ofDocument((await bench.document()).id);
  expect(attempts.map(({ outcome }) => outcome)).toEqual(['error', 'authorized']);
  expect(attempts[1]?.body).toContain('Camiseta corregida');
  expect(await bench.ledger.alerts.open()).toEqual([]);
});
