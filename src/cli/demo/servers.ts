import { randomBytes } from 'node:crypto';

export interface DemoServers {
  databaseUrl: string;
  schema: string;
  redisUrl: string;
  redisPrefix: string;
  /** Removes everything the demo left on the servers. */
  drop(): Promise<void>;
}

/** The servers named by DATABASE_URL and REDIS_URL, with a schema and a key prefix of the demo's own. */
export function openServers(env: Readonly<Record<string, string | undefined>>): DemoServers | null {
  const { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl } = env;
  if (!databaseUrl || !redisUrl) return null;
  const schema = `demo_${randomBytes(4).toString('hex')}`;
  const redisPrefix = `{facturapuente-${schema}}`;
  return {
    databaseUrl,
    redisUrl,
    schema,
    redisPrefix,
    async drop() {
      const { dropLedger } = await import('../../ledger/drop.ts');
      const { dropJobs } = await import('../../queue/drop.ts');
      await dropLedger({ url: databaseUrl, schema });
      await dropJobs({ redisUrl, prefix: redisPrefix });
    },
  };
}
