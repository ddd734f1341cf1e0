import { afterEach, describe, expect, it } from 'vitest';
import type { FaultInput } from '../../sandbox/emulator/index.ts';
import { retryDocument } from '../../src/jobs/retry.ts';
import { type JobBench, openJobBench } from '../support/job-bench.ts';

/** The service says that it does not know a key: when that is believed, and what follows where it was wrong. */
let bench: JobBench;
afterEach(() => bench?.close());

const minutes = (count: number) => count * 60_000;
const slow: FaultInput = { outcome: { resultado: 'autorizado', enProcesoMs: minutes(60), times: 1 } };

/** Sells, and the answer is a 500 that names the key of what was stored. */
async function lose(...faults: FaultInput[]): Promise<void> {
  bench = await openJobBench();
  bench.sandbox.faults.add({ status500AfterStoring: true });
  for (const fault of faults) bench.sandbox.faults.add(fault);
  await bench.sync('1201');
  await bench.run();
}

/** Sells, the answer is lost, and the repeat's 409 names the key of what is stored, still with the authority. */
async function adopt(): Promise<void> {
  bench = await openJobBench();
  bench.sandbox.faults.add({ dropAnswer: true });
  bench.sandbox.faults.add(slow);
  await bench.sync('1201');
  await bench.run();
  await pass(3);
  expect(await outcomes()).toEqual(['adopted', 'unsent']);
}

async function pass(...waits: number[]): Promise<void> {
  for (const wait of waits) {
    bench.advance(minutes(wait));
    await bench.run();
  }
}

/** A replica that lags behind: for a while the service does not know what it stored. Answers how to end that. */
function forget(): () => void {
  const { service } = bench.deps;
  bench.deps.service = (...asked) => ({
    ...service(...asked),
    consultarComprobante: async () => ({ kind: 'not-found' }),
  });
  return () => {
    bench.deps.service = service;
  };
}

/** The authority decides what it took its time for. */
async function decide(): Promise<void> {
  bench.sandbox.clock.step(minutes(90));
  await bench.decided();
}

const attempts = async () => bench.ledger.attempts.ofDocument((await bench.document()).id);
const outcomes = async () => (await attempts()).map(({ outcome }) => outcome);
const stored = () => bench.sandbox.documents()[0]?.claveacceso ?? '';
const emissions = () =>
  bench.sandbox.requests().filter(({ path }) => path.endsWith('/factura/emision')).length;
const stopped = async () => {
  const { ruc, ambiente, codDoc, establecimiento, puntoEmision } = await bench.document();
  return bench.ledger.sequences.stopped({ ruc, ambiente, codDoc, establecimiento, puntoEmision });
};
/** Whatever was believed in between: one factura, the one that was sent first, and a series that goes on. */
async function isTheFirst(): Promise<void> {
  expect(await bench.document()).toMatchObject({ state: 'authorized', accessKey: stored(), reason: null });
  expect(bench.sandbox.documents()).toHaveLength(1);
  expect(await stopped()).toBeNull();
}

describe('a key the service named in a 500', () => {
  it('a gateway’s page says nothing of it: it is asked about again, and nothing leaves twice', async () => {
    await lose(slow);
    bench.sandbox.faults.add({ htmlAnswer: { status: 404, operacion: 'consultar_comprobante', times: 3 } });
    await pass(3, 5, 10);
    expect(await bench.document()).toMatchObject({ state: 'uncertain', accessKey: stored() });
    await decide();
    await pass(20);
    await isTheFirst();
    expect(emissions()).toBe(1);
  });

  it.each([
    ['one answer', [3]],
    ['two answers', [3, 5]],
    ['many answers within a breath', [3, 0, 0, 0, 1]],
  ])('is not given up for %s', async (_case, waits) => {
    await lose(slow);
    const remember = forget();
    await pass(...waits);
    expect(await bench.document()).toMatchObject({ state: 'uncertain', accessKey: stored() });
    remember();
    await decide();
    await pass(20);
    await isTheFirst();
    expect(emissions()).toBe(1);
  });

  it('counts again from zero once the service has shown it', async () => {
    await lose(slow);
    const remember = forget();
    await pass(3, 5);
    remember();
    await pass(10);
    forget();
    await pass(20);
    expect((await bench.document()).state).toBe('uncertain');
  });

  it('is given up after three answers over ten minutes, and stays known: the 409 leads back to it', async () => {
    await lose(slow);
    const remember = forget();
    await pass(3, 5);
    await decide();
    await pass(10);
    expect(emissions()).toBe(2);
    expect((await attempts())[0]).toMatchObject({ outcome: 'adopted', accessKey: stored() });
    remember();
    await pass(3);
    await isTheFirst();
  });

  it('is found by its 409 while the authority still has it', async () => {
    await lose(slow);
    const remember = forget();
    await pass(3, 5, 10);
    expect(await bench.document()).toMatchObject({ state: 'processing', accessKey: stored() });
    remember();
    await decide();
    await pass(10);
    await isTheFirst();
  });

  it('authorises the document by its event while that waits to leave once more', async () => {
    await lose(slow);
    bench.sandbox.faults.add({ tooManyRequests: { operacion: 'emitir_factura', retryAfterSeconds: 600 } });
    const remember = forget();
    await pass(3, 5, 10);
    remember();
    expect((await bench.document()).state).toBe('ready');
    await decide();
    await bench.event(stored());
    await bench.run();
    await isTheFirst();
    await pass(30);
    expect(emissions()).toBe(2);
  });
});

