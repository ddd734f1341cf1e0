import { describe, expect } from 'vitest';
import type { FaultInput } from '../../sandbox/emulator/index.ts';
import {
  decide,
  deny,
  fault,
  is,
  read,
  refund,
  retry,
  type Seen,
  type Step,
  sell,
  show,
  table,
  wait,
  webhook,
} from '../support/job-table.ts';

/** A number leaves twice, with two contents or dates or under one key: what is authorised of it decides. */
const refusedOnce: FaultInput = { outcome: { codigo: 52, times: 1 } };
const dropped: FaultInput = { dropAnswer: { operacion: 'emitir_factura' } };
/** The authority does not authorise the first sending. */
const rejected: readonly Step[] = [fault(refusedOnce), sell, 3, is({ state: 'rejected' })];

describe('what is authorised of two contents under one key is the second, and its refund is not credited again', () => {
  const lessLost = [refund('10.00'), fault(dropped)];
  const rejectedThenLess = [...rejected, ...lessLost, retry('sent-again')];
  /** The service names a key and never knows it; the number leaves again, for less. */
  const unsentThenLess = [fault({ failBeforeStoring: 500 }), sell, 3, 4, ...lessLost, 8, 1];
  const asked = [3, 5, 10, 60, 60];
  const ends: Seen = { kind: 'factura', state: 'authorized', total: '23.75', stored: [4], openAlerts: [] };
  const sent =
    (first: string): Step =>
    async (bench) =>
      expect((await bench.attempts()).slice(0, 2).map(({ outcome, total }) => [outcome, total])).toEqual([
        [first, '33.75'],
        ['authorized', '23.75'],
      ]);
  table({
    'refused and sent again, told by its event': {
      happens: [...rejectedThenLess, webhook(), 1, 5, sent('error')],
      ends,
    },
    'refused and sent again, told when it is asked about': {
      happens: [...rejectedThenLess, ...asked, sent('error')],
      ends,
    },
    'believed unsent, told by its event': {
      happens: [...unsentThenLess, webhook(), 1, 5, sent('unsent')],
      ends,
    },
    'believed unsent, told when it is asked about': {
      happens: [...unsentThenLess, ...asked, sent('unsent')],
      ends,
    },
    'also where only a line is another, and buyer and total are the same': {
      happens: [
        ...rejected,
        (bench) => {
          const order = bench.shop.order('1201');
          const lines = order?.line_items as object[];
          const line_items = lines.map((line) => ({ ...line, name: 'Camiseta corregida' }));
          const date_modified_gmt = bench.clock.now().toISOString().slice(0, 19);
          bench.shop.put({ ...order, line_items, date_modified_gmt });
        },
        ...[read, fault(dropped), retry('sent-again'), ...asked],
        async (bench) => expect((await bench.attempts())[1]?.body).toContain('Camiseta corregida'),
      ],
      ends: { state: 'authorized', attempts: ['error', 'authorized'], openAlerts: [] },
    },
  });
});

describe('what is authorised of two contents is the first, which was believed lost', () => {
  table({
    'it has the total of what was authorised, and the refund gets its nota de crédito': {
      faults: [
        { status500AfterStoring: true },
        { outcome: { resultado: 'autorizado', enProcesoMs: 3_600_000, times: 1 } },
      ],
      happens: [
        ...[read, deny, wait(3, 5), refund('10.00'), decide(), wait(10), show, wait(5, 10)],
        async (bench) => {
          const [factura, credit] = await bench.documents();
          expect([factura?.state, factura?.total, credit?.kind]).toEqual([
            'authorized',
            '33.75',
            'nota-credito',
          ]);
          const sent = await bench.attempts(factura?.id);
          expect(sent.map(({ outcome, total }) => [outcome, total])).toEqual([
            ['authorized', '33.75'],
            ['unsent', '23.75'],
          ]);
        },
      ],
      ends: { kind: 'nota-credito' },
    },
  });
});
