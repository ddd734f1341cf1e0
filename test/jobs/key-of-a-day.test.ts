import { afterEach, describe, expect, it } from 'vitest';
import { type JobBench, openJobBench } from '../support/job-bench.ts';

/** A number whose answers are lost on both sides of midnight left with two dates; its key says which one is stored. */
let bench: JobBench;
afterEach(() => bench?.close());

const minutes = (count: number) => count * 60_000;
const stored = { dropAnswer: { times: 1 } };
const notStored = { cutBeforeStoring: { operacion: '*', times: 1 } };

/** Sells just before midnight, with a fault for each of two sendings, and waits until the second was lost as well. */
async function lose(first: object, second: object): Promise<void> {
  bench = await openJobBench({ now: '2026-11-21T04:59:30Z' });
  bench.sandbox.faults.add(first);
  await bench.sync('1201');
  await bench.run();
  bench.sandbox.faults.add(second);
  const { id } = await bench.document();
  await lockUntil(async () => (await bench.ledger.attempts.ofDocument(id)).length === 2);
}

async function lockUntil(there: () => Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 60 && !(await there()); turn += 1) {
    bench.advance(minutes(5));
    await bench.run();
    await bench.decided();
  }
}

const authorized = async () => (await bench.document()).state === 'authorized';

describe.each([
  // The repeats of the new day have another key: no 409 names the one of the day before.
  { when: 'before', first: stored, second: notStored, issueDate: '2026-11-20', tellers: ['its webhook'] },
  {
    when: 'after',
    first: notStored,
    second: stored,
    issueDate: '2026-11-21',
    tellers: ['its 409', 'its webhook'],
  },
])('what was stored $when midnight', ({ first, second, issueDate, tellers }) => {
  it.each(tellers)('keeps its date and agrees with what was sent, told by %s', async (teller) => {
    await lose(first, second);
    if (teller === 'its webhook') await bench.event(bench.sandbox.documents()[0]?.claveacceso ?? '');
    await lockUntil(authorized);
    await lockUntil(async () => (await bench.document()).verifiedAt !== null);
    expect(await bench.document()).toMatchObject({
      state: 'authorized',
      issueDate,
      verification: 'agrees',
    });
    expect(bench.sandbox.documents()).toHaveLength(1);
  });
});
