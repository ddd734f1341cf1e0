import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { LedgerOptions } from '../../src/ledger/ledger.ts';
import { hasPostgres, openDatabase } from '../support/servers.ts';
import { ended, nextLine, start, temporaryDirectory } from './support/processes.ts';

/** Lets a process take in deliveries, kills it mid-way, and answers the keys it had acknowledged. */
async function killUnderLoad(options: Omit<LedgerOptions, 'encryptionKey'>): Promise<string[]> {
  const child = start('accept-under-load.ts', options);
  const acknowledged: string[] = [];
  while (acknowledged.length < 700) acknowledged.push(await nextLine(child));
  child.kill('SIGKILL');
  for await (const line of child.lines) acknowledged.push(line);
  await ended(child);
  return acknowledged;
}

describe('after kill -9 under load', () => {
  test('SQLite has every acknowledged delivery with its job, and is intact', async () => {
    const directory = temporaryDirectory();
    const acknowledged = await killUnderLoad({ directory });
    const db = new DatabaseSync(join(directory, 'ledger.db'));
    const stored = db.prepare('select dedupe_key as key, order_id from deliveries').all();
    const keys = new Set(stored.map((row) => row.key));
    expect(acknowledged.filter((key) => !keys.has(key))).toEqual([]);
    expect(db.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' });
    // Delivery and job are one transaction: neither exists without the other.
    expect(db.prepare('select count(*) as n from jobs').get()).toEqual({ n: stored.length });
    db.close();
  });

  test.skipIf(!hasPostgres)('PostgreSQL has every acknowledged delivery with its job', async () => {
    const { url, drop } = await openDatabase();
    onTestFinished(drop);
    const acknowledged = await killUnderLoad({ url, schema: 'fp' });
    const client = new Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query('select dedupe_key as key from fp.deliveries');
    const keys = new Set(rows.map((row) => row.key));
    expect(acknowledged.filter((key) => !keys.has(key))).toEqual([]);
    const job = await client.query('select count(*)::int as n from fp.jobs');
    expect(job.rows[0].n).toBe(rows.length);
    await client.end();
  });
});
