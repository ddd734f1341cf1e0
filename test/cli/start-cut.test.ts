import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../src/domain/ports.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { cuttable } from '../support/cuttable.ts';
import { eventually } from '../support/eventually.ts';
import { type Ran, run } from '../support/run.ts';
import { hasPostgres, openDatabase } from '../support/servers.ts';

async function client(connectionString: string): Promise<Client> {
  const client = new Client({ connectionString });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** The held documents are looked at again while work starts; here that waits for a lock, and then its database is gone. */
async function startUntilHeld(through: (url: string) => Promise<string>) {
  const database = await openDatabase();
  onTestFinished(database.drop);
  const ledger = await openLedger(
    { url: database.url, encryptionKey: new Uint8Array(32) },
    { now: () => new Date() },
    silentLog,
  );
  await ledger.close();
  const locking = await client(database.url);
  await locking.query('begin; lock table facturapuente.documents in access exclusive mode');
  const admin = await client(database.url);

  const folder = await mkdtemp(join(tmpdir(), 'facturapuente-start-cut-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'facturapuente.config.json');
  const config = {
    publicUrl: 'http://127.0.0.1:1',
    port: 0,
    secret: 'un-secreto-de-al-menos-32-caracteres-para-pruebas',
    ledger: { url: await through(database.url) },
    accounts: { cuenta: { baseUrl: 'http://127.0.0.1:1', apiKey: 'clave' } },
    issuers: {},
    stores: {},
  };
  await writeFile(file, JSON.stringify(config));
  const waiting = async (): Promise<number[]> => {
    const { rows } = await admin.query<{ pid: number }>(
      `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
       and query like '%"documents"%'`,
    );
    return rows.map(({ pid }) => pid);
  };
  const args = ['start', '--config', file, '--role', 'worker', '--log-level', 'silent'];
  let over = false;
  const ran = run(args).finally(() => {
    over = true;
  });
  await eventually(
    async () => over || (await waiting()).length > 0,
    'start to wait for the locked documents',
  );
  return { admin, locking, ran };
}

function expectSentence({ code, stderr }: Ran): void {
  expect(stderr).toMatch(/^No se puede usar la base PostgreSQL \([^)]+\)\. .*\n$/);
  expect(code).toBe(1);
}

describe.skipIf(!hasPostgres)('start says in one sentence that PostgreSQL went away while it began', () => {
  test('by cutting its connections, as a server that is restarted does', async () => {
    const { admin, locking, ran } = await startUntilHeld(async (url) => url);
    await admin.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'factura%' and datname = current_database()",
    );
    // A reconnection before the end must not wait without limit.
    await locking.query('rollback');
    expectSentence(await ran);
  });

  test('by being gone for good', async () => {
    let cut = () => {};
    const { ran } = await startUntilHeld(async (target) => {
      const way = await cuttable(target);
      cut = way.cut;
      return way.url;
    });
    cut();
    expectSentence(await ran);
  });
});
