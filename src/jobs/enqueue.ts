import type { Attempt, Document } from '../domain/document.ts';
import { type CallKind, type JobKind, type JobRequest, orderSubject } from '../domain/job.ts';
import { decimal } from '../domain/money.ts';
import type { Order } from '../domain/order.ts';
import type { Tables } from '../ledger/ledger.ts';
import type { OrderKey } from '../ledger/schema.ts';
import type { Job } from '../protocol/events.ts';
import { type JobDeps, priorities } from './deps.ts';

const calls = {
  'submit-document': 'emission',
  'follow-up': 'question',
  'reprocess-document': 'question',
  'verify-document': 'download',
  'keep-files': 'download',
  'write-back': null,
} as const satisfies Partial<Record<JobKind, CallKind | null>>;

type DocumentJob = keyof typeof calls;

export const kindOf = {
  submit: 'submit-document',
  'follow-up': 'follow-up',
  reprocess: 'reprocess-document',
} as const satisfies Record<Job, DocumentJob>;

export const documentJob = (kind: DocumentJob, document: Document, dueAt: Date): JobRequest => ({
  kind,
  subject: document.id,
  storeId: document.storeId,
  rateLimit: calls[kind] === null ? null : document.keyHash,
  account: { id: document.account, ambiente: document.ambiente },
  priority: priorityOf(kind, document),
  dueAt,
});

/** Follow-ups of lost answers go before those of documents that only take their time. */
function priorityOf(kind: DocumentJob, { state }: Document): number {
  const usual = priorities[calls[kind] ?? 'download'];
  return kind === 'follow-up' && state === 'uncertain' ? usual - 1 : usual;
}

export const enqueueDocument = (
  { jobs }: Pick<Tables, 'jobs'>,
  kind: DocumentJob,
  document: Document,
  dueAt: Date,
): Promise<void> => jobs.enqueue(documentJob(kind, document, dueAt));

export function enqueueOrder(
  { jobs }: Pick<Tables, 'jobs'>,
  kind: 'sync-order' | 'ask-buyer' | 'buyer-cut-off',
  order: OrderKey & { storeId: string },
  at: Pick<JobRequest, 'dueAt' | 'priority' | 'trace'>,
): Promise<void> {
  const subject = orderSubject(order);
  return jobs.enqueue({ kind, subject, storeId: order.storeId, rateLimit: null, ...at });
}

/** `trace` null: under a new trace. */
export const enqueueSync = (
  tables: Pick<Tables, 'jobs'>,
  order: OrderKey & { storeId: string },
  dueAt: Date,
  trace?: null,
): Promise<void> =>
  enqueueOrder(tables, 'sync-order', order, {
    priority: priorities.download,
    dueAt,
    ...(trace === null && { trace }),
  });

/** More held documents than a shop has; those beyond come with their next webhook. */
const limit = 10_000;

/** At a start all of them: their cause may have been fixed in the configuration, which no webhook reports. */
export async function replanHeld(
  { documents, jobs }: Pick<Tables, 'documents' | 'jobs'>,
  now: Date,
  isMeant: (held: Document) => boolean = () => true,
): Promise<void> {
  for (const held of await documents.list({ states: ['held', 'manual'], limit }))
    if (isOfPlan(held) && isMeant(held)) await enqueueSync({ jobs }, held, now);
}

/** The planner moves only documents that are held or have no number yet; the protocol moves the others. */
const isOfPlan = ({ state, secuencial }: Document): boolean => state === 'held' || secuencial === null;

/** In the COMMIT that moves the factura: a plan written meanwhile is either seen here, or sees the move (prepare.ts). */
export async function wakeWaiting(
  tables: Tables,
  document: Document,
  attempts: readonly Attempt[],
  now: Date,
): Promise<void> {
  if (document.kind !== 'factura') return;
  const order = (await tables.orders.ofDocument(document))?.snapshot as Order | undefined;
  if (!order) return;
  // What was sent may be less than was planned: by a refund that was deleted since.
  const sent = attempts.find(({ outcome }) => outcome === 'authorized');
  const isGrown =
    document.state === 'authorized' &&
    decimal(order.total).gt(sent?.total ?? document.charged ?? order.total);
  if (order.refunds.length > 0 || isGrown) await enqueueSync(tables, document, now);
}

/** Only a person can move the document on: its order shows that. */
export async function showStopped(tables: Tables, document: Document, now: Date): Promise<void> {
  await enqueueDocument(tables, 'write-back', document, now);
  await wakeWaiting(tables, document, [], now);
}

function jobOf({ state, code }: Pick<Document, 'state' | 'code'>): Job {
  if (state === 'ready' || state === 'sending') return 'submit';
  const isEnded = state === 'processing' && (code === 'reprocess' || code === 'number-registered');
  return isEnded ? 'reprocess' : 'follow-up';
}

const atOnce = 500;

/** Without a job nothing moves a document: an older version dropped the jobs of unknown stores. Returns how many. */
export async function resumeOpen(
  deps: Pick<JobDeps, 'ledger' | 'clock' | 'log' | 'storeOf'>,
): Promise<number> {
  const { ledger, clock, log, storeOf } = deps;
  let resumed = 0;
  for (let after = ''; ; ) {
    const found = await ledger.documents.underWayWithoutJob(after, atOnce);
    const known = found.filter(({ platform, shop }) => storeOf(platform, shop));
    const now = clock.now();
    const jobs = known.map((one) => documentJob(kindOf[jobOf(one)], one, now));
    await ledger.jobs.ensure(jobs);
    resumed += known.length;
    after = found.at(-1)?.id ?? after;
    if (found.length < atOnce) break;
  }
  if (resumed > 0) log.warn({ documents: resumed }, 'Documents on their way had no job; they go on');
  return resumed;
}
