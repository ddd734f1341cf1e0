import { afterEach, expect, test } from 'vitest';
import { delivery } from '../ledger/samples.ts';
import { type JobBench, openJobBench } from '../support/job-bench.ts';

/** A store without API access: what its webhooks said is all there is. */
let bench: JobBench;
afterEach(() => bench?.close());

test('an order whose webhooks are no longer kept is not gone: what is held of it is not dropped', async () => {
  bench = await openJobBench({ policy: { finalConsumer: { allowed: false } } });
  Object.assign(bench.deps, { shop: () => null });
  const { platform, shop } = bench.store;
  const key = { platform: platform.name, shop, orderId: '1301' };
  const reported = { ...(bench.shop.order('1201') as object), id: 1301, number: '1301', meta_data: [] };
  const body = Buffer.from(JSON.stringify(reported));
  await bench.ledger.accept(delivery('a', { ...key, body, receivedAt: bench.clock.now() }));
  await bench.sync('1301');
  await bench.run();
  const state = async () =>
    (await bench.ledger.documents.ofOrder(key)).map((one) => [one.state, one.code].join(' '));
  expect(await state()).toEqual(['held buyer-id-missing']);

  bench.advance(3 * 24 * 3_600_000);
  expect(await bench.ledger.deliveries.prune(bench.clock.now())).toBe(1);
  await bench.sync('1301');
  await bench.run();
  expect(await state()).toEqual(['held buyer-id-missing']);
});

test('a change reported with a clock that ran ahead does not hide later ones', async () => {
  bench = await openJobBench();
  Object.assign(bench.deps, { shop: () => null });
  const { platform, shop } = bench.store;
  const key = { platform: platform.name, shop, orderId: '1301' };
  const report = async (change: object) => {
    const order = { ...(bench.shop.order('1201') as object), id: 1301, number: '1301', ...change };
    const body = Buffer.from(JSON.stringify(order));
    const receivedAt = bench.clock.now();
    await bench.ledger.accept(delivery(receivedAt.toISOString(), { ...key, body, receivedAt }));
    await bench.sync('1301');
    await bench.run();
  };
  await report({ status: 'pending', date_paid_gmt: null, date_modified_gmt: '2026-11-21T15:00:00' });
  bench.advance(60_000);
  await report({ date_modified_gmt: '2026-11-20T15:00:58' });
  bench.advance(60_000);
  await bench.run();
  expect((await bench.ledger.documents.ofOrder(key)).map(({ state }) => state)).toEqual(['processing']);
  expect(bench.alerts).toEqual(['shop-clock-back']);
});
