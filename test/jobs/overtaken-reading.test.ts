import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Shop } from '../../src/domain/platform.ts';
import { silentLog } from '../../src/domain/ports.ts';
import { openRunJob } from '../../src/jobs/run-job.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { eventually } from '../support/eventually.ts';
import { type JobBench, openJobBench } from '../support/job-bench.ts';
import { leaseMs, openJobLoop } from '../support/job-loop.ts';
import { hasPostgres, openDatabase } from '../support/servers.ts';

/** An order that changed within a second, read before and after: WooCommerce's times cannot tell which is newer. */
let bench: JobBench;
afterEach(() => bench?.close());

/** Puts the order into the shop as changed in the same second as before, or `at` another. */
function change(cedula: string, at = '2026-11-20T14:59:00'): void {
  const meta_data = [{ id: 1, key: '_billing_cedula', value: cedula }];
  bench.shop.put({ ...bench.shop.order('1201'), meta_data, date_modified_gmt: at });
}
const [wrong, right] = ['1710034066', '1710034065'];

/** The bench, and another process that has read the order of the wrong cédula, sleeps, and has lost its job meanwhile. */
async function asleep(engine: string) {
  const database = engine === 'PostgreSQL' ? await openDatabase() : null;
  if (database) onTestFinished(() => database.drop());
  bench = await openJobBench(database ? { ledgerUrl: database.url } : {});
  const { deps, clock } = bench;
  const encryptionKey = new Uint8Array(32).fill(7);
  const ledger = database
    ? await openLedger({ url: database.url, encryptionKey }, clock, silentLog)
    : bench.ledger;
  if (database) onTestFinished(() => ledger.close());
  change(wrong);
  const wakes = Promise.withResolvers<void>();
  let hasRead = false;
  const shop = (store: typeof bench.store): Shop | null => {
    const real = deps.shop(store);
    return (
      real && {
        ...real,
        async fetchOrder(id) {
          const order = await real.fetchOrder(id);
          hasRead = true;
          await wakes.promise;
          return order;
        },
      }
    );
  };
  await bench.sync('1201');
  const slow = openJobLoop({ ledger, clock, runJob: openRunJob({ ...deps, ledger, shop }) }).run();
  await eventually(() => hasRead, 'the order to be read');
  bench.advance(leaseMs + 1_000);
  expect(await bench.ledger.jobs.recover(clock.now(), leaseMs)).toBe(1);
  return {
    async wakes() {
      wakes.resolve();
      await slow;
    },
  };
}

const known = async () => {
  const order = { platform: 'woocommerce', shop: bench.shop.url, orderId: '1201' };
  return JSON.stringify((await bench.ledger.orders.get(order))?.snapshot);
};

describe.each(hasPostgres ? ['SQLite', 'PostgreSQL'] : ['SQLite'])('on %s', (engine) => {
  it('of two equally new readings that of the run which has the job counts, also when the other one comes last', async () => {
    const slow = await asleep(engine);
    change(right);
    await bench.run();
    expect((await bench.document()).state).toBe('processing');
    await slow.wakes();
    expect(await known()).toContain(right);
    expect(await known()).not.toContain(wrong);
  });

  it('a reading that is newer by the shop’s own time is kept, whoever brings it, until the order is read once more', async () => {
    const slow = await asleep(engine);
    change(right, '2026-11-20T14:58:59');
    await bench.run();
    await slow.wakes();
    expect(await known()).toContain(wrong);
    // Its time is the older one, so it is read twice.
    await bench.pass(0.2, 0.2);
    expect(await known()).toContain(right);
  });
});

it('a clock that jumped back keeps no reading out', async () => {
  bench = await openJobBench();
  change(wrong);
  await bench.read();
  expect((await bench.document()).state).toBe('held');
  bench.setTime('2026-11-20T14:59:30Z');
  change(right);
  await bench.read();
  await bench.wait(60);
  expect((await bench.document()).state).not.toBe('held');
});
