import { afterEach, describe, expect, it } from 'vitest';
import { sales, toWooOrder } from '../../src/cli/demo/woocommerce-orders.ts';
import type { Document } from '../../src/domain/document.ts';
import { retryDocument } from '../../src/jobs/retry.ts';
import { searchOurs } from '../../src/jobs/sending/requests.ts';
import { foreseeKeys, setKeyDigits } from '../support/foreseen.ts';
import { type JobBench, type JobBenchOptions, openJobBench } from '../support/job-bench.ts';
import { takeNumber } from '../support/taken-number.ts';

/** A lost answer is asked about under the key it would have named, where the service's free digits are always the same. */
let bench: JobBench;
afterEach(() => bench?.close());

const minute = 60_000;
const orders = (start: string) => {
  const [sale] = sales;
  if (!sale) throw new Error('The demo has no sale.');
  const ids = Array.from({ length: 9 }, (_, n) => 2001 + n);
  return ids.map((id) => toWooOrder({ ...sale, id }, new Date(Date.parse(start) - minute)));
};
const open = async ({ now = '2026-11-20T15:00:00Z', ...options }: JobBenchOptions = {}) => {
  bench = await openJobBench({ now, orders: orders(now), ...options });
};
const documentOf = async (order: string, kind: Document['kind'] = 'factura'): Promise<Document> => {
  const documents = await bench.ledger.documents.list({ limit: 50 });
  const found = documents.find((one) => one.orderId === order && one.kind === kind);
  if (!found) throw new Error(`Order ${order} has no ${kind}.`);
  return found;
};
const attemptsOf = async (order: string) => bench.ledger.attempts.ofDocument((await documentOf(order)).id);
const stored = (numero: string) => bench.sandbox.documents().filter((one) => one.numero.endsWith(numero));

const sell = async (...ids: string[]) => {
  for (const id of ids) await bench.sync(id);
  await bench.run();
  await bench.decided();
};
/** The service tells of everything it has decided. */
const report = async () => {
  for (const { claveacceso } of bench.sandbox.documents()) await bench.event(claveacceso);
  await bench.run();
};
/** Sells, and is told that each was authorised under the key it was answered with. */
const authorise = async (...ids: string[]) => {
  await sell(...ids);
  await report();
  for (const id of ids) expect((await documentOf(id)).state).toBe('authorized');
  bench.advance(1_000);
};
const calls = (path: string, from = 0) =>
  bench.sandbox
    .requests()
    .slice(from)
    .filter((request) => request.path.includes(path)).length;
const since = () => {
  const from = bench.sandbox.requests().length;
  return () => ({
    emissions: calls('/emision', from),
    questions: calls('/consulta/', from),
    xml: calls('/xml/', from),
  });
};

describe('the key of a document', () => {
  it('is foreseen once two authorised ones bore the same free digits, and kept before it leaves', async () => {
    await open();
    await authorise('2001', '2002');
    expect((await attemptsOf('2001'))[0]?.foreseenKey).toBe(null);
    const asked = since();
    await authorise('2003');
    const [attempt] = await attemptsOf('2003');
    expect(attempt).toMatchObject({
      outcome: 'authorized',
      foreseenKey: stored('000000003')[0]?.claveacceso,
    });
    expect(asked()).toMatchObject({ emissions: 1, questions: 0 });
  });

  it('is not foreseen from what was never authorised', async () => {
    await open();
    await sell('2001', '2002', '2003');
    await sell('2004');
    expect((await attemptsOf('2004'))[0]?.foreseenKey).toBe(null);
  });

  it('is not foreseen from those of another type', async () => {
    await open();
    await authorise('2001', '2002');
    bench.shop.refund('2001', { amount: '10.00' });
    await sell('2001');
    const credit = await documentOf('2001', 'nota-credito');
    expect((await bench.ledger.attempts.ofDocument(credit.id))[0]?.foreseenKey).toBe(null);
  });

  it('is never foreseen from a service whose digits vary', async () => {
    await open({ sandbox: { codigoNumerico: 'aleatorio' } });
    await authorise('2001', '2002', '2003');
    await authorise('2004');
    expect((await attemptsOf('2004'))[0]).toMatchObject({ foreseenKey: null, outcome: 'authorized' });
  });
});

