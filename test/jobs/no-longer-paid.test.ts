import { afterEach, describe, expect, it } from 'vitest';
import { type JobBench, openJobBench } from '../support/job-bench.ts';

/** A factura waits for its account, and meanwhile its order turns out not to be paid. */
let bench: JobBench;
afterEach(() => bench?.close());

const account = { apiKey: 'clave-1', providerApproved: true, credits: 0 };
const factura = async () => {
  const [document] = await bench.ledger.documents.list({ limit: 9 });
  return `${document?.state} ${document?.code}`;
};

async function change(fields: Record<string, unknown>): Promise<void> {
  bench.advance(60_000);
  const changed = bench.clock.now().toISOString().slice(0, 19);
  bench.shop.put({ ...bench.shop.order('1201'), ...fields, date_modified_gmt: changed });
  await bench.sync('1201');
  await bench.run();
}

/** An account without credits, a paid order whose factura has its number already, and then no payment any more. */
async function unpaidBehindPause(): Promise<void> {
  bench = await openJobBench({ ambiente: 2, sandbox: { accounts: [account] } });
  await bench.sync('1201');
  await bench.run();
  expect(await factura()).toBe('ready paid');
  await change({ status: 'on-hold' });
  expect(await factura()).toBe('held unpaid');
}

async function withCredits(): Promise<void> {
  bench.sandbox.addAccount({ ...account, credits: 100 });
  for (let minute = 0; minute < 10; minute += 1) {
    bench.advance(60_000);
    await bench.run();
  }
}

describe('an order that is not paid any more while its factura waits to leave', () => {
  it('is not invoiced, and its merchant reads why', async () => {
    await unpaidBehindPause();
    await withCredits();
    expect(await factura()).toBe('held unpaid');
    expect(bench.sandbox.documents()).toEqual([]);
    expect(
      bench.shop
        .notes('1201')
        .map(({ note }) => note)
        .join(),
    ).toContain('dejó de estar pagado');
  });

  it('stays so however often it is read, and is invoiced under the same number once it is paid', async () => {
    await unpaidBehindPause();
    await change({});
    expect(await factura()).toBe('held unpaid');
    await withCredits();
    await change({ status: 'processing' });
    await bench.decided();
    bench.advance(5 * 60_000);
    await bench.run();
    expect(await factura()).toBe('authorized null');
    expect(bench.sandbox.documents().map(({ numero }) => numero)).toEqual(['001-001-000000001']);
  });
});
