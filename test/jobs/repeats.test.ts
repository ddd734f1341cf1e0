import { afterEach, describe, expect, it } from 'vitest';
import type { ConsultAnswer, EmissionAnswer } from '../../src/service/answers.ts';
import { type JobBench, type JobBenchOptions, openJobBench } from '../support/job-bench.ts';
import { verifySeries } from '../support/verified-series.ts';

/** What never comes to an end is sent or asked about slower and slower, once an hour at last; people are told after a day. */
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
async function sell(answers: EmissionAnswer[], options: JobBenchOptions & { isVerified?: boolean } = {}) {
  bench = await openJobBench(options);
  if (options.isVerified) verifySeries(bench);
  const began = bench.clock.now().getTime();
  const sent: number[] = [];
  const fix = bench.replaceService(() => ({
    async emitirFactura() {
      const answer = answers[Math.min(sent.length, answers.length - 1)];
      sent.push((bench.clock.now().getTime() - began) / minute);
      return answer ?? lost;
    },
  }));
  await bench.read();
  return { sent, fix };
}

/** Whatever is due in that time, each at its moment. */
async function pass(minutes: number): Promise<void> {
  const end = bench.clock.now().getTime() + minutes * minute;
  for (;;) {
    const due = await bench.ledger.jobs.nextDueAt();
    if (due === null || due.getTime() > end) break;
    bench.advance(Math.max(due.getTime() - bench.clock.now().getTime(), 0));
    await bench.run();
  }
  bench.advance(end - bench.clock.now().getTime());
}
const hours = (count: number) => bench.pass(...Array(count).fill(60));
const told = async () =>
  (await bench.ledger.alerts.open())
    .filter(({ code }) => code === 'unconfirmed')
    .map(({ subject }) => subject);

describe('a number whose answers are all lost, with no key to ask about', () => {
  it('is repeated after two minutes, then after 4, 8, 15, 30 and 60, and from then on every hour', async () => {
    const { sent } = await sell([lost]);
    await pass(4 * 60);
    expect(sent).toEqual([0, 2, 6, 14, 29, 59, 119, 179, 239]);
  });

  it('goes on in the next day at the pace it had, after all retries of the last webhook', async () => {
    // 23:00 in Ecuador.
    const { sent } = await sell([lost], { now: '2026-11-21T04:00:00Z' });
    await pass(5 * 60);
    expect(sent).toEqual([0, 2, 6, 14, 29, 59, 59 + 85, 59 + 85 + 60, 59 + 85 + 120]);
  });

  it('is settled by its webhook at once, however long its next repeat is away', async () => {
    const { sent, fix } = await sell([lost]);
    await pass(125);
    fix();
    // What was sent reached it all the same.
    await fetch(`${bench.sandbox.url}/api/factura/emision`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': 'clave-1' },
      body: (await bench.attempts())[0]?.body ?? '',
    });
    await bench.decided();
    await bench.webhook();
    expect((await bench.document()).state).toBe('authorized');
    expect(sent).toHaveLength(7);
  });

  it('is an alert after a day, once; it leaves again all the same, and ends the alert when it is authorised', async () => {
    const { fix } = await sell([lost]);
    await hours(23);
    expect(await told()).toEqual([]);
    await hours(26);
    const { id, state } = await bench.document();
    expect([state, await told()]).toEqual(['uncertain', [id]]);
    fix();
    await hours(3);
    expect(await bench.document()).toMatchObject({ state: 'authorized', code: null, reason: null });
    expect(await told()).toEqual([]);
  });
});

describe('what counts as repeated in vain', () => {
  it('is not what never left: the first repeat comes two minutes after the first loss all the same', async () => {
    const { sent } = await sell([busy, busy, busy, lost]);
    await pass(1);
    expect((await bench.document()).state).toBe('uncertain');
    const [first = 0] = sent.slice(3);
    await pass(5);
    expect(sent.slice(4)).toEqual([first + 2]);
  });

  it('is not a repeat the service had no time for', async () => {
    const { sent } = await sell([lost, busy, busy, lost]);
    await pass(15);
    expect(sent).toEqual([0, 2, 4, 6, 10]);
  });

  it('is a repeat that is refused as a number taken, without a word of its key; then a person decides', async () => {
    const { sent } = await sell([lost, taken], { isVerified: true });
    await pass(26 * 60);
    expect(sent).toEqual([0, 2, 6, 14, 29, 59]);
    expect(await bench.document()).toMatchObject({ state: 'manual', code: 'number-registered' });
    expect(await bench.openAlerts()).not.toContain('series-stopped');
  });

  it('and stops a series of which this process has sent nothing before: a lost document may have the number', async () => {
    await sell([lost, taken]);
    await pass(26 * 60);
    expect(await bench.document()).toMatchObject({ state: 'manual', code: 'number-registered' });
    expect(await bench.openAlerts()).toContain('series-stopped');
  });
});

