import { afterEach, describe, expect, it } from 'vitest';
import { type JobBench, openJobBench } from '../support/job-bench.ts';

/** The service takes today's date only, by its own clock: what it refuses for ours is nobody's fault but a clock's. */
let bench: JobBench;
afterEach(() => bench?.close());

const minutes = (count: number) => count * 60_000;
const emissions = () => bench.sandbox.requests().filter(({ path }) => path === '/api/factura/emision');
/** @param ms how far the service's clock is ahead. */
const openApart = async (now: string, ms: number) => {
  const apart = { ms };
  let ours = () => new Date(now);
  bench = await openJobBench({ now, sandbox: { now: () => new Date(ours().getTime() + apart.ms) } });
  ours = bench.clock.now;
  return apart;
};
const sell = async () => {
  await bench.sync('1201');
  await bench.run();
};
const wait = async (ms: number) => {
  bench.advance(ms);
  await bench.run();
};

describe('a service whose clock is not ours', () => {
  it.each([
    ['3 s ahead', '2026-11-21T04:59:58Z', 3_000, 2_000],
    ['4 minutes ahead', '2026-11-21T04:56:30Z', minutes(4), minutes(4)],
    ['3 s behind', '2026-11-21T05:00:01Z', -3_000, 5_000],
    ['4 minutes behind', '2026-11-21T05:00:30Z', -minutes(4), minutes(5)],
  ])(
    '%s at midnight: what it refuses leaves again by itself, a few times at most',
    async (_far, now, ms, late) => {
      await openApart(now, ms);
      await sell();
      expect(await bench.document()).toMatchObject({ state: 'ready', secuencial: '000000001' });
      for (let waited = 0; waited < late; waited += 1_000) await wait(1_000);
      expect((await bench.document()).state).toBe('processing');
      expect(bench.sandbox.documents()[0]?.fechaEmision).toBe('2026/11/21');
      expect(emissions().length).toBeLessThanOrEqual(6);
      expect(bench.alerts).toEqual([]);
    },
  );

  it.each([
    ['a day ahead', minutes(24 * 60)],
    ['hours behind', -minutes(11 * 60)],
  ])('%s: the account rests with an alert about the clock, until it is right', async (_far, ms) => {
    const apart = await openApart('2026-11-20T15:00:00Z', ms);
    await sell();
    for (let minute = 0; minute < 60; minute += 1) await wait(minutes(1));
    expect(await bench.document()).toMatchObject({ state: 'ready', secuencial: '000000001' });
    expect(emissions()).toHaveLength(1);
    expect(bench.alerts).toEqual(['account-clock']);
    apart.ms = 0;
    await wait(minutes(15));
    expect((await bench.document()).state).toBe('processing');
    expect(bench.alerts).toEqual(['account-clock', 'account-clock over']);
  });
});
