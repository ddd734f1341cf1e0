import { Redis } from 'ioredis';

const heldForS = 180;

/**
 * Which installation a Redis prefix belongs to: whoever names itself first, as long as it does so again within three
 * minutes. Null where nobody answers.
 */
export async function askPrefixOwner(redisUrl: string, prefix: string, id: string): Promise<string | null> {
  const key = `${prefix}:installation`;
  const client = new Redis(redisUrl, {
    lazyConnect: true,
    maxRetriesPerRequest: 0,
    connectTimeout: 5_000,
    commandTimeout: 5_000,
    retryStrategy: () => null,
  }).on('error', () => {});
  try {
    await client.connect();
    const taken = await client.set(key, id, 'EX', heldForS, 'NX');
    const owner = taken === null ? await client.get(key) : id;
    if (owner === id) await client.expire(key, heldForS);
    return owner ?? id;
  } catch {
    return null;
  } finally {
    client.disconnect();
  }
}
