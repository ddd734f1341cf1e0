import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../src/domain/ports.ts';
import { migrations } from '../../src/ledger/migrations/index.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { eventually } from '../support/eventually.ts';
import { hasPostgres, openDatabase, openEmptyDatabase } from '../support/servers.ts';
import { claimNext } from './contract/jobs.ts';
import { at, delivery, document, encryptionKey, job, noon, series } from './samples.ts';
import { ended, nextLine, start, temporaryDirectory } from './support/processes.ts';

const clock = { now: () => noon };

describe('several processes on one SQLite directory', () => {
  test('the second is refused with who holds it and since when', async () => {
    const directory = temporaryDirectory();
    const ledger = await openLedger({ directory, encryptionKey }, clock, silentLog);
    onTestFinished(() => ledger.close());
    const second = start('open-once.ts', { directory });
    const line = await nextLine(second);
    expect(line).toContain('refused ledger-held');
    expect(line).toContain(`el proceso ${process.pid} en `);
    expect(line).toContain(`desde ${noon.toISOString()}`);
  });

  test('the same process is refused as well, and let in after closing', async () => {
    const directory = temporaryDirectory();
    const first = await openLedger({ directory, encryptionKey }, clock, silentLog);
    await expect(openLedger({ directory, encryptionKey }, clock, silentLog)).rejects.toMatchObject({
      code: 'ledger-held',
      merchant: expect.stringContaining('ya está en uso'),
    });
    await first.close();
    const again = await openLedger({ directory, encryptionKey }, clock, silentLog);
    await again.close();
  });

  test('the lock of a killed process is taken over, and its jobs are free at once', async () => {
    const directory = temporaryDirectory();
    const ledger = await openLedger({ directory, encryptionKey }, clock, silentLog);
    for (const subject of ['leased', 'released', 'waiting']) await ledger.jobs.enqueue(job(subject));
    await claimNext(ledger, noon, 3_600_000);
    const [next] = await ledger.jobs.due(noon, 1, 1);
    await ledger.jobs.release([next?.id ?? ''], noon);
    await ledger.close();

    const killed = start('open-once.ts', { directory });
    // The first thing a successor does is to take back what the dead one held.
    expect(await nextLine(killed)).toBe('open');
    killed.kill('SIGKILL');
    await ended(killed);
    const after = await openLedger({ directory, encryptionKey }, clock, silentLog);
    expect(await after.jobs.counts()).toEqual({ waiting: 3, released: 0, leased: 0, held: 0 });
    await after.close();
  });

  test('commands write beside the one that runs jobs, and no number is given twice', async () => {
    const directory = temporaryDirectory();
    const ledger = await openLedger({ directory, encryptionKey }, clock, silentLog);
    onTestFinished(() => ledger.close());
    const commands = [1, 2].map(() => start('reserve-numbers.ts', { directory, as: 'command' }));
    const own: string[] = [];
    for (let n = 0; n < 100; n += 1) own.push(await ledger.sequences.reserve(series, 1));
    const others = (await Promise.all(commands.map(nextLine))).flatMap(
      (line) => JSON.parse(line) as string[],
    );
    const numbers = [...own, ...others].map(Number).sort((one, other) => one - other);
    expect(numbers).toEqual(Array.from({ length: 300 }, (_, n) => n + 1));
  });

  test('a command takes back no job of the one that runs jobs', async () => {
    const directory = temporaryDirectory();
    const ledger = await openLedger({ directory, encryptionKey }, clock, silentLog);
    onTestFinished(() => ledger.close());
    await ledger.jobs.enqueue(job('leased'));
    await claimNext(ledger, noon, 3_600_000);
    const command = start('open-once.ts', { directory, as: 'command' });
    expect(await nextLine(command)).toBe('open');
    command.kill('SIGKILL');
    await ended(command);
    expect(await ledger.jobs.counts()).toMatchObject({ leased: 1, waiting: 0 });
  });

  test('of five that would run jobs exactly one gets in', async () => {
    const directory = temporaryDirectory();
    const all = Array.from({ length: 5 }, () => start('open-once.ts', { directory }));
    const lines = await Promise.all(all.map(nextLine));
    expect(lines.filter((line) => line === 'open')).toHaveLength(1);
    expect(lines.filter((line) => line.startsWith('refused ledger-held'))).toHaveLength(4);
  });

  test('directory and files are for their owner only', async () => {
    const directory = join(temporaryDirectory(), 'deep', 'ledger');
    const ledger = await openLedger({ directory, encryptionKey }, clock, silentLog);
    await ledger.accept(delivery('a'));
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    for (const name of ['ledger.db', 'ledger.db-wal', 'ledger.db-shm', 'ledger.lock', 'holder.json'])
      expect([name, statSync(join(directory, name)).mode & 0o777]).toEqual([name, 0o600]);
    expect(JSON.parse(readFileSync(join(directory, 'holder.json'), 'utf8')).pid).toBe(process.pid);
    await ledger.close();
  });

  test('a directory that was open to others is for its owner alone afterwards', async () => {
    const directory = join(temporaryDirectory(), 'ledger');
    mkdirSync(directory);
    chmodSync(directory, 0o777);
    await (await openLedger({ directory, encryptionKey }, clock, silentLog)).close();
    expect(statSync(directory).mode & 0o777).toBe(0o700);
  });

  const refused = (directory: string, why: string) =>
    expect(openLedger({ directory, encryptionKey }, clock, silentLog)).rejects.toMatchObject({
      code: 'ledger-open-to-others',
      merchant: expect.stringContaining(why),
    });

  test('a directory with a link in it is refused', async () => {
    const directory = join(temporaryDirectory(), 'ledger');
    mkdirSync(directory);
    symlinkSync(join(directory, '..', 'elsewhere.db'), join(directory, 'ledger.db'));
    await refused(directory, '«ledger.db»');
    expect(existsSync(join(directory, '..', 'elsewhere.db'))).toBe(false);
  });

  const nobody = 65534;
  test.skipIf(process.geteuid?.() !== 0)(
    'root refuses the directory and the files of another user',
    async () => {
      const directory = join(temporaryDirectory(), 'ledger');
      mkdirSync(directory, { mode: 0o700 });
      const key = join(directory, 'secret.key');
      writeFileSync(key, 'x');
      chownSync(key, nobody, nobody);
      await refused(directory, '«secret.key»');
      chownSync(key, 0, 0);
      chownSync(directory, nobody, nobody);
      await refused(directory, 'de otro usuario');
    },
  );
});

