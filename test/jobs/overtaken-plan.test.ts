import { Client } from 'pg';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { type JobHandler, orderSubject } from '../../src/domain/job.ts';
import type { Shop } from '../../src/domain/platform.ts';
import { silentLog } from '../../src/domain/ports.ts';
import type { JobDeps } from '../../src/jobs/deps.ts';
import { openRunJob } from '../../src/jobs/run-job.ts';
import { syncOrder } from '../../src/jobs/sync-order.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { eventually } from '../support/eventually.ts';
import { type JobBench, openJobBench } from '../support/job-bench.ts';
import { openJobLoop } from '../support/job-loop.ts';
import { hasPostgres, openDatabase } from '../support/servers.ts';

/** The documents of an order move on between the planner's look at them and the COMMIT of its word. */
let bench: JobBench;
afterEach(() => bench?.close());

const states = async () => (await bench.documents()).map((one) => `${one.kind} ${one.state}`);
const reported = () => bench.event(bench.key());
const jobOn = (subject: string) => ({ subject, storeId: 'tienda' }) as Parameters<JobHandler>[0];
const syncNow = (deps: JobDeps) =>
  syncOrder(deps)(jobOn(orderSubject({ platform: 'woocommerce', shop: bench.shop.url, orderId: '1201' })));

/** The steps' dependences of one more process, or of the same with another ledger. */
const depsOn = (ledger: Ledger): JobDeps => ({ ...bench.deps, ledger });

/** A ledger that lets something happen once: before its next transaction, or before that one's COMMIT. */
function interrupted(ledger: Ledger, at: { start?: () => Promise<void>; commit?: () => Promise<void> }) {
  const left = { ...at };
  const take = (when: keyof typeof left) => {
    const task = left[when];
    delete left[when];
    return task?.();
  };
  const watched: Ledger = {
    ...ledger,
    async transaction(task) {
      await take('start');
      return ledger.transaction(async (tables) => {
        const answer = await task(tables);
        await take('commit');
        return answer;
      });
    },
  };
  return watched;
}

async function authorise(): Promise<void> {
  await reported();
  await bench.run();
}

/** A sold order whose factura the authority has decided, which nobody heard; then the buyer got money back. */
async function refundedInProcess(ledgerUrl?: string): Promise<void> {
  bench = await openJobBench(ledgerUrl === undefined ? {} : { ledgerUrl });
  await bench.sell();
  expect(await states()).toEqual(['factura processing']);
  bench.shop.refund('1201', { amount: '10.00' });
  bench.advance(30_000);
}

const credited = ['factura authorized', 'nota-credito processing'];

describe('a refund that was planned while its factura was in process', () => {
  it('gets its nota de crédito where the factura was authorised before the plan was written', async () => {
    await refundedInProcess();
    await syncNow(depsOn(interrupted(bench.ledger, { start: authorise })));
    await bench.run();
    expect(await states()).toEqual(credited);
  });
});

describe('an order whose factura another process made from an older reading', () => {
  it('is looked at again, so that the refund in between is not lost', async () => {
    bench = await openJobBench();
    const shop = bench.deps.shop(bench.store);
    const older = await shop?.fetchOrder('1201');
    bench.shop.refund('1201', { amount: '10.00' });
    const late = { ...bench.deps, shop: () => ({ ...shop, fetchOrder: async () => older }) as Shop };
    const start = async () => {
      await syncNow(late);
      await bench.run();
      await bench.decided();
      await authorise();
      expect(await states()).toEqual(['factura authorized']);
    };
    await syncNow(depsOn(interrupted(bench.ledger, { start })));
    await bench.run();
    expect(await states()).toEqual(credited);
  });
});

describe('an order that was cancelled, whose factura another process makes meanwhile from an older reading', () => {
  it('is not invoiced', async () => {
    bench = await openJobBench();
    const shop = bench.deps.shop(bench.store);
    const older = await shop?.fetchOrder('1201');
    bench.advance(60_000);
    const changed = bench.clock.now().toISOString().slice(0, 19);
    const order = bench.shop.order('1201');
    bench.shop.put({ ...order, status: 'cancelled', date_modified_gmt: changed });
    const late = { ...bench.deps, shop: () => ({ ...shop, fetchOrder: async () => older }) as Shop };
    const start = async () => {
      await syncNow(late);
      expect(await states()).toEqual(['factura ready']);
    };
    await syncNow(depsOn(interrupted(bench.ledger, { start })));
    await bench.run();
    expect(await states()).toEqual(['factura held']);
    expect(bench.sandbox.documents()).toEqual([]);
  });
});

describe.skipIf(!hasPostgres)('on PostgreSQL, with two processes', () => {
  it('a plan waits for the COMMIT that authorises its factura, and sees it', async () => {
    const database = await openDatabase();
    onTestFinished(() => database.drop());
    await refundedInProcess(database.url);
    const other = await openLedger(
      { url: database.url, encryptionKey: new Uint8Array(32).fill(7) },
      bench.clock,
      silentLog,
    );
    onTestFinished(() => other.close());
    const reached = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const commit = async () => {
      reached.resolve();
      await gate.promise;
    };
    await reported();
    const runJob = openRunJob(depsOn(interrupted(other, { commit })));
    const authorised = openJobLoop({ ledger: other, clock: bench.clock, runJob }).run();
    await reached.promise;
    let planned = false;
    const planning = syncNow(bench.deps).then(() => {
      planned = true;
    });
    await eventually(async () => planned || (await waitsForLock(database.url)), 'the plan to meet the move');
    gate.resolve();
    await Promise.all([authorised, planning]);
    await bench.run();
    expect(await states()).toEqual(credited);
  });
});

async function waitsForLock(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query(
      "select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    return rows.length > 0;
  } finally {
    await client.end();
  }
}
