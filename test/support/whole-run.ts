import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';

/* Before the first file of a run and after the last one. */

/** What workers share: a new ledger of each (job-bench.ts), and a line for each process they start (count-processes.ts). */
const folder = mkdtempSync(join(tmpdir(), 'facturapuente-run-'));
const processList = join(folder, 'processes');
/** In the names of the databases of tests (servers.ts): two runs on one server must not meet. */
const run = randomBytes(4).toString('hex');

export function setup(): void {
  process.env.RUN_FOLDER = folder;
  process.env.RUN_NAME = run;
  writeFileSync(processList, '');
}

export async function teardown(): Promise<void> {
  listProcesses();
  rmSync(folder, { recursive: true });
  await dropDatabases();
}

/** Says how many processes the tests started, and which files the most: each takes as long as fifty tests in process. */
function listProcesses(): void {
  const files = readFileSync(processList, 'utf8').split('\n').filter(Boolean);
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
    [`fp_test_${run}_`],
  );
  for (const { datname } of rows) await client.query(`drop database if exists ${datname} with (force)`);
  await client.end();
}
