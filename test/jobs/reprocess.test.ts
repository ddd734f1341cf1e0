import { afterEach, describe, expect, it } from 'vitest';
import { magicBuyers } from '../../sandbox/emulator/authority/magic.ts';
import { handleEvent } from '../../src/jobs/sending/handle-event.ts';
import { namedKey } from '../../src/jobs/sending/state.ts';
import { type JobBench, openJobBench } from '../support/job-bench.ts';

/** An error whose cause lies outside the document is resolved by reprocessing the same key, once the cause is gone. */
let bench: JobBench;
/** Just after midnight in Ecuador, so that a day's waits stay within the day. */
const early = '2026-11-20T05:05:00Z';
afterEach(() => bench?.close());

const minutes = (count: number) => count * 60_000;
const paths = (end: string) => bench.sandbox.requests().filter(({ path }) => path.endsWith(end)).length;
const reprocesses = () => paths('/reprocesar');
const emissions = () => paths('/emision');
const key = () => bench.sandbox.documents()[0]?.claveacceso ?? '';

/** Sells to the buyer whose documents end with this code. */
async function sellToMagic(code: number): Promise<void> {
  const buyer = magicBuyers.find(({ codigo }) => codigo === code);
  const order = bench.shop.order('1201') as object;
  const meta_data = [{ id: 1, key: '_billing_cedula', value: buyer?.cedula ?? '' }];
  bench.shop.put({ ...order, meta_data });
  await sell();
}
async function sell(): Promise<void> {
  await bench.sync('1201');
  await bench.run();
  await bench.decided();
}
/** So many hours in which every webhook is lost. */
async function pass(hours: number): Promise<void> {
  for (let turn = 0; turn < hours * 4; turn += 1) {
    bench.advance(minutes(15));
    await bench.run();
    await bench.decided();
  }
}
const report = async () => {
  await bench.event(key());
  await bench.run();
};

describe('an error whose cause lies outside the document', () => {
  it.each([2, 10, 37, 39, 40, 50, 56])(
    '%i: waits, is reprocessed under the same key and authorised',
    async (code) => {
      bench = await openJobBench({ now: early });
      await sellToMagic(code);
      await report();
      const document = await bench.document();
      expect(document).toMatchObject({ state: 'processing', code: 'reprocess', writtenBack: null });
      expect(document.reason).toMatch(/todavía no autoriza.*Se intentará de nuevo\.$/);
      bench.advance(minutes(14));
      await bench.run();
      expect(reprocesses()).toBe(0);
      bench.advance(minutes(1));
      await bench.run();
      await bench.decided();
      await report();
      expect(await bench.document()).toMatchObject({ state: 'authorized', accessKey: key(), reason: null });
      expect([emissions(), reprocesses()]).toEqual([1, 1]);
      expect(bench.sandbox.documents()).toHaveLength(1);
    },
  );

  it('that stays is reprocessed five times, more and more rarely, then rejected with what to fix', async () => {
    bench = await openJobBench({ now: early });
    bench.sandbox.faults.add({ outcome: { codigo: 39 } });
    await sell();
    const at: number[] = [];
    for (let hour = 0; hour < 23; hour += 0.25) {
      const before = reprocesses();
      await pass(0.25);
      if (reprocesses() > before) at.push(hour);
    }
    expect(at).toHaveLength(5);
    const gaps = at.slice(1).map((hour, index) => hour - (at[index] ?? 0));
    expect(gaps).toEqual([...gaps].sort((a, b) => a - b));
    const document = await bench.document();
    expect(document).toMatchObject({ state: 'rejected', writtenBack: 'rejected', secuencial: '000000001' });
    expect(document.reason).toMatch(/39 FIRMA INV.*Suba al servicio una firma electrónica vigente/);
    await pass(24);
    expect([emissions(), reprocesses()]).toEqual([1, 5]);
    expect(await bench.ledger.jobs.counts()).toEqual({ waiting: 0, released: 0, leased: 0 });
  });

  it('that a person fixes in the service meanwhile is authorised by its event, after its XML was compared', async () => {
    bench = await openJobBench({ now: early });
    await sellToMagic(39);
    await report();
    await fetch(`${bench.sandbox.url}/api/comprobante/reprocesar`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': 'clave-1' },
      body: JSON.stringify({ claveacceso: key() }),
    });
    await bench.decided();
    await report();
    expect((await bench.document()).state).toBe('authorized');
    expect(await bench.ledger.jobs.counts()).toEqual({ waiting: 0, released: 0, leased: 0 });
  });

  it('of which the event of its first end comes late is asked about: it may have been resolved since', async () => {
    bench = await openJobBench({ now: early });
    await sellToMagic(39);
    await report();
    bench.advance(minutes(15));
    await bench.run();
    await bench.decided();
    const first = { evento: 'comprobante.error', estado: 6, autorizado: false, requiere_correccion: true };
    await bench.event(key(), { ...first, errores: [{ identificador: '39', mensaje: 'FIRMA INVALIDA' }] });
    await bench.run();
    expect((await bench.document()).state).toBe('authorized');
  });

  it('and the day of the document is over: the same number sent again with today’s date', async () => {
    bench = await openJobBench({ now: '2026-11-21T04:50:00Z' });
    bench.sandbox.faults.add({ outcome: { codigo: 39, times: 1 } });
    await sell();
    await report();
    await pass(1);
    expect(await bench.document()).toMatchObject({
      state: 'authorized',
      secuencial: '000000001',
      issueDate: '2026-11-21',
    });
    expect([emissions(), reprocesses()]).toEqual([2, 0]);
    expect(bench.sandbox.documents().map(({ estado }) => estado)).toEqual([6, 4]);
  });

  it('beside one that lies in the document is rejected at once', async () => {
    bench = await openJobBench({ now: early });
    bench.sandbox.faults.add({ outcome: { codigo: 39, times: 1 } });
    await sell();
    const errores = [39, 52].map((code) => ({ identificador: String(code), mensaje: 'ERROR' }));
    await bench.event(key(), { errores });
    await bench.run();
    expect((await bench.document()).state).toBe('rejected');
  });
});