/** Hours in which every webhook is lost and the service knows nothing: the number counts as a conflict. */
async function declareConflict(): Promise<() => void> {
  await adopt();
  const remember = forget();
  await pass(3, 5, 10);
  expect((await bench.document()).code).toBe('number-conflict');
  return remember;
}

/** A person has made the series flow again, and asks for a new number. */
async function askAnew() {
  const document = await bench.document();
  const { ruc, ambiente, codDoc, establecimiento, puntoEmision } = document;
  await bench.ledger.sequences.raise({ ruc, ambiente, codDoc, establecimiento, puntoEmision }, 50);
  return retryDocument(bench.deps, document, 'ana@conector');
}

describe('a number conflict after an answer of ours was lost', () => {
  it('is never replaced by a new one: a person looks for it and gives its key', async () => {
    const remember = await declareConflict();
    const { kind, says } = await askAnew();
    expect(kind).toBe('refused');
    expect(says).toContain('portal del SRI');
    expect(says).toContain(`facturapuente adopt ${(await bench.document()).id} CLAVE`);
    remember();
    await decide();
    await pass(60);
    expect(emissions()).toBe(2);
    expect(bench.sandbox.documents()).toHaveLength(1);
  });

  it('does not stop its series again once a person has fixed that', async () => {
    const remember = await declareConflict();
    await askAnew();
    remember();
    await decide();
    bench.sandbox.faults.add({ spoilXml: { campo: 'identificacionComprador', valor: '1790016919001' } });
    await bench.event(stored());
    await bench.run();
    expect((await bench.document()).state).toBe('manual');
    expect(await stopped()).toBeNull();
  });
});

describe('the authorisation of a document that was dropped', () => {
  const drop = async () => {
    const remember = await declareConflict();
    const { id } = await bench.document();
    const now = bench.clock.now();
    await bench.ledger.documents.move(id, { from: ['manual'], to: 'cancelled', now });
    remember();
    await decide();
    return id;
  };
  const reported = async () =>
    (await bench.ledger.alerts.open()).filter(({ code }) => code === 'dropped-authorized');

  it('is an alert: there may be two facturas now', async () => {
    const id = await drop();
    await bench.event(stored());
    await bench.run();
    expect(await reported()).toMatchObject([
      { subject: id, what: expect.stringContaining('001-001-000000001') },
    ]);
    expect((await bench.document()).state).toBe('cancelled');
  });

  it('that is somebody else’s on its number is none', async () => {
    await drop();
    bench.sandbox.faults.add({ spoilXml: { campo: 'identificacionComprador', valor: '1790016919001' } });
    await bench.event(stored());
    await bench.run();
    expect(await reported()).toEqual([]);
  });
});

describe('a key a 409 named for our number', () => {
  it('a gateway’s page does not make it a conflict', async () => {
    await adopt();
    bench.sandbox.faults.add({ htmlAnswer: { status: 404, operacion: 'consultar_comprobante', times: 3 } });
    await pass(3, 5, 10);
    expect((await bench.document()).state).toBe('processing');
    await decide();
    await pass(30);
    await isTheFirst();
  });

  it('is ours by its authorised XML, however often the service says that it does not know it', async () => {
    await adopt();
    await decide();
    const remember = forget();
    await pass(3, 5, 10, 30);
    expect((await bench.document()).state).toBe('processing');
    remember();
    await pass(60);
    await isTheFirst();
  });

  it('stays what its event makes of it while the service is still said not to know it', async () => {
    await adopt();
    const remember = forget();
    await pass(3, 5);
    const { service } = bench.deps;
    // The last thing that is asked before the key counts as a conflict.
    const askXml = async () => {
      remember();
      await decide();
      await bench.event(stored());
      await bench.run();
      return { kind: 'not-found' } as const;
    };
    bench.deps.service = (...asked) => ({ ...service(...asked), descargarXml: askXml });
    await pass(10);
    await isTheFirst();
    expect((await attempts())[0]?.outcome).toBe('authorized');
    await pass(60);
    expect((await bench.document()).verification).toBe('agrees');
  });

  it('that is never shown is a conflict, and still ours once an event says it is authorised', async () => {
    await adopt();
    const remember = forget();
    await pass(3, 5, 10);
    const { id, state, code, reason } = await bench.document();
    expect({ state, code }).toEqual({ state: 'manual', code: 'number-conflict' });
    expect(reason).toContain(`facturapuente adopt ${id} CLAVE`);
    remember();
    await decide();
    await bench.event(stored());
    await bench.run();
    expect(await bench.document()).toMatchObject({ state: 'authorized', accessKey: stored(), reason: null });
    expect(emissions()).toBe(2);
  });
});
