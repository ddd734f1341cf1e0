import type { Document, DocumentKind } from '../../../src/domain/document.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { type JobBench, type JobBenchOptions, openJobBench } from '../job-bench.ts';
import { leaseMs } from '../job-loop.ts';
import { Death, type Doom, type Fate, openFate } from './fate.ts';
import { openProcess } from './process.ts';

export type Mode = 'fijo' | 'aleatorio';

export interface WorldOptions {
  kind: DocumentKind;
  mode: Mode;
  /** Whether the service's webhooks arrive. */
  heard: boolean;
  bench?: JobBenchOptions;
  /** Another process, which runs every step at the same time (its holder outlived its lease): its own way to the ledger. */
  twin?: (ledger: Ledger) => Ledger;
}

/** One sale (and, for a nota de crédito, its refund) in a world where the process may die anywhere. */
export interface World {
  readonly kind: DocumentKind;
  readonly bench: JobBench;
  readonly fate: Fate;
  /** What the sale or the refund is worth. */
  readonly amount: string;
  /** Access keys that others issued. */
  readonly foreign: Set<string>;
  /** How far the service's clock is ahead of ours, milliseconds. */
  skew: number;
  /** Runs right before a request leaves. */
  onLeaving: (name: string) => void;
  /** What somebody mends once this much time has passed since `run` began. */
  fix: { afterMs: number; run(): void }[];
  /** Lives through everything, with one death and its successor if `doom` says so, until nothing is left to do. */
  run(doom: Doom | null): Promise<void>;
  /** Goes on after somebody did something. */
  resume(): Promise<void>;
  document(): Promise<Document>;
  close(): Promise<void>;
}

const minute = 60_000;
const sale = '1201';

export async function openWorld({ kind, mode, heard, twin, bench: more = {} }: WorldOptions): Promise<World> {
  let clock: JobBench['clock'] | null = null;
  const start = more.now ?? '2026-11-20T15:00:00Z';
  const serviceTime = () => new Date((clock?.now() ?? new Date(start)).getTime() + world.skew);
  const world = {
    kind,
    foreign: new Set<string>(),
    skew: 0,
    onLeaving: (_name: string) => {},
    fix: [] as World['fix'],
    fate: openFate(),
  } as World & { amount: string; bench: JobBench };
  const bench = await openJobBench({
    ...more,
    now: start,
    sandbox: { codigoNumerico: mode, now: serviceTime, ...more.sandbox },
  });
  clock = bench.clock;
  const { fate } = world;
  world.bench = bench;
  const reported = new Set<string>();

  const born = () => openProcess({ bench, fate, twin, onLeaving: (name) => world.onLeaving(name) });

  /** The service's webhooks about what was decided meanwhile come to the endpoint, which belongs to another process. */
  async function report(): Promise<boolean> {
    await bench.decided();
    const fresh = bench.sandbox
      .documents()
      .filter(({ claveacceso, estado }) => !reported.has(`${claveacceso} ${estado}`));
    for (const { claveacceso, estado } of fresh) {
      reported.add(`${claveacceso} ${estado}`);
      if (heard && estado !== 1) await bench.event(claveacceso);
    }
    return heard && fresh.some(({ estado }) => estado !== 1);
  }

  /** Until nothing is due any more, or nobody can wait that long. */
  async function live(process: { run(): Promise<unknown> }, arrivals: Arrival[]): Promise<void> {
    const now = () => bench.clock.now().getTime();
    const end = now() + 72 * 60 * minute;
    for (let turn = 0; turn < 500; turn += 1) {
      await process.run();
      if (await report()) continue;
      const due =
        (await bench.ledger.jobs.nextDueAt(bench.clock.now()))?.getTime() ?? Number.POSITIVE_INFINITY;
      const [first] = arrivals.toSorted((a, b) => a.at - b.at);
      if (first && first.at <= due) {
        bench.advance(Math.max(first.at - now(), 0));
        arrivals.splice(arrivals.indexOf(first), 1);
        await first.come();
      } else if (due <= end) bench.advance(due - now());
      else return;
    }
  }

  if (kind === 'nota-credito') {
    await bench.sync(sale);
    await live({ run: () => bench.run() }, []);
  }
  const total = Number(bench.shop.order(sale)?.total);
  world.amount = kind === 'factura' ? total.toFixed(2) : '11.50';

  return Object.assign(world, {
    async run(doom: Doom | null) {
      if (kind === 'nota-credito') bench.shop.refund(sale, { amount: '11.50' });
      const begun = bench.clock.now().getTime();
      const arrivals: Arrival[] = world.fix.map(({ afterMs, run }) => ({
        at: begun + afterMs,
        come: async () => run(),
      }));
      await bench.sync(sale);
      fate.begin(doom);
      try {
        await live(born(), arrivals);
      } catch (error) {
        if (!(error instanceof Death)) throw error;
        fate.end();
        const at = bench.clock.now().getTime() + 1.5 * minute;
        for (const come of fate.underWay) arrivals.push({ at, come: async () => void (await come()) });
        bench.advance(leaseMs + 1_000);
        await bench.ledger.jobs.recover(bench.clock.now(), 0);
        await live(born(), arrivals);
      }
    },
    resume: () => live({ run: () => bench.run() }, []),
    async document() {
      const documents = await bench.ledger.documents.list({ limit: 9 });
      const [document, ...more] = documents.filter((one) => one.kind === kind);
      if (!document || more.length > 0)
        throw new Error(`There are ${more.length + (document ? 1 : 0)} documents.`);
      return document;
    },
    close: () => bench.close(),
  });
}

interface Arrival {
  at: number;
  come(): Promise<void>;
}
