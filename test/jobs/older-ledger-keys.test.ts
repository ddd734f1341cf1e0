import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { sales, toWooOrder } from '../../src/cli/demo/woocommerce-orders.ts';
import { type JobBench, openJobBench } from '../support/job-bench.ts';
import { planOnly } from '../support/plan-only.ts';

/** A restored ledger knows a document as planned; what left of it since left under the API key of that time. */
const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});
const start = '2026-11-20T15:00:00Z';
const orders = ['2001', '2002', '2003', '2004', '2005', '2006'].map((id, n) => {
  const sale = sales[n % 2];
  if (!sale) throw new Error('The demo has no sale.');
  return toWooOrder({ ...sale, id: Number(id) }, new Date(Date.parse(start) - 60_000));
});
const oldKey = 'clave-anterior-0001';
const newKey = 'clave-nueva-0002';
const settle = async (bench: JobBench) => {
  await bench.run();
  await bench.decided();
  for (const { claveacceso } of bench.sandbox.documents()) await bench.event(claveacceso);
  await bench.run();
  bench.advance(1_000);
};

it('goes on behind what was lost under a newer API key than the document was planned under', async () => {
  const before = await openJobBench({
    now: start,
    orders,
    keys: [oldKey],
    sandbox: { accounts: [{ apiKey: oldKey }, { apiKey: newKey }] },
  });
  cleanups.push(() => before.close());
  for (const id of ['2001', '2002']) {
    await before.sync(id);
    await settle(before);
  }
  await planOnly(before, '2003');
  const folder = await mkdtemp(join(tmpdir(), 'facturapuente-restored-'));
  cleanups.push(() => rm(folder, { recursive: true, force: true }));
  const directory = join(folder, 'ledger');
  await cp(dirname(before.ledgerFile), directory, {
    recursive: true,
    filter: (path) => !path.endsWith('.lock'),
  });
  before.restart([newKey, oldKey]);
  await settle(before);
  for (const id of ['2004', '2005']) {
    await before.sync(id);
    await settle(before);
  }
  before.advance(3_600_000);
  const restored = await openJobBench({
    beside: before,
    directory,
    keys: [newKey, oldKey],
    now: before.clock.now().toISOString(),
  });
  cleanups.push(() => restored.close());
  await restored.sync('2006');
  await restored.run();
  await restored.decided();
  await restored.pass(5, 5, 5, 30, 60, 60);
  const documents = await restored.ledger.documents.list({ limit: 99 });
  const standing = documents.filter(({ state }) => state !== 'cancelled');
  expect(standing.map(({ orderId, state, code }) => [orderId, state, code]).toSorted()).toEqual(
    ['2001', '2002', '2003', '2004', '2005', '2006'].map((id) => [id, 'authorized', null]),
  );
  expect(restored.sandbox.audit().duplicates.filter(({ authorised }) => authorised > 1)).toEqual([]);
}, 30_000);
