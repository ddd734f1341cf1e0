import { afterEach, describe, expect, it } from 'vitest';
import type { Document } from '../../src/domain/document.ts';
import { retryDocument, takeNewNumber } from '../../src/jobs/retry.ts';
import { type JobBench, openJobBench } from '../support/job-bench.ts';
import { callsOver } from '../support/operations.ts';
import { loseNumber, moveWhileAsked, raiseSeries, untilManual } from '../support/taken-number.ts';

/** A number that is none of ours after a lost answer: a new one only where a person answers for it, and all is asked first. */
let bench: JobBench;
afterEach(() => bench?.close());

const by = 'ana@caja';
const ask = async (newNumber = true) => {
  const answer = await (newNumber ? takeNewNumber : retryDocument)(bench.deps, await bench.document(), by);
  await bench.run();
  return answer;
};
const documents = async () =>
  (await bench.documents()).map((one) => [one.state, one.secuencial, one.code]).toReversed();

/** Our POST breaks off before it arrives, and another program of the merchant takes its number. */
async function taken(codigoNumerico: 'fijo' | 'aleatorio' = 'fijo'): Promise<Document> {
  bench = await openJobBench({ sandbox: { codigoNumerico } });
  return loseNumber(bench);
}

/** Ours arrived, and its 409 named its key; then the service denies that key for hours. Answers how to end that. */
async function denied(): Promise<() => void> {
  bench = await openJobBench();
  bench.sandbox.faults.add({ dropAnswer: true });
  bench.sandbox.faults.add({ outcome: { resultado: 'autorizado', enProcesoMs: 3_600_000, times: 1 } });
  await bench.read();
  await bench.wait(3);
  const remember = bench.replaceService(() => ({
    consultarComprobante: async () => ({ kind: 'not-found' }),
  }));
  await bench.wait(3, 5, 10, 60, 60);
  expect((await bench.document()).code).toBe('key-unknown');
  return remember;
}
const decide = async () => {
  bench.sandbox.clock.step(5_400_000);
  await bench.decided();
};
const adopt = async (key = bench.key()) => `facturapuente adopt ${(await bench.document()).id} ${key}`;

describe('a number that another program took after our answer was lost', () => {
  it.each([
    ['fijo', 'number-conflict'],
    ['aleatorio', 'number-registered'],
  ] as const)('is replaced once a person answers for it, and never before (%s)', async (mode, code) => {
    const lost = await taken(mode);
    const command = expect.stringContaining(`facturapuente new-number ${lost.id}`);
    expect(lost).toMatchObject({ state: 'manual', code, secuencial: '000000001', reason: command });
    await raiseSeries(bench);
    expect(await ask(false)).toEqual({ kind: 'refused', message: command });
    expect(await ask()).toMatchObject({ kind: 'replaced' });
    await bench.pass(5);
    expect(await documents()).toEqual([
      ['authorized', '000000050', null],
      ['cancelled', '000000001', 'replaced'],
    ]);
    expect(bench.sandbox.documents().filter(({ estado }) => estado === 4)).toHaveLength(2);
    expect((await bench.ledger.documents.get(lost.id))?.reason).toContain('001-001-000000001');
    const note = (await bench.notes(lost.id)).at(-1);
    expect(note).toMatchObject({ cause: 'new number', by, confirmed: true });
    expect(Object.keys(note?.asked as object)).toContain(bench.key(mode === 'fijo' ? 0 : 1));
    const subjects = (await bench.ledger.alerts.open()).map(({ subject }) => subject);
    expect(subjects).not.toContain(lost.id);
  });
});

/** Each POST is stored, a gateway answers 409 without a key, and no event comes. */
async function unnamed(): Promise<Document> {
  bench = await openJobBench({ sandbox: { codigoNumerico: 'aleatorio' } });
  bench.replaceService((calls) => ({
    async emitirFactura(body) {
      await calls.emitirFactura(body);
      return { kind: 'duplicate', claveacceso: null, errors: ['Conflict'] };
    },
  }));
  await bench.read();
  expect(await bench.document()).toMatchObject({ state: 'uncertain', code: 'number-registered' });
  return untilManual(bench);
}

