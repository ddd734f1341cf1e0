import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../src/cli/demo/run.ts';
import { paidOrder } from './bodies.ts';
import { type Served, startChild, startInstalled } from './processes.ts';
import { startSandbox } from './sandbox.ts';
import { type BenchStore, install, openInstallation, stock } from './stocked.ts';

const backlog = 10_000;
const small = Array.from({ length: 20 }, (_, n) => ({ id: `chica${n}`, account: `chica${n}` }));
const stores: BenchStore[] = [
  { id: 'grande', account: 'grande' },
  { id: 'vecina', account: 'grande' },
  ...small,
];

/** The ledger with the waiting documents; filled once, copied for each measurement. */
export async function openStock(count = backlog): Promise<{ folder: string; remove(): void }> {
  const installation = install({ serviceUrl: 'http://127.0.0.1:1', port: 1, stores });
  const runtime = await openInstallation(installation.file);
  await stock(runtime, ['grande'], count, 1);
  await runtime.close();
  return installation;
}

/**
 * Documents a minute of one key with a backlog, over three minutes of the clock, and the 429 of the sandbox's sliding
 * window. The clock runs three times as fast for both sides, so every delay counts threefold.
 */
export async function oneKey(from: { folder: string }): Promise<{ perMinute: number; throttled: number }> {
  const testClock = `anchor=${new Date().toISOString()},offset=0,rate=3`;
  const port = await freePort();
  const webhook = `http://127.0.0.1:${port}/service/webhook/grande`;
  const sandbox = await startSandbox(['clave-grande'], webhook, ['--test-clock', testClock]);
  const product = await startFilled(from, { serviceUrl: sandbox.url, port, testClock });
  const audit = async () =>
    (await (await fetch(`${sandbox.url}/__sandbox/audit`)).json()) as {
      documents: { total: number };
      requests: { byStatus: Record<string, number> };
    };
  // Skip the first burst and the start.
  while ((await audit()).documents.total < 20) await pause(50);
  const began = performance.now();
  const before = (await audit()).documents.total;
  await pause(60_000);
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
 * Milliseconds from the webhook of an order to its emission, of 20 stores with keys of their own that sell five
 * each beside the backlog of another key, and of one store that shares the key.
 */
export async function behindBacklog(from: {
  folder: string;
}): Promise<{ others: number[]; neighbour: number[] }> {
  const stub = await startChild('stub-server.ts', []);
  const product = await startFilled(from, { serviceUrl: stub.url, port: await freePort() });
  const arrivals = async () => (await (await fetch(stub.url)).json()) as Record<string, number>;
  while (Object.keys(await arrivals()).length < 20) await pause(50);
  const sold = new Map<number, number>();
  const sell = async (store: string, first: number) => {
    for (let n = 0; n < 5; n += 1) {
      const { headers, body } = paidOrder(first + n);
      sold.set(first + n, Date.now());
      const answer = await fetch(`${product.url}/webhooks/${store}`, { method: 'POST', headers, body });
      if (!answer.ok) throw new Error(`The endpoint answered ${answer.status}.`);
    }
  };
  for (const [n, { id }] of small.entries()) {
    await sell(id, 100_000 + 10 * n);
    await pause(200);
  }
  await sell('vecina', 200_000);
  const patience = performance.now() + 30_000;
  let seen = await arrivals();
  while ([...sold.keys()].some((id) => seen[id] === undefined) && performance.now() < patience) {
    await pause(100);
    seen = await arrivals();
  }
  await product.stop();
  await stub.stop();
  const took = (wanted: (id: number) => boolean) =>
    [...sold].flatMap(([id, at]) => (wanted(id) ? [(seen[id] ?? Number.POSITIVE_INFINITY) - at] : []));
  return { others: took((id) => id < 200_000), neighbour: took((id) => id >= 200_000) };
}

/**
 * Documents a second at the stub from `keys` keys, each with more documents than it may send; over ten seconds of real
 * time, after the initial burst of every key.
 */
export async function keysAtOnce(keys: number): Promise<number> {
  const many = Array.from({ length: keys }, (_, n) => ({ id: `t${n}`, account: `c${n}` }));
  const stub = await startChild('stub-server.ts', []);
  const port = await freePort();
  const installation = install({ serviceUrl: stub.url, port, stores: many });
  const runtime = await openInstallation(installation.file);
  await stock(
    runtime,
    many.map(({ id }) => id),
    120,
    1,
  );
  await runtime.close();
  const product = await startInstalled(installation);
  const count = async () => (await (await fetch(`${stub.url}/count`)).json()) as number;
  while ((await count()) < keys) await pause(5);
  await pause(5_000);
  const before = await count();
  const began = performance.now();
  await pause(10_000);
  const sent = (await count()) - before;
  const seconds = (performance.now() - began) / 1_000;
  await product.stop();
  await stub.stop();
  return sent / seconds;
}

async function startFilled(
  from: { folder: string },
  options: { serviceUrl: string; port: number; testClock?: string },
): Promise<Served> {
  const installation = install({ ...options, stores, webhookSecret: 'secreto-del-banco-de-pruebas' });
  cpSync(join(from.folder, 'ledger'), join(installation.folder, 'ledger'), { recursive: true });
  return startInstalled(installation);
}
