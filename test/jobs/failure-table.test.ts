import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { documentNumber } from '../../src/domain/document.ts';
import { type JobBench, type JobBenchOptions, openJobBench } from '../support/job-bench.ts';

/** Every row of "When things fail" that a single paid order can meet; time is the test's. */
let bench: JobBench;
const open = async (
  options: Partial<Pick<JobBenchOptions, 'sandbox' | 'now' | 'ambiente' | 'patienceMs'>> = {},
) => {
  bench = await openJobBench(options);
  return bench;
};
afterEach(() => bench?.close());

const minutes = (count: number) => count * 60_000;
const emissions = () => bench.sandbox.requests().filter((request) => request.path === '/api/factura/emision');
const sell = async () => {
  await bench.sync('1201');
  await bench.run();
};
/** Lets the authority decide and the follow-up ask. */
const settle = async () => {
  await bench.decided();
  bench.advance(minutes(3));
  await bench.run();
};

describe('an emission that is answered', () => {
  it('created: processing with its key, then authorised by a question though no webhook ever came', async () => {
    await open();
    await sell();
    expect(await bench.document()).toMatchObject({ state: 'processing', secuencial: '000000001' });
    await settle();
    const document = await bench.document();
    expect(document).toMatchObject({ state: 'authorized', writtenBack: 'authorized' });
    expect(document.accessKey).toBe(bench.sandbox.documents()[0]?.claveacceso);
  });

  it('authorised by its webhook: the question planned for later is forgotten and books no slot', async () => {
    await open();
    await sell();
    await bench.decided();
    await bench.event(bench.sandbox.documents()[0]?.claveacceso ?? '');
    await bench.run();
    expect((await bench.document()).state).toBe('authorized');
    expect(await bench.ledger.jobs.counts()).toEqual({ waiting: 0, released: 0, leased: 0 });
  });

  it('created and then not authorised: rejected with the authority’s words, once, and shown on the order', async () => {
    await open();
    bench.sandbox.faults.add({ outcome: { identificacion: '1710034065', codigo: 52, times: 1 } });
    await sell();
    await settle();
    const document = await bench.document();
    expect(document.state).toBe('rejected');
    expect(document.reason).toContain('no autorizó');
    expect(bench.shop.notes('1201').filter((note) => !note.customer_note)).toHaveLength(1);
    await sell();
    expect(emissions()).toHaveLength(1);
  });

  it('creado:false: rejected with the service’s own words, keeping its number', async () => {
    await open();
    bench.sandbox.faults.add({ failBeforeStoring: 200 });
    await sell();
    const document = await bench.document();
    expect(document).toMatchObject({
      state: 'rejected',
      code: 'refused',
      secuencial: '000000001',
      writtenBack: 'rejected',
    });
    expect(document.reason).toContain('Error interno del servidor.');
  });

  it('in process for hours: asked slower and slower, authorised in the end', async () => {
    await open();
    bench.sandbox.faults.add({
      outcome: { identificacion: '1710034065', resultado: 'en_proceso', times: 1 },
    });
    await sell();
    for (let hours = 0; hours < 6; hours += 1) {
      bench.advance(minutes(60));
      await bench.run();
    }
    expect((await bench.document()).state).toBe('processing');
    const questions = bench.sandbox.requests().filter((request) => request.path.includes('/consulta/'));
    expect(questions.length).toBeGreaterThan(4);
    expect(questions.length).toBeLessThan(20);
  });

  it('401: nobody is to blame; the document waits ready and leaves when the key works', async () => {
    await open({ sandbox: { accounts: [{ apiKey: 'otra-clave' }] } });
    await sell();
    expect(await bench.document()).toMatchObject({ state: 'ready', secuencial: '000000001' });
    bench.sandbox.addAccount({ apiKey: 'clave-1' });
    bench.advance(minutes(6));
    await bench.run();
    expect((await bench.document()).state).toBe('processing');
  });

  it.each([
    ['provider data is missing', { providerApproved: false }],
    ['the credits are used up', { providerApproved: true, credits: 0 }],
  ])(
    'in production, when %s: no document is to blame, it waits ready and leaves afterwards',
    async (_case, lack) => {
      await open({ ambiente: 2, sandbox: { accounts: [{ apiKey: 'clave-1', ...lack }] } });
      await sell();
      expect(await bench.document()).toMatchObject({ state: 'ready', secuencial: '000000001' });
      bench.sandbox.addAccount({ apiKey: 'clave-1', providerApproved: true, credits: 10 });
      bench.advance(minutes(6));
      await bench.run();
      await settle();
      expect((await bench.document()).state).toBe('authorized');
    },
  );

  it('creado as the string "true" is a success, as the string "false" would be none', async () => {
    await open();
    bench.sandbox.faults.add({ creadoAsString: true });
    await sell();
    expect((await bench.document()).state).toBe('processing');
  });
});

