import { afterEach, expect, it } from 'vitest';
import { orderSubject } from '../../src/domain/job.ts';
import { type JobBench, openJobBench } from '../support/job-bench.ts';

let bench: JobBench;
afterEach(() => bench?.close());

const writes = () => bench.shop.requests.filter(({ method }) => method !== 'GET').length;
const lockOf = (holder: string) => ({
  name: `write onto ${orderSubject({ platform: 'woocommerce', shop: bench.shop.url, orderId: '1201' })}`,
  holder,
});

it('what is written onto an order waits for who writes onto it already, in whatever process', async () => {
  bench = await openJobBench();
  const other = lockOf('job of another process');
  const now = bench.clock.now();
  await bench.ledger.locks.take({ ...other, now, until: new Date(now.getTime() + 180_000) });
  await bench.sell();
  bench.advance(3 * 60_000 - 1_000);
  await bench.run();
  expect([(await bench.document()).state, writes()]).toEqual(['authorized', 0]);
  await bench.ledger.locks.giveBack(other);
  bench.advance(2_000);
  await bench.run();
  expect(writes()).toBe(2);
});
