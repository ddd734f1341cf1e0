import { afterEach, expect, it } from 'vitest';
import type { FaultInput } from '../../sandbox/emulator/index.ts';
import type { Attempt, Document } from '../../src/domain/document.ts';
import { retryDocument, takeNewNumber } from '../../src/jobs/retry.ts';
import { type JobBench, type JobBenchOptions, openJobBench } from './job-bench.ts';
import { verifySeries } from './verified-series.ts';

/*
 * Tables of rules on the job bench: what is given, what happens to order 1201, how it ends. Whatever happened, no number is
 * authorised twice, and a document that counts as authorised is one that the authority authorised.
 */

/** So many minutes go by, or something is done. */
export type Step = number | ((bench: JobBench) => unknown);

/** The newest document, and what can be seen beside it; only what is named is looked at. */
export interface Seen extends Partial<Omit<Document, 'reason' | 'authorizedAt'>> {
  reason?: unknown;
  /** Whether its access key is that of the nth document the service stored. */
  keyOf?: number;
  attempts?: readonly Attempt['outcome'][];
  /** The status of each POST of a factura: 0 where the answer was lost. */
  posts?: readonly number[];
  /** How often the service was asked by key, and a key was handed over again. */
  questions?: number;
  reprocesses?: number;
  /** How each document of the service stands: 4 authorised, 5 and 6 not, 1 with the authority. */
  stored?: readonly number[];
  /** The alerts that were told, "… over" at their end; and those that stand. */
  alerts?: readonly string[];
  openAlerts?: readonly string[];
  jobsLeft?: number;
  isStopped?: boolean;
  /** Each document, the first first: "factura 1201 authorized 33.75", "factura 1201 held code". */
  all?: readonly string[];
}

export interface Row extends JobBenchOptions {
  faults?: readonly FaultInput[];
  happens: readonly Step[];
  ends: Seen;
  /** A person answers for a key that the service does not show. */
  isConfirmed?: boolean;
}

export function table(rows: Readonly<Record<string, Row>>): void {
  let bench: JobBench | undefined;
  afterEach(async () => {
    await bench?.close();
    bench = undefined;
  });
  it.each(Object.entries(rows))(
    '%s',
    async (_rule, { faults = [], happens, ends, isConfirmed = false, ...options }) => {
      bench = await openJobBench(options);
      for (const one of faults) bench.sandbox.faults.add(one);
      for (const step of happens) await (typeof step === 'number' ? bench.pass(step) : step(bench));
      await is(ends)(bench);
      if (!isConfirmed) await isSound(bench);
    },
  );
}

const looks: Record<string, (bench: JobBench) => unknown> = {
  keyOf: async (bench) => {
    const { accessKey } = await bench.document();
    return bench.sandbox.documents().findIndex(({ claveacceso }) => claveacceso === accessKey);
  },
  attempts: (bench) => bench.outcomes(),
  posts: (bench) => bench.posts(),
  questions: (bench) => bench.requests('/consulta/').length,
  reprocesses: (bench) => bench.requests('/reprocesar').length,
  stored: (bench) => bench.sandbox.documents().map(({ estado }) => estado),
  alerts: (bench) => bench.alerts,
  openAlerts: (bench) => bench.openAlerts(),
  jobsLeft: (bench) => bench.jobsLeft(),
  all: async (bench) =>
    (await bench.documents()).map(({ kind, orderId, state, code, total }) =>
      [kind, orderId, state, state === 'authorized' ? total : code].join(' '),
    ),
  isStopped: async (bench) => (await bench.stopped()) !== null,
};

/** It is so at this moment. */
export const is =
  (expected: Seen): ((bench: JobBench) => Promise<void>) =>
  async (bench) => {
    const [newest] = (await bench.documents()).slice(-1);
    const seen: Record<string, unknown> = { ...newest };
    for (const name of Object.keys(expected)) if (looks[name]) seen[name] = await looks[name](bench);
    expect(seen).toMatchObject(expected);
  };

async function isSound(bench: JobBench): Promise<void> {
  expect(bench.sandbox.audit().duplicates.filter(({ authorised }) => authorised > 1)).toEqual([]);
  const authorised = bench.sandbox.documents().filter(({ estado }) => estado === 4);
  for (const { state, accessKey } of await bench.documents())
    if (state === 'authorized') expect(authorised.map(({ claveacceso }) => claveacceso)).toContain(accessKey);
}

/** The shop tells of the order, all due work is done; in `sell` the authority decides as well. */
export const read: Step = (bench) => bench.read();
/** This process has found that the ledger knows every number of the series. */
export const verified: Step = (bench) => verifySeries(bench);
export const sell: Step = (bench) => bench.sell();
/** Minutes go by, and the authority may take its time. */
export const wait =
  (...minutes: number[]): Step =>
  (bench) =>
    bench.wait(...minutes);
export const webhook =
  (nth = 0, change: Record<string, unknown> = {}): Step =>
  (bench) =>
    bench.webhook(nth, change);
export const fault =
  (...faults: FaultInput[]): Step =>
  (bench) => {
    for (const one of faults) bench.sandbox.faults.add(one);
  };
/** The buyer got money back, and the shop tells of it. */
export const refund =
  (amount: string): Step =>
  (bench) => {
    bench.shop.refund('1201', { amount });
    return bench.read();
  };
/** The authority decides what it took its time for, so many minutes later by its own clock. */
export const decide =
  (minutes = 90): Step =>
  (bench) => {
    bench.sandbox.clock.step(minutes * 60_000);
    return bench.decided();
  };
/** A replica that lags behind: the service does not know what it stored, until it is `shown`. */
export const deny: Step = (bench) => {
  shown.set(
    bench,
    bench.replaceService(() => ({ consultarComprobante: async () => ({ kind: 'not-found' }) })),
  );
};
export const show: Step = (bench) => shown.get(bench)?.();
const shown = new WeakMap<JobBench, () => void>();
/** A person asks for it again; the answer is of this kind and says this. */
export const retry =
  (kind: Awaited<ReturnType<typeof retryDocument>>['kind'], message = '', newNumber = false): Step =>
  async (bench) => {
    const answer = await (newNumber ? takeNewNumber : retryDocument)(
      bench.deps,
      await bench.document(),
      'ana@conector',
    );
    expect(answer).toMatchObject({ kind, message: expect.stringContaining(message) });
    await bench.run();
  };
/** Five minutes after five minutes, an authority that decides at once, until the document is there. */
export const until =
  (state: Document['state']): Step =>
  async (bench) => {
    for (let turn = 0; turn < 60 && (await bench.document()).state !== state; turn += 1) await bench.pass(5);
  };
/** Hours in which every webhook is lost. */
export const hours =
  (count: number): Step =>
  (bench) =>
    bench.pass(...Array(count * 4).fill(15));