describe('a document the authority has already', () => {
  it('43, under this very key: the key is reprocessed, never a number burnt; what stays is for a person', async () => {
    bench = await openJobBench({ now: early });
    await sellToMagic(43);
    await report();
    expect(await bench.document()).toMatchObject({ state: 'processing', code: 'number-registered' });
    await pass(48);
    expect(await bench.document()).toMatchObject({ state: 'manual', code: 'number-registered' });
    expect([emissions(), reprocesses()]).toEqual([1, 5]);
  });

  it('45, under another key: for a person at once, when no other attempt of ours can be it', async () => {
    bench = await openJobBench({ now: early });
    await sellToMagic(45);
    await report();
    expect(await bench.document()).toMatchObject({ state: 'manual', code: 'number-registered' });
    expect([emissions(), reprocesses()]).toEqual([1, 0]);
  });

  it('70, still in process: neither sent nor reprocessed for a day, then reprocessed', async () => {
    bench = await openJobBench({ now: early });
    await sellToMagic(70);
    await report();
    await pass(23);
    expect(await bench.document()).toMatchObject({ state: 'processing' });
    expect([emissions(), reprocesses()]).toEqual([1, 0]);
    await pass(4);
    expect(await bench.document()).toMatchObject({ state: 'authorized', accessKey: key() });
    expect([emissions(), reprocesses()]).toEqual([1, 1]);
  });
});

describe('a 409 that names our own key, known to be rejected', () => {
  it('is not adopted: the key is reprocessed once, then the number is for a person', async () => {
    bench = await openJobBench({ now: early });
    bench.sandbox.faults.add({ outcome: { codigo: 39, times: 9 } });
    await sell();
    await report();
    const { deps } = bench;
    const sendAnew = async () => {
      const { id } = await bench.document();
      const now = deps.clock.now();
      const move = (to: 'rejected' | 'ready' | 'sending') =>
        bench.ledger.documents.move(id, {
          from: [to === 'rejected' ? 'processing' : to === 'ready' ? 'rejected' : 'ready'],
          to,
          now,
        });
      await move('rejected');
      await move('ready');
      const document = await move('sending');
      const [first] = await bench.ledger.attempts.ofDocument(id);
      if (!document || !first) throw new Error('The document did not move.');
      const attempt = await bench.ledger.attempts.add({ ...first, documentId: id, now });
      const named = namedKey(document, key());
      const answer = { kind: 'duplicate', key: named, errors: ['ya existe'] } as const;
      await handleEvent(deps, id, { kind: 'answered', n: attempt.n, answer });
    };
    await sendAnew();
    expect(await bench.document()).toMatchObject({ state: 'processing', code: 'number-registered' });
    await bench.run();
    expect(reprocesses()).toBe(1);
    await bench.decided();
    await report();
    await sendAnew();
    expect(await bench.document()).toMatchObject({ state: 'manual', writtenBack: null });
    expect((await bench.document()).reason).toContain('libere ese número');
    expect(emissions()).toBe(1);
  });
});

describe('the route by which a key is handed over again', () => {
  const historic = () => paths('/api/consultaprocesar');
  /** The current route is not there, as on a service that knows the historic one only. */
  const withoutRoute = () => {
    const { service } = bench.deps;
    bench.deps.service = (...asked) => ({
      ...service(...asked),
      reprocesarComprobante: async () => ({
        ...{ kind: 'unknown', reason: 'answered 404 with a page', mayHaveLeft: true },
        status: 404,
      }),
    });
  };

  it('is the historic one, with RUC and the number of the first answer, where the current one is not there', async () => {
    bench = await openJobBench({ now: early });
    withoutRoute();
    await sellToMagic(39);
    const [attempt] = await bench.ledger.attempts.ofDocument((await bench.document()).id);
    expect(attempt?.serviceId).toBe(bench.sandbox.documents()[0]?.id);
    await report();
    bench.advance(minutes(15));
    await bench.run();
    expect(historic()).toBe(1);
    expect(bench.sandbox.requests().findLast(({ path }) => path.endsWith('/consultaprocesar'))).toMatchObject(
      {
        status: 200,
      },
    );
    await bench.decided();
    await report();
    expect((await bench.document()).state).toBe('authorized');
  });

  it('stays the current one where no answer gave the number, and is asked for again', async () => {
    bench = await openJobBench({ now: early });
    const { service } = bench.deps;
    bench.deps.service = (...asked) => {
      const calls = service(...asked);
      return {
        ...calls,
        emitirFactura: async (body) => {
          const answer = await calls.emitirFactura(body);
          return answer.kind === 'created' ? { ...answer, idComprobante: null } : answer;
        },
      };
    };
    withoutRoute();
    await sellToMagic(39);
    await report();
    bench.advance(minutes(15));
    await bench.run();
    expect(historic()).toBe(0);
    expect((await bench.document()).state).toBe('processing');
  });

  it('is the historic one at once where the account says so', async () => {
    bench = await openJobBench({ now: early });
    bench.store.account.reprocess = { route: 'historic', idField: 'id_comprobante' };
    await sellToMagic(39);
    await report();
    bench.advance(minutes(15));
    await bench.run();
    expect([historic(), reprocesses()]).toEqual([1, 0]);
  });
});
