import { afterEach, expect, it } from 'vitest';
import { orderSubject } from '../../src/domain/work.ts';
import { openSteps, type StepBench } from '../support/steps.ts';

let bench: StepBench;
afterEach(() => bench?.close());

const writes = () => bench.shop.requests.filter(({ method }) => method !== 'GET').length;
const turnOf = (holder: string) => ({
  name: `write onto ${orderSubject({ platform: 'woocommerce', shop: bench.shop.url, orderId: '1201' })}`,
  holder,
});

it('what is written onto an order waits for who writes onto it already, in whatever process', async () => {
  bench = await openSteps();
  const other = turnOf('work of another process');
  const now = bench.clock.now();
  await bench.ledger.turns.take({ ...other, now, until: new Date(now.getTime() + 180_000) });
  await bench.sync('1201');
  await bench.run();
  await bench.decided();
  bench.advance(3 * 60_000 - 1_000);
  await bench.run();
  expect([(await bench.document()).state, writes()]).toEqual(['authorized', 0]);
  await bench.ledger.turns.giveBack(other);
  bench.advance(2_000);
  await bench.run();
  expect(writes()).toBe(2);
});

it('whoever died at it gives way, and nothing is left of a turn that ended', async () => {
  bench = await openSteps();
  const dead = turnOf('work of a dead process');
  const now = bench.clock.now();
  await bench.ledger.turns.take({ ...dead, now, until: new Date(now.getTime() + 180_000) });
  await bench.sync('1201');
  await bench.run();
  await bench.decided();
  bench.advance(4 * 60_000);
  await bench.run();
  expect(writes()).toBe(2);
  const free = { ...turnOf('anyone'), now: bench.clock.now(), until: bench.clock.now() };
  expect(await bench.ledger.turns.take(free)).toBe(true);
});
