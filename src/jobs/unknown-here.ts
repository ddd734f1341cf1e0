import { dayMs } from '../domain/clock.ts';
import { type Document, statesUnderWay } from '../domain/document.ts';
import { type ClaimedJob, done, type JobHandler } from '../domain/job.ts';
import type { Store } from '../domain/settings.ts';
import type { OrderKey, ShopKey } from '../ledger/schema.ts';
import { again, type JobDeps } from './deps.ts';

/*
 * A store, account, channel or listener that the config of this process does not have: a deploy is under way, `store add`
 * has just run, or it was removed. Another process may have it, so its jobs wait.
 */

const soonMs = 2_000;
const longestMs = 15 * 60_000;

interface Unknown {
  /** In the log. */
  what: 'store' | 'account' | 'channel' | 'listener';
  /** Logged once for all jobs that name it. */
  name: string;
  /** Of that line of the log. Default: the name. */
  fields?(job: ClaimedJob): Record<string, string>;
  /** Changes whenever a process that knows it was there; then the wait begins again. */
  seen?: string;
  /** How long the job waits before `giveUp` is called. Default: a day. */
  patienceMs?: number;
  /** Whether the job may end undone; cleans up before. Default: true. */
  giveUp?(): Promise<boolean>;
}

/** Thrown by a job handler; `whileKnown` decides what becomes of the job. */
export class UnknownHere extends Error {
  readonly unknown: Unknown;
  constructor(unknown: Unknown) {
    super(`This process does not know the ${unknown.what} ${unknown.name}.`);
    this.unknown = unknown;
  }
}

/**
 * Postpones a job whose handler throws `UnknownHere`, slower and slower, at most a quarter of an hour, until a process knows
 * what it is about; after `patienceMs` it may end undone. Logged once; for documents on their way there is an alert too
 * (watch.ts).
 */
export function whileKnown({
  clock,
  log,
}: Pick<JobDeps, 'clock' | 'log'>): (handler: JobHandler) => JobHandler {
  const note = openAbsences();
  return (handler) => async (job) => {
    try {
      return await handler(job);
    } catch (error) {
      if (!(error instanceof UnknownHere)) throw error;
      const now = clock.now().getTime();
      const { what, name, seen = '', patienceMs = dayMs, giveUp } = error.unknown;
      const fields = error.unknown.fields?.(job) ?? { [what]: name };
      if (note(`${what} ${name}`, now).isNew)
        log.warn(fields, `This process does not know the ${what}; its jobs wait until one does`);
      const { ms } = note(`${job.id} ${seen}`, now);
      if (ms >= patienceMs && (await (giveUp?.() ?? true))) {
        const { kind, subject } = job;
        log.warn({ ...fields, kind, subject }, `The ${what} has been gone for long; this job ended undone`);
        return done;
      }
      return again(clock, Math.min(Math.max(ms, soonMs), longestMs), `its ${what} is not known here`);
    }
  };
}

/** What was not missed for so long was found meanwhile, or another process has the job. */
const forgottenMs = 3_600_000;

/** Remembers what this process misses: each call says for how long it is missing, and whether that is new. */
function openAbsences(): (name: string, now: number) => { ms: number; isNew: boolean } {
  /** The one noted last is the last. */
  const noted = new Map<string, { since: number; last: number }>();
  return (name, now) => {
    const before = noted.get(name);
    const lasts = before !== undefined && now - before.last < forgottenMs;
    const since = lasts ? before.since : now;
    noted.delete(name);
    noted.set(name, { since, last: now });
    for (const [other, { last }] of noted) {
      if (now - last < forgottenMs) break;
      noted.delete(other);
    }
    return { ms: now - since, isNew: !lasts };
  };
}

function unknownStore({ platform, shop }: ShopKey, mayEnd: () => Promise<boolean>): Error {
  return new UnknownHere({
    what: 'store',
    name: `${platform} ${shop}`,
    fields: ({ storeId }) => ({ store: storeId, platform, shop }),
    giveUp: mayEnd,
  });
}

/**
 * The configured store of a shop. Throws `UnknownHere` where this process has none.
 * @param mayEnd asked after a day: whether the job may end undone.
 */
export function knownStore(
  { storeOf }: Pick<JobDeps, 'storeOf'>,
  { platform, shop }: ShopKey,
  mayEnd: () => Promise<boolean> = async () => false,
): Store {
  const store = storeOf(platform, shop);
  if (!store) throw unknownStore({ platform, shop }, mayEnd);
  return store;
}

/** For what came through an endpoint that this process does not know. */
export const unknownEndpoint = (shop: ShopKey): Error => unknownStore(shop, async () => true);

/** The configured store of a document. Jobs of a document on its way never end undone. */
export function storeOfDocument(deps: Pick<JobDeps, 'storeOf' | 'clock'>, document: Document): Store {
  const store = deps.storeOf(document.platform, document.shop);
  if (!store) throw unknownStoreOf(deps, document);
  return store;
}

/** The jobs of a document that is not on its way may end a month after its last change. */
export function unknownStoreOf({ clock }: Pick<JobDeps, 'clock'>, document: Document): Error {
  const isOld = () => Date.parse(document.updatedAt) + 30 * dayMs < clock.now().getTime();
  return unknownStore(document, async () => !statesUnderWay.includes(document.state) && isOld());
}

type SilentDeps = Pick<JobDeps, 'ledger' | 'clock'>;

const monthMs = 30 * dayMs;

/** Whether no process reconciled a shop to the end for so long, or ever. */
export async function isSilent({ ledger, clock }: SilentDeps, shop: ShopKey, ms: number): Promise<boolean> {
  const row = await ledger.reconciliations.get(shop);
  return !row || Date.parse(row.reconciledTo) + ms < clock.now().getTime();
}

/** Whether for a month the order's shop was not reconciled, and no webhook of the order came. */
export async function isForgotten(deps: SilentDeps, order: OrderKey): Promise<boolean> {
  const [newest] = await deps.ledger.deliveries.ofOrder(order, 1);
  const since = newest ? Date.parse(newest.receivedAt) : 0;
  return since + monthMs < deps.clock.now().getTime() && isSilent(deps, order, monthMs);
}