describe('a lost answer whose key was foreseen', () => {
  const lost = { delayAnswerMs: 1_500 };

  it('is settled by one question and its XML, without webhook, wait or repeat', async () => {
    await open({ patienceMs: 1_000 });
    await authorise('2001', '2002');
    bench.sandbox.faults.add(lost);
    const asked = since();
    const before = bench.clock.now();
    await sell('2003');
    const document = await documentOf('2003');
    expect(document).toMatchObject({ state: 'authorized', accessKey: stored('000000003')[0]?.claveacceso });
    expect(bench.clock.now()).toEqual(before);
    // The second XML is read to compare every field, as of each document.
    expect(asked()).toEqual({ emissions: 1, questions: 1, xml: 2 });
    const history = await bench.ledger.documents.history(document.id);
    expect(history.map(({ note }) => (note as { cause?: string } | null)?.cause)).toContain('foreseen key');
  });

  it('is asked about by the digits that are learned only after it left, also across midnight', async () => {
    await open({ now: '2026-11-21T04:58:00Z' });
    bench.sandbox.faults.add({ dropAnswer: true });
    await bench.sync('2001');
    await bench.run();
    expect((await attemptsOf('2001'))[0]).toMatchObject({ outcome: 'unknown', foreseenKey: null });
    bench.advance(5 * minute);
    await sell('2002', '2003');
    for (const number of ['000000002', '000000003']) await bench.event(stored(number)[0]?.claveacceso ?? '');
    await bench.run();
    bench.advance(2 * 60 * minute);
    await bench.run();
    await bench.decided();
    await bench.run();
    expect(await documentOf('2001')).toMatchObject({
      state: 'authorized',
      issueDate: '2026-11-20',
      accessKey: stored('000000001')[0]?.claveacceso,
    });
    expect(stored('000000001')).toHaveLength(1);
    expect(await attemptsOf('2001')).toHaveLength(1);
  });

  it('is looked for by digits that were learned since before its number is given up', async () => {
    await open();
    bench.sandbox.faults.add({ dropAnswer: true });
    await bench.sync('2001');
    await bench.run();
    await bench.decided();
    const [document, attempts] = [await documentOf('2001'), await attemptsOf('2001')];
    expect(await searchOurs(bench.deps, { document, attempts }, [])).toMatchObject({
      says: null,
      verdicts: [],
    });
    await foreseeKeys(bench);
    expect(await searchOurs(bench.deps, { document, attempts }, [])).toMatchObject({
      verdicts: [{ verdict: 'ours' }],
    });
  });

  it('is known to have arrived while it is still with the authority, and ends like any other', async () => {
    await open();
    await authorise('2001', '2002');
    bench.sandbox.faults.add({ dropAnswer: true });
    bench.sandbox.faults.add({ outcome: { resultado: 'autorizado', enProcesoMs: 3 * minute, times: 1 } });
    const asked = since();
    await bench.sync('2003');
    await bench.run();
    expect(await documentOf('2003')).toMatchObject({
      state: 'processing',
      accessKey: stored('000000003')[0]?.claveacceso,
      code: null,
      reason: null,
    });
    expect(asked()).toEqual({ emissions: 1, questions: 1, xml: 0 });
    for (const _ of [1, 2, 3]) {
      bench.advance(2 * minute);
      bench.sandbox.clock.step(0);
      await bench.run();
    }
    expect((await documentOf('2003')).state).toBe('authorized');
    expect(asked().emissions).toBe(1);
  });

  it('that never arrived is asked about at once and before its repeat, which goes as without', async () => {
    await open();
    await authorise('2001', '2002');
    bench.sandbox.faults.add({ cutBeforeStoring: { operacion: '*' } });
    const asked = since();
    await sell('2003');
    expect((await documentOf('2003')).state).toBe('uncertain');
    expect(asked()).toMatchObject({ questions: 1 });
    bench.advance(2 * minute);
    await bench.run();
    await bench.decided();
    expect((await attemptsOf('2003')).map(({ outcome }) => outcome)).toEqual(['unknown', 'created']);
    expect(asked()).toMatchObject({ questions: 2 });
    await report();
    expect((await documentOf('2003')).state).toBe('authorized');
    expect(stored('000000003')).toHaveLength(1);
  });

  it('is not believed where the XML is of somebody else: the series stops, as after a 409', async () => {
    await open();
    await authorise('2001', '2002');
    bench.sandbox.faults.add({ cutBeforeStoring: { operacion: 'emitir_factura' } });
    const { service } = bench.deps;
    // Another program takes the number before we ask.
    bench.deps.service = (...of) => ({
      ...service(...of),
      async consultarComprobante(key) {
        await takeNumber(bench, '000000003');
        await bench.decided();
        return service(...of).consultarComprobante(key);
      },
    });
    await sell('2003');
    expect(await documentOf('2003')).toMatchObject({ state: 'manual', code: 'number-conflict' });
  });

  it('is not called refused for the error that ended an earlier sending under the same key', async () => {
    await open();
    await authorise('2001', '2002');
    bench.sandbox.faults.add({ outcome: { codigo: 52, times: 1 } });
    await sell('2003');
    await report();
    expect((await documentOf('2003')).state).toBe('rejected');
    bench.sandbox.faults.add({ cutBeforeStoring: { operacion: 'emitir_factura' } });
    await retryDocument(bench.deps, await documentOf('2003'), 'ana@conector');
    await bench.run();
    expect((await documentOf('2003')).state).toBe('uncertain');
    bench.advance(2 * minute);
    await bench.run();
    await bench.decided();
    bench.advance(2 * minute);
    await bench.run();
    expect(await documentOf('2003')).toMatchObject({ state: 'authorized' });
    expect((await attemptsOf('2003')).map(({ outcome }) => outcome)).toEqual([
      'error',
      'unknown',
      'authorized',
    ]);
  });

  describe('before midnight, while nobody answers questions until the next day', () => {
    let down = true;
    const loseBeforeMidnight = async () => {
      await open({ now: '2026-11-21T04:50:00Z' });
      await authorise('2001', '2002');
      bench.setTime('2026-11-21T04:59:50Z');
      bench.sandbox.faults.add({ dropAnswer: true });
      const { service } = bench.deps;
      down = true;
      bench.deps.service = (...of) => ({
        ...service(...of),
        consultarComprobante: async (key) =>
          down ? { kind: 'unknown', reason: 'nobody answers' } : service(...of).consultarComprobante(key),
      });
      await sell('2003');
      expect((await documentOf('2003')).state).toBe('uncertain');
      bench.advance(90 * minute);
    };

    it('is found under the key of the day it left', async () => {
      await loseBeforeMidnight();
      down = false;
      await bench.run();
      expect(await documentOf('2003')).toMatchObject({ state: 'authorized', issueDate: '2026-11-20' });
      expect(stored('000000003')).toHaveLength(1);
    });

    it('is found by it when the repeat, which has the key of the next day, is refused as 45', async () => {
      await loseBeforeMidnight();
      await bench.run();
      await bench.decided();
      expect((await attemptsOf('2003')).map(({ issueDate }) => issueDate)).toEqual([
        '2026-11-20',
        '2026-11-21',
      ]);
      down = false;
      await bench.event(stored('000000003')[1]?.claveacceso ?? '');
      await bench.run();
      expect(await documentOf('2003')).toMatchObject({ state: 'authorized', issueDate: '2026-11-20' });
      expect((await attemptsOf('2003')).map(({ outcome }) => outcome)).toEqual(['authorized', 'error']);
    });
  });
});

