import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client } from 'pg';

/* Before the first file of a run and after the last one. */

export function setup(): void {
  const list = join(mkdtempSync(join(tmpdir(), 'facturapuente-processes-')), 'list');
  writeFileSync(list, '');
  // Workers add a line for each process they start (chance.ts).
  process.env.PROCESS_LIST = list;
}

export async function teardown(): Promise<void> {
  listProcesses(process.env.PROCESS_LIST ?? '');
  await dropDatabases();
}

/** Says how many processes the tests started, and which files the most: each takes as long as fifty tests in process. */
function listProcesses(list: string): void {
  const files = readFileSync(list, 'utf8').split('\n').filter(Boolean);
  rmSync(dirname(list), { recursive: true });
  const counts = [...Map.groupBy(files, (file) => file)].map(([file, { length }]) => ({ file, length }));
  const most = counts.toSorted((one, other) => other.length - one.length).slice(0, 12);
  console.log(
    `${files.length} child processes${most.map(({ file, length }) => `\n  ${length} ${file}`).join('')}`,
  );
}

/** What is left of the databases of tests (servers.ts). */
async function dropDatabases(): Promise<void> {
  const url = process.env.TEST_DATABASE_URL ?? 'postgresql://postgres@127.0.0.1:5432/postgres';
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  const isThere = await client.connect().then(
    () => true,
    () => false,
  );
  if (!isThere) return;
  const { rows } = await client.query<{ datname: string }>(
    'select datname from pg_database where starts_with(datname, $1)',
    [`fp_test_${process.pid}_`],
  );
  for (const { datname } of rows) await client.query(`drop database if exists ${datname} with (force)`);
  await client.end();
}
