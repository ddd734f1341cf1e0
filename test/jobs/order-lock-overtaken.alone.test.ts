import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { openShopContext } from '../../src/app/stores.ts';
import { silentLog } from '../../src/domain/ports.ts';
import { openRunJob } from '../../src/jobs/run-job.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { eventually } from '../support/eventually.ts';
import { type JobBench, openJobBench } from '../support/job-bench.ts';
import { leaseMs, openJobLoop } from '../support/job-loop.ts';
import { hasPostgres, openDatabase } from '../support/servers.ts';

/** A run that was slow at writing onto an order, whose lease ran out, and another one that took its job over. */
let bench: JobBench;
afterEach(() => bench?.close());

const second = 1_000;
const lockMs = 180 * second;
const calls = (method: string, part = '') =>
  bench.shop.requests.filter((one) => one.method === method && one.path.endsWith(part)).length;
/** The shop notes the mail of each note to the customer too, in the same words. */
const notes = () => bench.shop.notes('1201').filter(({ note }) => !note.startsWith('Email')).length;

/** The bench, with an authorised factura that is not yet on its order; `slow` is another process's way to both. */
async function open(engine: string) {
  const database = engine === 'PostgreSQL' ? await openDatabase() : null;
  if (database) onTestFinished(() => database.drop());
  bench = await openJobBench(database ? { ledgerUrl: database.url } : {});
  const { deps, clock, store } = bench;
  const encryptionKey = new Uint8Array(32).fill(7);
  const ledger = database
    ? await openLedger({ url: database.url, encryptionKey }, clock, silentLog)
    : bench.ledger;
  if (database) onTestFinished(() => ledger.close());
  // A process knows nothing of what another one keeps in its memory of who writes where.
  vi.resetModules();
  const { woocommerce } = await import('../../adapters/woocommerce/index.ts');
  const context = openShopContext({ ledger, clock, log: silentLog })(store.platform);
  const shop = woocommerce.openShop({ connection: store.connection as never, app: null }, context);
  onTestFinished(() => shop?.close());
  await bench.sell();
  await bench.event(String((await bench.document()).accessKey));
  return openJobLoop({ ...bench, ledger, runJob: openRunJob({ ...deps, ledger, shop: () => shop }) });
}

/** Nobody extended it: another process may have the job. */
async function leaseRunsOut() {
  bench.advance(leaseMs + second);
  expect(await bench.ledger.jobs.recover(bench.clock.now(), lockMs)).toBe(1);
}

async function comesToRest() {
  bench.advance(2 * second);
  await bench.run();
  expect(notes()).toBe(1);
  expect((await bench.document()).writtenBack).toBe('authorized');
  expect(bench.shop.order('1201')?.meta_data).toContainEqual(
    expect.objectContaining({ key: '_facturapuente_estado', value: 'AUTORIZADO' }),
  );
}

describe.each(hasPostgres ? ['SQLite', 'PostgreSQL'] : ['SQLite'])('on %s', (engine) => {
  it('waits while a note of the other one may still arrive, and then finds it', async () => {
    const slow = await open(engine);
    const arrives = Promise.withResolvers<void>();
    bench.shop.trouble({ until: arrives.promise, before: 'acting' }, 'POST');
    const running = slow.run();
    await eventually(() => calls('POST', '/notes') === 1, 'the note to be on its way');
    await leaseRunsOut();
    await bench.run();
    expect([calls('POST', '/notes'), notes()]).toEqual([1, 0]);
    arrives.resolve();
    await running;
    await comesToRest();
    expect(calls('POST', '/notes')).toBe(1);
  });

  /** The slow run has read that there is no note, and sleeps. */
  async function asleep() {
    const slow = await open(engine);
    const [put, read] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    bench.shop.trouble({ until: put.promise, before: 'acting' }, 'PUT');
    const running = slow.run();
    await eventually(() => calls('PUT') === 1, 'the fields to be written');
    bench.shop.trouble({ until: read.promise, before: 'answering' }, 'GET');
    put.resolve();
    await eventually(() => calls('GET', '/notes') === 1, 'the notes to be read');
    return {
      async wakes() {
        read.resolve();
        await running;
      },
    };
  }

  it('takes the lock of one that slept through it, which writes nothing more when it wakes', async () => {
    const slow = await asleep();
    await leaseRunsOut();
    bench.advance(lockMs);
    await bench.run();
    expect(notes()).toBe(1);
    await slow.wakes();
    await comesToRest();
    expect(calls('POST', '/notes')).toBe(1);
  });

  it('has its job to itself: whoever lost it writes nothing more, though its lock has not ended', async () => {
    const slow = await asleep();
    await leaseRunsOut();
    // Taken up again the moment it sleeps no more.
    const now = bench.clock.now();
    const due = await bench.ledger.jobs.due(now, 9, 9);
    await bench.ledger.jobs.release(
      due.map(({ id }) => id),
      now,
    );
    await slow.wakes();
    expect(calls('POST', '/notes')).toBe(0);
    await bench.ledger.jobs.recover(now, 0);
    await comesToRest();
  });
});
