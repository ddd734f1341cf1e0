import { afterEach, describe, expect, it } from 'vitest';
import { seriesOf } from '../../src/domain/settings.ts';
import { watchExhausted, watchFailing } from '../../src/jobs/watch.ts';
import { type JobBench, type JobBenchOptions, openJobBench } from '../support/job-bench.ts';
import { orderAt, reconcileAndSettle } from '../support/reconciliation.ts';

const minute = 60_000;
const hour = 60 * minute;
let bench: JobBench;
afterEach(() => bench?.close());

async function open(options: JobBenchOptions = {}): Promise<void> {
  bench = await openJobBench(options);
}

const states = async () => (await bench.documents()).map(({ state }) => state);
describe('the clock of a shop', () => {
  it('two hours ahead and then corrected: what changes next is found all the same', async () => {
    const options: JobBenchOptions = { shopAheadMs: 2 * hour };
    await open(options);
    const like = bench.shop.order('1201') as object;
    const shopNow = () => new Date(bench.clock.now().getTime() + (options.shopAheadMs ?? 0));
    bench.shop.put(orderAt(like, 2000, shopNow()));
    await reconcileAndSettle(bench);
    const before = (await states()).length;
    bench.advance(6 * minute);
    options.shopAheadMs = 0;
    bench.shop.put(orderAt(like, 2001, shopNow()));
    await reconcileAndSettle(bench);
    expect(await states()).toHaveLength(before + 1);
  });

  it('two hours ahead and then corrected: a refund that its order does not show is found all the same', async () => {
    const options: JobBenchOptions = { shopAheadMs: 2 * hour };
    await open(options);
    const every5 = async (times: number) => {
      for (let n = 0; n < times; n += 1) {
        await reconcileAndSettle(bench);
      }
    };
    await every5(6);
    options.shopAheadMs = 0;
    await every5(1);
    bench.shop.refund('1201', { amount: '3.75' });
    const long = '2026-11-19T10:00:00';
    const hidden = { ...bench.shop.order('1201'), date_modified: long, date_modified_gmt: long };
    bench.shop.put(hidden as never, bench.shop.refunds('1201'));
    await every5(8);
    const notes = (await bench.documents()).filter(({ kind }) => kind !== 'factura');
    expect(notes).toMatchObject([{ orderId: '1201', state: 'authorized' }]);
  });
});

describe('jobs that keep failing', () => {
  it('raises an alert after ten failures with the name of its order, which ends once it is done', async () => {
    await open();
    for (let n = 0; n < 10; n += 1) {
      bench.shop.trouble({ status: 200, body: '{"id": 1201, "total":' }, 'GET');
      await bench.read();
      await watchFailing(bench.deps);
      expect(bench.alerts).toEqual(n < 9 ? [] : ['job-keeps-failing']);
      bench.advance(minute);
    }
    const [alert] = await bench.ledger.alerts.open();
    expect(alert?.what).toMatch(
      /^Pedido 1201 \(tienda\): no se logra leer el pedido de la tienda \(10 intentos desde /,
    );
    await bench.run();
    await watchFailing(bench.deps);
    expect(bench.alerts).toEqual(['job-keeps-failing', 'job-keeps-failing over']);
  });

  it('a series past its last number holds its sales and raises an alert', async () => {
    await open();
    await bench.ledger.sequences.reserve(seriesOf(bench.store, 'factura'), 999_999_999);
    await bench.read();
    const document = await bench.document();
    expect(document).toMatchObject({ state: 'held', code: 'series-exhausted', secuencial: null });
    await watchExhausted(bench.deps);
    expect(bench.alerts).toEqual(['series-exhausted']);
  });
});
