import { connect, createServer, type Server, type Socket } from 'node:net';
import { Redis } from 'ioredis';
import { describe, expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../sandbox/shops/loopback.ts';
import { silentLog } from '../../src/domain/ports.ts';
import { openTransport } from '../../src/queue/transport.ts';
import { eventually } from '../support/eventually.ts';
import { hasRedis, ownRedisPrefix, redisUrl, removeKeys } from '../support/servers.ts';
import { answering } from './answering.ts';
import { recordingLog } from './recording-log.ts';
import { transportContract } from './transport-contract.ts';

const log = silentLog;

transportContract('memory', (concurrency) => openTransport({ concurrency, log }));

describe.skipIf(!hasRedis)('with Redis', () => {
  transportContract('BullMQ', async (concurrency) =>
    answering(await openTransport({ redisUrl, prefix: ownRedisPrefix(), concurrency, log })),
  );

  test('a job in Redis is its id, its slot and nothing else, and nothing of it stays when it has run', async () => {
    const prefix = ownRedisPrefix();
    const transport = await answering(await openTransport({ redisUrl, prefix, concurrency: 1, log }));
    const redis = new Redis(redisUrl);
    await transport.send([{ id: '4711', slotAt: 12 }]);
    const [key = ''] = await redis.lrange(`${prefix}:jobs:wait`, 0, -1);
    expect(JSON.parse((await redis.hget(`${prefix}:jobs:${key}`, 'data')) ?? '')).toEqual({
      id: '4711',
      slotAt: 12,
    });
    let ran = false;
    await transport.consume(async () => {
      ran = true;
    });
    await eventually(() => ran, 'the job');
    await eventually(async () => !(await redis.exists(`${prefix}:jobs:${key}`)), 'the job to be forgotten');
    await transport.close(1_000);
    await redis.quit();
  });

  test('every key of a queue carries its prefix in braces', async () => {
    const prefix = ownRedisPrefix();
    const transport = await answering(await openTransport({ redisUrl, prefix, concurrency: 1, log }));
    await transport.send([{ id: '1' }]);
    const redis = new Redis(redisUrl);
    expect((await redis.keys(`${prefix}:jobs:*`)).length).toBeGreaterThan(1);
    expect(prefix).toMatch(/^\{.+\}$/);
    await redis.quit();
    await transport.close(1_000);
  });

  test('jobs keep coming after Redis was emptied', async () => {
    const prefix = ownRedisPrefix();
    const transport = await answering(await openTransport({ redisUrl, prefix, concurrency: 2, log }));
    const seen: string[] = [];
    await transport.consume(async (job) => void seen.push(job.id));
    await transport.send([{ id: 'before' }]);
    await eventually(() => seen.includes('before'), 'the job before');
    await removeKeys(prefix);
    await transport.send([{ id: 'after' }]);
    await eventually(() => seen.includes('after'), 'the job after');
    await transport.close(1_000);
  });

  test('a lost connection is logged once, refuses jobs at once and recovers by itself', async () => {
    const { log: telling, lines } = recordingLog();
    const endpoint = await openEndpoint();
    const transport = await answering(
      await openTransport({ redisUrl: endpoint.url, prefix: ownRedisPrefix(), concurrency: 1, log: telling }),
    );
    const seen: string[] = [];
    await transport.consume(async (job) => void seen.push(job.id));
    await transport.send([{ id: 'before' }]);
    await eventually(() => seen.includes('before'), 'the job before');

    await endpoint.shut();
    await eventually(() => lines.some((line) => line.startsWith('error')), 'a line about Redis');
    // Nobody opens the endpoint meanwhile: what waited for Redis would wait for ever.
    await expect(transport.send([{ id: 'during' }])).rejects.toThrow('Redis is not connected');
    const turnedAway = await endpoint.turnAway();
    await eventually(() => turnedAway() > 2, 'three attempts to connect again');
    expect(lines).toEqual(['error Redis does not answer; jobs wait in the ledger until it does.']);

    await endpoint.shut();
    await endpoint.open();
    await answering(transport);
    await transport.send([{ id: 'after' }]);
    await eventually(() => seen.includes('after'), 'the job after');
    await transport.close(1_000);
    expect(lines.filter((line) => line.startsWith('error'))).toHaveLength(1);
    expect(lines.filter((line) => line === 'info Redis answers again.')).toHaveLength(1);
  });

  test('a Redis that is not there yet does not keep the process from starting or stopping', async () => {
    const endpoint = await openEndpoint();
    await endpoint.shut();
    const transport = await openTransport({
      redisUrl: endpoint.url,
      prefix: ownRedisPrefix(),
      concurrency: 1,
      log,
    });
    const seen: string[] = [];
    await transport.consume(async (job) => void seen.push(job.id));
    await expect(transport.check()).rejects.toThrow('Redis is not connected');
    await endpoint.open();
    await answering(transport);
    await transport.send([{ id: 'first' }]);
    await eventually(() => seen.includes('first'), 'the first job');
    await endpoint.shut();
    const begun = performance.now();
    await transport.close(200);
    // What waited for Redis would wait for ever; a busy machine is slower than the deadline.
    expect(performance.now() - begun).toBeLessThan(10_000);
  });
});

/** A way to Redis that can be shut and opened again. */
interface Endpoint {
  url: string;
  shut(): Promise<void>;
  open(): Promise<void>;
  /** Ends each connection at once; answers how to ask how many. */
  turnAway(): Promise<() => number>;
}

async function openEndpoint(): Promise<Endpoint> {
  const target = new URL(redisUrl);
  const sockets = new Set<Socket>();
  let server: Server;
  // One the system gives to nobody while the endpoint is shut.
  const port = await freePort();
  async function open(): Promise<void> {
    server = createServer((inside) => {
      const outside = connect(Number(target.port), target.hostname);
      for (const [one, other] of [
        [inside, outside],
        [outside, inside],
      ] as const) {
        sockets.add(one);
        one.on('error', () => other.destroy()).on('close', () => other.destroy());
        one.pipe(other);
      }
    });
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  }
  async function turnAway(): Promise<() => number> {
    let count = 0;
    server = createServer((socket) => {
      count += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    return () => count;
  }
  async function shut(): Promise<void> {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    sockets.clear();
    await closed;
  }
  await open();
  onTestFinished(shut);
  return { url: `redis://127.0.0.1:${port}`, shut, open, turnAway };
}
