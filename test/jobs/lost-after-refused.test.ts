import { afterEach, expect, it } from 'vitest';
import { retryDocument } from '../../src/jobs/retry.ts';
import { type JobBench, openJobBench } from '../support/job-bench.ts';

/** The authority refused a sending; the corrected one left again, and that answer is lost: the key of the first is not its key. */
let bench: JobBench;
afterEach(() => bench?.close());

it.each([
  ['nothing arrived', 'fijo', { cutBeforeStoring: { operacion: 'emitir_factura' } }],
  ['nothing arrived', 'aleatorio', { cutBeforeStoring: { operacion: 'emitir_factura' } }],
  ['it was stored', 'fijo', { dropAnswer: { operacion: 'emitir_factura' } }],
] as const)(
  '%s (%s): the number leaves once more where nobody knows it, and no person is needed',
  async (_what, codigoNumerico, fault) => {
    bench = await openJobBench({ sandbox: { codigoNumerico } });
    bench.sandbox.faults.add({ outcome: { codigo: 52, times: 1 } });
    await bench.sync('1201');
    await bench.pass(0, 3);
    expect((await bench.document()).state).toBe('rejected');
    bench.sandbox.faults.add(fault);
    await retryDocument(bench.deps, await bench.document(), 'ana@conector');
    await bench.pass(0, 3, 5, 10, 15);
    expect(await bench.document()).toMatchObject({ state: 'authorized', secuencial: '000000001' });
    expect(bench.sandbox.documents().filter(({ estado }) => estado === 4)).toHaveLength(1);
  },
);

it('stored under a key that nobody named: the authority refuses the repeat, and it is for a person', async () => {
  bench = await openJobBench({ sandbox: { codigoNumerico: 'aleatorio' } });
  bench.sandbox.faults.add({ outcome: { codigo: 52, times: 1 } });
  await bench.sync('1201');
  await bench.pass(0, 3);
  bench.sandbox.faults.add({ dropAnswer: { operacion: 'emitir_factura' } });
  await retryDocument(bench.deps, await bench.document(), 'ana@conector');
  await bench.pass(0, 3, 5, 10, 15, 60, 60, 60);
  expect(await bench.document()).toMatchObject({ state: 'manual', code: 'number-registered' });
  expect(bench.sandbox.documents()).toHaveLength(3);
});
