import { describe, expect } from 'vitest';
import type { FaultInput } from '../../sandbox/emulator/index.ts';
import { documentNumber } from '../../src/domain/document.ts';
import { readEmission } from '../../src/service/calls/documents.ts';
import type { JobBench } from '../support/job-bench.ts';
import {
  decide,
  fault,
  hours,
  is,
  type Row,
  read,
  retry,
  type Step,
  sell,
  table,
  until,
  verified,
  wait,
  webhook,
} from '../support/job-table.ts';
import { takeNumber } from '../support/taken-number.ts';

/** Rows of "When things fail" that a single paid order can meet. */
const refused = (codigo: number): FaultInput => ({ outcome: { codigo, times: 1 } });
const slowly: FaultInput = { outcome: { resultado: 'autorizado', enProcesoMs: 3_600_000, times: 1 } };
const questions = (bench: JobBench) => bench.requests('/consulta/').length;

describe('an emission that is answered', () => {
  table({
    'created: processing with its key, then authorised by a question though no webhook ever came': {
      happens: [sell, is({ state: 'processing', secuencial: '000000001' }), 3],
      ends: { state: 'authorized', writtenBack: 'authorized', keyOf: 0 },
    },
    'created and then not authorised: rejected with the authority’s words, once, and shown on the order': {
      faults: [refused(52)],
      happens: [
        ...[sell, 3, read],
        (bench) => expect(bench.shop.notes('1201').filter((note) => !note.customer_note)).toHaveLength(1),
      ],
      ends: { state: 'rejected', reason: expect.stringContaining('no autorizó'), posts: [200] },
    },
    'creado:false: rejected with the service’s own words, keeping its number': {
      faults: [{ failBeforeStoring: 200 }],
      happens: [sell],
      ends: {
        ...{ state: 'rejected', code: 'refused', secuencial: '000000001', writtenBack: 'rejected' },
        reason: expect.stringContaining('Error interno del servidor.'),
      },
    },
    'in process for hours: asked slower and slower': {
      faults: [{ outcome: { resultado: 'en_proceso', times: 1 } }],
      happens: [
        ...[read, wait(60, 60, 60, 60, 60, 60)],
        (bench) => expect(questions(bench)).toBeGreaterThan(4),
        (bench) => expect(questions(bench)).toBeLessThan(20),
      ],
      ends: { state: 'processing', posts: [200] },
    },
    'with the number of another issuer system: its series stops, no more numbers are used, a person is told':
      {
        happens: [
          ...[takeNumber, sell],
          // The stop of a trial must not read like production's.
          is({
            state: 'manual',
            code: 'number-conflict',
            reason: expect.stringContaining('ambiente 1 (pruebas)'),
          }),
          async (bench) =>
            expect(await bench.ledger.alerts.open()).toContainEqual(
              expect.objectContaining({
                ...{ code: 'series-stopped', subject: expect.stringContaining('pruebas') },
                what: expect.stringContaining((await bench.document()).reason ?? '?'),
              }),
            ),
          (bench) => bench.read('1203'),
        ],
        ends: { orderId: '1203', state: 'held', code: 'series-stopped', posts: [200, 409] },
      },
    'made yesterday, it leaves with the date of today and its own number': {
      ...{ now: '2026-11-21T04:59:50Z', sandbox: { accounts: [{ apiKey: 'otra' }] } },
      happens: [
        ...[sell, is({ state: 'ready', secuencial: '000000001' })],
        (bench) => void bench.sandbox.addAccount({ apiKey: 'clave-1' }),
        6,
        (bench) => expect(bench.sandbox.documents()[0]).toMatchObject({ fechaEmision: '2026/11/21' }),
        async (bench) => expect(documentNumber(await bench.document())).toBe('001-001-000000001'),
      ],
      ends: { state: 'processing', issueDate: '2026-11-21' },
    },
  });
});

const settledByWebhook = (lost: FaultInput, patienceMs = 10_000): Row => ({
  patienceMs,
  faults: [lost],
  happens: [sell, is({ state: 'uncertain', accessKey: null }), webhook()],
  ends: { state: 'authorized', posts: [expect.any(Number)] },
});
const random = { sandbox: { codigoNumerico: 'aleatorio' } } as const;

