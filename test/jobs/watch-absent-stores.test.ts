import { afterEach, beforeEach, expect, test } from 'vitest';
import { openAbsentStoreWatch } from '../../src/jobs/watch.ts';
import { type JobBench, openJobBench } from '../support/job-bench.ts';

let bench: JobBench;
let known: boolean;
beforeEach(async () => {
  bench = await openJobBench();
  known = false;
  bench.sandbox.faults.add({ dropWebhooks: { times: 99 } });
  await bench.read();
});
afterEach(() => bench?.close());

const open = () => openAbsentStoreWatch({ ...bench.deps, storeOf: () => (known ? bench.store : undefined) });

test('a store that left the config with documents on their way raises an alert at the second check, until it is back', async () => {
  const look = open();
  await look();
  expect(bench.alerts).toEqual([]);
  await look();
  await look();
  expect(bench.alerts).toEqual(['store-missing']);
  const [alert] = await bench.ledger.alerts.open();
  expect(alert?.what).toMatch(
    /^La tienda «tienda» \(http.*\) ya no está .* con un comprobante suyo en camino/,
  );
  known = true;
  // Another process, or the same started again.
  await open()();
  expect(bench.alerts).toEqual(['store-missing', 'store-missing over']);
});

test('a store whose documents all ended is nobody’s trouble', async () => {
  const look = open();
  await look();
  await look();
  bench.advance(3 * 60_000);
  await bench.decided();
  await bench.run();
  expect((await bench.document()).state).toBe('authorized');
  await look();
  expect(bench.alerts).toEqual(['store-missing', 'store-missing over']);
});
