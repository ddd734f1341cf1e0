import { describe, expect } from 'vitest';
import type { FaultInput } from '../../sandbox/emulator/index.ts';
import type { JobBench } from '../support/job-bench.ts';
import { is, type Row, type Step, sell, table, webhook } from '../support/job-table.ts';

/** Each API key sees only its own documents: what left under the old one is read and repeated under the old one. */
const oldKey = 'clave-anterior-0001';
const newKey = 'clave-nueva-0002';
const soldUnderOld = (faults: FaultInput[], ...happens: Step[]): Omit<Row, 'ends'> => ({
  ...{ keys: [oldKey], sandbox: { accounts: [{ apiKey: oldKey }, { apiKey: newKey }] }, faults },
  happens: [sell, ...happens],
});
/** A restart with these keys in the config; what was asked before does not count. */
const from = new WeakMap<JobBench, number>();
const restart =
  (...keys: string[]): Step =>
  (bench) => {
    from.set(bench, bench.sandbox.requests().length);
    bench.restart(keys);
  };
/** The requests since, as "0001 POST /api/factura/emision". */
const asked = (bench: JobBench) =>
  bench.sandbox
    .requests()
    .slice(from.get(bench))
    .map(({ key, method, path }) => `${key?.slice(-4)} ${method} ${path.split('/').slice(2, 4).join('/')}`);
const underOnly =
  (key: string): Step =>
  (bench) =>
    expect(new Set(asked(bench).map((one) => one.slice(0, 4)))).toEqual(new Set([key]));
const minutes = (count: number): Step[] => Array(count).fill(1);
const both = restart(newKey, oldKey);
const busy: FaultInput = { tooManyRequests: { retryAfterSeconds: 60 } };
const authorised = { state: 'authorized', secuencial: '000000001', stored: [4] } as const;

describe('with the account under a new name', () => {
  table({
    'a key that stops working pauses it, and what stands under the old name is asked no faster than the probe':
      {
        ...soldUnderOld(
          [],
          (bench) => bench.restart([oldKey], 'renombrada'),
          (bench) => {
            from.set(bench, bench.sandbox.requests().length);
            const refused = { status: 401, operacion: 'consultar_comprobante', times: 2 };
            bench.sandbox.faults.add({ failBeforeStoring: refused });
          },
          2,
          (bench) => expect(asked(bench)).toEqual(['0001 GET comprobante/consulta']),
          async (bench) =>
            expect(await bench.ledger.pauses.list()).toMatchObject([
              { account: 'renombrada', cause: 'api-key' },
            ]),
          ...minutes(3),
          async (bench) => expect(await bench.ledger.pauses.list()).toEqual([]),
        ),
        ends: authorised,
      },
  });
});

describe('with the old key still in the config', () => {
  table({
    'a document in process is asked about, read back and authorised under it; the next one leaves under the new':
      {
        ...soldUnderOld(
          [],
          ...[both, ...minutes(3), is({ state: 'authorized', verification: 'agrees' })],
          (bench) => bench.read('1202'),
          (bench) =>
            expect(asked(bench)).toEqual([
              ...['0001 GET comprobante/consulta', '0001 GET comprobante/xml', '0002 POST factura/emision'],
            ]),
          async (bench) =>
            expect(new Set((await bench.documents()).map(({ keyHash }) => keyHash)).size).toBe(2),
        ),
        ends: { orderId: '1202', secuencial: '000000002' },
      },
    'a lost answer is repeated under it, recognised and adopted: one number, one document': {
      ...soldUnderOld([{ dropAnswer: true }], both, ...minutes(6), underOnly('0001')),
      ends: authorised,
    },
    'a 500 that named a key nobody stored is known unsent, and the number leaves under the new key': {
      ...soldUnderOld([{ failBeforeStoring: 500 }], both, ...minutes(20), (bench) =>
        expect(asked(bench)).toEqual(
          expect.arrayContaining(['0001 GET comprobante/consulta', '0002 POST factura/emision']),
        ),
      ),
      ends: authorised,
    },
    'a document planned under the old key and not yet sent leaves under the new': {
      ...soldUnderOld([busy], is({ state: 'ready' }), both, ...minutes(4), underOnly('0002')),
      ends: authorised,
    },
    'and what a 409 names of it is read under the new, where nothing of it left before': {
      ...soldUnderOld(
        [busy],
        both,
        // A gateway delivers the POST twice; we read the answer to the second copy.
        (bench) => {
          bench.replaceService((calls) => ({
            async emitirFactura(body) {
              await calls.emitirFactura(body);
              await bench.decided();
              return calls.emitirFactura(body);
            },
          }));
        },
        ...minutes(6),
      ),
      ends: authorised,
    },
  });
});

describe('with the old key gone from the config', () => {
  table({
    '"not found" under the new one does not mean unsent: nothing is sent again, and the config is asked for':
      {
        ...soldUnderOld(
          [{ status500AfterStoring: true, outcome: { resultado: 'autorizado', delayMs: 500, times: 1 } }],
          ...[restart(newKey), ...minutes(60)],
          is({ state: 'uncertain', code: 'key-gone', reason: expect.stringContaining('apiKeys') }),
          (bench) => expect(new Set(asked(bench))).toEqual(new Set(['0002 GET comprobante/consulta'])),
          // Put back, the old key shows what became of it.
          ...[both, ...minutes(60)],
        ),
        ends: { ...authorised, keyOf: 0, code: null },
      },
    'the event of a document in process settles it without a question': {
      ...soldUnderOld([], restart(newKey), webhook()),
      ends: { ...authorised, questions: 0 },
    },
    'a lost answer with unknown key is repeated under the new one with its number, and never doubled': {
      // The service holds it for the old key: 409, adopted until its XML can be read.
      ...soldUnderOld(
        [{ dropAnswer: true }],
        ...[restart(newKey), ...minutes(30), is({ state: 'processing', keyOf: 0, code: 'key-gone' })],
        ...[both, ...minutes(60)],
      ),
      ends: authorised,
    },
  });
});
