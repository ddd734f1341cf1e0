import { afterEach, describe, expect, it } from 'vitest';
import { type JobBench, openJobBench } from '../support/job-bench.ts';

/** A refund that waited for a factura in process is planned anew at once where that factura stops, and no webhook tells. */
let bench: JobBench;
afterEach(() => bench?.close());

const minute = 60_000;
const total = () => String(bench.shop.order('1201')?.total);
const key = () => ({ platform: 'woocommerce', shop: bench.shop.url, orderId: '1201' });
const said = async () => {
  const decision = (await bench.ledger.orders.get(key()))?.decision as { kind: string; code: string }[];
  return decision.map(({ kind, code }) => `${kind} ${code}`);
};

/** The buyer got money back while the factura was on its way; the plan says that it waits. */
async function refundInProcess(amount: string): Promise<void> {
  bench.shop.refund('1201', { amount });
  bench.advance(30_000);
  await bench.sync('1201');
  await bench.run();
  expect(await said()).toContain('nota-credito factura-in-process');
}

/** The authority refuses the factura that waits there. */
async function refused(codigo: number): Promise<void> {
  bench = await openJobBench();
  bench.sandbox.faults.add({ outcome: { codigo, times: 1 } });
  await bench.sync('1201');
  await bench.run();
  await bench.decided();
}
const reported = async () => {
  await bench.event(bench.sandbox.documents()[0]?.claveacceso ?? '');
  await bench.run();
};

describe('a refund that waits for a factura in process', () => {
  it('of everything drops the factura the authority rejects: nothing is left to correct it for', async () => {
    await refused(52);
    await refundInProcess(total());
    await reported();
    expect(await bench.document()).toMatchObject({ state: 'cancelled', code: 'fully-refunded' });
    expect(await said()).toContain('nota-credito fully-refunded');
    expect((await bench.ledger.alerts.open()).map(({ code }) => code)).toEqual([]);
  });

  it('of a part says that the factura needs a correction, when the authority rejects it', async () => {
    await refused(52);
    await refundInProcess('10.00');
    await reported();
    expect((await bench.document()).state).toBe('rejected');
    expect(await said()).toContain('nota-credito factura-unsettled');
  });

  it('says so too when the factura is given to a person', async () => {
    await refused(45);
    await refundInProcess('10.00');
    await reported();
    expect((await bench.document()).state).toBe('manual');
    expect(await said()).toContain('nota-credito factura-unsettled');
  });

  it('is planned anew when the service refuses the repeat of a lost sending', async () => {
    bench = await openJobBench({ sandbox: { codigoNumerico: 'aleatorio' } });
    bench.sandbox.faults.add({ dropAnswer: true });
    await bench.sync('1201');
    await bench.run();
    await refundInProcess('10.00');
    bench.sandbox.faults.add({ failBeforeStoring: 400 });
    bench.advance(3 * minute);
    await bench.run();
    expect(await bench.document()).toMatchObject({ state: 'manual', code: 'refused' });
    expect(await said()).toContain('nota-credito factura-unsettled');
  });

  it('drops a factura that turns out not to have left, where everything went back meanwhile', async () => {
    bench = await openJobBench();
    bench.sandbox.faults.add({ failBeforeStoring: 500 });
    await bench.sync('1201');
    await bench.run();
    await refundInProcess(total());
    for (const wait of [3, 5, 10, 15]) {
      bench.advance(wait * minute);
      await bench.run();
    }
    expect(await bench.document()).toMatchObject({ state: 'cancelled', code: 'fully-refunded' });
  });
});

it('a factura that stops without refunds has its order read by nobody', async () => {
  await refused(52);
  await bench.event(bench.sandbox.documents()[0]?.claveacceso ?? '');
  expect(await bench.run()).not.toContain('sync-order');
  expect((await bench.document()).state).toBe('rejected');
});