describe('an answer that is lost', () => {
  table({
    'as an HTML page: settled by the webhook, never sent twice': settledByWebhook({ htmlAnswer: true }),
    'as slower than our patience: settled by the webhook, never sent twice': settledByWebhook(
      { delayAnswerMs: 2_000 },
      400,
    ),
    'with the webhook lost too: the same number is repeated, answered 409, recognised and adopted': {
      faults: [{ dropAnswer: true }],
      happens: [sell, async (bench) => expect(await bench.wait(1)).toEqual([]), 2, 3],
      ends: { state: 'authorized', secuencial: '000000001', posts: [0, 409], stored: [4] },
    },
    'as a 500 with a key that was stored: asked by that key': {
      faults: [{ status500AfterStoring: true }],
      happens: [sell, 3],
      ends: { state: 'authorized', posts: [500] },
    },
    'as a 500 with a key nobody stored: once known unsent, the same number leaves again': {
      faults: [{ failBeforeStoring: 500 }],
      happens: [sell, 3, 3, 3, is({ state: 'uncertain' }), 3, 3, 3],
      ends: { state: 'authorized', secuencial: '000000001', stored: [4] },
    },
    'whose repeat is refused as 45 and whose own key never comes to light: a person, and no circles': {
      ...random,
      faults: [{ dropAnswer: true }],
      happens: [verified, sell, hours(4), (bench) => expect(questions(bench)).toBeLessThan(10)],
      ends: { state: 'manual', code: 'number-registered', writtenBack: 'manual', jobsLeft: 0 },
    },
    'whose repeat the service refuses: a person, told that the first one may stand; never sent again': {
      ...random,
      faults: [{ dropAnswer: true }],
      happens: [
        ...[sell, fault({ failBeforeStoring: 400 }), 3],
        is({
          state: 'manual',
          reason: expect.stringMatching(/ese sí pudo ser autorizado.*facturapuente adopt/),
        }),
        retry('refused', 'facturapuente adopt'),
      ],
      ends: { state: 'manual', stored: [4] },
    },
    'whose key an event names in the breath of its repeat, still with the authority: asked to its end': {
      faults: [{ brokenJson: true }, refused(70)],
      happens: [
        ...[sell, is({ state: 'uncertain' }), (bench: JobBench) => bench.advance(180_000), webhook()],
        ...[is({ jobsLeft: 1 }), ...Array(30).fill(60)],
      ],
      ends: { state: 'authorized', stored: [4] },
    },
    'adopted by its 409 and then not authorised: rejected, and asked about no more': {
      faults: [{ dropAnswer: true }, { outcome: { codigo: 52, times: 1, enProcesoMs: 3_600_000 } }],
      happens: [
        ...[read, wait(3), is({ state: 'processing' }), decide(), hours(4)],
        (bench) => expect(questions(bench)).toBeLessThan(10),
      ],
      ends: { state: 'rejected' },
    },
  });
});

/** Nothing of ours arrived; another program used the number, and the authority takes its time: our 409 names its key. */
const namesAnother: readonly Step[] = [
  ...[sell, fault(slowly), takeNumber, wait(3), is({ state: 'processing', posts: [0, 200, 409] }), decide()],
];
const cut: FaultInput = { cutBeforeStoring: { operacion: 'emitir_factura' } };

describe('a 409 that names somebody else’s document while it is in process', () => {
  const ends = { state: 'manual', code: 'number-conflict', writtenBack: 'manual' } as const;
  table({
    'is not believed when its webhook tells that it was authorised': {
      faults: [cut],
      happens: [...namesAnother, webhook()],
      ends,
    },
    'is not believed when a question tells so': { faults: [cut], happens: [...namesAnother, 10], ends },
  });
});

