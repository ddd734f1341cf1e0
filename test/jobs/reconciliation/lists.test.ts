import { afterEach, describe, expect, it } from 'vitest';
import { wooOrders } from '../../../sandbox/shops/woocommerce-orders.ts';
import { ShopError } from '../../../src/domain/errors.ts';
import type { Shop } from '../../../src/domain/platform.ts';
import { reconcileOnce } from '../../../src/jobs/reconciliation/reconciliation.ts';
import { type JobBench, openJobBench } from '../../support/job-bench.ts';
import { freshness, orderAt, reconcileNow } from '../../support/reconciliation.ts';

/** A list of the shop that cannot be read keeps no other from being read, and is not called read. */
let bench: JobBench;
afterEach(() => bench?.close());

const minutes = (n: number) => n * 60_000;
const [like] = wooOrders(new Date('2026-11-20T15:00:00Z'));
type List = 'changedOrders' | 'newRefunds' | 'listOrders';

/** The bench's shop with lists that it refuses, and how often each was asked for. */
function refusing(...lists: List[]) {
  const real = bench.deps.shop(bench.store);
  if (!real) throw new Error('No API.');
  const asked: string[] = [];
  const broken = new Set<List>(lists);
  const shop = Object.create(real) as Shop;
  for (const list of ['changedOrders', 'newRefunds', 'listOrders'] as const) {
    const read = real[list].bind(real) as (of: unknown) => Promise<unknown>;
    const watched = async (of: unknown) => {
      asked.push(list);
      if (broken.has(list))
        throw new ShopError('shop-forbidden', { message: 'Falta un permiso.' }, { retryable: false });
      return read(of);
    };
    Object.assign(shop, { [list]: watched });
  }
  bench.deps.shop = () => shop;
  return { shop, broken, times: (list: List) => asked.filter((one) => one === list).length };
}

const row = () => bench.ledger.reconciliations.get({ platform: 'woocommerce', shop: bench.shop.url });
const known = async (orderId: string) =>
  (await bench.ledger.orders.get({ platform: 'woocommerce', shop: bench.shop.url, orderId })) !== undefined;
const put = (id: number) => bench.shop.put(orderAt(like as object, id, bench.clock.now()));

describe('a list of refunds that the shop refuses', () => {
  it('keeps neither new orders nor the nightly look from being read', async () => {
    bench = await openJobBench();
    const { times } = refusing('newRefunds');
    await reconcileNow(bench);
    for (let hour = 0; hour < 24; hour += 4) {
      bench.advance(minutes(240));
      put(5_000 + hour);
      bench.advance(minutes(1));
      await reconcileNow(bench);
      expect(await known(String(5_000 + hour))).toBe(true);
    }
    expect(times('listOrders')).toBeGreaterThan(0);
  });

  it('leaves the shop as stale as the refunds are, and says since when', async () => {
    bench = await openJobBench();
    const { broken } = refusing();
    await reconcileNow(bench);
    expect(await freshness(bench)).toBe(0);
    broken.add('newRefunds');
    bench.advance(minutes(60));
    const since = bench.clock.now().toISOString();
    await reconcileNow(bench);
    bench.advance(minutes(30));
    await reconcileNow(bench);
    expect(await freshness(bench)).toBe(minutes(90));
    expect(await row()).toMatchObject({ behindSince: since, behind: { refunds: { since, failed: true } } });
    broken.clear();
    bench.advance(minutes(5));
    await reconcileNow(bench);
    expect(await freshness(bench)).toBe(0);
    expect(await row()).toMatchObject({ behindSince: null, behind: {} });
  });

  it('is asked for again at the usual pace, as the others are', async () => {
    bench = await openJobBench();
    refusing('newRefunds');
    await reconcileNow(bench);
    const due = await bench.ledger.jobs.due(new Date('2027-01-01'), 10, 10);
    const next =
      Date.parse(due.find(({ kind }) => kind === 'reconciliation')?.dueAt ?? '') -
      bench.clock.now().getTime();
    expect(next).toBeGreaterThanOrEqual(minutes(4.5));
    expect(next).toBeLessThanOrEqual(minutes(5.5));
  });
});

describe('a list of changes that the shop refuses', () => {
  it('keeps neither refunds nor the nightly comparison from being read, and fails the job', async () => {
    bench = await openJobBench();
    const { shop, broken, times } = refusing();
    await reconcileNow(bench);
    broken.add('changedOrders');
    bench.advance(minutes(24 * 60));
    await expect(reconcileOnce(bench.deps, bench.store, shop)).rejects.toMatchObject({
      code: 'shop-forbidden',
    });
    expect([times('newRefunds'), times('listOrders')]).toEqual([2, 1]);
    expect(await freshness(bench)).toBe(minutes(24 * 60));
    expect((await row())?.behind).toMatchObject({ changes: { failed: true } });
  });

  it('from the first day on holds the refunds back: the shop’s clock is not known yet', async () => {
    bench = await openJobBench();
    const { shop, times } = refusing('changedOrders');
    await expect(reconcileOnce(bench.deps, bench.store, shop)).rejects.toMatchObject({
      code: 'shop-forbidden',
    });
    expect(times('newRefunds')).toBe(0);
  });
});

describe('a nightly look that the shop refuses', () => {
  it('keeps the shop stale although all changes are read', async () => {
    bench = await openJobBench();
    refusing('listOrders');
    await reconcileNow(bench);
    bench.advance(minutes(24 * 60));
    await reconcileNow(bench);
    expect(await freshness(bench)).toBe(minutes(24 * 60));
    expect((await row())?.behind).toMatchObject({ review: { failed: true } });
  });
});