describe('an answer that is lost', () => {
  const lost: [string, Parameters<JobBench['sandbox']['faults']['add']>[0], { patienceMs?: number }][] = [
    ['the connection breaks after storing', { dropAnswer: true }, {}],
    ['an HTML page instead of an answer', { htmlAnswer: true }, {}],
    ['an answer slower than our patience', { delayAnswerMs: 2_000 }, { patienceMs: 400 }],
  ];

  it.each(lost)('%s: uncertain, settled by the webhook, never sent twice', async (_case, fault, patience) => {
    await open(patience);
    bench.sandbox.faults.add(fault);
    await sell();
    expect(await bench.document()).toMatchObject({ state: 'uncertain', accessKey: null });
    await bench.decided();
    await bench.event(bench.sandbox.documents()[0]?.claveacceso ?? '');
    await bench.run();
    expect((await bench.document()).state).toBe('authorized');
    expect(emissions()).toHaveLength(1);
  });

  it('with the webhook lost too: the same number is repeated, answered 409, recognised and adopted', async () => {
    await open();
    bench.sandbox.faults.add({ dropAnswer: true });
    await sell();
    bench.advance(minutes(1));
    expect(await bench.run()).toEqual([]);
    bench.advance(minutes(2));
    await bench.run();
    await settle();
    expect(await bench.document()).toMatchObject({ state: 'authorized', secuencial: '000000001' });
    expect(emissions().map((request) => request.status)).toEqual([0, 409]);
    expect(bench.sandbox.documents()).toHaveLength(1);
  });

  it('with random codes the repeat is refused by the authority as 45, and the first one stays ours', async () => {
    await open({ sandbox: { codigoNumerico: 'aleatorio' } });
    bench.sandbox.faults.add({ dropAnswer: true });
    await sell();
    await bench.decided();
    bench.advance(minutes(3));
    await bench.run();
    await bench.decided();
    // The late webhook of the first one names a key that is new to us.
    await bench.event(bench.sandbox.documents()[0]?.claveacceso ?? '');
    await bench.run();
    await settle();
    const document = await bench.document();
    expect(document).toMatchObject({
      state: 'authorized',
      accessKey: bench.sandbox.documents()[0]?.claveacceso,
    });
    expect(bench.sandbox.documents().filter((stored) => stored.estado === 4)).toHaveLength(1);
  });

  it('500 with a key that was stored: asked by that key', async () => {
    await open();
    bench.sandbox.faults.add({ status500AfterStoring: true });
    await sell();
    await settle();
    expect((await bench.document()).state).toBe('authorized');
    expect(emissions().map((request) => request.status)).toEqual([500]);
  });

  it('500 with a key nobody stored: once known unsent, the same number leaves again', async () => {
    await open();
    bench.sandbox.faults.add({ failBeforeStoring: 500 });
    await sell();
    for (let turn = 0; turn < 4; turn += 1) {
      expect((await bench.document()).state).toBe('uncertain');
      await settle();
    }
    await settle();
    await settle();
    expect(await bench.document()).toMatchObject({ state: 'authorized', secuencial: '000000001' });
    expect(bench.sandbox.documents()).toHaveLength(1);
  });

  it('across midnight the repeat waits out every webhook retry, then carries the new date and the old number', async () => {
    await open({ now: '2026-11-21T04:59:30Z' });
    bench.sandbox.faults.add({ failBeforeStoring: { status: 502, times: 1 } });
    bench.sandbox.faults.add({ htmlAnswer: { times: 1 } });
    await sell();
    const before = await bench.document();
    expect(before.issueDate).toBe('2026-11-20');
    for (let turn = 0; turn < 40 && (await bench.document()).state !== 'authorized'; turn += 1) {
      bench.advance(minutes(5));
      await bench.run();
      await bench.decided();
    }
    expect(await bench.document()).toMatchObject({ state: 'authorized', secuencial: '000000001' });
    expect(bench.sandbox.documents().filter((stored) => stored.estado === 4)).toHaveLength(1);
  });
});

