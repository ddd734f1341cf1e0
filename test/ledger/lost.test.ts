import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client, type ClientBase, DatabaseError } from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../src/domain/ports.ts';
import { lostLedger, markClient, unusableLedger } from '../../src/ledger/lost.ts';
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
  expect(defects.map(unusableLedger)).toEqual(defects);
});

test.each([
  ['53100', 'ledger-unwritable'],
  ['58030', 'ledger-unwritable'],
  ['57P03', 'ledger-unreachable'],
])('%s of PostgreSQL under a command is %s', async (sqlState, code) => {
  const failed = Object.assign(new DatabaseError('No.', 3, 'error'), { severity: 'ERROR', code: sqlState });
  const client = { query: () => Promise.reject(failed) } as unknown as ClientBase;
  markClient(client);
  await client.query('select 1').catch(() => {});
  expect(unusableLedger(failed)).toMatchObject({ code });
});

describe('a file of SQLite that', () => {
  function open() {
    const folder = mkdtempSync(join(tmpdir(), 'facturapuente-lost-'));
    const path = join(folder, 'ledger.db');
    const [one, other] = [new DatabaseSync(path), new DatabaseSync(path, { timeout: 0 })];
    onTestFinished(() => {
      one.close();
      other.close();
      rmSync(folder, { recursive: true });
    });
    one.exec('create table some (text text); pragma max_page_count = 2');
    return { one, other };
  }
  const errorOf = (task: () => unknown): unknown => {
    try {
      task();
    } catch (error) {
      return unusableLedger(error);
    }
  };

  test('may not grow cannot be written', () => {
    const { one } = open();
    expect(errorOf(() => one.exec('insert into some values (hex(zeroblob(100000)))'))).toMatchObject({
      code: 'ledger-unwritable',
      merchant: expect.stringMatching(/^El registro se puede leer y no escribir: el disco está lleno/),
    });
  });

  test('another process does not release is busy', () => {
    const { one, other } = open();
    one.exec('begin immediate');
    expect(errorOf(() => other.exec('begin immediate'))).toMatchObject({
      code: 'busy-elsewhere',
      merchant: expect.stringMatching(/^Otro proceso ocupa el registro\. .*repítalo en un momento\.$/),
    });
  });

  test('refuses a statement of ours has a defect', () => {
    const { one } = open();
    expect(errorOf(() => one.exec('select nothing'))).toMatchObject({ code: 'ERR_SQLITE_ERROR' });
  });
});