/** The first emission, stored where `stored`, is answered with this body (`key` stands for its key). */
const answered =
  (status: number, body: object, stored = false): Step =>
  (bench) => {
    const end = bench.replaceService((calls) => ({
      async emitirFactura(sent) {
        end();
        if (stored) await calls.emitirFactura(sent);
        const text = JSON.stringify(body).replace('"key"', `"${bench.key()}"`);
        return readEmission({ status, text, date: null }, '01', String(sent));
      },
    }));
  };

/** The authority's schema errors quote the document; people who may not see buyers read reasons, alerts and bundles. */
const quoting =
  "Value 'LUCÍA CEVALLOS MORA' of razonSocial, 1710034065, lucia@example.ec, 0987654321, Calle Loja 123";
const namesBuyer = /luc[ií]a|cevallos|1710034065|0987654321|loja/i;
const keepsNoBuyer: Step = async (bench) => {
  const kept = [await bench.document(), await bench.ledger.alerts.open(), await bench.notes()];
  const errors = (await bench.attempts()).map((one) => one.errors);
  expect(JSON.stringify([kept, errors])).not.toMatch(namesBuyer);
};

describe('words of the service that quote the buyer are kept without him', () => {
  table({
    'in a refusal': {
      happens: [answered(400, { creado: false, errors: [`XML: ${quoting}`] }), sell, keepsNoBuyer],
      ends: {
        state: 'rejected',
        reason: expect.stringContaining("XML: Value '… … …' of razonSocial, …, …@….ec, …, … … 123"),
        openAlerts: ['document-rejected'],
      },
    },
    'in a failure whose outcome is unknown': {
      happens: [answered(500, { respuesta: false, error: quoting }), sell, keepsNoBuyer],
      ends: { state: 'uncertain', reason: expect.stringContaining("Dijo: Value '… … …' of razonSocial") },
    },
    'in an event that it was not authorised': {
      faults: [{ outcome: { resultado: 'en_proceso', times: 1 } }],
      happens: [
        read,
        webhook(0, {
          evento: 'comprobante.error',
          errores: [
            {
              identificador: '52',
              mensaje: 'ERROR EN DIFERENCIAS',
              informacionAdicional: 'LUCIA CEVALLOS MORA, Calle Loja',
            },
          ],
        }),
        keepsNoBuyer,
      ],
      ends: { state: 'rejected', reason: expect.stringContaining('52 ERROR EN DIFERENCIAS … … …, … …') },
    },
  });
});

/** In the shapes of a public description and of an older interface. */
describe('an answer in other words', () => {
  const accounts = [{ apiKey: 'clave-1', providerApproved: true, credits: 10 }];
  table({
    'of a failure: an unknown outcome whose words the merchant reads': {
      happens: [
        ...[answered(500, { respuesta: false, error: 'Error al firmar el comprobante.' }), sell],
        is({
          ...{ state: 'uncertain', code: 'answer-lost' },
          reason:
            'El servicio respondió con un error y no dice si recibió la factura; se averigua. Dijo: Error al firmar el comprobante.',
        }),
        ...[3, 3, 3],
      ],
      ends: { state: 'authorized', reason: null },
    },
    'of a duplicate without a 409: never rejected, and ours as soon as its XML says so': {
      happens: [
        answered(200, { creado: 'false', claveacceso: 'key', errors: 'Clave de acceso registrada' }, true),
        ...[sell, webhook()],
      ],
      ends: { state: 'authorized', secuencial: '000000001' },
    },
    'of a duplicate without a 409, after a lost answer: recognised and adopted': {
      happens: [
        ...[answered(502, '<html>' as never, true), sell, is({ state: 'uncertain' })],
        answered(200, { creado: 'false', claveacceso: 'key', errors: 'Clave de acceso registrada' }),
        ...[3, is({ attempts: ['adopted', 'unsent'] }), 3],
      ],
      ends: { state: 'authorized', secuencial: '000000001', posts: [200], stored: [4] },
    },
    'of used-up credits: nothing is rejected, the account is paused and goes on': {
      ...{ ambiente: 2, sandbox: { accounts } },
      happens: [
        answered(200, { creado: 'false', errors: 'Sin saldo / comprobantes disponibles' }),
        ...[sell, is({ state: 'ready', alerts: ['account-credits'] }), 6, 3],
      ],
      ends: { state: 'authorized', secuencial: '000000001' },
    },
    'of a refused key, without a 401: the account is paused, and no document is rejected': {
      happens: [answered(200, { creado: 'false', errors: 'Api_key No existe' }), sell],
      ends: { state: 'ready', alerts: ['account-api-key'] },
    },
  });
});