describe('a number that another issuer system used', () => {
  it('stops the series: no more numbers are burnt, the order is shown to a person', async () => {
    await open();
    // Another system issues 001-001-000000001 with the same key before us.
    const first = await openJobBench();
    await first.sync('1202');
    await first.run();
    const foreign = JSON.stringify(first.sandbox.documents()[0]?.body);
    await first.close();
    const headers = { 'content-type': 'application/json', 'x-api-key': 'clave-1' };
    await fetch(`${bench.sandbox.url}/api/factura/emision`, { method: 'POST', headers, body: foreign });
    await sell();
    const document = await bench.document();
    expect(document).toMatchObject({ state: 'manual', code: 'number-conflict' });
    // A trial's stop, its shadow's for one, must not read like production's.
    expect(document.reason).toContain('ambiente 1 (pruebas)');
    const reported = await bench.ledger.alerts.open();
    expect(reported.find(({ code }) => code === 'series-stopped')).toMatchObject({
      subject: expect.stringContaining('pruebas'),
      what: document.reason,
    });
    await bench.sync('1203');
    await bench.run();
    expect((await bench.ledger.documents.list({ limit: 5 })).map((one) => one.state).sort()).toEqual([
      'held',
      'manual',
    ]);
    expect(emissions()).toHaveLength(2);
  });
});

describe('midnight in Ecuador', () => {
  it('a document made yesterday leaves today with today’s date and its own number', async () => {
    await open({ now: '2026-11-21T04:59:50Z', sandbox: { accounts: [{ apiKey: 'otra' }] } });
    await sell();
    expect(documentNumber(await bench.document())).toBe('001-001-000000001');
    bench.sandbox.addAccount({ apiKey: 'clave-1' });
    bench.advance(minutes(6));
    await bench.run();
    expect(bench.sandbox.documents()[0]?.fechaEmision).toBe('2026/11/21');
    expect(documentNumber(await bench.document())).toBe('001-001-000000001');
  });
});

describe('an order that changes before its factura leaves', () => {
  beforeEach(() => open());

  it('held for a wrong identification, then corrected: emitted with one number', async () => {
    const order = bench.shop.order('1201') as { meta_data: { key: string; value: string }[] };
    bench.shop.put({ ...order, meta_data: [{ id: 1, key: '_billing_cedula', value: '1710034066' }] });
    await sell();
    expect(await bench.document()).toMatchObject({
      state: 'held',
      code: 'buyer-id-wrong',
      secuencial: null,
      writtenBack: 'held',
    });
    bench.shop.put(order);
    await sell();
    await settle();
    expect(await bench.document()).toMatchObject({ state: 'authorized', secuencial: '000000001' });
  });

  it('cancelled and then revived: the new document stands on the order, the dropped one does not cover it', async () => {
    const order = bench.shop.order('1201') as object;
    bench.shop.put({ ...order, meta_data: [{ id: 1, key: '_billing_cedula', value: '1710034066' }] });
    await sell();
    const unpaid = { status: 'cancelled', date_paid: null, date_paid_gmt: null };
    bench.shop.put({ ...bench.shop.order('1201'), ...unpaid });
    await sell();
    bench.shop.put({ ...order, date_modified_gmt: '2026-11-20T16:00:00' });
    await sell();
    await settle();
    const documents = await bench.ledger.documents.list({ limit: 5 });
    expect(documents.map((one) => [one.ordinal, one.state])).toEqual([
      [2, 'authorized'],
      [1, 'cancelled'],
    ]);
    expect(JSON.stringify(bench.shop.order('1201'))).toContain('AUTORIZADO');
    expect(emissions()).toHaveLength(1);
  });

  it('held and then cancelled: the document is cancelled and no number was spent', async () => {
    const order = bench.shop.order('1201') as object;
    bench.shop.put({ ...order, meta_data: [{ id: 1, key: '_billing_cedula', value: '1710034066' }] });
    await sell();
    bench.shop.put({ ...bench.shop.order('1201'), status: 'cancelled' });
    await sell();
    // Its money was kept, which a person has to look at; then it was never paid.
    expect(await bench.document()).toMatchObject({ state: 'held', code: 'cancelled-kept', secuencial: null });
    expect(JSON.stringify(bench.shop.notes('1201'))).toMatch(
      /El pedido está cancelado y quedan \d+\.\d\d cobrados/,
    );
    bench.shop.put({ ...bench.shop.order('1201'), date_paid: null, date_paid_gmt: null });
    await sell();
    expect(await bench.document()).toMatchObject({
      state: 'cancelled',
      secuencial: null,
      writtenBack: 'cancelled',
    });
    expect(JSON.stringify(bench.shop.order('1201'))).toContain('DESCARTADO');
    expect(emissions()).toHaveLength(0);
  });
});
