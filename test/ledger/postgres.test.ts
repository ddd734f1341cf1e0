import { sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../src/domain/ports.ts';
import { openAccess } from '../../src/ledger/access.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { groupCommit, openLedger } from '../../src/ledger/open.ts';
import { openPostgres } from '../../src/ledger/postgres.ts';
import { currentTrace } from '../../src/observability/log.ts';
import { hasPostgres, openEmptyDatabase } from '../support/servers.ts';
import { ledgerContract } from './contract.ts';
import { delivery, encryptionKey, job, noon } from './samples.ts';

const schema = 'Fp "odd" schema';

describe.skipIf(!hasPostgres)('with a server', () => {
  let database: Awaited<ReturnType<typeof openEmptyDatabase>>;
  let admin: Client;
  let ledger: Ledger;

  beforeAll(async () => {
    database = await openEmptyDatabase();
    admin = new Client({ connectionString: database.url });
    await admin.connect();
    ledger = await openLedger(
      { url: database.url, schema, encryptionKey, trace: currentTrace },
      { now: () => noon },
      silentLog,
    );
    await admin.query(`set search_path to ${admin.escapeIdentifier(schema)}`);
  });
  afterAll(async () => {
    await ledger.close();
    await admin.end();
    await database.drop();
  });

  // One schema emptied for each test: making its tables takes ten times as long as most of the tests.
  ledgerContract('PostgreSQL', async () => {
    const tables =
      'stores shop_addresses shop_holds deliveries orders history attempts documents series jobs rate_limits pauses reconciliations credentials locks alerts alert_deliveries listener_cursors tallies counters'.split(
        ' ',
      );
    await admin.query(tables.map((table) => `delete from ${table}`).join(';'));
    return ledger;
  });

  test('the locks of a process that sleeps in a transaction are released, and its transaction fails', async () => {
    const place = { url: database.url, schema, encryptionKey };
    const other = await openLedger(place, { now: () => noon }, silentLog);
    onTestFinished(() => other.close());
    const locked = Promise.withResolvers<void>();
    const wakes = Promise.withResolvers<void>();
    const sleeper = other.transaction(async (tables) => {
      await tables.jobs.enqueue(job('asleep'));
      locked.resolve();
      await wakes.promise;
      await tables.jobs.counts();
    });
    const reported = expect(sleeper).rejects.toThrow();
    await locked.promise;
    await ledger.jobs.enqueue(job('asleep'));
    wakes.resolve();
    await reported;
  }, 60_000);

  test('a batch of deliveries is one transaction, and a job it enqueues twice is one job', async () => {
    const engine = openPostgres(database.url, schema, 1, silentLog);
    let transactions = 0;
    const access = openAccess(engine, () => {});
    const { accept } = groupCommit({
      ...access,
      atomic: (task) => {
        transactions += 1;
        return access.atomic(task);
      },
    });
    const together = (orders: readonly string[], round: string) =>
      Promise.all(orders.map((orderId) => accept(delivery(`${round} ${orderId}`, { orderId }))));
    expect(await together(['6001', '6002', '6003'], 'one')).toEqual(['stored', 'stored', 'stored']);
    expect(await together(['6003', '6001', '6004'], 'one')).toEqual(['duplicate', 'duplicate', 'stored']);
    expect(transactions).toBe(2);
    expect(await together(['6005', '6005', '6006'], 'one')).toEqual(['stored', 'duplicate', 'stored']);
    expect(transactions).toBe(3);
    const { rows } = await sql<{ asked: string }>`
      select count(*) as asked from jobs where subject like '%/600_'`.execute(engine.writer);
    await engine.close();
    expect(rows).toEqual([{ asked: '6' }]);
  });
});
