import { Redis } from 'ioredis';

/** One question to a Redis, on a connection of its own that is tried once; null where nobody answers. */
export async function askRedis<T>(redisUrl: string, ask: (client: Redis) => Promise<T>): Promise<T | null> {
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
