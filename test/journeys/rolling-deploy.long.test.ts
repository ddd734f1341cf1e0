import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { openProduct, type Product, written } from '../support/product.ts';
import { hasPostgres, hasRedis } from '../support/servers.ts';

/* A deploy that adds a store, machine by machine: for a while one worker still has the config before it. */

const bin = fileURLToPath(new URL('../../src/cli/bin.ts', import.meta.url));

/** One more worker, with these changes to the config; answers what it logs, and how to end it. */
async function openWorker({ folder }: Product, name: string, change: Record<string, unknown>) {
  const config = JSON.parse(await readFile(join(folder, 'facturapuente.config.json'), 'utf8'));
  const file = join(folder, `${name}.json`);
  await writeFile(file, JSON.stringify({ ...config, ...change }));
  const args = [bin, 'start', '--config', file, '--role', 'worker'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => lines.push(text));
  return {
    log: () => lines.join(''),
    async end() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exit = once(child, 'exit');
      child.kill('SIGTERM');
      await exit;
    },
  };
}

test.skipIf(!hasPostgres || !hasRedis)(
  'loses no order of the store to the worker that does not know it yet',
  async () => {
    const product = await openProduct({ engine: 'servers' });
    onTestFinished(() => product.close());
    await product.start('web');
    const old = await openWorker(product, 'old', { stores: {} });
    onTestFinished(old.end);
    const orders = ['1201', '1202', '1203', '1204', '1205'];
    for (const id of orders) await product.deliver(id);
    await eventually(
      () => old.log().includes('does not know the store'),
      `the old worker: ${old.log()}`,
      30_000,
    );
    const fresh = await openWorker(product, 'new', {});
    onTestFinished(fresh.end);
    await old.end();
    const isWritten = (id: string) => written(product, id).pdf !== undefined;
    await eventually(() => orders.every(isWritten), `every factura on its order: ${fresh.log()}`, 30_000);
    expect(product.sandbox.documents()).toHaveLength(orders.length);
  },
  60_000,
);
