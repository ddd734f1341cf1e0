import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../src/domain/ports.ts';
import { lostLedger } from '../../src/ledger/lost.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { cuttable } from '../support/cuttable.ts';
import { hasPostgres, openDatabase } from '../support/servers.ts';
import { encryptionKey, job, noon } from './samples.ts';

const clock = { now: () => noon };

describe.skipIf(!hasPostgres)('an open ledger whose server goes away says so', () => {
  let database: Awaited<ReturnType<typeof openDatabase>>;
  beforeAll(async () => {
    database = await openDatabase();
  });
  afterAll(() => database.drop());

  async function open() {
    const { url, cut } = await cuttable(database.url);
    const ledger = await openLedger({ url, encryptionKey }, clock, silentLog);
    onTestFinished(() => ledger.close());
    return { ledger, cut };
  }

  const said = (promise: Promise<unknown>) =>
    promise.catch((error: unknown) => Promise.reject(lostLedger(error)));
  const unreachable = (reason: string) => ({
    code: 'ledger-unreachable',
    merchant: expect.stringContaining(`No se puede usar la base PostgreSQL (${reason})`),
  });

  test('where a transaction is cut', async () => {
    const { ledger, cut } = await open();
    const carried = ledger.transaction(async (tables) => {
      await tables.jobs.enqueue(job());
      cut();
      await tables.jobs.counts();
    });
    await expect(said(carried)).rejects.toMatchObject(unreachable('conexión cortada'));
  });

  test('where nobody answers any more', async () => {
    const { ledger, cut } = await open();
    cut();
    await said(ledger.check()).catch(() => {});
    await expect(said(ledger.check())).rejects.toMatchObject(
      unreachable('no acepta conexiones: ECONNREFUSED'),
    );
  });

  test('where the server ends it', async () => {
    const { ledger } = await open();
    const admin = new Client({ connectionString: database.url });
    await admin.connect();
    onTestFinished(() => admin.end());
    const carried = ledger.transaction(async (tables) => {
      await tables.jobs.enqueue(job('x'));
      await admin.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'factura%' and datname = current_database()",
      );
      await tables.jobs.counts();
    });
    await expect(said(carried)).rejects.toMatchObject({ code: 'ledger-unreachable' });
  });
});

test('an error that is none of the connection stays what it is', () => {
  const defects = [
    new TypeError('x is not a function'),
    Object.assign(new Error('no'), { code: 'EACCES' }),
    null,
  ];
  expect(defects.map(lostLedger)).toEqual(defects);
});
