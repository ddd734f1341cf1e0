import { describe, expect } from 'vitest';
import type { FaultInput } from '../../sandbox/emulator/index.ts';
import type { JobBench } from '../support/job-bench.ts';
import {
  decide,
  deny,
  fault,
  is,
  type Row,
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
const slowly: FaultInput = { outcome: { resultado: 'autorizado', enProcesoMs: 600_000, times: 1 } };
const dropped: FaultInput = { dropAnswer: { operacion: 'emitir_factura' } };
const cut: FaultInput = { cutBeforeStoring: { operacion: 'emitir_factura' } };
/** The authority does not authorise the first sending. */
const rejected: readonly Step[] = [fault(refusedOnce), sell, 3, is({ state: 'rejected' })];

describe('the authority refused a sending, and the answer to the corrected one is lost', () => {
  const again = (codigoNumerico: 'fijo' | 'aleatorio', lost: FaultInput): Row => ({
    sandbox: { codigoNumerico },
    happens: [...rejected, fault(lost), retry('sent-again'), ...[3, 5, 10, 15]],
    ends: { state: 'authorized', secuencial: '000000001' },
  });
  table({
    'nothing arrived: the number leaves once more where nobody knows it': again('fijo', cut),
    'nothing arrived, and keys vary: the same': again('aleatorio', cut),
    'it was stored: it is found, and no person is needed': again('fijo', dropped),
    'stored under a key that nobody named: its repeat is refused as 45, and it is for a person': {
      sandbox: { codigoNumerico: 'aleatorio' },
      happens: [...rejected, fault(dropped), retry('sent-again'), ...[3, 5, 10, 15, 60, 60, 60]],
      ends: { state: 'manual', code: 'number-registered', stored: [6, 4, 5] },
    },
  });
});

/** A corrected document leaves on the same day under the key of the one before it (assumption A14). */
describe('a corrected document under the key that was refused', () => {
  const corrected = [...rejected, fault(slowly), retry('sent-again'), is({ attempts: ['error', 'created'] })];
  const firstEnd = {
    ...{ evento: 'comprobante.error', estado: 6, autorizado: false, requiere_correccion: true },
    errores: [{ identificador: '52', mensaje: 'ERROR EN DIFERENCIAS' }],
  };
  /** What the product believed before it asked: both ended. */
  const endBoth: Step = async ({ ledger, clock, document, attempts }) => {
    const { id } = await document();
    const [, second] = await attempts();
    const ended = { outcome: 'error' as const, errors: ['52 ERROR EN DIFERENCIAS'], now: clock.now() };
    await ledger.attempts.end(second?.id ?? '', ended);
    await ledger.documents.move(id, { from: ['processing'], to: 'rejected', now: clock.now() });
    await ledger.jobs.forget('follow-up', id);
  };
  const named = (minutes: number): Row => ({
    happens: [
      ...[...corrected, endBoth, (bench: JobBench) => bench.sandbox.clock.step(minutes * 60_000)],
      ...[retry('sent-again'), is({ state: 'processing', posts: [200, 200, 409] }), decide(20), 60],
    ],
    ends: { state: 'authorized', keyOf: 0, reason: null },
  });
  table({
    'is not spoilt by the late event of the first end, which is asked about': {
      happens: [
        ...[...corrected, is({ questions: 1 }), webhook(0, firstEnd)],
        ...[is({ state: 'processing', questions: 2 }), decide(20), 60],
      ],
      ends: { state: 'authorized', keyOf: 0, stored: [4] },
    },
    'is asked about where a 409 names it: authorised by now, it is never called rejected': named(20),
    'is asked about where a 409 names it: still with the authority, it is never called rejected': named(0),
  });
});

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

describe('a POST that a gateway delivers twice, handing on the 409 to its second copy', () => {
  const twice: Step = (bench) => {
    const end = bench.replaceService((calls) => ({
      async emitirFactura(body) {
        end();
        await calls.emitirFactura(body);
        return calls.emitirFactura(body);
      },
    }));
  };
  const ends: Seen = { state: 'authorized', isStopped: false, alerts: [] };
  const unread = is({ state: 'uncertain', code: 'key-unexpected', attempts: ['unknown'] });
  table({
    'is ours by itself once its XML can be read, and no number of the series leaves before': {
      happens: [
        ...[fault(slowly), twice, read, unread, is({ isStopped: true })],
        ...[wait(3), unread, decide(20), wait(10), is({ posts: [200, 409] })],
      ],
      ends: { ...ends, stored: [4] },
    },
    'does not stop a series of which a number was authorised before': {
      happens: [
        ...[
          (bench: JobBench) => bench.sell('1203'),
          3,
          fault(slowly),
          twice,
          read,
          unread,
          is({ isStopped: false }),
        ],
        ...[decide(20), wait(10)],
      ],
      ends: { ...ends, stored: [4, 4] },
    },
    'is ours by its event, however long its XML cannot be read': {
      happens: [...[fault(slowly), twice, read, wait(60, 60, 60, 60), unread, decide(20), webhook()]],
      ends,
    },
  });
});
