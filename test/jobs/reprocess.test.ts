import { describe, expect } from 'vitest';
import type { FaultInput } from '../../sandbox/emulator/index.ts';
import { namedKey } from '../../src/jobs/load-state.ts';
import { reprocessByHand } from '../../src/jobs/retry.ts';
import { runProtocol } from '../../src/jobs/run-protocol.ts';
import { mayBeReprocessed } from '../../src/jobs/sentences.ts';
import type { JobBench } from '../support/job-bench.ts';
import { hours, is, type Row, type Step, sell, table, wait, webhook } from '../support/job-table.ts';

/** An error whose cause lies outside the document is resolved by reprocessing the same key, once the cause is gone. */
/** Just after midnight in Ecuador, so that a day's waits stay within the day. */
const early = '2026-11-20T05:05:00Z';
const once = (codigo: number): FaultInput => ({ outcome: { codigo, times: 1 } });
const always = (codigo: number): FaultInput => ({ outcome: { codigo } });
const reprocesses = (bench: JobBench) => bench.requests('/reprocesar').length;

describe('an error whose cause lies outside the document', () => {
  const resolved = (codigo: number): Row => ({
    now: early,
    faults: [once(codigo)],
    happens: [
      ...[sell, webhook()],
      is({
        ...{ state: 'processing', code: 'reprocess', writtenBack: null },
        reason: expect.stringMatching(/todavía no autoriza.*Se intentará de nuevo\.$/),
      }),
      ...[14, is({ reprocesses: 0 }), 1, webhook()],
    ],
    ends: { state: 'authorized', keyOf: 0, reason: null, posts: [200], reprocesses: 1, stored: [4] },
  });
  table({
    'of the issuer (39): waits, is reprocessed under the same key and authorised': resolved(39),
    'of the authority (50): waits, is reprocessed under the same key and authorised': resolved(50),
    'that stays is reprocessed five times, more and more rarely, then rejected with what to fix': {
      now: early,
      faults: [always(39)],
      happens: [
        sell,
        async (bench) => {
          const at: number[] = [];
          for (let quarter = 0; quarter < 23 * 4; quarter += 1) {
            const before = reprocesses(bench);
            await bench.pass(15);
            if (reprocesses(bench) > before) at.push(quarter);
          }
          const gaps = at.slice(1).map((quarter, n) => quarter - (at[n] ?? 0));
          expect(gaps).toHaveLength(4);
          expect(gaps).toEqual([...gaps].sort((a, b) => a - b));
        },
        is({
          ...{ state: 'rejected', writtenBack: 'rejected', secuencial: '000000001' },
          reason: expect.stringMatching(/39 FIRMA INV.*Suba la firma electrónica vigente/),
        }),
        hours(24),
      ],
      ends: { state: 'rejected', posts: [200], reprocesses: 5, jobsLeft: 0 },
    },
    'and the day of the document is over: the same number sent again with today’s date': {
      now: '2026-11-21T04:50:00Z',
      faults: [once(39)],
      happens: [sell, webhook(), hours(1)],
      ends: {
        ...{ state: 'authorized', secuencial: '000000001', issueDate: '2026-11-21' },
        ...{ posts: [200, 200], reprocesses: 0, stored: [6, 4] },
      },
    },
  });
});

describe('a document the authority has already', () => {
  table({
    '43, under this very key: the key is reprocessed, never a number burnt; what stays is for a person': {
      now: early,
      faults: [always(43)],
      happens: [sell, webhook(), is({ state: 'processing', code: 'number-registered' }), hours(24)],
      ends: { state: 'manual', code: 'number-registered', posts: [200], reprocesses: 5 },
    },
    '70, still in process: neither sent nor reprocessed for a day, then reprocessed': {
      now: early,
      faults: [once(70)],
      happens: [...[sell, webhook(), hours(23), is({ state: 'processing', reprocesses: 0 }), hours(4)]],
      ends: { state: 'authorized', keyOf: 0, posts: [200], reprocesses: 1 },
    },
  });
});