it('a number the service answers 500 to each time, with a key it never knows, leaves slower and slower; an alert after a day', async () => {
  bench = await openJobBench();
  bench.sandbox.faults.add({ failBeforeStoring: { status: 500, times: 999 } });
  await bench.read();
  await pass(15);
  expect(bench.posts()).toHaveLength(2);
  await pass(23 * 60);
  expect(await told()).toEqual([]);
  await pass(3 * 60);
  expect(await told()).toEqual([(await bench.document()).id]);
  const before = bench.posts().length;
  expect(before).toBeLessThan(32);
  await pass(6 * 60);
  const later = bench.posts().length - before;
  expect([later > 3, later <= 6]).toEqual([true, true]);
  bench.sandbox.faults.clear();
  await pass(60);
  await bench.decided();
  await pass(60);
  expect(await bench.document()).toMatchObject({ state: 'authorized', secuencial: '000000001' });
  expect(await told()).toEqual([]);
});

describe('a document the service answered “created” and says nothing final of', () => {
  /** Sells; from then on every question is answered like this. Answers how to end that. */
  const created = async (answer: ConsultAnswer): Promise<() => void> => {
    bench = await openJobBench({ keys: ['clave-1'] });
    const end = bench.replaceService(() => ({ consultarComprobante: async () => answer }));
    await bench.read();
    return end;
  };

  it.each<[string, ConsultAnswer]>([
    ['does not know any more', { kind: 'not-found' }],
    ['cannot speak of', { kind: 'unknown', reason: 'answered 404' }],
  ])(
    'that it %s has a reason and an alert after a day, and ends both when it is authorised',
    async (_, answer) => {
      const remember = await created(answer);
      await hours(23);
      expect(await bench.document()).toMatchObject({ state: 'processing', reason: null });
      expect(await told()).toEqual([]);
      await hours(2);
      const { id, reason } = await bench.document();
      expect(await bench.document()).toMatchObject({ state: 'processing', code: 'unconfirmed' });
      expect(reason).toContain('001-001-000000001');
      expect(await bench.ledger.alerts.open()).toMatchObject([
        { code: 'unconfirmed', subject: id, what: expect.stringContaining(reason ?? '?') },
      ]);
      await hours(24);
      expect(bench.alerts).toEqual(['unconfirmed']);
      remember();
      await hours(2);
      expect(await bench.document()).toMatchObject({ state: 'authorized', code: null, reason: null });
      expect(await told()).toEqual([]);
    },
  );

  it('is told even when the process died between the reason and the alert', async () => {
    await created({ kind: 'not-found' });
    const { alerts } = bench.deps;
    bench.deps.alerts = { ...alerts, raise: async () => Promise.reject(new Error('kill -9')) };
    await hours(26);
    bench.deps.alerts = alerts;
    await hours(2);
    expect(await told()).toHaveLength(1);
  });

  it('keeps a reason it has already', async () => {
    await created({ kind: 'not-found' });
    bench.sandbox.addAccount({ apiKey: 'clave-2' });
    bench.restart(['clave-2']);
    await hours(26);
    expect(await bench.document()).toMatchObject({ state: 'processing', code: 'key-gone' });
    expect(await told()).toHaveLength(1);
  });

  it('but shows in process and denies in turn has an alert after a day, as if it had said nothing', async () => {
    bench = await openJobBench();
    bench.sandbox.faults.add({
      ...{ status500AfterStoring: true },
      outcome: { resultado: 'autorizado', enProcesoMs: 6000 * minute },
    });
    let asked = 0;
    bench.replaceService((calls) => ({
      async consultarComprobante(key) {
        asked += 1;
        return asked % 2 === 0 ? { kind: 'not-found' } : calls.consultarComprobante(key);
      },
    }));
    await bench.read();
    await bench.wait(...Array(26).fill(60));
    const { id, state } = await bench.document();
    expect(asked).toBeGreaterThan(20);
    expect([state, await told()]).toEqual(['uncertain', [id]]);
  });
});
