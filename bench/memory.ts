import { Pool } from 'undici';
import { freePort } from '../sandbox/shops/loopback.ts';
import { silentLog } from '../src/domain/ports.ts';
import { newId } from '../src/ledger/access.ts';
import { openTransport } from '../src/queue/transport.ts';
import { paidOrder } from './bodies.ts';
import { hasRedis, openKeys, redisUrl } from './databases.ts';
import { install } from './installation.ts';
import { type Line, line } from './line.ts';
import { imageOptions, type ProductStart, type Starter, until } from './starter.ts';

/** `keys`: so many that no key's rate limit slows the run. */
export const whole = { inImage: 20_000, byDefault: 10_000, keys: 100, jobs: 1_500 };

/** Memory of one process over many orders, and of Redis per waiting job. */
export async function memory(start: Starter, amounts = whole): Promise<Line[]> {
  const image = await overOrders(start, amounts.inImage, amounts.keys, imageOptions());
  const plain = await overOrders(start, amounts.byDefault, amounts.keys, {});
  return [
    line('Memory of one process, ready and idle, as the image starts it', 'MB', [image.idleMb]),
    line(
      'Memory of one process with the worker, over 20,000 orders of 100 keys, as the image starts it',
      'MB',
      [Math.max(...image.residents)],
      { atMost: 250 },
    ),
    line(
      'The same after each of the last five tenths / after the fifth',
      '',
      image.residents.slice(5).map((resident) => resident / (image.residents[4] ?? 0)),
      { atMost: 1.1 },
    ),
    line('The same over 10,000 orders with Node’s default options', 'MB', [Math.max(...plain.residents)]),
    line('Processor time of an order, webhook to emission, in the image', 'ms', [image.cpuMs]),
    line('The same with Node’s default options', 'ms', [plain.cpuMs]),
    ...(await byJob(start, amounts.jobs)),
  ];
}

/** `start` as a user runs it, from webhook to emission; its memory before, and after each tenth of the orders. */
async function overOrders(
  start: Starter,
  orders: number,
  keys: number,
  how: ProductStart,
): Promise<{ idleMb: number; residents: number[]; cpuMs: number }> {
  const stub = await start.server('stub', undefined);
  const stores = Array.from({ length: keys }, (_, n) => ({ id: `t${n}`, account: `c${n}` }));
  const port = await freePort();
  const product = await start.product(install(start.folder(), { serviceUrl: stub.url, port, stores }), how);
  const idleMb = product.residentMb();
  const before = product.cpuMs();
  const pool = new Pool(product.url, { connections: 16, pipelining: 1 });
  start.defer(() => pool.destroy());
  const emitted = async () => (await (await fetch(`${stub.url}/count`)).json()) as number;
  const residents: number[] = [];
  let next = 0;
  for (let tenth = 1; tenth <= 10; tenth += 1) {
    const client = async () => {
      while (next < (orders / 10) * tenth) {
        const id = next++;
        const { headers, body } = paidOrder(1 + id);
        const answer = await pool.request({ method: 'POST', path: `/webhooks/t${id % keys}`, headers, body });
        await answer.body.dump();
        if (answer.statusCode !== 200) throw new Error(`The endpoint answered ${answer.statusCode}.`);
      }
    };
    await Promise.all(Array.from({ length: 16 }, client));
    await until(start, async () => (await emitted()) >= next, 20);
    residents.push(product.residentMb());
  }
  const cpuMs = (product.cpuMs() - before) / orders;
  await product.stop();
  await stub.stop();
  return { idleMb, residents, cpuMs };
}

/** Redis memory of waiting jobs, divided by their number. */
async function byJob(start: Starter, jobs: number): Promise<Line[]> {
  if (!(await hasRedis())) {
    console.error('Skipped the Redis bytes of a waiting job: Redis does not answer.');
    return [];
  }
  const keys = openKeys(start);
  const { prefix } = keys;
  const transport = await openTransport({ redisUrl, prefix, concurrency: 1, log: silentLog });
  start.defer(() => transport.close(1_000));
  const isUp = () =>
    transport.check().then(
      () => true,
      () => false,
    );
  await until(start, isUp, 10);
  await transport.send(Array.from({ length: jobs }, () => ({ id: newId(), slotAt: Date.now(), delayMs: 0 })));
  const bytes = (await keys.used()) / jobs;
  return [line('Redis bytes for each waiting job, all keys counted', '', [bytes], { atMost: 1_024 })];
}
