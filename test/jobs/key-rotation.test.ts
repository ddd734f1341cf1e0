import { afterEach, describe, expect, it } from 'vitest';
import { type JobBench, openJobBench } from '../support/job-bench.ts';

/** Each API key sees only its own documents: what left under the old one is read and repeated under the old one. */
const oldKey = 'clave-anterior-0001';
const newKey = 'clave-nueva-0002';
let bench: JobBench;
afterEach(() => bench?.close());

const minutes = (count: number) => count * 60_000;
const open = async (fault?: Parameters<JobBench['sandbox']['faults']['add']>[0]) => {
  const sandbox = { accounts: [{ apiKey: oldKey }, { apiKey: newKey }] };
  bench = await openJobBench({ keys: [oldKey], sandbox });
  if (fault) bench.sandbox.faults.add(fault);
  await bench.sync('1201');
  await bench.run();
  await bench.decided();
};
/** The requests that left under each key, as "0001 POST /api/factura/emision", from a restart on. */
const asked = (from: number) =>
  bench.sandbox
    .requests()
    .slice(from)
    .map(({ key, method, path }) => `${key?.slice(-4)} ${method} ${path.split('/').slice(2, 4).join('/')}`);
const key = (at = 0) => bench.sandbox.documents()[at]?.claveacceso ?? '';
const pass = async (count: number) => {
  for (let passed = 0; passed < count; passed += 1) {
    bench.advance(minutes(1));
    await bench.run();
    await bench.decided();
  }
};

describe('with the account under a new name', () => {
  it('a key that stops working pauses it, and what stands in the partition of the old name is asked no faster than the probe', async () => {
    await open();
    bench.restart([oldKey], null, 'renombrada');
    bench.sandbox.faults.add({
      failBeforeStoring: { status: 401, operacion: 'consultar_comprobante', times: 2 },
    });
    const from = bench.sandbox.requests().length;
    bench.advance(minutes(2));
    await bench.run();
    expect(asked(from)).toEqual(['0001 GET comprobante/consulta']);
    expect(await bench.ledger.pauses.list()).toMatchObject([{ account: 'renombrada', cause: 'api-key' }]);
    await pass(3);
    expect((await bench.document()).state).toBe('authorized');
    expect(await bench.ledger.pauses.list()).toEqual([]);
  });
});

describe('with the old key still in the config', () => {
  it('a document in process is asked about, read back and authorised under it; the next one leaves under the new', async () => {
    await open();
    bench.restart([newKey, oldKey]);
    const from = bench.sandbox.requests().length;
    await pass(3);
    expect(await bench.document()).toMatchObject({ state: 'authorized', verification: 'agrees' });
    expect(asked(from)).toEqual(['0001 GET comprobante/consulta', '0001 GET comprobante/xml']);
    await bench.sync('1202');
    await bench.run();
    expect(asked(from).slice(2)).toEqual(['0002 POST factura/emision']);
    const [newest, first] = await bench.ledger.documents.list({ limit: 2 });
    expect(newest?.secuencial).toBe('000000002');
    expect(newest?.keyHash).not.toBe(first?.keyHash);
  });

  it('a lost answer is repeated under it, recognised and adopted: one number, one document', async () => {
    await open({ dropAnswer: true });
    bench.restart([newKey, oldKey]);
    const from = bench.sandbox.requests().length;
    await pass(6);
    expect(await bench.document()).toMatchObject({ state: 'authorized', secuencial: '000000001' });
    expect(asked(from).every((request) => request.startsWith('0001'))).toBe(true);
    expect(bench.sandbox.documents()).toHaveLength(1);
  });

  it('a 500 that named a key nobody stored is known unsent, and the number leaves under the new key', async () => {
    await open({ failBeforeStoring: 500 });
    bench.restart([newKey, oldKey]);
    const from = bench.sandbox.requests().length;
    await pass(20);
    expect(await bench.document()).toMatchObject({ state: 'authorized', secuencial: '000000001' });
    expect(asked(from)).toContain('0001 GET comprobante/consulta');
    expect(asked(from)).toContain('0002 POST factura/emision');
    expect(bench.sandbox.documents()).toHaveLength(1);
  });

  it('a document planned under the old key and not yet sent leaves under the new', async () => {
    await open({ tooManyRequests: { retryAfterSeconds: 60 } });
    expect((await bench.document()).state).toBe('ready');
    bench.restart([newKey, oldKey]);
    const from = bench.sandbox.requests().length;
    await pass(4);
    expect((await bench.document()).state).toBe('authorized');
    expect(asked(from).every((request) => request.startsWith('0002'))).toBe(true);
  });

  it('and what a 409 names of it is read under the new, where nothing of it left before', async () => {
    await open({ tooManyRequests: { retryAfterSeconds: 60 } });
    bench.restart([newKey, oldKey]);
    const { service } = bench.deps;
    // A gateway delivers the POST twice; we read the answer to the second copy.
    bench.deps.service = (...asked) => {
      const calls = service(...asked);
      return {
        ...calls,
        async emitirFactura(body) {
          await calls.emitirFactura(body);
          await bench.decided();
          return calls.emitirFactura(body);
        },
      };
    };
    await pass(6);
    expect(await bench.document()).toMatchObject({ state: 'authorized', secuencial: '000000001' });
    expect(bench.sandbox.documents()).toHaveLength(1);
  });
});

describe('with the old key gone from the config', () => {
  it('"not found" under the new one does not mean unsent: nothing is sent again, and the config is asked for', async () => {
    const slowly = { resultado: 'autorizado', delayMs: 500, times: 1 } as const;
    await open({ status500AfterStoring: true, outcome: slowly });
    bench.restart([newKey]);
    const from = bench.sandbox.requests().length;
    await pass(60);
    expect(await bench.document()).toMatchObject({ state: 'uncertain', code: 'key-gone' });
    expect((await bench.document()).reason).toContain('apiKeys');
    expect(new Set(asked(from))).toEqual(new Set(['0002 GET comprobante/consulta']));
    // Put back, the old key shows what became of it.
    bench.restart([newKey, oldKey]);
    await pass(60);
    expect(await bench.document()).toMatchObject({ state: 'authorized', accessKey: key(), code: null });
    expect(bench.sandbox.documents()).toHaveLength(1);
  });

  it('the event of a document in process settles it without a question', async () => {
    await open();
    bench.restart([newKey]);
    await bench.event(key());
    await bench.run();
    expect((await bench.document()).state).toBe('authorized');
  });

  it('a lost answer with unknown key is repeated under the new one with its number, and never doubled', async () => {
    await open({ dropAnswer: true });
    bench.restart([newKey]);
    await pass(30);
    // The service holds it for the old key: 409, adopted until its XML can be read.
    expect(await bench.document()).toMatchObject({ state: 'processing', accessKey: key(), code: 'key-gone' });
    expect(bench.sandbox.documents()).toHaveLength(1);
    bench.restart([newKey, oldKey]);
    await pass(60);
    expect(await bench.document()).toMatchObject({ state: 'authorized', secuencial: '000000001' });
    expect(bench.sandbox.audit().duplicates).toEqual([]);
  });
});
