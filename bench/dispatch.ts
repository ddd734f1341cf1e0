import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../sandbox/shops/loopback.ts';
import { paidOrder } from './bodies.ts';
import { type BenchStore, type Installed, install, openFile, stock } from './installation.ts';
import { type Line, line, percentile } from './line.ts';
import { type Starter, until } from './starter.ts';

export const whole = {
  backlog: 10_000,
  /** Documents of the backlog that are sent before the measurement: the first burst. */
  firstBurst: 20,
  /** Of the measurement of one key. */
  ms: 40_000,
  /** Stores with keys of their own. */
  small: 20,
  /** Between two of them. */
  pauseMs: 200,
  rounds: 3,
  documents: 2_000,
};

/** Jobs on their way to the service: one key's rate, other stores beside its backlog, and the whole way. */
export async function dispatch(start: Starter, amounts = whole): Promise<Line[]> {
  const small = Array.from({ length: amounts.small }, (_, n) => ({ id: `chica${n}`, account: `chica${n}` }));
  const stores = [{ id: 'grande', account: 'grande' }, { id: 'vecina', account: 'grande' }, ...small];
  const backlog = await openBacklog(start, stores, amounts.backlog);
  const { perMinute, throttled } = await oneKey(start, backlog, amounts);
  const { others, neighbour } = await besideBacklog(start, backlog, small, amounts.pauseMs);
  const stub = await start.server('stub', undefined);
  const ways: { perSecond: number; cpuMs: number }[] = [];
  for (let round = 0; round < amounts.rounds; round += 1) {
    const { documents } = amounts;
    const options = { serviceUrl: stub.url, documents, folder: start.folder() };
    ways.push(await start.task('endToEnd', options));
  }
  return [
    line('Documents a minute on one key with 10,000 waiting, of the 300 allowed', '', [perMinute], {
      atLeast: 270,
    }),
    line('Answers 429 meanwhile', '', [throttled], { atMost: 0 }),
    line('5-document stores behind that backlog, order to emission, p99', 'ms', [percentile(others)], {
      atMost: 2_000,
    }),
    line('A store that shares the key of the backlog, the same', 'ms', [percentile(neighbour)]),
    line(
      'Documents a second end to end in one process, durably',
      '',
      ways.map(({ perSecond }) => perSecond),
      { atLeast: 400 },
    ),
    line(
      'Processor time of a document on that way',
      'ms',
      ways.map(({ cpuMs }) => cpuMs),
    ),
  ];
}

/** How an installation whose ledger is a copy of the backlog's is written. */
type Filled = (options: { serviceUrl: string; port: number; testClock?: string }) => Installed;

/** A ledger with the waiting documents, which each measurement copies. */
async function openBacklog(start: Starter, stores: readonly BenchStore[], count: number): Promise<Filled> {
  const { folder, file } = install(start.folder(), { serviceUrl: 'http://127.0.0.1:1', port: 1, stores });
  const runtime = await openFile(file);
  await stock(runtime, ['grande'], count, 1);
  await runtime.close();
  return (options) => {
    const filled = install(start.folder(), { ...options, stores });
    cpSync(join(folder, 'ledger'), join(filled.folder, 'ledger'), { recursive: true });
    return filled;
  };
}

/**
 * Documents a minute of one key with a backlog, and the 429 of the sandbox's sliding window. The clock runs three times as
 * fast for both sides, so every delay counts threefold.
 */
async function oneKey(
  start: Starter,
  filled: Filled,
  { firstBurst, ms }: typeof whole,
): Promise<{ perMinute: number; throttled: number }> {
  const testClock = `anchor=${new Date().toISOString()},offset=0,rate=3`;
  const port = await freePort();
  const webhookUrl = `http://127.0.0.1:${port}/service/webhook/grande`;
  const sandbox = await start.server('sandbox', { keys: ['clave-grande'], webhookUrl, testClock });
  const product = await start.product(filled({ serviceUrl: sandbox.url, port, testClock }));
  const audit = async () =>
    (await (await fetch(`${sandbox.url}/__sandbox/audit`)).json()) as {
      documents: { total: number };
      requests: { byStatus: Record<string, number> };
    };
  await until(start, async () => (await audit()).documents.total >= firstBurst, 50);
  const began = performance.now();
  const before = (await audit()).documents.total;
  await until(start, () => performance.now() - began >= ms, 50);
  const after = await audit();
  const minutes = ((performance.now() - began) * 3) / 60_000;
  await product.stop();
  await sandbox.stop();
  return {
    perMinute: (after.documents.total - before) / minutes,
    throttled: after.requests.byStatus['429'] ?? 0,
  };
}

/**
 * Milliseconds from the webhook of an order to its emission, of small stores with keys of their own that sell five each
 * beside the backlog of another key, and of one store that shares the key.
 */
async function besideBacklog(
  start: Starter,
  filled: Filled,
  small: readonly BenchStore[],
  pauseMs: number,
): Promise<{ others: number[]; neighbour: number[] }> {
  const stub = await start.server('stub', undefined);
  const product = await start.product(filled({ serviceUrl: stub.url, port: await freePort() }));
  const arrivals = async () => (await (await fetch(`${stub.url}/arrivals`)).json()) as Record<string, number>;
  await until(start, async () => Object.keys(await arrivals()).length > 0, 50);
  const sold = new Map<number, number>();
  const sell = async (store: string, first: number) => {
    for (let id = first; id < first + 5; id += 1) {
      const { headers, body } = paidOrder(id);
      sold.set(id, Date.now());
      const answer = await fetch(`${product.url}/webhooks/${store}`, { method: 'POST', headers, body });
      if (!answer.ok) throw new Error(`The endpoint answered ${answer.status}.`);
    }
  };
  for (const [n, { id }] of small.entries()) {
    await sell(id, 100_000 + 10 * n);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  await sell('vecina', 200_000);
  const seen = await until(
    start,
    async () => {
      const now = await arrivals();
      return [...sold.keys()].every((id) => now[id] !== undefined) && now;
    },
    50,
  );
  await product.stop();
  await stub.stop();
  const took = (wanted: (id: number) => boolean) =>
    [...sold].flatMap(([id, at]) => (wanted(id) ? [(seen[id] ?? Number.NaN) - at] : []));
  return { others: took((id) => id < 200_000), neighbour: took((id) => id >= 200_000) };
}