describe.skipIf(!hasPostgres)('several processes on one PostgreSQL database', () => {
  async function database(): Promise<string> {
    const { url, drop } = await openDatabase();
    onTestFinished(drop);
    return url;
  }

  test('three that start at once migrate once, and all get in', async () => {
    const { url, drop } = await openEmptyDatabase();
    onTestFinished(drop);
    const three = [1, 2, 3].map(() => start('open-once.ts', { url, schema: 'fp', connections: 1 }));
    expect(new Set(await Promise.all(three.map(nextLine)))).toEqual(new Set(['open']));
    const client = new Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query('select name, applied_at from fp.migrations');
    expect(rows.map((row) => row.name)).toEqual(migrations.map(({ name }) => name));
    await client.end();
    for (const child of three) child.stdin.end();
    await Promise.all(three.map(ended));
  });

  test('two ledgers share jobs, numbers and keys without a clash', async () => {
    const url = await database();
    const open = () => openLedger({ url, encryptionKey }, clock, silentLog);
    const [a, b] = [await open(), await open()];
    onTestFinished(async () => {
      await a.close();
      await b.close();
    });

    await a.jobs.enqueue(job());
    const [due] = await b.jobs.due(noon, 1, 1);
    const id = due?.id ?? '';
    const released = await Promise.all([a.jobs.release([id], noon), b.jobs.release([id], noon)]);
    expect(released.flat()).toEqual([id]);
    const claims = await Promise.all([a, b, a, b].map((it) => it.jobs.claim(id, 1000, noon)));
    expect(claims.filter((it) => it !== undefined)).toHaveLength(1);

    const numbers = await Promise.all(
      Array.from({ length: 60 }, (_, n) => (n % 2 ? a : b).sequences.reserve(series, 1)),
    );
    expect(numbers.map(Number).sort((x, y) => x - y)).toEqual(Array.from({ length: 60 }, (_, n) => n + 1));

    const made = await Promise.all(
      Array.from({ length: 20 }, (_, n) => (n % 2 ? a : b).documents.create(document())),
    );
    expect(made.filter((it) => it !== undefined)).toMatchObject([{ secuencial: '000000061' }]);

    const moves = await Promise.all(
      [a, b, a, b].map((it) =>
        it.documents.move(made.find((one) => one)?.id ?? '', { from: ['ready'], to: 'sending', now: at(1) }),
      ),
    );
    expect(moves.filter((it) => it !== undefined)).toHaveLength(1);

    // The same two hundred at both endpoints, in opposite order.
    const keys = Array.from({ length: 200 }, (_, n) => `k${n}`);
    const outcomes = await Promise.all([
      ...keys.map((key) => a.accept(delivery(key, { orderId: key }))),
      ...keys.toReversed().map((key) => b.accept(delivery(key, { orderId: key }))),
    ]);
    expect(outcomes.filter((it) => it === 'stored')).toHaveLength(200);
  });

  test('a deadlock the server broke is run again', async () => {
    const url = await database();
    const open = () => openLedger({ url, encryptionKey }, clock, silentLog);
    const [a, b] = [await open(), await open()];
    onTestFinished(async () => {
      await a.close();
      await b.close();
    });
    for (const subject of ['x', 'y']) await a.jobs.enqueue(job(subject));
    let both = 0;
    let meet = () => {};
    const met = new Promise<void>((resolve) => {
      meet = resolve;
    });
    const cross = (ledger: typeof a, first: string, second: string) =>
      ledger.transaction(async (tables) => {
        await tables.jobs.enqueue(job(first));
        both += 1;
        if (both === 2) meet();
        await met;
        await tables.jobs.enqueue(job(second));
      });
    await Promise.all([cross(a, 'x', 'y'), cross(b, 'y', 'x')]);
    // The one that was broken off may meet the other once more.
    expect(both).toBeGreaterThanOrEqual(3);
  });

  test('connections the server cuts fail what they carried; the next use gets new ones', async () => {
    const url = await database();
    const ledger = await openLedger({ url, encryptionKey }, clock, silentLog);
    onTestFinished(() => ledger.close());
    const client = new Client({ connectionString: url });
    await client.connect();
    onTestFinished(() => client.end());
    const cut = () =>
      client.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'factura%' and datname = current_database()",
      );
    const carried = ledger.transaction(async (tables) => {
      await tables.jobs.enqueue(job());
      await cut();
      await tables.jobs.counts();
    });
    await expect(carried).rejects.toThrow();
    expect(await ledger.accept(delivery('a'))).toBe('stored');
    await cut();
    const counts = await eventually(
      () => ledger.jobs.counts().catch(() => false as const),
      'new connections',
    );
    expect(counts.waiting).toBe(1);
  });
});