/** Loses two sendings, one on each side of midnight. */
const acrossMidnight = (first: FaultInput, second: FaultInput, ...told: Step[]): Row => ({
  now: '2026-11-21T04:59:30Z',
  faults: [first],
  happens: [
    ...[sell, is({ issueDate: '2026-11-20' }), fault(second)],
    async (bench) => {
      for (let turn = 0; turn < 60 && (await bench.outcomes()).length < 2; turn += 1) await bench.pass(5);
    },
    ...[...told, until('authorized'), 5],
  ],
  ends: {
    ...{ state: 'authorized', secuencial: '000000001', verification: 'agrees', stored: [4] },
    issueDate: first === stored ? '2026-11-20' : '2026-11-21',
  },
});
const stored: FaultInput = { dropAnswer: { times: 1 } };
const notStored: FaultInput = { cutBeforeStoring: { operacion: '*', times: 1 } };

describe('a number whose answers are lost on both sides of midnight left with two dates; it keeps that of its key', () => {
  table({
    // The repeats of the new day have another key: no 409 names the one of the day before.
    'where the first is stored, told by its webhook': acrossMidnight(stored, notStored, webhook()),
    'where the second is stored, told by its 409': acrossMidnight(notStored, stored),
    'where the second is stored, told by its webhook': acrossMidnight(notStored, stored, webhook()),
  });
});

/** The service takes today's date only, by its own clock, which is so far ahead of ours. */
const apart = (now: string, ms: number) => {
  let clock = () => new Date(now);
  const service = { aheadMs: ms };
  const follow: Step = (bench) => {
    clock = bench.clock.now;
  };
  const sandbox = { now: () => new Date(clock().getTime() + service.aheadMs) };
  return { options: { now, sandbox }, follow, service };
};
const atMidnight = (now: string, ms: number, withinMs: number): Row => {
  const { options, follow } = apart(now, ms);
  return {
    ...options,
    happens: [
      ...[follow, sell, is({ state: 'ready', secuencial: '000000001' })],
      (bench) => bench.wait(...Array(withinMs / 1_000).fill(1 / 60)),
      (bench) => expect(bench.posts().length).toBeLessThanOrEqual(6),
      (bench) => expect(bench.sandbox.documents()[0]).toMatchObject({ fechaEmision: '2026/11/21' }),
    ],
    ends: { state: 'processing', alerts: [] },
  };
};
const allDay = (ms: number): Row => {
  const { options, follow, service } = apart('2026-11-20T15:00:00Z', ms);
  return {
    ...options,
    happens: [
      ...[follow, sell, wait(...Array(60).fill(1))],
      is({ state: 'ready', secuencial: '000000001', posts: [200], alerts: ['account-clock'] }),
      () => Object.assign(service, { aheadMs: 0 }),
      wait(15),
    ],
    ends: { state: 'processing', alerts: ['account-clock', 'account-clock over'] },
  };
};

describe('what a service refuses for its date, since its clock is not ours, is nobody’s fault', () => {
  const minute = 60_000;
  table({
    '3 s ahead at midnight: it leaves again by itself, a few times at most': atMidnight(
      ...(['2026-11-21T04:59:58Z', 3_000, 2_000] as const),
    ),
    '4 minutes ahead at midnight: the same': atMidnight('2026-11-21T04:56:30Z', 4 * minute, 4 * minute),
    '3 s behind at midnight: the same': atMidnight('2026-11-21T05:00:01Z', -3_000, 5_000),
    '4 minutes behind at midnight: the same': atMidnight('2026-11-21T05:00:30Z', -4 * minute, 5 * minute),
    'a day ahead: the account rests with an alert about the clock, until it is right': allDay(1_440 * minute),
    'hours behind: the same': allDay(-660 * minute),
  });
});
