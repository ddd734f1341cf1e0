import { askRedis } from './ask-redis.ts';

const heldForS = 180;

/**
 * Which installation a Redis prefix belongs to: whoever names itself first, as long as it does so again within three
 * minutes. Null where nobody answers.
 */
export function askPrefixOwner(redisUrl: string, prefix: string, id: string): Promise<string | null> {
  const key = `${prefix}:installation`;
  return askRedis(redisUrl, async (client) => {
    const taken = await client.set(key, id, 'EX', heldForS, 'NX');
    const owner = taken === null ? await client.get(key) : id;
    if (owner === id) await client.expire(key, heldForS);
    return owner ?? id;
  });
}
