import { afterEach, describe, expect, it } from 'vitest';
import type { ConsultAnswer, EmissionAnswer } from '../../src/service/answers.ts';
import { type JobBench, openJobBench } from '../support/job-bench.ts';

/** A document that never gets a final state: people are told, and it is asked about all the same. */
let bench: JobBench;
afterEach(() => bench?.close());

const minute = 60_000;
/** Sells; from then on the service answers every question like this. Answers how to end that. */
async function sell(answer: ConsultAnswer, ...options: Parameters<typeof openJobBench>): Promise<() => void> {
  bench = await openJobBench(...options);
  const { service } = bench.deps;
  bench.deps.service = (...asked) => ({ ...service(...asked), consultarComprobante: async () => answer });
  await bench.sync('1201');
  await bench.run();
  return () => {
    bench.deps.service = service;
  };
}

async function pass(hours: number): Promise<void> {
  for (let hour = 0; hour < hours; hour += 1) {
    bench.advance(60 * minute);
    await bench.run();
    await bench.decided();
  }
}
const reported = async () =>
  (await bench.ledger.alerts.open()).filter(({ code }) => code === 'document-unconfirmed');

describe('a document the service answered “created” and says nothing final of', () => {
  it.each<[string, ConsultAnswer]>([
    ['does not know any more', { kind: 'not-found' }],
    ['cannot speak of', { kind: 'unknown', reason: 'answered 404' }],
  ])(
    'that it %s has a reason and an alert after a day, and ends both when it is authorised',
    async (_, answer) => {
      const remember = await sell(answer);
      await pass(23);
      expect(await bench.document()).toMatchObject({ state: 'processing', reason: null });
      expect(await reported()).toEqual([]);
      await pass(2);
      const { id, state, code, reason } = await bench.document();
      expect({ state, code }).toEqual({ state: 'processing', code: 'unconfirmed' });
      expect(reason).toContain('001-001-000000001');
      expect(await reported()).toMatchObject([{ subject: id, what: expect.stringContaining(reason ?? '?') }]);
      await pass(24 * 6);
      expect(await reported()).toHaveLength(1);
      expect(bench.alerts).toEqual(['document-unconfirmed']);
      remember();
      await pass(2);
      expect(await bench.document()).toMatchObject({ state: 'authorized', code: null, reason: null });
      expect(await reported()).toEqual([]);
    },
  );

  it('is told even when the process died between the reason and the alert', async () => {
    await sell({ kind: 'not-found' });
    const { alerts } = bench.deps;
    bench.deps.alerts = { ...alerts, raise: async () => Promise.reject(new Error('kill -9')) };
    await pass(26);
    bench.deps.alerts = alerts;
    await pass(2);
    expect(await reported()).toHaveLength(1);
  });

  it('keeps a reason it has already', async () => {
    await sell({ kind: 'not-found' }, { keys: ['clave-1'] });
    bench.sandbox.addAccount({ apiKey: 'clave-2' });
    bench.restart(['clave-2']);
    await pass(26);
    expect(await bench.document()).toMatchObject({ state: 'processing', code: 'key-gone' });
    expect(await reported()).toHaveLength(1);
  });
});

describe('a document that the service now shows in process and now does not know', () => {
  it('has an alert after a day, as if the service had said nothing', async () => {
    bench = await openJobBench();
    bench.sandbox.faults.add({ status500AfterStoring: true });
    bench.sandbox.faults.add({ outcome: { resultado: 'autorizado', enProcesoMs: 6000 * minute } });
    const { service } = bench.deps;
    let asked = 0;
    bench.deps.service = (...by) => {
      const calls = service(...by);
      const consultarComprobante: typeof calls.consultarComprobante = async (key) => {
        asked += 1;
        return asked % 2 === 0 ? { kind: 'not-found' } : calls.consultarComprobante(key);
      };
      return { ...calls, consultarComprobante };
    };
    await bench.sync('1201');
    await bench.run();
    for (let hour = 0; hour < 26; hour += 1) {
      bench.advance(60 * minute);
      await bench.run();
    }
    const { id, state } = await bench.document();
    expect(state).toBe('uncertain');
    expect(asked).toBeGreaterThan(20);
    expect(await reported()).toMatchObject([{ subject: id }]);
  });
});

describe('a document whose answers are all lost, with no key to ask about', () => {
  /** What the service cannot digest: a gateway's page instead of an answer, each time. */
  const lost: EmissionAnswer = {
    ...{ kind: 'unknown', claveacceso: null, mayHaveLeft: true },
    reason: 'answered 502 without a JSON body',
  };
  it('has an alert after a day, leaves again all the same, and ends the alert when it is authorised', async () => {
    bench = await openJobBench();
    const { service } = bench.deps;
    bench.deps.service = (...asked) => ({ ...service(...asked), emitirFactura: async () => lost });
    await bench.sync('1201');
    await bench.run();
    await pass(23);
    expect(await reported()).toEqual([]);
    await pass(2);
    const { id, state } = await bench.document();
    expect(state).toBe('uncertain');
    expect(await reported()).toMatchObject([{ subject: id }]);
    await pass(24);
    expect(await reported()).toHaveLength(1);
    bench.deps.service = service;
    await pass(2);
    await bench.decided();
    await pass(1);
    expect(await bench.document()).toMatchObject({ state: 'authorized', code: null, reason: null });
    expect(await reported()).toEqual([]);
  });
});
