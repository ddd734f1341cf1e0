import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
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
export const redisUrl = redis;
export const postgresUrl = postgres;

let counter = 0;
/** A name no other test has. */
export function ownName(prefix = 'fp_test'): string {
  counter += 1;
  return `${prefix}_${process.pid}_${Date.now().toString(36)}_${counter}`;
}

async function asAdmin<T>(task: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: postgres });
  await client.connect();
  try {
    return await task(client);
  } finally {
    await client.end();
  }
}

function urlOf(database: string): string {
  const url = new URL(postgres);
  url.pathname = `/${database}`;
  return url.href;
}

/**
 * A database with the tables of a new ledger, to copy: made once for all runs, as long as the migrations are the same.
 * Copying takes a fifth of migrating.
 */
let template: Promise<string> | undefined;
const ledgerFolder = fileURLToPath(new URL('../../src/ledger/', import.meta.url));

async function makeTemplate(): Promise<string> {
  const sources = globSync(`${ledgerFolder}{migrations/*,postgres}.ts`).sort();
  const hash = createHash('sha256').update(sources.map((path) => readFileSync(path, 'utf8')).join());
  const name = `fp_template_${hash.digest('hex').slice(0, 12)}`;
  await asAdmin(async (client) => {
    // One worker makes it, the others wait.
    await client.query('select pg_advisory_lock(7501)');
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (rowCount) return;
    await client.query(`drop database if exists ${name}_new with (force)`);
    await client.query(`create database ${name}_new`);
    const options = { url: urlOf(`${name}_new`), encryptionKey: new Uint8Array(32) };
    const ledger = await openLedger(options, { now: () => new Date() }, silentLog);
    await ledger.close();
    await client.query(`alter database ${name}_new rename to ${name}`);
  });
  return name;
}

/** A database of the test's own with the tables of a new ledger; `drop` removes it. */
export async function openDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  template ??= makeTemplate();
  return createDatabase(`template ${await template}`);
}

/** The same without any table. */
export const openEmptyDatabase = (tablespace = 'pg_default') => createDatabase(`tablespace ${tablespace}`);

async function createDatabase(how: string): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = ownName();
  await asAdmin(async (client) => {
    await client.query(`create database ${name} ${how}`);
    // No test cuts the power of the server.
    await client.query(`alter database ${name} set synchronous_commit = off`);
  });
  return {
    url: urlOf(name),
    drop: () =>
      asAdmin(async (client) => {
        // A checkpoint of the whole server comes first. It fails as long as another test keeps its tablespace full.
        const drop = () => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
        const isDropped = () =>
          drop().then(
            () => true,
            (error: Error) => {
              if (!error.message.includes('checkpoint request failed')) throw error;
              return false;
            },
          );
        await eventually(isDropped, `the database ${name} to be dropped`);
      }),
  };
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
