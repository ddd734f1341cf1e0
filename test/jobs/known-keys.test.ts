import { describe, expect } from 'vitest';
import type { FaultInput } from '../../sandbox/emulator/index.ts';
import {
  decide,
  deny,
  fault,
  is,
  type Row,
  read,
  retry,
  type Seen,
  type Step,
  sell,
  show,
  table,
  wait,
  webhook,
} from '../support/job-table.ts';
import { raiseSeries } from '../support/taken-number.ts';

/** A key is known, from a 500, a 409 or an event, and the service does not show it: when that is believed, and what follows. */
const slowly: FaultInput = { outcome: { resultado: 'autorizado', enProcesoMs: 3_600_000, times: 1 } };
const page: FaultInput = { htmlAnswer: { status: 404, operacion: 'consultar_comprobante', times: 3 } };
const anotherBuyer: FaultInput = { spoilXml: { campo: 'identificacionComprador', valor: '1790016919001' } };
/** Whatever was believed in between: one factura, the one that was sent first, and a series that goes on. */
const isTheFirst: Seen = { state: 'authorized', keyOf: 0, reason: null, stored: [4], isStopped: false };

describe('a key the service named in a 500', () => {
  const faults: FaultInput[] = [{ status500AfterStoring: true }, slowly];
  const notGivenUp = (...waits: number[]): Row => ({
    faults,
    happens: [
      ...[read, deny, wait(...waits), is({ state: 'uncertain', keyOf: 0 })],
      ...[show, decide(), wait(20), is({ posts: [500] })],
    ],
    ends: isTheFirst,
  });
  table({
    'a gateway’s page says nothing of it: it is asked about again, and nothing leaves twice': {
      faults: [...faults, page],
      happens: [
        ...[read, wait(3, 5, 10), is({ state: 'uncertain', keyOf: 0 })],
        ...[decide(), wait(20), is({ posts: [500] })],
      ],
      ends: isTheFirst,
    },
    'is not given up for one answer': notGivenUp(3),
    'is not given up for two answers': notGivenUp(3, 5),
    'is not given up for many answers within a breath': notGivenUp(3, 0, 0, 0, 1),
    'counts again from zero once the service has shown it': {
      faults,
      happens: [read, deny, wait(3, 5), show, wait(10), deny, wait(20)],
      ends: { state: 'uncertain' },
    },
    'is given up after three answers over ten minutes, and stays known: the 409 leads back to it': {
      faults,
      happens: [
        ...[read, deny, wait(3, 5), decide(), wait(10)],
        ...[is({ posts: [500, 409], attempts: ['adopted', 'unsent'] }), show, wait(3)],
      ],
      ends: isTheFirst,
    },
  });
});

/** The answer is lost, and the repeat's 409 names the key of what is stored, still with the authority. */
const adopted: readonly Step[] = [
  ...[fault({ dropAnswer: true }, slowly), read, wait(3), is({ attempts: ['adopted', 'unsent'] })],
];
/** Hours in which every webhook is lost and the service denies the key: a person decides, and the series goes on. */
const denied: readonly Step[] = [
  ...[
    ...adopted,
    deny,
    wait(3, 5, 10, 60, 60),
    is({ state: 'manual', code: 'key-unknown', isStopped: false }),
  ],
];

describe('a key a 409 named for our number', () => {
  table({
    'a gateway’s page does not give it up': {
      happens: [...adopted, fault(page), wait(3, 5, 10), is({ state: 'processing' }), decide(), wait(30)],
      ends: isTheFirst,
    },
    'is ours by its authorised XML, however often the service says that it does not know it': {
      happens: [
        ...[...adopted, decide(), deny, wait(3, 5, 10, 30), is({ state: 'processing' }), show, wait(60)],
      ],
      ends: isTheFirst,
    },
    'that is denied for hours is for a person, and still ours once an event says it is authorised': {
      happens: [
        ...[...denied, is({ reason: expect.stringMatching(/facturapuente adopt \S+ CLAVE/) })],
        ...[show, decide(), webhook(), is({ posts: [0, 409] })],
      ],
      ends: isTheFirst,
    },
    'is somebody else’s after all: the series a person has fixed does not stop again': {
      happens: [
        ...[...denied, raiseSeries, retry('refused'), show, decide(), fault(anotherBuyer), webhook()],
      ],
      ends: { state: 'manual', isStopped: false },
    },
  });
});

