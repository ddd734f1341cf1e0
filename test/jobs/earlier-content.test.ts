import { afterEach, describe, expect, it } from 'vitest';
import { type JobBench, openJobBench } from '../support/job-bench.ts';

/** A number left twice with two contents, and the first one is what the authority has. */
let bench: JobBench;
afterEach(() => bench?.close());

async function pass(...waits: number[]): Promise<void> {
  for (const wait of waits) {
    bench.advance(wait * 60_000);
    await bench.run();
  }
}

describe('a document whose first sending was believed lost, and left again for less', () => {
  it('bears the total of what was authorised, and the refund gets its nota de crédito', async () => {
    bench = await openJobBench();
    bench.sandbox.faults.add({ status500AfterStoring: true });
    bench.sandbox.faults.add({ outcome: { resultado: 'autorizado', enProcesoMs: 3_600_000, times: 1 } });
    await bench.sync('1201');
    await bench.run();
    const { service } = bench.deps;
    // A replica that lags behind: for a while the service does not know what it stored.
    bench.deps.service = (...asked) => ({
      ...service(...asked),
      consultarComprobante: async () => ({ kind: 'not-found' }),
    });
    await pass(3, 5);
    bench.shop.refund('1201', { amount: '10.00' });
    await bench.sync('1201');
    await bench.run();
    bench.sandbox.clock.step(5_400_000);
    await bench.decided();
    await pass(10);
    bench.deps.service = service;
    await pass(5, 10);
    const documents = (await bench.ledger.documents.list({ limit: 9 })).toReversed();
    const [factura] = documents;
    const attempts = await bench.ledger.attempts.ofDocument(factura?.id ?? '');
    expect(attempts.map(({ outcome }) => outcome)).toEqual(['authorized', 'unsent']);
    expect(attempts[1]?.total).not.toBe(attempts[0]?.total);
    expect(factura).toMatchObject({ state: 'authorized', total: attempts[0]?.total });
    expect(documents.map(({ kind }) => kind)).toEqual(['factura', 'nota-credito']);
  });
});
