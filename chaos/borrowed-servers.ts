import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { dropJobs } from '../src/queue/redis.ts';
import type { Servers } from './servers.ts';

/** Existing servers: the run creates a database and a key prefix and drops them at the end; it never restarts the servers. */
export async function borrowServers(urls: { databaseUrl: string; redisUrl: string }): Promise<Servers> {
  const name = `caos_${process.pid}_${randomBytes(4).toString('hex')}`;
  await query(urls.databaseUrl, `CREATE DATABASE ${name}`);
  const database = new URL(urls.databaseUrl);
  database.pathname = `/${name}`;
  const redisPrefix = `{facturapuente-${name}}`;
  return {
    databaseUrl: database.href,
    redisUrl: urls.redisUrl,
    redisPrefix,
    async restart(server) {
      throw new Error(`${server} is borrowed and is not restarted.`);
    },
    async fillRedis() {
      throw new Error('A borrowed Redis is not filled.');
    },
    async whileDown() {
      throw new Error('Borrowed servers are not stopped.');
    },
    async close() {
      await query(urls.databaseUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      await dropJobs({ redisUrl: urls.redisUrl, prefix: redisPrefix });
    },
  };
}

async function query(url: string, text: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}
