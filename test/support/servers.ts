import { connect } from 'node:net';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { onTestFinished } from 'vitest';
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

/** A database of the test's own, dropped when the test (or its beforeAll's `cleanup`) is over. */
export async function openDatabase(
  tablespace = 'pg_default',
): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = ownName();
  const admin = new Client({ connectionString: postgres });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name} TABLESPACE ${tablespace}`);
  await admin.end();
  const url = new URL(postgres);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    async drop() {
      const client = new Client({ connectionString: postgres });
      await client.connect();
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
      await client.end();
    },
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
