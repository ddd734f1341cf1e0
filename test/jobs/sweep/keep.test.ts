import { afterEach, expect, it } from 'vitest';
import { shopSubject } from '../../../src/domain/work.ts';
import { beginSweeps, keepSweeps } from '../../../src/jobs/sweep/begin.ts';
import { openSteps, type StepBench } from '../../support/steps.ts';

/** The sweep of a store is a row that asks for its next: one that got lost, whatever the reason, comes back. */
let bench: StepBench;
afterEach(() => bench?.close());

const minutes = (n: number) => n * 60_000;
const sweeps = async () =>
  (await bench.ledger.work.due(new Date('2027-01-01'), 10, 10))
    .filter(({ kind }) => kind === 'sweep')
    .map(({ dueAt }) => dueAt);
const lose = () =>
  bench.ledger.work.forget('sweep', shopSubject({ platform: 'woocommerce', shop: bench.shop.url }));
const keep = () => keepSweeps(bench.deps, [bench.store]);

it('a sweep that got lost is asked for at once', async () => {
  bench = await openSteps();
  await beginSweeps(bench.deps, [bench.store]);
  await lose();
  bench.advance(minutes(5));
  await keep();
  expect(await sweeps()).toEqual([bench.clock.now().toISOString()]);
});

it('a sweep that waits, even long after a failure, is left as it is', async () => {
  bench = await openSteps();
  const [id = ''] = await (async () => {
    await beginSweeps(bench.deps, [bench.store]);
    bench.advance(minutes(6));
    const [due] = await bench.ledger.work.due(bench.clock.now(), 1, 1);
    return bench.ledger.work.release([due?.id ?? ''], bench.clock.now());
  })();
  const work = await bench.ledger.work.claim(id, 60_000, bench.clock.now());
  await keep();
  const dueAt = new Date(bench.clock.now().getTime() + minutes(60));
  await bench.ledger.work.postpone(id, work?.token ?? '', {
    dueAt,
    failedAt: bench.clock.now(),
    reason: '403',
  });
  await keep();
  expect(await sweeps()).toEqual([dueAt.toISOString()]);
});

it('a store that was never swept begins', async () => {
  bench = await openSteps();
  await keep();
  expect(await sweeps()).toHaveLength(1);
  const shop = { platform: 'woocommerce', shop: bench.shop.url };
  expect(await bench.ledger.sweeps.get(shop)).toMatchObject({ version: 1 });
});

it('a store without API access has none', async () => {
  bench = await openSteps();
  bench.deps.shop = () => null;
  await keep();
  expect(await sweeps()).toEqual([]);
});
