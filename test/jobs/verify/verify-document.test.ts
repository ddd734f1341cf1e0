import { afterEach, describe, expect, it } from 'vitest';
import { dieBefore } from '../../support/die.ts';
import { type JobBench, openJobBench } from '../../support/job-bench.ts';

/** After its authorisation every document is read back and held against what was sent; nothing waits for it. */
let bench: JobBench;
afterEach(() => bench?.close());

const minutes = (count: number) => count * 60_000;
const authorise = async (at = 0) => {
  await bench.run();
  await bench.decided();
  await bench.event(bench.sandbox.documents()[at]?.claveacceso ?? '');
  await bench.run();
};
const downloads = () => bench.sandbox.requests().filter(({ path }) => path.includes('/xml/')).length;

describe('an authorised document', () => {
  it.each([1, 2] as const)('that says what was sent agrees, in ambiente %i', async (ambiente) => {
    const account = { apiKey: 'clave-1', providerApproved: true, credits: 5 };
    bench = await openJobBench({ ambiente, sandbox: { accounts: [account] } });
    await bench.sync('1201');
    await authorise();
    const document = await bench.document();
    expect(document).toMatchObject({ state: 'authorized', verification: 'agrees' });
    expect(document.verifiedAt).toBe('2026-11-20T15:00:00.000Z');
    expect(bench.errors).toEqual([]);
  });

  it('of a refund agrees too', async () => {
    bench = await openJobBench();
    await bench.sync('1201');
    await authorise();
    bench.shop.refund('1201', { amount: '10.00', reason: 'Talla equivocada' });
    await bench.sync('1201');
    await authorise(1);
    const documents = await bench.ledger.documents.list({ limit: 5 });
    expect(documents.map(({ kind, verification }) => [kind, verification])).toEqual([
      ['nota-credito', 'agrees'],
      ['factura', 'agrees'],
    ]);
  });

  it('that says something else is told as an error, by the names of its fields alone', async () => {
    bench = await openJobBench();
    bench.sandbox.faults.add({ spoilXml: { campo: 'razonSocialComprador', valor: 'Otra Persona' } });
    await bench.sync('1201');
    await authorise();
    const document = await bench.document();
    expect(document).toMatchObject({ state: 'authorized', verification: ['razonSocialComprador'] });
    expect(bench.errors).toEqual([
      expect.objectContaining({ number: '001-001-000000001', fields: ['razonSocialComprador'] }),
    ]);
    expect(JSON.stringify(bench.errors)).not.toContain('Persona');
  });

  it('that is a cent off by the service’s own rounding is told in its history, and is neither error nor alarm', async () => {
    bench = await openJobBench();
    await bench.read();
    const { total, id } = await bench.document();
    const authorised = (Number(total) + 0.01).toFixed(2);
    bench.sandbox.faults.add({ spoilXml: { campo: 'importeTotal', valor: authorised } });
    await authorise();
    const rounding = { code: 'rounding-difference', total: authorised };
    expect(await bench.document()).toMatchObject({ state: 'authorized', verification: rounding, total });
    expect((await bench.ledger.documents.history(id)).at(-1)).toMatchObject({
      ...{ from: 'authorized', to: 'authorized' },
      note: rounding,
    });
    expect(bench.errors).toEqual([]);
    expect(await bench.ledger.alerts.open()).toEqual([]);
  });

  it('that is a cent off after a lost answer is recognised as ours all the same', async () => {
    bench = await openJobBench();
    bench.sandbox.faults.add({ dropAnswer: true });
    await bench.read();
    const [attempt] = await bench.attempts();
    const authorised = (Number(attempt?.total) + 0.01).toFixed(2);
    bench.sandbox.faults.add({ spoilXml: { campo: 'importeTotal', valor: authorised, times: 9 } });
    await bench.decided();
    await bench.pass(3, 3, 3);
    expect(await bench.document()).toMatchObject({
      state: 'authorized',
      verification: { code: 'rounding-difference', total: authorised },
    });
    expect(bench.sandbox.documents()).toHaveLength(1);
  });

  it('that says something else is told all the same when the process dies before its alert', async () => {
    bench = await openJobBench();
    bench.sandbox.faults.add({
      spoilXml: { campo: 'razonSocialComprador', valor: 'Otra Persona', times: 9 },
    });
    dieBefore(bench.deps.alerts, 'raise');
    await bench.sync('1201');
    await authorise();
    await bench.wait(1);
    expect((await bench.document()).verification).toEqual(['razonSocialComprador']);
    expect(await bench.ledger.alerts.open()).toMatchObject([{ code: 'document-differs' }]);
  });

  it('whose XML cannot be had yet is asked for slower and slower; the order has its factura meanwhile', async () => {
    bench = await openJobBench();
    bench.sandbox.faults.add({ failBeforeStoring: { status: 503, times: 6, operacion: 'descargar_xml' } });
    await bench.sync('1201');
    await authorise();
    expect(await bench.document()).toMatchObject({ writtenBack: 'authorized', verification: null });
    const waits: number[] = [];
    for (let asked = downloads(), waited = 0; asked < 6; ) {
      bench.advance(minutes(1));
      waited += 1;
      await bench.run();
      if (downloads() === asked) continue;
      waits.push(waited);
      waited = 0;
      asked = downloads();
    }
    expect(waits).toEqual([2, 2, 4, 8, 16]);
    await bench.wait(32);
    expect((await bench.document()).verification).toBe('agrees');
  });

  it('that the service then says ended with an error is an alert at once, until its XML is there', async () => {
    bench = await openJobBench();
    const end = bench.replaceService((calls) => ({
      async consultarComprobante(key) {
        const answer = await calls.consultarComprobante(key);
        return answer.kind === 'found' ? { ...answer, state: 'error' } : answer;
      },
      descargarXml: async () => ({ kind: 'not-found' }),
    }));
    await bench.sync('1201');
    await authorise();
    const { id, accessKey, state } = await bench.document();
    expect(state).toBe('authorized');
    expect(await bench.ledger.alerts.open()).toMatchObject([
      { code: 'document-differs', subject: id, resolution: expect.stringContaining(accessKey ?? '?') },
    ]);
    end();
    await bench.wait(3);
    expect((await bench.document()).verification).toBe('agrees');
    expect(await bench.openAlerts()).toEqual([]);
  });

  it('is read back after every emission and question that is due under its key', async () => {
    bench = await openJobBench();
    bench.sandbox.faults.add({ failBeforeStoring: { status: 503, operacion: 'descargar_xml' } });
    await bench.sync('1201');
    await authorise();
    await bench.read('1202');
    const later = new Date('2026-11-20T15:03:00Z');
    const due = await bench.ledger.jobs.due(later, 10, 100);
    const own = due.filter(({ rateLimit }) => rateLimit !== null);
    expect(own.map(({ kind, priority }) => [kind, priority])).toEqual([
      ['follow-up', 5],
      ['verify-document', 9],
    ]);
  });
});
