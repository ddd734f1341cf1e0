import { afterEach, describe, expect, it } from 'vitest';
import { takeAnswer } from '../../src/jobs/ask-buyer.ts';
import { type JobBench, openJobBench } from '../support/job-bench.ts';
import { wrongCedula } from '../support/nobody-named.ts';

/** The buyer of a held order never answered: people are alerted, wherever the process dies. */
let bench: JobBench;
afterEach(() => bench?.close());

const now = '2026-11-20T15:00:00Z';
const cutOff = '2026-11-21T04:30:00Z';

/** The process dies as it is about to begin or end an alert, and the job comes back. */
async function dieTelling(): Promise<void> {
  const { alerts } = bench.deps;
  const die = async () => Promise.reject(new Error('kill -9'));
  bench.deps.alerts = { raise: die, over: die };
  await bench.run();
  bench.deps.alerts = alerts;
  bench.advance(3_600_000);
  await bench.run();
}

describe('a held order whose buyer did not answer until the cut-off', () => {
  it('raises an alert that ends with the answer, also by a process that takes over from a dead one', async () => {
    bench = await openJobBench({ orders: [wrongCedula(new Date(now), '1202')], policy: { buyer: {} }, now });
    await bench.read('1202');
    bench.setTime(cutOff);
    await dieTelling();
    expect(bench.alerts).toEqual(['buyer-unanswered']);
    const ana = { type: 'cedula', id: '1710034065', name: 'Ana Torres', email: 'ana@example.ec' } as const;
    expect(await takeAnswer(bench, await bench.document(), ana)).toBe('taken');
    await dieTelling();
    expect(bench.alerts).toEqual(['buyer-unanswered', 'buyer-unanswered over']);
  });
});
