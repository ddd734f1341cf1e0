import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { AlertNews } from '../../src/domain/alerts.ts';
import { silentLog } from '../../src/domain/ports.ts';
import { openWritableWatch } from '../../src/jobs/alerts.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { recordingLog } from '../queue/recording-log.ts';
import { eventually } from '../support/eventually.ts';
import { openProductProcesses } from '../support/product.ts';
import { hasPostgres, openDatabase, openEmptyDatabase, ownName, postgresUrl } from '../support/servers.ts';

const hasLimits = spawnSync('prlimit', ['--version']).status === 0;

async function readiness(url: string): Promise<string> {
  const answer = await fetch(`${url}/readyz`);
  const { ledger } = (await answer.json()) as { ledger: string };
  return `${answer.status} ${ledger}`;
}

it.skipIf(!hasLimits)(
  'a process whose files may grow no more says that it is not ready, and is ready again once they may',
  async () => {
    const product = await openProductProcesses({ engine: 'sqlite' });
    onTestFinished(() => product.close());
    const child = product.launch('all');
    await child.ready();
    expect(await readiness(product.url)).toBe('200 ok');
    const limit = (bytes: string) =>
      spawnSync('prlimit', ['--pid', String(child.pid), `--fsize=${bytes}:unlimited`]);
    limit('4096');
    await eventually(
      async () => (await readiness(product.url)) === '503 read-only',
      'it not to be ready',
      15_000,
    );
    // It lives, and a webhook is not acknowledged.
    expect((await fetch(`${product.url}/healthz`)).status).toBe(200);
    expect(await product.deliver('1201')).toEqual([500]);
    limit('unlimited');
    await eventually(async () => (await readiness(product.url)) === '200 ok', 'it to be ready', 15_000);
    expect(await product.deliver('1201')).toEqual([200]);
  },
  90_000,
);

/**
 * A tablespace of the server on a disk of its own, 40 MB in size, dropped with the test. null: this system mounts none, or
 * the server does not see our files.
 */
async function openSmallDisk() {
  const directory = mkdtempSync(join(tmpdir(), 'facturapuente-disk-'));
  const run = (...args: string[]) => spawnSync(args[0] ?? '', args.slice(1)).status === 0;
  if (!run('mount', '-t', 'tmpfs', '-o', 'size=40m', 'facturapuente', directory)) return null;
  onTestFinished(() => {
    execFileSync('umount', ['--lazy', directory]);
    rmSync(directory, { recursive: true });
  });
  const [data, ballast, name] = [join(directory, 'data'), join(directory, 'ballast'), ownName()];
  mkdirSync(data);
  if (!run('chown', '-R', 'postgres', directory)) return null;
  const ask = async (statement: string) => {
    const admin = new Client({ connectionString: postgresUrl });
    await admin.connect();
    await admin.query(statement).finally(() => admin.end());
  };
  const is = await ask(`create tablespace ${name} location '${data}'`).then(
    () => true,
    () => false,
  );
  if (!is) return null;
  onTestFinished(() => ask(`drop tablespace ${name}`));
  return {
    tablespace: name,
    fill() {
      for (const size of [1 << 20, 1 << 12])
        try {
          for (;;) writeFileSync(ballast, Buffer.alloc(size), { flag: 'a' });
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
        }
    },
    free: () => rmSync(ballast),
  };
}

it.skipIf(!hasPostgres)(
  'a server of PostgreSQL whose disk is full fails the check, though its files have room for the check itself',
  async ({ skip }) => {
    const disk = await openSmallDisk();
    if (disk === null) return skip('No disk of its own could be mounted for PostgreSQL.');
    const database = await openEmptyDatabase(disk.tablespace);
    onTestFinished(database.drop);
    const key = { encryptionKey: new Uint8Array(32).fill(7) };
    const ledger = await openLedger({ url: database.url, ...key }, { now: () => new Date() }, silentLog);
    onTestFinished(() => ledger.close());
    const said = () =>
      ledger.check().then(
        () => 'ok',
        ({ code, message }: { code: string; message: string }) => `${code}: ${message}`,
      );
    expect(await said()).toBe('ok');
    disk.fill();
    await eventually(
      async () => /^ledger-unwritable: .*No space left/.test(await said()),
      'the check to fail',
      15_000,
    );
    disk.free();
    await eventually(async () => (await said()) === 'ok', 'the check to pass', 15_000);
  },
  60_000,
);

describe.skipIf(!hasPostgres)('a server of PostgreSQL that only lets read', () => {
  async function openReadOnly() {
    const database = await openDatabase();
    onTestFinished(database.drop);
    const key = { encryptionKey: new Uint8Array(32).fill(7) };
    const ledger = await openLedger({ url: database.url, ...key }, { now: () => new Date() }, silentLog);
    onTestFinished(() => ledger.close());
    const name = new URL(database.url).pathname.slice(1);
    const readOnly = async (is: boolean) => {
      const admin = new Client({ connectionString: database.url });
      await admin.connect();
      await admin.query(`set default_transaction_read_only = off`);
      await admin.query(`alter database ${name} set default_transaction_read_only = ${is ? 'on' : 'off'}`);
      await admin.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and pid <> pg_backend_pid()`,
      );
      await admin.end();
    };
    return { ledger, readOnly };
  }

  it('fails the readiness check by name, at the latest seconds later', async () => {
    const { ledger, readOnly } = await openReadOnly();
    await ledger.check();
    await readOnly(true);
    const said = async () =>
      ledger.check().then(
        () => 'ok',
        ({ code }: { code: string }) => code,
      );
    await eventually(async () => (await said()) === 'ledger-unwritable', 'the check to fail', 15_000);
    await readOnly(false);
    await eventually(async () => (await said()) === 'ok', 'the check to pass', 15_000);
  });

  it('is told straight to every channel, since no alert can be kept, and its end too', async () => {
    const { ledger, readOnly } = await openReadOnly();
    const news: AlertNews[] = [];
    const { log, lines } = recordingLog();
    const mail = { id: 'correo', notify: async (one: AlertNews) => void news.push(one) };
    const channels = new Map([[mail.id, mail]]);
    const look = openWritableWatch({ ledger, clock: { now: () => new Date() }, log, channels });
    await look();
    expect(news).toEqual([]);
    await readOnly(true);
    await eventually(async () => look().then(() => news.length > 0), 'the channel to be told', 15_000);
    await look();
    await readOnly(false);
    await eventually(async () => look().then(() => news.length > 1), 'the end to be told', 15_000);
    const codes = news.map(({ begun, ended }) => [begun, ended].map((some) => some.map(({ code }) => code)));
    expect(codes).toEqual([
      [['ledger-unwritable'], []],
      [[], ['ledger-unwritable']],
    ]);
    expect(lines[0]).toMatch(/^error The ledger cannot be written/);
  });
});
