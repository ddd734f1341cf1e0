import type { StoredDocument } from '../../../sandbox/emulator/index.ts';
import { type Document, documentReference, mayMove } from '../../../src/domain/document.ts';
import { factura } from '../../sandbox/support.ts';
import { type JobBench, openJobBench } from '../job-bench.ts';
import { leaseMs } from '../job-loop.ts';
import { Death, type Fate, openFate, type Side } from './fate.ts';
import { openProcess } from './process.ts';

/** What must hold of every document from the moment it is first seen. */
export interface Model {
  numbers: Map<string, string>;
  final: Map<string, string>;
}

/** One order of a shop, and everything that may happen around it. */
export interface Real {
  bench: JobBench;
  fate: Fate;
  /** The merchant writes the buyer's cédula onto the order. */
  identify(cedula: string): void;
  /** Runs what is due; a doom ends the process there and another one takes over when its leases have run out. */
  poll(doom?: { at: number; side: Side }): Promise<void>;
  /** The service tells of a document it has decided; the `nth` of all. */
  notify(nth: number): Promise<void>;
  /** Another program takes the next number of the facturas. */
  intrude(): Promise<void>;
  /** The merchant mends the config: a good key, and a first number that is free. */
  fix(): Promise<void>;
  settle(): Promise<void>;
}

const minute = 60_000;
const series = { ruc: '1790012345001', ambiente: 1, establecimiento: '001', puntoEmision: '001' } as const;

export async function openReal(mode: 'fijo' | 'aleatorio'): Promise<Real> {
  const bench = await openJobBench({ sandbox: { codigoNumerico: mode } });
  const fate = openFate();
  let process = openProcess({ bench, fate });

  async function poll(doom: { at: number; side: Side } | null = null): Promise<void> {
    await bench.decided();
    fate.begin(doom);
    try {
      await process.run();
    } catch (error) {
      if (!(error instanceof Death)) throw error;
      bench.advance(leaseMs + 1_000);
    }
    fate.end();
    await bench.ledger.jobs.recover(bench.clock.now(), 0);
    if (doom) process = openProcess({ bench, fate });
  }

  const real: Real = {
    bench,
    fate,
    poll: (doom) => poll(doom),
    identify(value) {
      const order = bench.shop.order('1201');
      const rest = order?.meta_data.filter(({ key }) => key !== '_billing_cedula') ?? [];
      const meta_data = [...rest, { id: 1, key: '_billing_cedula', value }];
      bench.shop.put({
        ...order,
        meta_data,
        date_modified_gmt: bench.clock.now().toISOString().slice(0, 19),
      });
    },
    async notify(nth) {
      await bench.decided();
      const decided = bench.sandbox.documents().filter(({ estado }) => estado !== 1);
      const one = decided[nth % Math.max(decided.length, 1)];
      if (one) await bench.event(one.claveacceso);
    },
    async intrude() {
      const taken = bench.sandbox
        .documents()
        .filter(({ tipo }) => tipo === '01')
        .map(({ secuencial }) => Number(secuencial));
      const secuencial = String(Math.max(0, ...taken) + 1).padStart(9, '0');
      const body = factura(({ emisor }) => {
        const day = new Date(bench.clock.now().getTime() - 5 * 60 * minute).toISOString().slice(0, 10);
        Object.assign(emisor, { ruc: series.ruc, secuencial, fecha_emision: day.replaceAll('-', '/') });
      });
      await fetch(`${bench.sandbox.url}/api/factura/emision`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': 'clave-1' },
        body: JSON.stringify(body),
        // What disturbs the service disturbs everybody.
      }).catch(() => null);
    },
    async fix() {
      bench.restart(['clave-1']);
      const numbers = bench.sandbox.documents().map(({ secuencial }) => Number(secuencial));
      for (const codDoc of ['01', '04'])
        await bench.ledger.sequences.raise({ ...series, codDoc }, Math.max(0, ...numbers) + 1);
      await bench.sync('1201');
    },
    async settle() {
      bench.sandbox.faults.clear();
      real.identify('1710034065');
      await real.fix();
      for (let turn = 0; turn < 200; turn += 1) {
        await poll();
        const due = await bench.ledger.jobs.nextDueAt(bench.clock.now());
        if (due === null || due.getTime() > bench.clock.now().getTime() + 48 * 60 * minute) return;
        bench.advance(due.getTime() - bench.clock.now().getTime());
      }
    },
  };
  return real;
}

const authorised = ({ estado }: StoredDocument) => estado === 4 || estado === 9;
const ours = (document: Document) => (stored: StoredDocument) =>
  stored.informacionAdicional.some(({ detalle }) => detalle === documentReference(document));

/** What must hold after every single event. Throws with what does not. */
export async function mustHold(model: Model, { bench }: Real): Promise<void> {
  const must = (holds: boolean, what: string) => {
    if (!holds) throw new Error(what);
  };
  const documents = await bench.ledger.documents.list({ limit: 50 });
  const stored = bench.sandbox.documents();
  const alive = documents.filter(({ kind, state }) => kind === 'factura' && state !== 'cancelled');
  must(alive.length <= 1, `${alive.length} facturas of one order`);
  const numbers = documents.flatMap(({ codDoc, secuencial }) =>
    secuencial ? [`${codDoc} ${secuencial}`] : [],
  );
  must(new Set(numbers).size === numbers.length, 'one number serves two documents');
  let balance = 0;
  for (const document of documents) {
    const { id, state, secuencial } = document;
    const before = model.numbers.get(id);
    must(before === undefined || before === secuencial, `number ${before} became ${secuencial}`);
    if (secuencial) model.numbers.set(id, secuencial);
    must((model.final.get(id) ?? state) === state, `${model.final.get(id)} was not final: ${state}`);
    if (state === 'authorized' || state === 'cancelled') model.final.set(id, state);
    const twins = stored.filter(ours(document)).filter(authorised);
    must(twins.length <= 1, `${twins.length} authorised for one document`);
    must(
      state !== 'authorized' || twins[0]?.claveacceso === document.accessKey,
      'authorised with another key',
    );
    const attempts = await bench.ledger.attempts.ofDocument(id);
    must(attempts.filter(({ outcome }) => outcome === 'authorized').length <= 1, 'two authorised attempts');
    for (const twin of twins)
      balance +=
        Math.round(Number(twin.figures?.importeTotal) * 100) * (document.kind === 'factura' ? 1 : -1);
  }
  must(balance >= 0, `${-balance} cents more were credited than invoiced`);
}

/** What must hold once everything is mended and nothing is left to do. */
export async function mustRest({ bench }: Real): Promise<void> {
  const documents = await bench.ledger.documents.list({ limit: 50 });
  for (const document of documents) {
    const { id, state, reason, kind } = document;
    const rests = ['authorized', 'rejected', 'manual', 'held', 'cancelled'].includes(state);
    if (!rests) throw new Error(`A ${kind} stays ${state} (${document.code}).`);
    if (state !== 'authorized' && !reason) throw new Error(`A ${kind} is ${state} and says nothing.`);
    const [twin] = bench.sandbox.documents().filter(ours(document)).filter(authorised);
    if (twin && state !== 'authorized' && !reason?.includes('facturapuente adopt'))
      throw new Error(`A ${kind} is authorised, and the ledger says ${state} (${document.code}).`);
    let from: Document['state'] | null = null;
    for (const move of await bench.ledger.documents.history(id)) {
      if (move.from !== from || (move.from !== null && !mayMove(move.from, move.to)))
        throw new Error(`A ${kind} moved from ${move.from} to ${move.to}, and stood at ${from}.`);
      from = move.to;
    }
  }
}