describe('a 409 that names our own key, known to be rejected', () => {
  /** A person has it sent again, and the answer names the key it had. */
  const sentAnew: Step = async ({ deps, ledger, document, key }) => {
    const { id } = await document();
    const now = deps.clock.now();
    let moved = null;
    for (const [from, to] of [
      ['processing', 'rejected'],
      ['rejected', 'ready'],
      ['ready', 'sending'],
    ] as const)
      moved = await ledger.documents.move(id, { from: [from], to, now });
    const [first] = await ledger.attempts.ofDocument(id);
    if (!moved || !first) throw new Error('The document did not move.');
    const { n } = await ledger.attempts.add({ ...first, documentId: id, now });
    const answer = { kind: 'duplicate', key: namedKey(moved, key()), errors: ['ya existe'] } as const;
    await runProtocol(deps, id, { kind: 'answered', n, answer });
  };
  table({
    'is not adopted: the key is reprocessed once, then the number is for a person': {
      now: early,
      faults: [{ outcome: { codigo: 39, times: 9 } }],
      happens: [
        ...[sell, webhook(), sentAnew, is({ state: 'processing', code: 'number-registered' })],
        ...[wait(0), is({ reprocesses: 1 }), (bench: JobBench) => bench.decided(), webhook(), sentAnew],
      ],
      ends: {
        ...{ state: 'manual', writtenBack: null, posts: [200] },
        reason: expect.stringContaining('libere ese número'),
      },
    },
  });
});

describe('the route by which a key is handed over again', () => {
  /** The current route is not there, as on a service that knows the historic one only. */
  const withoutRoute: Step = (bench) => {
    bench.replaceService(() => ({
      reprocesarComprobante: async () => ({
        ...{ kind: 'unknown', reason: 'answered 404 with a page', mayHaveLeft: true },
        status: 404,
      }),
    }));
  };
  const withoutNumber: Step = (bench) => {
    bench.replaceService((calls) => ({
      async emitirFactura(body) {
        const answer = await calls.emitirFactura(body);
        return answer.kind === 'created' ? { ...answer, idComprobante: null } : answer;
      },
    }));
  };
  const historic =
    (...expected: number[]) =>
    (bench: JobBench) =>
      expect(bench.requests('/api/consultaprocesar').map(({ status }) => status)).toEqual(expected);
  table({
    'is the historic one, with RUC and the number of the first answer, where the current one is not there': {
      now: early,
      faults: [once(39)],
      happens: [
        ...[withoutRoute, sell],
        async (bench) =>
          expect((await bench.attempts())[0]?.serviceId).toBe(bench.sandbox.documents()[0]?.id),
        ...[webhook(), 15, historic(200), webhook()],
      ],
      ends: { state: 'authorized' },
    },
    'stays the current one where no answer gave the number, and is asked for again': {
      now: early,
      faults: [once(39)],
      happens: [withoutNumber, withoutRoute, sell, webhook(), 15, historic()],
      ends: { state: 'processing' },
    },
    'is the historic one at once where the account says so': {
      now: early,
      faults: [once(39)],
      happens: [
        (bench) =>
          Object.assign(bench.store.account, {
            reprocess: { route: 'historic', idField: 'id_comprobante' },
          }),
        ...[sell, webhook(), 15, historic(200)],
      ],
      ends: { reprocesses: 0 },
    },
  });
});

describe('a key that a person hands over again', () => {
  const byHand =
    (message: unknown): Step =>
    async (bench) => {
      const document = await bench.document();
      expect(mayBeReprocessed(document)).toBe(message === null);
      expect(await reprocessByHand(bench.deps, document, 'omar (panel)')).toEqual(message);
      await bench.sell();
    };
  const refused: Step[] = [sell, hours(23), is({ state: 'rejected' })];
  table({
    'refused for the issuer’s sake, is reprocessed once a person has fixed that': {
      now: early,
      faults: [{ outcome: { codigo: 39, times: 6 } }],
      happens: [
        ...[...refused, byHand(null), webhook()],
        async (bench) =>
          expect(await bench.notes()).toContainEqual({ cause: 'reprocess', by: 'omar (panel)' }),
        byHand(expect.stringContaining('Solo se reprocesa un documento rechazado')),
      ],
      ends: { state: 'authorized', secuencial: '000000001', reason: null, stored: [4] },
    },
    'on another day leaves under its number with the new date': {
      now: early,
      faults: [{ outcome: { codigo: 39, times: 6 } }],
      happens: [
        ...[...refused, (bench: JobBench) => bench.advance(24 * 3_600_000), byHand(null)],
        async (bench) =>
          expect((await bench.attempts()).map((one) => [one.issueDate, one.secuencial])).toEqual([
            ['2026-11-20', '000000001'],
            ['2026-11-21', '000000001'],
          ]),
      ],
      ends: { posts: [200, 200] },
    },
    'refused for its content, is not handed over as it is': {
      faults: [once(52)],
      happens: [sell, 3, byHand(expect.stringContaining('corrija el pedido'))],
      ends: { state: 'rejected', reprocesses: 0 },
    },
  });
});
