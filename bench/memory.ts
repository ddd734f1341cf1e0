import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import { freePort } from '../src/cli/demo/run.ts';
import { silentLog } from '../src/domain/ports.ts';
import { newId } from '../src/ledger/access.ts';
import { openTransport } from '../src/queue/open.ts';
import { paidOrder } from './bodies.ts';
import { type Line, line, skipped } from './line.ts';
import { imageOptions, type NodeStart, startChild, startInstalled } from './processes.ts';
import { hasRedis, openKeys, redisUrl } from './servers.ts';
import { install } from './stocked.ts';

const manyOrders = 100_000;
/** Enough for Node's defaults to fill the heap. */
const someOrders = 20_000;
/** Enough that no key's rate limit slows the run. */
const keys = 100;
const jobs = 1_500;

/** Memory of one process over many orders, and of Redis per waiting job. */
export async function memory(): Promise<Line[]> {
  const image = await overOrders(manyOrders, imageOptions());
  const plain = await overOrders(someOrders, {});
  const half = image.residents.slice(5);
  return [
    line(
      'memory of one process over 100,000 orders, as the image starts it, at most',
      'MB',
      [Math.max(...image.residents)],
      {
        atMost: 250,
      },
    ),
    line(
      'the same after each of the last five tenths / after the fifth',
      'ratio',
      half.map((resident) => resident / (image.residents[4] ?? 0)),
      { atMost: 1.1 },
    ),
    line('processor time of an order, webhook to emission, as the image starts it', 'ms', [image.cpuMs]),
    line('memory over 20,000 orders with the options Node has by itself, at most', 'MB', [
      Math.max(...plain.residents),
    ]),
    line('processor time of an order then', 'ms', [plain.cpuMs]),
    ...(await byJob()),
  ];
}

/** `start` as a user runs it, from webhook to emission; its memory after each tenth of the orders. */
async function overOrders(orders: number, how: NodeStart): Promise<{ residents: number[]; cpuMs: number }> {
  const stub = await startChild('stub-server.ts', []);
  const stores = Array.from({ length: keys }, (_, n) => ({ id: `t${n}`, account: `c${n}` }));
  const installation = install({ serviceUrl: stub.url, port: await freePort(), stores });
  const product = await startInstalled(installation, 'all', how);
  const before = product.cpuMs();
  const pool = new Pool(installation.url, { connections: 16, pipelining: 1 });
  const emitted = async () => (await (await fetch(`${stub.url}/count`)).json()) as number;
  const residents: number[] = [];
  let next = 0;
  for (let tenth = 1; tenth <= 10; tenth += 1) {
    const client = async () => {
      while (next < (orders / 10) * tenth) {
        const id = next++;
        const { headers, body } = paidOrder(1 + id);
        const path = `/webhooks/t${id % keys}`;
        const answer = await pool.request({ method: 'POST', path, headers, body });
        await answer.body.dump();
        if (answer.statusCode !== 200) throw new Error(`The endpoint answered ${answer.statusCode}.`);
      }
    };
    await Promise.all(Array.from({ length: 16 }, client));
    while ((await emitted()) < next) await pause(1_000);
    residents.push(product.residentMb());
  }
  const cpuMs = (product.cpuMs() - before) / orders;
  await pool.close();
  await product.stop();
  await stub.stop();
  return { residents, cpuMs };
}

/** Redis memory of waiting jobs, divided by their number. */
async function byJob(): Promise<Line[]> {
  if (!(await hasRedis())) {
    skipped('Redis bytes per waiting job', 'Redis does not answer.');
    return [];
  }
  const redis = openKeys();
  const transport = await openTransport({ redisUrl, prefix: redis.prefix, concurrency: 1, log: silentLog });
  const waiting = Array.from({ length: jobs }, () => ({ id: newId(), slotAt: Date.now(), delayMs: 0 }));
  while (
    !(await transport.check().then(
      () => true,
      () => false,
    ))
  )
    await pause(10);
  await transport.send(waiting);
  const bytes = (await redis.used()) / jobs;
  await transport.close(1_000);
  await redis.close();
  return [line('Redis bytes for each waiting job, all keys counted', 'bytes', [bytes], { atMost: 1_024 })];
}
