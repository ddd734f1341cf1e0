import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import pg from 'pg';

export interface DemoServers {
  databaseUrl: string;
  schema: string;
  redisUrl: string;
  redisPrefix: string;
  /** Removes everything the demo left on the servers. */
  drop(): Promise<void>;
}

/** The servers named by DATABASE_URL and REDIS_URL, with a schema and a key prefix of the demo's own. */
export async function openServers(
  env: Readonly<Record<string, string | undefined>>,
): Promise<DemoServers | null> {
  const { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl } = env;
  if (!databaseUrl || !redisUrl) return null;
  const name = `demo_${randomBytes(4).toString('hex')}`;
  const redisPrefix = `{facturapuente-${name}}`;
  return {
    databaseUrl,
    redisUrl,
    schema: name,
    redisPrefix,
    async drop() {
      const database = new pg.Client({ connectionString: databaseUrl });
      await database.connect();
      await database.query(`DROP SCHEMA IF EXISTS ${name} CASCADE`);
      await database.end();
      const redis = new Redis(redisUrl);
      const keys = await redis.keys(`${redisPrefix}*`);
      if (keys.length > 0) await redis.del(...keys);
      await redis.quit();
    },
  };
}
