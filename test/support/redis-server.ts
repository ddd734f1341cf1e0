import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { onTestFinished } from 'vitest';
import { freePort } from '../../sandbox/shops/loopback.ts';
import { eventually } from './eventually.ts';

/** A Redis of the test's own, with options no shared server may be given. Undefined where none is installed. */
export async function openRedisServer(
  options: string[],
): Promise<{ url: string; client: Redis } | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'fp-redis-'));
  let port = await freePort();
  // A cluster listens 10,000 above it, too.
  while (port > 55_535) port = await freePort();
  const own = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder];
  const server = spawn('redis-server', [...own, ...options], { stdio: 'ignore' });
  const started = await once(server, 'spawn').then(
    () => true,
    () => false,
  );
  onTestFinished(async () => {
    if (started && server.exitCode === null) {
      server.kill();
      await once(server, 'exit');
    }
    await rm(folder, { recursive: true, force: true });
  });
  if (!started) return undefined;
  const url = `redis://127.0.0.1:${port}`;
  const client = new Redis(url, { retryStrategy: () => 20 }).on('error', () => {});
  onTestFinished(() => client.disconnect());
  await eventually(() => client.status === 'ready', 'the Redis of the test');
  return { url, client };
}
