import { Redis } from 'ioredis';
import type { Log } from '../domain/ports.ts';

/** The connection is its own and tried once; null where Redis does not answer. */
async function askRedis<T>(redisUrl: string, ask: (client: Redis) => Promise<T>): Promise<T | null> {
  const client = new Redis(redisUrl, {
    lazyConnect: true,
    maxRetriesPerRequest: 0,
    connectTimeout: 5_000,
    commandTimeout: 5_000,
    retryStrategy: () => null,
  }).on('error', () => {});
  try {
    await client.connect();
    return await ask(client);
  } catch {
    return null;
  } finally {
    client.disconnect();
  }
}

/** Anything but "noeviction" may drop jobs when the memory is full. */
async function evictionPolicy(client: Pick<Redis, 'info'>): Promise<string> {
  const memory = await client.info('memory').catch(() => '');
  return /maxmemory_policy:(\S+)/.exec(memory)?.[1] ?? 'noeviction';
}

export const askEviction = (redisUrl: string): Promise<string | null> =>
  askRedis(redisUrl, async (client) => {
    await client.ping();
    return evictionPolicy(client);
  });

export async function warnOfEviction(client: Redis, log: Log): Promise<void> {
  const policy = await evictionPolicy(client);
  if (policy === 'noeviction') return;
  const aviso = `Redis puede borrar trabajos cuando se llene su memoria (maxmemory-policy ${policy}): configure «maxmemory-policy noeviction» en el servidor Redis. Nada se pierde, pero los trabajos borrados se atrasan.`;
  log.warn(
    { policy, aviso },
    'Redis may drop jobs when its memory is full; set maxmemory-policy to noeviction.',
  );
}

const writeCheckedForS = 60;

/** Rejects where Redis takes no writes: its memory is full, its disk refuses, or it is a replica. */
export async function assertWritable(client: Pick<Redis, 'set'>, prefix: string): Promise<void> {
  await client.set(`${prefix}:write-check`, '1', 'EX', writeCheckedForS);
}

const ownedForS = 180;

/** The first to claim it, as long as it claims it again within three minutes. null where Redis does not answer. */
export function askPrefixOwner(redisUrl: string, prefix: string, id: string): Promise<string | null> {
  const key = `${prefix}:installation`;
  return askRedis(redisUrl, async (client) => {
    const taken = await client.set(key, id, 'EX', ownedForS, 'NX');
    const owner = taken === null ? await client.get(key) : id;
    if (owner === id) await client.expire(key, ownedForS);
    return owner ?? id;
  });
}

/** Used for trials that had a prefix of their own. The ledger's jobs stay. */
export async function dropJobs({ redisUrl, prefix }: { redisUrl: string; prefix: string }): Promise<void> {
  const redis = new Redis(redisUrl);
  try {
    // Braces are literal in a Redis pattern; the prefix has no other special characters.
    for await (const keys of redis.scanStream({ match: `${prefix}*`, count: 500 })) {
      if (keys.length > 0) await redis.del(...(keys as string[]));
    }
  } finally {
    redis.disconnect();
  }
}