describe('a number that a 409 without a key calls registered', () => {
  it('is repeated for the time of every webhook, then is for a person, and no document of another is claimed', async () => {
    const document = await unnamed();
    const command = expect.stringContaining(`facturapuente new-number ${document.id}`);
    expect(document).toMatchObject({ state: 'manual', code: 'number-registered', reason: command });
    expect((await bench.stopped())?.reason).not.toContain('este sistema no emitió');
  });

  it('is ours by itself once its event comes', async () => {
    await unnamed();
    await bench.webhook();
    expect(await documents()).toEqual([['authorized', '000000001', null]]);
    expect(await bench.stopped()).toBeNull();
    expect(await bench.openAlerts()).toEqual([]);
  });
});

it('the command hands the person’s word on, and who gave it is written down', async () => {
  const { id } = await taken();
  const { retry, newNumber } = callsOver(bench.deps, { stores: new Map([[bench.store.id, bench.store]]) });
  expect(await retry({ document: id }, { by })).toMatchObject({ done: false });
  const answer = await newNumber({ document: id }, { by });
  expect(answer).toMatchObject({ done: true, message: expect.stringContaining('La serie está detenida') });
  await bench.run();
  expect(await documents()).toEqual([
    ['held', null, 'series-stopped'],
    ['cancelled', '000000001', 'replaced'],
  ]);
  expect((await bench.notes(id)).at(-1)).toMatchObject({ cause: 'new number', by });
});

describe('a new number is refused, whoever answers for it', () => {
  const isRefused = async (...message: string[]) => {
    const answer = await ask();
    expect(answer.kind).toBe('refused');
    for (const one of message) expect(answer.message).toContain(one);
    expect((await bench.document()).secuencial).toBe('000000001');
  };

  it('while what holds the old one is with the authority', async () => {
    const remember = await denied();
    remember();
    await isRefused('en proceso', bench.key());
    expect((await bench.document()).state).toBe('manual');
  });

  it('where a key of ours is authorised, and the key is named', async () => {
    const remember = await denied();
    remember();
    await decide();
    await isRefused(await adopt());
  });

  it('where the service denies the key and shows its XML', async () => {
    await denied();
    await decide();
    await isRefused(await adopt());
  });

  it('while the service does not answer', async () => {
    await taken();
    bench.replaceService(() => ({
      consultarComprobante: async () => ({ kind: 'unknown', reason: 'down' }),
    }));
    await isRefused('no responde');
  });

  it('where the document moved while the service was asked', async () => {
    const document = await taken();
    moveWhileAsked(bench, document);
    expect((await ask()).kind).toBe('nothing');
    expect((await bench.document()).state).toBe('manual');
  });

  it('where the service’s own list of webhooks names a key of ours that never arrived', async () => {
    const webhook = { url: 'http://127.0.0.1:9/avisos', secret: 's'.repeat(40) };
    const accounts = [{ apiKey: 'clave-1', webhook }];
    bench = await openJobBench({
      sandbox: { codigoNumerico: 'aleatorio', accounts, allowLoopbackWebhooks: true },
    });
    bench.sandbox.faults.add({ dropAnswer: true });
    await bench.read();
    expect(await untilManual(bench)).toMatchObject({ state: 'manual', code: 'number-registered' });
    const ours = bench.sandbox.documents().find(({ estado }) => estado === 4)?.claveacceso;
    await isRefused(await adopt(ours));
  });

  it('for a document whose number may simply leave again', async () => {
    bench = await openJobBench();
    bench.sandbox.faults.add({ failBeforeStoring: 400 });
    await bench.read();
    await bench.pass(5);
    await isRefused('use «facturapuente retry»');
  });
});
