import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import type { Starter } from './starter.ts';

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

/** The address of an empty database of this run alone. */
export async function openDatabase({ defer }: Pick<Starter, 'defer'>): Promise<string> {
  const name = `fp_bench_${randomUUID().slice(0, 8)}`;
  const ask = async (statement: string) => {
    const client = new Client({ connectionString: postgres });
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };
  await ask(`create database ${name}`);
  // The last connections of a process that was closed end by themselves; cutting one would end the bench.
  defer(async () => {
    const drop = () => ask(`drop database if exists ${name}`);
    for (let tries = 0; tries < 40; tries += 1) {
      try {
        return await drop();
      } catch {
        await setTimeout(50);
      }
    }
    await ask(`drop database if exists ${name} with (force)`);
  });
  const url = new URL(postgres);
  url.pathname = `/${name}`;
  return url.href;
}

/** A key prefix of this run alone; `used` returns the bytes of all keys under it. */
export function openKeys({ defer }: Pick<Starter, 'defer'>): { prefix: string; used(): Promise<number> } {
  const prefix = `{fp-bench-${randomUUID().slice(0, 8)}}`;
  const client = new Redis(redisUrl);
  defer(async () => {
    const keys = await client.keys(`${prefix}*`);
    for (let at = 0; at < keys.length; at += 1000) await client.del(...keys.slice(at, at + 1000));
    await client.quit();
  });
  return {
    prefix,
    async used() {
      let bytes = 0;
      for (const key of await client.keys(`${prefix}*`))
        bytes += Number(await client.call('MEMORY', 'USAGE', key, 'SAMPLES', '0'));
      return bytes;
    },
  };
}
