import { describe, expect } from 'vitest';
import type { FaultInput } from '../../sandbox/emulator/index.ts';
import { is, type Row, read, retry, type Step, sell, table } from '../support/job-table.ts';
import { raiseSeries, takeNumber } from '../support/taken-number.ts';

/** A person fixed the cause and retries: never twice what may exist at the authority. */
const byCedula =
  (value: string): Step =>
  ({ shop, clock, advance }) => {
    advance(60_000);
    const meta_data = [{ id: 1, key: '_billing_cedula', value }];
    const date_modified_gmt = clock.now().toISOString().slice(0, 19);
    shop.put({ ...shop.order('1201'), total: '33.75', meta_data, date_modified_gmt });
  };

describe('asking for a document again', () => {
  const again = (refused: FaultInput): Row => ({
    faults: [refused],
    happens: [
      ...[sell, 5, is({ state: 'rejected' }), retry('sent-again'), 5],
      async (bench) => expect(await bench.notes()).toContainEqual({ cause: 'retry', by: 'ana@conector' }),
    ],
    ends: { state: 'authorized', secuencial: '000000001', reason: null, stored: [4] },
  });
  table({
    'one the authority rejected leaves under its own number, and is authorised': again({
      outcome: { codigo: 52, times: 1 },
    }),
    'one the service refused leaves under its own number, and is authorised': again({
      failBeforeStoring: 400,
    }),
    'one whose number another document has is replaced by one with a new number': {
      happens: [
        ...[takeNumber, sell, is({ state: 'manual', code: 'number-conflict' }), raiseSeries],
        ...[retry('replaced'), 5],
        async (bench) =>
          expect((await bench.documents()).map(({ state, secuencial }) => [state, secuencial])).toEqual([
            ['cancelled', '000000001'],
            ['authorized', '000000050'],
          ]),
      ],
      ends: { state: 'authorized' },
    },
    'one that is on its way or done changes nothing': {
      happens: [read, retry('nothing'), 5, is({ state: 'authorized' }), retry('nothing')],
      ends: { state: 'authorized', posts: [200] },
    },
    'a held one has its order read again': {
      happens: [
        ...[byCedula('1710034066'), read],
        is({ state: 'held', code: 'buyer-id-wrong', secuencial: null, writtenBack: 'held' }),
        ...[byCedula('1710034065'), retry('looked-again'), 5],
      ],
      ends: { state: 'authorized', secuencial: '000000001' },
    },
  });
});
