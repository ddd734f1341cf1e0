import { connect } from 'node:net';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { onTestFinished } from 'vitest';
import { silentLog } from '../../src/domain/ports.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { eventually } from './eventually.ts';

const postgres = process.env.TEST_DATABASE_URL ?? 'postgresql://postgres@127.0.0.1:5432/postgres';
const redis = process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379';

async function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, timeout: 500 });
    const end = (open: boolean) => {
      socket.destroy();
      resolve(open);
    };
    socket
      .once('connect', () => end(true))
      .once('error', () => end(false))
      .once('timeout', () => end(false));
  });
}

async function need(name: string, url: string, start: string): Promise<boolean> {
  const here = await answers(Number(new URL(url).port || 0));
  if (!here && process.env.CI === 'true')
    throw new Error(`CI must run the ${name} tests: nothing answers at its port.`);
  if (!here) console.log(`Skipping ${name} tests: nothing answers. Start it with: ${start}`);
  return here;
}

/** For `describe.skipIf(!hasPostgres)`; under CI=true a missing server is a failure. */
export const hasPostgres = await need(
  'PostgreSQL',
  postgres,
  'docker run --rm -p 5432:5432 -e POSTGRES_HOST_AUTH_METHOD=trust postgres:17',
);
export const hasRedis = await need('Redis', redis, 'docker run --rm -p 6379:6379 redis:7');
/** What a product of several processes needs. */
export const hasServers = hasPostgres && hasRedis;
export const redisUrl = redis;
export const postgresUrl = postgres;

let counter = 0;
/** A name no other test has. */
export function ownName(prefix = 'fp_test'): string {
  counter += 1;
  return `${prefix}_${process.pid}_${Date.now().toString(36)}_${counter}`;
}

export interface Database {
  url: string;
  drop(): Promise<void>;
}

/** Databases with the tables of a new ledger and nothing in them, which tests of this worker had before. */
const free: string[] = [];

/**
 * A database of the test's own with the tables of a new ledger. `drop` ends its connections and empties it for the next
 * test: making one takes a third of a second and writes 9 MB.
 */
export async function openDatabase(): Promise<Database> {
  const url = free.pop() ?? (await makeLedgerDatabase());
  return {
    url,
    async drop() {
      if ((await within(url, emptied).catch(() => false)) === true) free.push(url);
      else await dropDatabase(url);
    },
  };
}

let asNew = '';

async function makeLedgerDatabase(): Promise<string> {
  const url = await createDatabase();
  const options = { url, encryptionKey: new Uint8Array(32) };
  await (await openLedger(options, { now: () => new Date() }, silentLog)).close();
  asNew = await within(url, shapeOf);
  return url;
}

/** False where the test has left something else than rows. */
async function emptied(client: Client): Promise<boolean> {
  await client.query(`select pg_terminate_backend(pid, 5000) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`);
  if ((await shapeOf(client)) !== asNew) return false;
  await client.query(`do $$ declare one record; begin
    set local session_replication_role = replica;
    for one in select tablename from pg_tables where schemaname = 'facturapuente' and tablename <> 'migrations'
      loop execute format('delete from facturapuente.%I', one.tablename); end loop;
    perform setval(format('facturapuente.%I', sequencename), 1, false) from pg_sequences where schemaname = 'facturapuente';
    end $$`);
  return true;
}

/** Everything but rows: schemas, tables, columns, constraints, triggers, functions, settings, and which migrations ran. */
async function shapeOf(client: Client): Promise<string> {
  const { rows } = await client.query(`
    with ours as (select oid, nspname from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema'),
    shape(part) as (
      select nspname::text from ours
      union all select concat_ws(' ', nspname, relname, relkind, relowner, relacl, reloptions)
        from pg_class c join ours on ours.oid = relnamespace
      union all select concat_ws(' ', relname, attname, atttypid, attnotnull, attnum)
        from pg_attribute join pg_class c on c.oid = attrelid join ours on ours.oid = relnamespace where not attisdropped
      union all select conname || pg_get_constraintdef(c.oid) from pg_constraint c join ours on ours.oid = connamespace
      union all select tgname from pg_trigger where not tgisinternal
      union all select proname || prosrc from pg_proc join ours on ours.oid = pronamespace
      union all select setconfig::text from pg_db_role_setting s join pg_database d on d.oid = setdatabase
        where datname = current_database()
      union all select name || checksum from facturapuente.migrations)
    select md5(string_agg(part, '|' order by part)) as shape from shape`);
  return rows[0]?.shape;
}

/** A database of the test's own without any table; `drop` removes it. */
export async function openEmptyDatabase(tablespace = 'pg_default'): Promise<Database> {
  const url = await createDatabase(tablespace);
  return { url, drop: () => dropDatabase(url) };
}

/** With the name of the run in its name: what is left of a run is dropped at its end (whole-run.ts). */
async function createDatabase(tablespace = 'pg_default'): Promise<string> {
  const name = ownName(`fp_test_${process.env.RUN_NAME}`);
  await within(postgres, async (client) => {
    await client.query(`create database ${name} tablespace ${tablespace}`);
    // No test cuts the power of the server.
    await client.query(`alter database ${name} set synchronous_commit = off`);
  });
  const url = new URL(postgres);
  url.pathname = `/${name}`;
  return url.href;
}

async function dropDatabase(url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  await within(postgres, async (client) => {
    // A checkpoint of the whole server comes first. It fails as long as another test keeps its tablespace full.
    const drop = () => client.query(`drop database if exists ${name} with (force)`);
    const isDropped = () =>
      drop().then(
        () => true,
        (error: Error) => {
          if (!error.message.includes('checkpoint request failed')) throw error;
          return false;
        },
      );
    await eventually(isDropped, `the database ${name} to be dropped`);
  });
}

async function within<T>(url: string, task: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await task(client);
  } finally {
    await client.end();
  }
}

/** A Redis key prefix of the test's own (cluster-safe); its keys are removed when the test is over. */
export function ownRedisPrefix(): string {
  const prefix = `{${ownName('fp')}}`;
  onTestFinished(() => removeKeys(prefix));
  return prefix;
}

export async function removeKeys(prefix: string): Promise<void> {
  const client = new Redis(redis);
  const keys = await client.keys(`${prefix}*`);
  if (keys.length > 0) await client.del(...keys);
  await client.quit();
}
