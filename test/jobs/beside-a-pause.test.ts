import { afterEach, describe, expect, it } from 'vitest';
import { dieBefore } from '../support/die.ts';
import { type JobBench, openJobBench } from '../support/job-bench.ts';

/** What a pause leaves beside the emissions it stops: its alert, and jobs in other partitions. */
let bench: JobBench;
afterEach(() => bench?.close());

const ready = { apiKey: 'clave-1', providerApproved: true, credits: 100 };
const minutes = (count: number) => count * 60_000;
const wait = async (ms: number) => {
  bench.advance(ms);
  return bench.run();
};
const paths = () => bench.sandbox.requests().map(({ path }) => path);

describe('a process that dies', () => {
  it('between a pause and its alert: the next probe raises it', async () => {
    bench = await openJobBench({ sandbox: { accounts: [{ ...ready, apiKey: 'otra-clave' }] } });
    dieBefore(bench.deps.alerts, 'raise');
    await bench.sync('1201');
    await bench.run();
    expect(await bench.ledger.alerts.open()).toEqual([]);
    await wait(minutes(1));
    expect(await bench.ledger.alerts.open()).toMatchObject([{ code: 'account-api-key', subject: 'cuenta' }]);
    for (let minute = 0; minute < 30; minute += 1) await wait(minutes(1));
    expect(bench.alerts).toEqual(['account-api-key']);
  });

  it('between the end of a pause and that of its alert: neither stays', async () => {
    bench = await openJobBench({ sandbox: { accounts: [{ ...ready, apiKey: 'otra-clave' }] } });
    await bench.sync('1201');
    await bench.run();
    bench.sandbox.addAccount(ready);
    dieBefore(bench.deps.alerts, 'over');
    for (let minute = 0; minute < 5; minute += 1) await wait(minutes(1));
    expect(await bench.ledger.pauses.list()).toEqual([]);
    expect(await bench.ledger.alerts.open()).toEqual([]);
  });

  it('leaves no alert of a cause whose place another took', async () => {
    bench = await openJobBench({ ambiente: 2, sandbox: { accounts: [{ ...ready, credits: 0 }] } });
    await bench.sync('1201');
    await bench.run();
    bench.sandbox.addAccount({ ...ready, providerApproved: false });
    await wait(minutes(1));
    bench.sandbox.addAccount(ready);
    for (let minute = 0; minute < 5; minute += 1) await wait(minutes(1));
    expect(bench.alerts).toContain('account-provider-data');
    expect(await bench.ledger.alerts.open()).toEqual([]);
  });
});

describe('while an account is paused', () => {
  it('for credits, a reprocess that wants one comes again as seldom as the account is probed', async () => {
    bench = await openJobBench({ ambiente: 2, sandbox: { accounts: [{ ...ready, credits: 10 }] } });
    bench.sandbox.faults.add({ outcome: { codigo: 39, times: 1 } });
    await bench.sync('1201');
    await bench.run();
    await bench.decided();
    await wait(minutes(3));
    expect(await bench.document()).toMatchObject({ state: 'processing', code: 'reprocess' });
    bench.sandbox.addAccount({ ...ready, credits: 0 });
    bench.sandbox.faults.add({
      failBeforeStoring: { status: 402, operacion: 'reprocesar_comprobante', times: 99 },
    });
    const reprocesses = () => paths().filter((path) => path.endsWith('/reprocesar')).length;
    await wait(minutes(15));
    expect(bench.alerts).toEqual(['account-credits']);
    expect(reprocesses()).toBe(1);
    for (let minute = 0; minute < 30; minute += 1) await wait(minutes(1));
    expect(reprocesses()).toBeGreaterThan(1);
    expect(reprocesses()).toBeLessThan(10);
  });
});
