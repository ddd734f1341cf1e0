import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../src/domain/ports.ts';
import { openBoard } from '../../src/queue/board.ts';
import type { QueuedJob } from '../../src/queue/transport.ts';
import { openTransport } from '../../src/queue/transport.ts';
import { eventually } from '../support/eventually.ts';
import { openRedisServer } from '../support/redis-server.ts';
import { hasRedis, ownRedisPrefix, redisUrl } from '../support/servers.ts';
import { answering } from './answering.ts';
import { recordingLog } from './recording-log.ts';

interface Line {
  fields: Record<string, unknown>;
  message: string;
}

/** What the page's own API says of a queue. */
interface Shown {
  name: string;
  jobs: { id: string }[];
}

async function open(url: string, prefix?: string, lines: Line[] = []) {
  const warn = (fields: Record<string, unknown>, message: string) => void lines.push({ fields, message });
  const log = { ...silentLog, warn };
  const transport = await openTransport({ redisUrl: url, prefix, concurrency: 4, log });
  onTestFinished(() => transport.close(500));
  return answering(transport);
}

test.skipIf(!hasRedis)('a Redis that may evict jobs is warned of, in Spanish too', async ({ skip }) => {
  const server = await openRedisServer(['--maxmemory-policy', 'allkeys-lru']);
  if (!server) return skip('redis-server is not installed');
  const lines: Line[] = [];
  await open(server.url, undefined, lines);
  const warned = await eventually(() => lines.find(({ fields }) => 'policy' in fields), 'the warning');
  expect(warned.fields.policy).toBe('allkeys-lru');
  expect(warned.fields.aviso).toContain('maxmemory-policy noeviction');
});

test.skipIf(!hasRedis)('a Redis that evicts nothing is not', async ({ skip }) => {
  const server = await openRedisServer(['--maxmemory-policy', 'noeviction']);
  if (!server) return skip('redis-server is not installed');
  const lines: Line[] = [];
  const transport = await open(server.url, undefined, lines);
  await transport.send([{ id: 'a' }]);
  expect(lines).toEqual([]);
});

test.skipIf(!hasRedis)(
  'a Redis whose memory is full fails the check, and costs a line a minute instead of ten thousand a second',
  async ({ skip }) => {
    const server = await openRedisServer(['--maxmemory-policy', 'noeviction']);
    if (!server) return skip('redis-server is not installed');
    const { log, lines } = recordingLog();
    const transport = await answering(
      await openTransport({ redisUrl: server.url, prefix: '{lleno}', concurrency: 4, log }),
    );
    onTestFinished(() => transport.close(500));
    await transport.send(Array.from({ length: 5 }, (_, id) => ({ id: String(id) })));
    await server.client.config('SET', 'maxmemory', '1');
    await expect(transport.check()).rejects.toThrow('OOM');
    const seen: string[] = [];
    await transport.consume(async ({ id }) => void seen.push(id));
    await eventually(() => lines.length > 0, 'the first line');
    const refusals = async () =>
      Number(/errorstat_OOM:count=(\d+)/.exec(await server.client.info('errorstats'))?.[1] ?? 0);
    await eventually(async () => (await refusals()) >= 4, 'more refusals', 10_000);
    expect(await refusals()).toBeLessThan(100);
    expect(lines).toEqual([expect.stringMatching(/^warn Redis refused a command/)]);
    await server.client.config('SET', 'maxmemory', '0');
    await transport.check();
    await eventually(() => seen.length === 5, 'the jobs once there is room');
  },
);

test.skipIf(!hasRedis)(
  'a Redis cluster, which refuses keys of two slots in one command, carries jobs',
  async ({ skip }) => {
    const server = await openRedisServer(['--cluster-enabled', 'yes']);
    if (!server) return skip('redis-server is not installed');
    const { client, url } = server;
    await client.cluster('ADDSLOTSRANGE', 0, 16_383);
    await eventually(async () => (await client.cluster('INFO')).includes('cluster_state:ok'), 'the cluster');
    // It is one: without a common hash tag these two may not go together.
    await expect(client.mset('a', '1', 'b', '2')).rejects.toThrow('CROSSSLOT');
    const transport = await open(url);
    const seen: string[] = [];
    await transport.consume(async ({ id }: QueuedJob) => void seen.push(id));
    await transport.send([{ id: 'now' }, { id: 'later', delayMs: 30 }]);
    await eventually(() => seen.length === 2, 'both jobs to arrive');
    const keys = await client.keys('*');
    expect(keys.length).toBeGreaterThan(0);
    const slots = await Promise.all(keys.map((key) => client.cluster('KEYSLOT', key)));
    expect(new Set(slots).size).toBe(1);
  },
);

describe.skipIf(!hasRedis)('the counts of the transport', () => {
  test('say how many jobs wait, are delayed and run', async () => {
    const transport = await open(redisUrl, ownRedisPrefix());
    await transport.send([{ id: 'a' }, { id: 'b' }, { id: 'c', delayMs: 60_000 }]);
    expect(await transport.counts()).toEqual({ waiting: 2, delayed: 1, active: 0 });
    const { promise, resolve } = Promise.withResolvers<void>();
    await transport.consume(() => promise);
    await eventually(async () => (await transport.counts()).active === 2, 'both to run');
    expect(await transport.counts()).toEqual({ waiting: 0, delayed: 1, active: 2 });
    resolve();
  });
});

describe.skipIf(!hasRedis)('the page of the queue', () => {
  async function openPage(url: string, prefix: string) {
    const board = openBoard({ redisUrl: url, prefix, path: '/q', log: silentLog });
    const server = createServer(board.handler).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(async () => {
      server.close();
      await board.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  test('shows the jobs in Redis, and changes none', async () => {
    const prefix = ownRedisPrefix();
    const transport = await open(redisUrl, prefix);
    await transport.send([{ id: 'trabajo-1', delayMs: 60_000 }]);
    const page = await openPage(redisUrl, prefix);
    const queues = await eventually(async () => {
      const answer = await fetch(`${page}/api/queues?activeQueue=jobs&status=delayed`);
      return answer.ok && ((await answer.json()) as { queues: Shown[] });
    }, 'the page to be ready');
    expect(queues.queues[0]).toMatchObject({ name: 'jobs', readOnlyMode: true, counts: { delayed: 1 } });
    expect(JSON.stringify(queues.queues[0]?.jobs)).toContain('trabajo-1');
    expect((await fetch(page)).headers.get('content-type')).toContain('text/html');
    const id = queues.queues[0]?.jobs[0]?.id;
    const refused = await fetch(`${page}/api/queues/jobs/${id}/clean`, { method: 'PUT' });
    expect(refused.ok).toBe(false);
    expect(await transport.counts()).toMatchObject({ delayed: 1 });
  });

  test('says so while Redis does not answer', async () => {
    const page = await openPage('redis://127.0.0.1:1', '{nobody}');
    const answer = await fetch(page);
    expect([answer.status, await answer.text()]).toEqual([
      503,
      'Redis no responde; vuelva a intentarlo en unos segundos.',
    ]);
  });
});
