import { afterEach, describe, expect, it } from 'vitest';
import type { SandboxOptions } from '../../sandbox/emulator/index.ts';
import { openCommands } from '../../src/app/commands.ts';
import type { Document } from '../../src/domain/document.ts';
import { retryDocument } from '../../src/jobs/retry.ts';
import { type JobBench, openJobBench } from '../support/job-bench.ts';
import { loseNumber, moveWhileAsked, raiseSeries, untilManual } from '../support/taken-number.ts';

/** A number that is none of ours after a lost answer: a new one only where a person answers for it, and all is asked first. */
let bench: JobBench;
afterEach(() => bench?.close());

const minute = 60_000;
const by = 'ana@caja';
const first = '001-001-000000001';

const open = async (sandbox: SandboxOptions = {}) => {
  bench = await openJobBench({ sandbox });
};
const ask = async (newNumber: boolean, document?: Document) => {
  const answer = await retryDocument(bench.deps, document ?? (await bench.document()), by, { newNumber });
  await bench.run();
  return answer;
};
const documents = async () =>
  (await bench.ledger.documents.list({ limit: 9 })).map((one) => [one.state, one.secuencial, one.code]);
const stored = (at = 0) => bench.sandbox.documents()[at]?.claveacceso ?? '';

/** Our POST breaks off before it arrives, and another program of the merchant takes its number. */
async function taken(codigoNumerico: 'fijo' | 'aleatorio'): Promise<Document> {
  await open({ codigoNumerico });
  return loseNumber(bench);
}

/** Ours arrived, and its 409 named its key; then the service denies that key for hours. Answers how to end that. */
async function denied(): Promise<() => void> {
  await open();
  bench.sandbox.faults.add({ dropAnswer: true });
  bench.sandbox.faults.add({
    outcome: { resultado: 'autorizado', enProcesoMs: 60 * minute, times: 1 },
  });
  await bench.sync('1201');
  await bench.run();
  bench.advance(3 * minute);
  await bench.run();
  const { service } = bench.deps;
  bench.deps.service = (...asked) => ({
    ...service(...asked),
    consultarComprobante: async () => ({ kind: 'not-found' }),
  });
  for (const wait of [3, 5, 10]) {
    bench.advance(wait * minute);
    await bench.run();
  }
  expect((await bench.document()).code).toBe('number-conflict');
  return () => {
    bench.deps.service = service;
  };
}
const decide = async () => {
  bench.sandbox.clock.step(90 * minute);
  await bench.decided();
};

describe('a number that another program took after our answer was lost', () => {
  it.each([
    ['fijo', 'number-conflict'],
    ['aleatorio', 'number-registered'],
  ] as const)('is replaced once a person answers for it, and never before (%s)', async (mode, code) => {
    const lost = await taken(mode);
    expect(lost).toMatchObject({ state: 'manual', code, secuencial: '000000001' });
    expect(lost.reason).toContain(`facturapuente retry ${lost.id} --new-number`);
    await raiseSeries(bench);

    const { kind, says } = await ask(false);
    expect(kind).toBe('refused');
    expect(says).toContain(`facturapuente retry ${lost.id} --new-number`);

    expect(await ask(true)).toMatchObject({ kind: 'replaced' });
    await bench.pass(5);
    expect(await documents()).toEqual([
      ['authorized', '000000050', null],
      ['cancelled', '000000001', 'replaced'],
    ]);
    expect(bench.sandbox.documents().filter(({ estado }) => estado === 4)).toHaveLength(2);
    const old = await bench.ledger.documents.get(lost.id);
    expect(old?.reason).toContain(first);
    const [last] = (await bench.ledger.documents.history(lost.id)).slice(-1);
    expect(last).toMatchObject({ at: expect.any(String), note: { cause: 'new number', by, vouched: true } });
    expect(Object.keys((last?.note as { asked: object } | undefined)?.asked ?? {})).toContain(
      stored(mode === 'fijo' ? 0 : 1),
    );
    expect(await bench.ledger.alerts.open()).toEqual(
      expect.not.arrayContaining([expect.objectContaining({ subject: lost.id })]),
    );
  });
});

it('the command hands the person’s word on, and who gave it is written down', async () => {
  const { id } = await taken('fijo');
  const commands = openCommands(bench.deps, { stores: new Map([[bench.store.id, bench.store]]) });
  expect(await commands.run('retry', { document: id, by })).toMatchObject({ done: false });
  const answer = await commands.run('retry', { document: id, by, newNumber: true });
  expect(answer).toMatchObject({ done: true, says: expect.stringContaining('La serie está detenida') });
  await bench.run();
  expect(await documents()).toEqual([
    ['held', null, 'series-stopped'],
    ['cancelled', '000000001', 'replaced'],
  ]);
  const history = await bench.ledger.documents.history(id);
  expect(history.at(-1)?.note).toMatchObject({ cause: 'new number', by });
});

describe('a new number is refused, whoever answers for it', () => {
  it('while what holds the old one is with the authority', async () => {
    const remember = await denied();
    remember();
    const { kind, says } = await ask(true);
    expect(kind).toBe('refused');
    expect(says).toContain('en proceso');
    expect(says).toContain(stored());
    expect((await bench.document()).state).toBe('manual');
  });

  it('where a key of ours is authorised, and the key is named', async () => {
    const remember = await denied();
    remember();
    await decide();
    const { kind, says } = await ask(true);
    expect(kind).toBe('refused');
    expect(says).toContain(`facturapuente adopt ${(await bench.document()).id} ${stored()}`);
  });

  it('where the service denies the key and shows its XML', async () => {
    await denied();
    await decide();
    expect((await ask(true)).says).toContain(
      `facturapuente adopt ${(await bench.document()).id} ${stored()}`,
    );
  });

  it('while the service does not answer', async () => {
    await taken('fijo');
    const { service } = bench.deps;
    bench.deps.service = (...asked) => ({
      ...service(...asked),
      consultarComprobante: async () => ({ kind: 'unknown', reason: 'down' }) as never,
    });
    expect(await ask(true)).toMatchObject({ kind: 'refused', says: expect.stringContaining('no responde') });
  });

  it('where the document moved while the service was asked', async () => {
    const document = await taken('fijo');
    moveWhileAsked(bench, document);
    expect((await ask(true)).kind).toBe('nothing');
    expect((await bench.document()).state).toBe('manual');
  });

  it('where the service’s own list of webhooks names a key of ours that never arrived', async () => {
    const webhook = { url: 'http://127.0.0.1:9/avisos', secret: 's'.repeat(40) };
    await open({
      codigoNumerico: 'aleatorio',
      accounts: [{ apiKey: 'clave-1', webhook }],
      allowLoopbackWebhooks: true,
    });
    bench.sandbox.faults.add({ dropAnswer: true });
    await bench.sync('1201');
    await bench.run();
    expect(await untilManual(bench)).toMatchObject({ state: 'manual', code: 'number-registered' });
    const ours = bench.sandbox.documents().find(({ estado }) => estado === 4)?.claveacceso;
    expect((await ask(true)).says).toContain(`facturapuente adopt ${(await bench.document()).id} ${ours}`);
  });

  it('for a document whose number may simply leave again', async () => {
    await open();
    bench.sandbox.faults.add({ failBeforeStoring: 400 });
    await bench.sync('1201');
    await bench.pass(5);
    expect(await ask(true)).toMatchObject({
      kind: 'refused',
      says: expect.stringContaining('sin --new-number'),
    });
  });
});
