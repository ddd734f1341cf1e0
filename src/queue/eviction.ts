import type { Redis } from 'ioredis';
import type { Log } from '../domain/log.ts';
import { askRedis } from './ask-redis.ts';

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

/** What a Redis has of that kind; null where nobody answers. */
export const askEviction = (redisUrl: string): Promise<string | null> =>
  askRedis(redisUrl, async (client) => {
    await client.ping();
    return evictionPolicy(client);
  });
