import { afterEach, describe, expect, it } from 'vitest';
import type { EmissionAnswer } from '../../src/service/answers.ts';
import { type JobBench, openJobBench } from '../support/job-bench.ts';

/** A number that is sent again and again, and nothing comes of it: slower and slower, at last once an hour. */
let bench: JobBench;
afterEach(() => bench?.close());

const minute = 60_000;
const lost: EmissionAnswer = {
  ...{ kind: 'unknown', claveacceso: null, mayHaveLeft: true },
  reason: 'answered 502 without a JSON body',
};
const busy: EmissionAnswer = { kind: 'throttled', retryAfterMs: 1_000 };
const taken: EmissionAnswer = { kind: 'duplicate', claveacceso: null, errors: ['El número ya existe.'] };

/** Sells; the service answers each POST with the next of these, the last one for ever. Answers the minutes of the POSTs. */
async function sell(answers: EmissionAnswer[], options: Parameters<typeof openJobBench>[0] = {}) {
  bench = await openJobBench(options);
  const { service } = bench.deps;
  const began = bench.clock.now().getTime();
  const sent: number[] = [];
  const emitirFactura = async () => {
    const answer = answers[Math.min(sent.length, answers.length - 1)];
    sent.push((bench.clock.now().getTime() - began) / minute);
    return answer ?? lost;
  };
  bench.deps.service = (...asked) => ({ ...service(...asked), emitirFactura });
  await bench.sync('1201');
  await bench.run();
  return { sent, fix: () => Object.assign(bench.deps, { service }) };
}

/** Whatever is due in that time, each at its moment. */
async function pass(ms: number): Promise<void> {
  const end = bench.clock.now().getTime() + ms;
  for (;;) {
    const due = await bench.ledger.jobs.nextDueAt();
    if (due === null || due.getTime() > end) break;
    bench.advance(Math.max(due.getTime() - bench.clock.now().getTime(), 0));
    await bench.run();
  }
  bench.advance(end - bench.clock.now().getTime());
}

const reported = async () =>
  (await bench.ledger.alerts.open()).filter(({ code }) => code === 'document-unconfirmed');

describe('a number whose answers are all lost, with no key to ask about', () => {
  it('is repeated after two minutes, then after 4, 8, 15, 30 and 60, and from then on every hour', async () => {
    const { sent } = await sell([lost]);
    await pass(4 * 60 * minute);
    expect(sent).toEqual([0, 2, 6, 14, 29, 59, 119, 179, 239]);
  });

  it('goes on in the next day at the pace it had, after all retries of the last webhook', async () => {
    // 23:00 in Ecuador.
    const { sent } = await sell([lost], { now: '2026-11-21T04:00:00Z' });
    await pass(5 * 60 * minute);
    expect(sent).toEqual([0, 2, 6, 14, 29, 59, 59 + 85, 59 + 85 + 60, 59 + 85 + 120]);
  });

  it('is settled by its webhook at once, however long its next repeat is away', async () => {
    const { sent, fix } = await sell([lost]);
    await pass(125 * minute);
    fix();
    const [document] = await bench.ledger.documents.list({ limit: 1 });
    const [attempt] = await bench.ledger.attempts.ofDocument(document?.id ?? '');
    // What was sent reached it all the same.
    await fetch(`${bench.sandbox.url}/api/factura/emision`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': 'clave-1' },
      body: attempt?.body ?? '',
    });
    await bench.decided();
    await bench.event(bench.sandbox.documents()[0]?.claveacceso ?? '');
    await bench.run();
    expect((await bench.document()).state).toBe('authorized');
    expect(sent).toHaveLength(7);
  });
});

describe('what counts as repeated in vain', () => {
  it('is not what never left: the first repeat comes two minutes after the first loss all the same', async () => {
    const { sent } = await sell([busy, busy, busy, lost]);
    await pass(minute);
    expect((await bench.document()).state).toBe('uncertain');
    const [first = 0] = sent.slice(3);
    await pass(5 * minute);
    expect(sent.slice(4)).toEqual([first + 2]);
  });

  it('is not a repeat the service had no time for', async () => {
    const { sent } = await sell([lost, busy, busy, lost]);
    await pass(15 * minute);
    expect(sent).toEqual([0, 2, 4, 6, 10]);
  });

  it('is a repeat that is refused as a number taken, without a word of its key', async () => {
    const { sent } = await sell([lost, taken]);
    await pass(26 * 60 * minute);
    expect(sent.slice(0, 6)).toEqual([0, 2, 6, 14, 29, 59]);
    expect(sent.length).toBeLessThan(32);
    expect((await bench.document()).state).toBe('uncertain');
    expect(await reported()).toHaveLength(1);
  });
});

describe('a number the service answers 500 to each time, with a key that it never knows afterwards', () => {
  it('leaves again once "not found" counts, then slower, and people are alerted after a day', async () => {
    bench = await openJobBench();
    bench.sandbox.faults.add({ failBeforeStoring: { status: 500, times: 999 } });
    await bench.sync('1201');
    await bench.run();
    const posts = () => bench.sandbox.requests().filter(({ path }) => path.endsWith('/emision')).length;
    await pass(15 * minute);
    expect(posts()).toBe(2);
    await pass(23 * 60 * minute);
    expect(await reported()).toEqual([]);
    await pass(3 * 60 * minute);
    expect(posts()).toBeLessThan(32);
    expect(await reported()).toMatchObject([{ subject: (await bench.document()).id }]);
    const before = posts();
    await pass(24 * 60 * minute);
    expect(posts() - before).toBeLessThanOrEqual(24);
    expect(posts() - before).toBeGreaterThan(15);
    bench.sandbox.faults.clear();
    await pass(60 * minute);
    await bench.decided();
    await pass(60 * minute);
    expect(await bench.document()).toMatchObject({ state: 'authorized', secuencial: '000000001' });
    expect(await reported()).toEqual([]);
  });
});
