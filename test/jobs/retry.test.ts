import { afterEach, describe, expect, it } from 'vitest';
import type { SandboxOptions } from '../../sandbox/emulator/index.ts';
import type { Document } from '../../src/domain/document.ts';
import { retryDocument } from '../../src/jobs/retry.ts';
import { factura } from '../sandbox/support.ts';
import { type JobBench, openJobBench } from '../support/job-bench.ts';

/** A person fixed the cause and retries: never twice what may exist at the authority. */
let bench: JobBench;
afterEach(() => bench?.close());
const open = async (sandbox: SandboxOptions = {}) => {
  bench = await openJobBench({ sandbox });
};
const minutes = (count: number) => count * 60_000;
const retry = async (document?: Document) => {
  const answer = await retryDocument(bench.deps, document ?? (await bench.document()), 'ana@conector');
  await bench.run();
  return answer.kind;
};
const settle = async () => {
  await bench.run();
  await bench.decided();
  bench.advance(minutes(5));
  await bench.run();
};
const sell = async () => {
  await bench.sync('1201');
  await settle();
};
const issued = () => bench.sandbox.documents().map(({ numero }) => numero);

describe('asking for a document again', () => {
  it('one the authority rejected leaves under its own number, and is authorised', async () => {
    await open();
    bench.sandbox.faults.add({ outcome: { codigo: 52, times: 1 } });
    await sell();
    expect((await bench.document()).state).toBe('rejected');
    bench.sandbox.faults.clear();
    expect(await retry()).toBe('sent-again');
    await settle();
    expect(await bench.document()).toMatchObject({
      state: 'authorized',
      secuencial: '000000001',
      reason: null,
    });
    const history = await bench.ledger.documents.history((await bench.document()).id);
    expect(history.map(({ note }) => note)).toContainEqual({ cause: 'retry', by: 'ana@conector' });
  });

  it('one the service refused leaves under its own number, and is authorised', async () => {
    await open();
    bench.sandbox.faults.add({ failBeforeStoring: 400 });
    await sell();
    expect((await bench.document()).state).toBe('rejected');
    expect(await retry()).toBe('sent-again');
    await settle();
    expect(await bench.document()).toMatchObject({
      state: 'authorized',
      secuencial: '000000001',
      reason: null,
    });
    expect(issued()).toEqual(['001-001-000000001']);
  });

  it('one whose earlier sending was lost is refused: that is for adopt', async () => {
    await open({ codigoNumerico: 'aleatorio' });
    bench.sandbox.faults.add({ dropAnswer: true });
    await bench.sync('1201');
    await bench.run();
    bench.sandbox.faults.add({ failBeforeStoring: 400 });
    bench.advance(minutes(3));
    await bench.run();
    expect((await bench.document()).state).toBe('manual');
    expect(await retry()).toBe('refused');
    expect(issued()).toHaveLength(1);
  });

  it('one whose number another document has is replaced by one with a new number', async () => {
    await open();
    const body = factura(({ emisor }) => {
      Object.assign(emisor, {
        ruc: bench.store.issuer.ruc,
        secuencial: '000000001',
        fecha_emision: '2026/11/20',
      });
    });
    await fetch(`${bench.sandbox.url}/api/factura/emision`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': 'clave-1' },
      body: JSON.stringify(body),
    });
    await sell();
    const foreign = await bench.document();
    expect(foreign).toMatchObject({ state: 'manual', code: 'number-conflict' });
    const { ruc, ambiente, codDoc, establecimiento, puntoEmision } = foreign;
    await bench.ledger.sequences.raise({ ruc, ambiente, codDoc, establecimiento, puntoEmision }, 50);
    expect(await retry(foreign)).toBe('replaced');
    await settle();
    const documents = await bench.ledger.documents.list({ limit: 9 });
    expect(documents.map(({ state, secuencial }) => [state, secuencial])).toEqual([
      ['authorized', '000000050'],
      ['cancelled', '000000001'],
    ]);
  });

  it('one that is on its way or done changes nothing', async () => {
    await open();
    await bench.sync('1201');
    await bench.run();
    expect(await retry()).toBe('nothing');
    await settle();
    expect((await bench.document()).state).toBe('authorized');
    expect(await retry()).toBe('nothing');
    expect(issued()).toHaveLength(1);
  });

  it('a held one has its order read again', async () => {
    await open();
    const order = bench.shop.order('1201');
    const put = (cedula: string) =>
      bench.shop.put({
        ...order,
        total: '33.75',
        meta_data: [{ id: 1, key: '_billing_cedula', value: cedula }],
        date_modified_gmt: bench.clock.now().toISOString().slice(0, 19),
      });
    put('1710034066');
    await bench.sync('1201');
    await bench.run();
    expect((await bench.document()).state).toBe('held');
    bench.advance(minutes(1));
    put('1710034065');
    expect(await retry()).toBe('looked-again');
    await settle();
    expect((await bench.document()).state).toBe('authorized');
  });
});