describe('a service whose digits become random in the middle of the day', () => {
  it('costs the shortcut: the unexpected key is asked about and compared, nothing is doubled, nobody is alarmed', async () => {
    await open();
    await authorise('2001', '2002');
    await setKeyDigits(bench.sandbox, 'aleatorio');
    bench.sandbox.faults.add({ outcome: { resultado: 'autorizado', enProcesoMs: minute, times: 1 } });
    const asked = since();
    await bench.sync('2003');
    await bench.run();
    expect(await documentOf('2003')).toMatchObject({
      state: 'uncertain',
      code: 'key-unexpected',
      accessKey: stored('000000003')[0]?.claveacceso,
    });
    bench.advance(2 * minute);
    bench.sandbox.clock.step(0);
    await report();
    expect(await documentOf('2003')).toMatchObject({ state: 'authorized', code: null, reason: null });
    expect(asked().emissions).toBe(1);
    // From now on as if nobody had ever foreseen a key.
    const later = since();
    await authorise('2004');
    expect((await attemptsOf('2004'))[0]).toMatchObject({ foreseenKey: null, outcome: 'authorized' });
    expect(later()).toMatchObject({ emissions: 1, questions: 0 });
    expect(bench.alerts).toEqual([]);
    expect(bench.sandbox.audit().duplicates).toEqual([]);
  });

  it('that become constant again are foreseen after two documents more', async () => {
    await open();
    await authorise('2001', '2002');
    await setKeyDigits(bench.sandbox, 'aleatorio');
    await authorise('2003');
    await setKeyDigits(bench.sandbox, 'fijo');
    await authorise('2004', '2005');
    await authorise('2006');
    const foreseen = await Promise.all(['2004', '2005', '2006'].map(async (id) => (await attemptsOf(id))[0]));
    expect(foreseen.map((attempt) => attempt?.foreseenKey ?? null)).toEqual([
      null,
      null,
      stored('000000006')[0]?.claveacceso,
    ]);
  });

  it('leaves an answer that is lost meanwhile to webhook and repeat', async () => {
    await open();
    await authorise('2001', '2002');
    await setKeyDigits(bench.sandbox, 'aleatorio');
    bench.sandbox.faults.add({ dropAnswer: true });
    await sell('2003');
    expect((await documentOf('2003')).state).toBe('uncertain');
    await report();
    expect(await documentOf('2003')).toMatchObject({
      state: 'authorized',
      accessKey: stored('000000003')[0]?.claveacceso,
    });
    expect(stored('000000003')).toHaveLength(1);
  });
});

it('an answer that names a key of another number counts as lost, and is found by the digits of the one key that is known', async () => {
  await open();
  await authorise('2001');
  const { service } = bench.deps;
  const [first] = stored('000000001');
  let swapped = false;
  bench.deps.service = (...of) => ({
    ...service(...of),
    async emitirFactura(body) {
      const answer = await service(...of).emitirFactura(body);
      if (swapped || answer.kind !== 'created') return answer;
      swapped = true;
      return { ...answer, claveacceso: first?.claveacceso ?? '' };
    },
  });
  await sell('2002');
  const document = await documentOf('2002');
  expect(document).toMatchObject({
    state: 'authorized',
    accessKey: stored('000000002')[0]?.claveacceso,
  });
  expect(await bench.ledger.documents.history(document.id)).toContainEqual(
    expect.objectContaining({
      to: 'uncertain',
      note: expect.objectContaining({ cause: 'unexpected key', otherKey: first?.claveacceso }),
    }),
  );
  expect((await documentOf('2001')).accessKey).toBe(first?.claveacceso);
});
