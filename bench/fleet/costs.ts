import type { JobKind } from '../../src/domain/job.ts';
import type { Timeline } from './timeline.ts';

/** Costs of a job apart from its outgoing calls. */
export interface Cost {
  /** Milliseconds of a worker's one thread. */
  cpu: number;
  /** Transactions that write, and the rows they write. The claim and the end of a job are among them. */
  transactions: number;
  rows: number;
}

const cost = (cpu: number, transactions: number, rows: number): Cost => ({ cpu, transactions, rows });

/** The webhook of a shop or of the service: one transaction in a `web` process, the delivery and its job. */
export const accepting: Cost = cost(0, 1, 2);

/** By kind, as the handlers in src/jobs write; the processor's part from docs/performance.md. */
export const costs: Partial<Record<JobKind, Cost>> = {
  'sync-order': cost(0.6, 2, 7),
  'submit-document': cost(0.6, 3, 12),
  'settle-document': cost(0.4, 2, 9),
  'follow-up': cost(0.3, 2, 4),
  'verify-document': cost(0.4, 2, 4),
  'write-back': cost(0.4, 4, 7),
  reconciliation: cost(0.5, 3, 6),
  'probe-account': cost(0.2, 2, 3),
};

/** Milliseconds of a core of PostgreSQL. */
export const server = {
  transaction: 0.1,
  row: 0.04,
  /** The reservation of a slot reads and writes a row. */
  reserve: 0.2,
  /** A query for due jobs, by waiting partitions, due partitions, and returned rows. */
  look: (waiting: number, due: number, rows: number) => 1.5 + 0.0045 * waiting + 0.0065 * due + 0.0056 * rows,
};

/** Milliseconds of the worker's thread for a query with `rows` rows. */
export const lookCpu = (rows: number): number => 0.2 + 0.004 * rows;

/** Milliseconds from a statement to its answer over the network, beside the server's own time. */
export const networkMs = 0.5;

/** A resource with limited parallelism and a queue; counts its busy time per minute. */
export interface Station {
  use(ms: number): Promise<void>;
  /** Milliseconds it was busy, by minute of the run. */
  busy: number[];
}

export function openStation(timeline: Timeline, places: number, extraMs = 0): Station {
  const start = timeline.now();
  const freeAt = Array.from({ length: places }, () => start);
  const busy: number[] = [];
  return {
    busy,
    use(ms) {
      let first = 0;
      for (let n = 1; n < places; n += 1) if ((freeAt[n] ?? 0) < (freeAt[first] ?? 0)) first = n;
      const begins = Math.max(freeAt[first] ?? 0, timeline.now());
      freeAt[first] = begins + ms;
      const minute = Math.floor((begins - start) / 60_000);
      busy[minute] = (busy[minute] ?? 0) + ms;
      return timeline.wait(begins + ms + extraMs - timeline.now());
    },
  };
}