describe('a key of our own POST, created, that the service denies since', () => {
  const forgotten = [fault(slowly), read, deny];
  table({
    'is asked about for a day, and shown again it is ours': {
      happens: [
        ...forgotten,
        wait(...Array(23).fill(60)),
        is({ state: 'processing' }),
        show,
        decide(),
        wait(60),
      ],
      ends: isTheFirst,
    },
    'is for a person after a day, who may answer for a new number': {
      happens: [
        ...[...forgotten, wait(...Array(26).fill(60))],
        is({
          ...{ state: 'manual', code: 'key-unknown', posts: [200] },
          reason: expect.stringMatching(/que no la conoce.*adopt \S+ CLAVE.*new-number/),
        }),
        ...[retry('refused', 'new-number'), retry('replaced', '', true)],
        async (bench) =>
          expect(
            (await bench.documents()).map(({ state, code, secuencial }) => [state, code, secuencial]).at(-1),
          ).toEqual(['processing', null, '000000002']),
      ],
      ends: {},
      isConfirmed: true,
    },
  });
});

describe('the authorisation of a document that was dropped', () => {
  const drop: Step = async ({ ledger, clock, document }) => {
    await ledger.documents.move((await document()).id, {
      from: ['manual'],
      to: 'cancelled',
      now: clock.now(),
    });
  };
  table({
    'is an alert: there may be two facturas now': {
      happens: [
        ...[...denied, drop, show, decide(), webhook()],
        async (bench) =>
          expect(await bench.ledger.alerts.open()).toContainEqual(
            expect.objectContaining({
              ...{ code: 'dropped-authorized', subject: (await bench.document()).id },
              what: expect.stringContaining('001-001-000000001'),
            }),
          ),
      ],
      ends: { state: 'cancelled' },
    },
  });
});

describe('a key of which an event told first', () => {
  const random = { sandbox: { codigoNumerico: 'aleatorio' } } as const;
  table({
    'is given up after some tries where it is never shown': {
      ...random,
      happens: [
        ...[fault({ dropAnswer: true }), sell],
        async (bench) => {
          let asked = 0;
          bench.replaceService(() => ({
            async consultarComprobante() {
              asked += 1;
              return { kind: 'not-found' };
            },
          }));
          await bench.webhook();
          await bench.wait(...Array(15).fill(1 / 60));
          expect(asked).toBe(11);
        },
      ],
      ends: { jobsLeft: 1 },
    },
  });
});

/** 45: the authority has the number. Before a person is asked which document has it, every key we know is. */
describe('45 to the document of the second day, while that of the first', () => {
  /** The first day ends with an error; the service's own panel has its key reprocessed, and no event comes. */
  const reprocessedElsewhere: Step = async (bench) => {
    await fetch(`${bench.sandbox.url}/api/comprobante/reprocesar`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': 'clave-1' },
      body: JSON.stringify({ claveacceso: bench.key() }),
    });
    bench.setTime('2026-11-21T05:10:00Z');
  };
  const first = [fault({ outcome: { codigo: 50, times: 1 } }), sell, 3, is({ attempts: ['error'] })];
  const on = (codigoNumerico: 'fijo' | 'aleatorio', ...happens: Step[]): Row => ({
    ...{ now: '2026-11-21T04:50:00Z', sandbox: { codigoNumerico } },
    happens,
    // On another day the key is another one in both modes.
    ends: { ...isTheFirst, stored: [4, 5], attempts: ['authorized', 'error'], openAlerts: [] },
  });
  const taken = {
    ...{ evento: 'comprobante.error', estado: 5, autorizado: false, requiere_correccion: true },
    errores: [{ identificador: '45', mensaje: 'SECUENCIAL REGISTRADO' }],
  };
  table({
    'is authorised finds it under its known key': on(
      'fijo',
      ...first,
      reprocessedElsewhere,
      0,
      60,
      60,
      60,
      60,
    ),
    'is still with the authority waits': {
      ...{ now: '2026-11-21T04:50:00Z', sandbox: { codigoNumerico: 'aleatorio' } },
      happens: [...first, fault(slowly), reprocessedElsewhere, wait(0), webhook(1, taken)],
      ends: { state: 'processing' },
    },
    'is not there: a person, when no key of ours is authorised': {
      sandbox: { codigoNumerico: 'aleatorio' },
      faults: [{ outcome: { codigo: 45, times: 1 } }],
      happens: [sell, 60],
      ends: { state: 'manual', code: 'number-registered', posts: [200], reprocesses: 0 },
    },
  });
});
