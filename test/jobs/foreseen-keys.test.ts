import { describe, expect } from 'vitest';
import type { FaultInput } from '../../sandbox/emulator/index.ts';
import { sales, toWooOrder } from '../../sandbox/shops/woocommerce-orders.ts';
import { searchOurs } from '../../src/jobs/requests.ts';
import { foreseeKeys, setKeyDigits } from '../support/foreseen.ts';
import type { JobBench, JobBenchOptions } from '../support/job-bench.ts';
import {
  decide,
  fault,
  is,
  retry,
  type Seen,
  type Step,
  table,
  wait,
  webhook,
} from '../support/job-table.ts';
import { takeNumber } from '../support/taken-number.ts';
import { verifySeries } from '../support/verified-series.ts';

/** A lost answer is asked about under the key it would have named, where the service's free digits are always the same. */
const at = (now = '2026-11-20T15:00:00Z'): JobBenchOptions => {
  const [sale] = sales;
  if (!sale) throw new Error('The demo has no sale.');
  const placed = new Date(Date.parse(now) - 60_000);
  const orders = Array.from({ length: 6 }, (_, n) => toWooOrder({ ...sale, id: 2001 + n }, placed));
  return { now, orders };
};
const sell =
  (...ids: string[]): Step =>
  (bench) =>
    bench.sell(...ids);
/** Not waiting for the authority. */
const read =
  (id: string): Step =>
  (bench) =>
    bench.read(id);
/** The service tells of everything it has decided. */
const report: Step = async (bench) => {
  for (const { claveacceso } of bench.sandbox.documents()) await bench.event(claveacceso);
  await bench.run();
};
/** Sells, and is told that each was authorised under the key it was answered with. */
const authorise =
  (...ids: string[]): Step =>
  async (bench) => {
    await bench.sell(...ids);
    for (const { claveacceso } of bench.sandbox.documents()) await bench.event(claveacceso);
    await bench.run();
    for (const id of ids) expect((await bench.documentOf(id)).state).toBe('authorized');
    bench.advance(1_000);
  };
const two = authorise('2001', '2002');

/** What the service was asked for since: emissions, questions and XML. */
const from = new WeakMap<JobBench, number>();
const mark: Step = (bench) => {
  from.set(bench, bench.sandbox.requests().length);
};
const asked =
  (expected: { emissions?: number; questions?: number; xml?: number }): Step =>
  (bench) => {
    const since = bench.sandbox.requests().slice(from.get(bench));
    const count = (part: string) => since.filter(({ path }) => path.includes(part)).length;
    const seen = { emissions: count('/emision'), questions: count('/consulta/'), xml: count('/xml/') };
    expect(seen).toMatchObject(expected);
  };
/** Of the newest document. */
const foreseen =
  (nth: number | null): Step =>
  async (bench) =>
    expect((await bench.attempts())[0]?.foreseenKey ?? null).toBe(nth === null ? null : bench.key(nth));
const authorised = (nth: number): Seen => ({ state: 'authorized', keyOf: nth });
const third = authorised(2);
const cut: FaultInput = { cutBeforeStoring: { operacion: 'emitir_factura' } };

describe('the key of a document', () => {
  table({
    'is foreseen once two authorised ones had the same free digits, and kept before it leaves': {
      ...at(),
      happens: [
        ...[two, foreseen(null), mark, authorise('2003'), foreseen(2)],
        asked({ emissions: 1, questions: 0 }),
      ],
      ends: third,
    },
    'is not foreseen from what was never authorised': {
      ...at(),
      happens: [sell('2001', '2002', '2003'), sell('2004'), foreseen(null)],
      ends: {},
    },
    'is not foreseen from those of another type': {
      ...at(),
      happens: [two, (bench) => bench.shop.refund('2001', { amount: '10.00' }), sell('2001'), foreseen(null)],
      ends: { kind: 'nota-credito' },
    },
    'is never foreseen from a service whose digits vary': {
      ...{ ...at(), sandbox: { codigoNumerico: 'aleatorio' } },
      happens: [authorise('2001', '2002', '2003'), authorise('2004'), foreseen(null)],
      ends: authorised(3),
    },
  });
});

