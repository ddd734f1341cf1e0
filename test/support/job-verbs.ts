import type { RequestRecord, Sandbox } from '../../sandbox/emulator/index.ts';
import type { Attempt, Document } from '../../src/domain/document.ts';
import type { JobKind } from '../../src/domain/job.ts';
import type { JobDeps } from '../../src/jobs/deps.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import type { ServiceCalls } from '../../src/service/client.ts';
import type { JobNews } from './job-news.ts';

const minute = 60_000;

/** What happens on a bench, and what can be seen there. Orders are 1201 unless others are named. */
export interface JobVerbs {
  /** The shop tells of these orders, and all due work is done. Answers what ran. */
  read(...orders: string[]): Promise<JobKind[]>;
  /** The same, and the authority decides on what it got. */
  sell(...orders: string[]): Promise<void>;
  /** The service tells of the nth document it stored, with `change` made to the event. Answers what ran. */
  webhook(nth?: number, change?: Record<string, unknown>): Promise<JobKind[]>;
  /** So many minutes go by, as in `pass`, but the authority may take its time. Answers what ran at last. */
  wait(...minutes: number[]): Promise<JobKind[]>;
  /** The service answers these calls otherwise from now on. Answers how to end that. */
  replaceService(change: (calls: ServiceCalls) => Partial<ServiceCalls>): () => void;
  /** Every document, the first first. */
  documents(): Promise<Document[]>;
  documentOf(orderId: string, kind?: Document['kind']): Promise<Document>;
  /** Of the newest document unless another is named. */
  attempts(id?: string): Promise<Attempt[]>;
  outcomes(id?: string): Promise<Attempt['outcome'][]>;
  /** What its history says beside each move. */
  notes(id?: string): Promise<Record<string, unknown>[]>;
  /** The access key of the nth document the service stored. */
  key(nth?: number): string;
  /** The requests to the service whose path has this in it. */
  requests(part: string): RequestRecord[];
  /** How each emission of a factura was answered. */
  posts(): (number | null)[];
  /** The codes of the alerts that stand. */
  openAlerts(): Promise<string[]>;
  /** Why the series of the document is stopped. */
  stopped(): ReturnType<Ledger['sequences']['stopped']>;
  /** How many jobs are left. */
  jobsLeft(): Promise<number>;
}

interface Parts extends JobNews {
  ledger: Ledger;
  sandbox: Sandbox;
  deps: JobDeps;
  run(): Promise<JobKind[]>;
  advance(ms: number): void;
  decided(): Promise<void>;
  document(): Promise<Document>;
}

export function jobVerbs(parts: Parts): JobVerbs {
  const { ledger, sandbox, deps, run, advance, decided, document } = parts;
  const idOf = async (id?: string) => id ?? (await document()).id;
  const verbs: JobVerbs = {
    async read(...orders) {
      for (const order of orders.length > 0 ? orders : ['1201']) await parts.sync(order);
      return run();
    },
    async sell(...orders) {
      await verbs.read(...orders);
      await decided();
    },
    async webhook(nth = 0, change = {}) {
      await parts.event(verbs.key(nth), change);
      return run();
    },
    async wait(...minutes) {
      let ran: JobKind[] = [];
      for (const each of minutes) {
        advance(each * minute);
        ran = await run();
      }
      return ran;
    },
    replaceService(change) {
      const { service } = deps;
      deps.service = (...asked) => {
        const calls = service(...asked);
        return { ...calls, ...change(calls) };
      };
      return () => {
        deps.service = service;
      };
    },
    documents: async () => (await ledger.documents.list({ limit: 1_000 })).toReversed(),
    async documentOf(orderId, kind = 'factura') {
      const all = await ledger.documents.list({ limit: 1_000 });
      const found = all.find((one) => one.orderId === orderId && one.kind === kind);
      if (!found) throw new Error(`Order ${orderId} has no ${kind}.`);
      return found;
    },
    attempts: async (id) => ledger.attempts.ofDocument(await idOf(id)),
    outcomes: async (id) => (await verbs.attempts(id)).map(({ outcome }) => outcome),
    notes: async (id) =>
      (await ledger.documents.history(await idOf(id))).map(
        ({ note }) => (note ?? {}) as Record<string, unknown>,
      ),
    key: (nth = 0) => sandbox.documents()[nth]?.claveacceso ?? '',
    requests: (part) => sandbox.requests().filter(({ path }) => path.includes(part)),
    posts: () => verbs.requests('/factura/emision').map(({ status }) => status),
    openAlerts: async () => (await ledger.alerts.open()).map(({ code }) => code),
    stopped: async () => ledger.sequences.stopped(await document()),
    jobsLeft: async () => (await ledger.jobs.counts()).waiting,
  };
  return verbs;
}
