import { Redis } from 'ioredis';

/** Removes every job under a prefix; for trials that had a prefix of their own. The ledger's work is untouched. */
export async function dropJobs({ redisUrl, prefix }: { redisUrl: string; prefix: string }): Promise<void> {
  const redis = new Redis(redisUrl);
  try {
    // Braces are literal in a Redis pattern; the prefix holds nothing else that is special.
    for await (const keys of redis.scanStream({ match: `${prefix}*`, count: 500 })) {
      if (keys.length > 0) await redis.del(...(keys as string[]));
    }
  } finally {
    redis.disconnect();
  }
}
