import { afterEach, expect, it } from 'vitest';
import { shopSubject } from '../../../src/domain/job.ts';
import {
  beginReconciliations,
  keepReconciliations,
} from '../../../src/jobs/reconciliation/reconciliation.ts';
import { type JobBench, openJobBench } from '../../support/job-bench.ts';

/** The reconciliation of a store is a row that asks for its next: one that got lost, whatever the reason, comes back. */
let bench: JobBench;
afterEach(() => bench?.close());

const minutes = (n: number) => n * 60_000;
const reconciliations = async () =>
  (await bench.ledger.jobs.due(new Date('2027-01-01'), 10, 10))
    .filter(({ kind }) => kind === 'reconciliation')
    .map(({ dueAt }) => dueAt);
const lose = () =>
  bench.ledger.jobs.forget('reconciliation', shopSubject({ platform: 'woocommerce', shop: bench.shop.url }));
const keep = () => keepReconciliations(bench.deps, [bench.store]);

it('a reconciliation that got lost is asked for at once', async () => {
  bench = await openJobBench();
  await beginReconciliations(bench.deps, [bench.store]);
  await lose();
  bench.advance(minutes(5));
  await keep();
  expect(await reconciliations()).toEqual([bench.clock.now().toISOString()]);
});

it('a restart reconciles every known store at once, because webhooks were lost while nothing ran', async () => {
  bench = await openJobBench();
  const start = () => beginReconciliations(bench.deps, [bench.store]);
  await start();
  expect(await bench.run()).toEqual([]);
  await start();
  expect(await bench.run()).toContain('reconciliation');
});

it('a reconciliation that waits, even long after a failure, is left as it is', async () => {
  bench = await openJobBench();
  const [id = ''] = await (async () => {
    await beginReconciliations(bench.deps, [bench.store]);
    bench.advance(minutes(6));
    const [due] = await bench.ledger.jobs.due(bench.clock.now(), 1, 1);
    return bench.ledger.jobs.release([due?.id ?? ''], bench.clock.now());
  })();
  const job = await bench.ledger.jobs.claim(id, 60_000, bench.clock.now());
  await keep();
  const dueAt = new Date(bench.clock.now().getTime() + minutes(60));
  await bench.ledger.jobs.postpone(id, job?.token ?? '', {
    dueAt,
    failedAt: bench.clock.now(),
    reason: '403',
  });
  await keep();
  expect(await reconciliations()).toEqual([dueAt.toISOString()]);
});

it('a store that was never reconciled begins', async () => {
  bench = await openJobBench();
  await keep();
  expect(await reconciliations()).toHaveLength(1);
  const shop = { platform: 'woocommerce', shop: bench.shop.url };
  expect(await bench.ledger.reconciliations.get(shop)).toMatchObject({ version: 1 });
});

it('a store without API access has none', async () => {
  bench = await openJobBench();
  bench.deps.shop = () => null;
  await keep();
  expect(await reconciliations()).toEqual([]);
});
