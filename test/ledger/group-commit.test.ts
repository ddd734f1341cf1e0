import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../src/domain/ports.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { hasPostgres, openDatabase } from '../support/servers.ts';
import { delivery, encryptionKey, noon } from './samples.ts';
import { temporaryDirectory } from './support/processes.ts';

const clock = { now: () => noon };
const turn = () => new Promise((resolve) => setImmediate(resolve));

/**
 * The commits in a write-ahead log: a frame whose header carries the size of the database ends a transaction
 * (sqlite.org/fileformat2.html#the_write_ahead_log); with synchronous=FULL each of them is flushed once.
 */
function commitsIn(wal: Buffer): number {
  const frame = 24 + wal.readUInt32BE(8);
  let commits = 0;
  for (let at = 32; at + frame <= wal.length; at += frame) if (wal.readUInt32BE(at + 4) > 0) commits += 1;
  return commits;
}

describe('the endpoint commits once per turn of the event loop', () => {
  test('on SQLite: sixty-four deliveries of one turn with their jobs are one commit', async () => {
    const directory = temporaryDirectory();
    const ledger = await openLedger({ directory, encryptionKey }, clock, silentLog);
    onTestFinished(() => ledger.close());
    const commits = () => commitsIn(readFileSync(join(directory, 'ledger.db-wal')));
    const before = commits();
    await Promise.all(Array.from({ length: 64 }, (_, n) => ledger.accept(delivery(`a${n}`))));
    expect(commits() - before).toBe(1);

    const first = ledger.accept(delivery('b1'));
    await turn();
    await Promise.all([first, ledger.accept(delivery('b2')), ledger.accept(delivery('b3'))]);
    expect(commits() - before).toBe(3);
  });

  test.skipIf(!hasPostgres)(
    'on PostgreSQL: two are under way, what comes meanwhile shares the next one',
    async () => {
      const { url, drop } = await openDatabase();
      onTestFinished(drop);
      const ledger = await openLedger({ url, schema: 'fp', encryptionKey }, clock, silentLog);
      onTestFinished(() => ledger.close());
      const accepted: Promise<unknown>[] = [];
      for (const name of ['first', 'second']) {
        accepted.push(ledger.accept(delivery(name)));
        await turn();
      }
      for (let n = 0; n < 200; n += 1) accepted.push(ledger.accept(delivery(`a${n}`)));
      await Promise.all(accepted);
      const client = new Client({ connectionString: url });
      await client.connect();
      // xmin names the transaction that wrote a row.
      const { rows } = await client.query(
        'select count(*)::int as n from fp.deliveries group by xmin order by n',
      );
      expect(rows.map((row) => row.n)).toEqual([1, 1, 200]);
      await client.end();
    },
  );

  test('an answer comes only after the commit: what was answered is on disk', async () => {
    const directory = temporaryDirectory();
    const ledger = await openLedger({ directory, encryptionKey }, clock, silentLog);
    onTestFinished(() => ledger.close());
    const accepted = ledger.accept(delivery('a', { body: Buffer.from('the very bytes') }));
    const wal = () => readFileSync(join(directory, 'ledger.db-wal'));
    expect(wal().includes('the very bytes')).toBe(false);
    await accepted;
    expect(wal().includes('the very bytes')).toBe(true);
  });

  test('closing waits for what was accepted', async () => {
    const directory = temporaryDirectory();
    const ledger = await openLedger({ directory, encryptionKey }, clock, silentLog);
    const accepted = ledger.accept(delivery('a'));
    await ledger.close();
    expect(await accepted).toBe('stored');
  });
});
