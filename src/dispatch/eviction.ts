import { Redis } from 'ioredis';
import type { Log } from '../core/log.ts';

/** How a Redis makes room when its memory is full; anything but "noeviction" may drop jobs. */
export async function evictionPolicy(client: Pick<Redis, 'info'>): Promise<string> {
  const memory = await client.info('memory').catch(() => '');
  return /maxmemory_policy:(\S+)/.exec(memory)?.[1] ?? 'noeviction';
}

/** Says so where a queue may lose its jobs. */
export async function warnOfEviction(client: Redis, log: Log): Promise<void> {
  const policy = await evictionPolicy(client);
  if (policy === 'noeviction') return;
  const aviso = `Redis puede borrar trabajos cuando se llene su memoria (maxmemory-policy ${policy}): configure «maxmemory-policy noeviction» en el servidor Redis. Nada se pierde, pero los trabajos borrados se atrasan.`;
  log.warn(
    { policy, aviso },
    'Redis may drop jobs when its memory is full; set maxmemory-policy to noeviction.',
  );
}

/** What a Redis has of that kind, asked on a connection of its own; null where nobody answers. */
export async function askEviction(redisUrl: string): Promise<string | null> {
  const client = new Redis(redisUrl, {
    lazyConnect: true,
    maxRetriesPerRequest: 0,
    connectTimeout: 5_000,
    commandTimeout: 5_000,
    retryStrategy: () => null,
  }).on('error', () => {});
  try {
    await client.connect();
    await client.ping();
    return await evictionPolicy(client);
  } catch {
    return null;
  } finally {
    client.disconnect();
  }
}