describe('a lost answer whose key was foreseen', () => {
  table({
    'is settled by one question and its XML, without webhook, wait or repeat': {
      ...{ ...at(), patienceMs: 1_000 },
      happens: [
        ...[two, fault({ delayAnswerMs: 1_500 }), mark, sell('2003')],
        // The second XML is read to compare every field, as of each document.
        asked({ emissions: 1, questions: 1, xml: 2 }),
        async (bench) => expect((await bench.notes()).map(({ cause }) => cause)).toContain('foreseen key'),
      ],
      ends: third,
    },
    'is asked about by the digits that are learned only after it left, also across midnight': {
      ...at('2026-11-21T04:58:00Z'),
      happens: [
        async (bench) => verifySeries(bench),
        ...[fault({ dropAnswer: true }), read('2001'), is({ attempts: ['unknown'] }), foreseen(null)],
        ...[wait(5), sell('2002', '2003'), webhook(1), webhook(2), wait(120)],
        async (bench) => {
          await bench.decided();
          await bench.run();
          const accessKey = bench.key(0);
          const first = { state: 'authorized', issueDate: '2026-11-20', accessKey };
          expect(await bench.documentOf('2001')).toMatchObject(first);
          expect(await bench.attempts((await bench.documentOf('2001')).id)).toHaveLength(1);
        },
      ],
      ends: { stored: [4, 4, 4] },
    },
    'is looked for by digits that were learned since before its number is given up': {
      ...at(),
      happens: [
        ...[fault({ dropAnswer: true }), sell('2001')],
        async (bench) => {
          const found = async () =>
            searchOurs(
              bench.deps,
              { document: await bench.document(), attempts: await bench.attempts() },
              [],
            );
          expect(await found()).toMatchObject({ message: null, verdicts: [] });
          await foreseeKeys(bench);
          expect(await found()).toMatchObject({ verdicts: [{ verdict: 'ours' }] });
        },
      ],
      ends: {},
    },
    'that never arrived is asked about at once and before its repeat, which goes as without': {
      ...at(),
      happens: [
        ...[two, fault({ cutBeforeStoring: { operacion: '*' } }), mark, sell('2003')],
        ...[is({ state: 'uncertain' }), asked({ questions: 1 }), 2],
        ...[is({ attempts: ['unknown', 'created'] }), asked({ questions: 2 }), report],
      ],
      ends: third,
    },
    'is not believed where the XML is of somebody else: the series stops, as after a 409': {
      ...at(),
      happens: [
        ...[two, fault(cut)],
        // Another program takes the number before we ask.
        (bench) => {
          bench.replaceService((calls) => ({
            async consultarComprobante(key) {
              await takeNumber(bench, '000000003');
              await bench.decided();
              return calls.consultarComprobante(key);
            },
          }));
        },
        sell('2003'),
      ],
      ends: { state: 'manual', code: 'number-conflict' },
    },
    'is not called refused for the error that ended an earlier sending under the same key': {
      ...at(),
      happens: [
        ...[two, fault({ outcome: { codigo: 52, times: 1 } }), sell('2003'), report],
        ...[is({ state: 'rejected' }), fault(cut), retry('sent-again'), is({ state: 'uncertain' }), 2, 2],
      ],
      ends: { ...third, attempts: ['error', 'unknown', 'authorized'] },
    },
  });
});

describe('a service whose digits become random in the middle of the day', () => {
  const digits =
    (mode: string): Step =>
    (bench) =>
      setKeyDigits(bench.sandbox, mode);
  table({
    'costs the shortcut: the unexpected key is asked about and compared, nothing is doubled, nobody is alarmed':
      {
        ...at(),
        happens: [
          ...[two, digits('aleatorio'), mark],
          fault({ outcome: { resultado: 'autorizado', enProcesoMs: 60_000, times: 1 } }),
          ...[read('2003'), is({ state: 'uncertain', code: 'key-unexpected', keyOf: 2 })],
          ...[(bench: JobBench) => bench.advance(120_000), decide(0), report],
          ...[is({ ...third, code: null, reason: null }), asked({ emissions: 1 })],
          // From now on as if nobody had ever foreseen a key.
          ...[mark, authorise('2004'), foreseen(null), asked({ emissions: 1, questions: 0 })],
        ],
        ends: { ...authorised(3), alerts: [], stored: [4, 4, 4, 4] },
      },
  });
});
