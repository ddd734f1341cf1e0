import { once } from 'node:events';
import { connect } from 'node:net';
import { Redis } from 'ioredis';
import { Client } from 'pg';

const postgres = process.env.TEST_DATABASE_URL ?? 'postgresql://postgres@127.0.0.1:5432/postgres';
export const redisUrl = process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379';

async function answers(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), timeout: 500 });
  const open = await Promise.race([
    once(socket, 'connect').then(
      () => true,
      () => false,
    ),
    once(socket, 'timeout').then(() => false),
  ]);
  socket.destroy();
  return open;
}

export const hasPostgres = (): Promise<boolean> => answers(postgres);
export const hasRedis = (): Promise<boolean> => answers(redisUrl);

/** An empty database of this run alone. */
export async function openDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `fp_bench_${process.pid}_${Date.now().toString(36)}`;
  const ask = async (statement: string) => {
    const client = new Client({ connectionString: postgres });
    await client.connect();
    await client.query(statement);
    await client.end();
  };
  await ask(`create database ${name}`);
  const url = new URL(postgres);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => ask(`drop database if exists ${name} with (force)`) };
}

/** A key prefix of this run alone; `used` returns the bytes of all keys under it. */
export function openKeys(): {
  prefix: string;
  client: Redis;
  used(): Promise<number>;
  close(): Promise<void>;
} {
  const prefix = `{fp-bench-${process.pid}-${Date.now().toString(36)}}`;
  const client = new Redis(redisUrl);
  return {
    prefix,
    client,
    async used() {
      let bytes = 0;
      for (const key of await client.keys(`${prefix}*`))
        bytes += Number(await client.call('MEMORY', 'USAGE', key, 'SAMPLES', '0'));
      return bytes;
    },
    async close() {
      const keys = await client.keys(`${prefix}*`);
      for (let at = 0; at < keys.length; at += 1000) await client.del(...keys.slice(at, at + 1000));
      await client.quit();
    },
  };
}
