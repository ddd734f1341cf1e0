import { dayMs } from '../domain/clock.ts';
import { type Document, statesUnderWay } from '../domain/document.ts';
import { type ClaimedJob, done, type JobHandler } from '../domain/job.ts';
import type { Store } from '../domain/settings.ts';
import type { OrderKey, ShopKey } from '../ledger/schema.ts';
import { again, type JobDeps } from './deps.ts';

/* During a deploy, or after `store add`, another process may know what this one does not, so the job waits. */

const soonMs = 2_000;
const longestMs = 15 * 60_000;

interface Unknown {
  what: 'store' | 'account' | 'channel' | 'listener';
  name: string;
  /** Default: the name. */
  fields?(job: ClaimedJob): Record<string, string>;
  /** Changes whenever a process that knows it was there; then the wait begins again. */
  seen?: string;
  /** Default: a day. */
  patienceMs?: number;
  /** Whether the job may end undone; cleans up before. Default: true. */
  giveUp?(): Promise<boolean>;
}

export class UnknownHere extends Error {
  readonly unknown: Unknown;
  constructor(unknown: Unknown) {
    super(`This process does not know the ${unknown.what} ${unknown.name}.`);
    this.unknown = unknown;
  }
}

/** Slower and slower, at most a quarter of an hour; after `patienceMs` the job may end undone. Logged once. */
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

const forgottenMs = 3_600_000;

function openAbsences(): (name: string, now: number) => { ms: number; isNew: boolean } {
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

/** Throws `UnknownHere` where this process has none. `mayEnd`: asked after a day, whether the job may end undone. */
export function knownStore(
  { storeOf }: Pick<JobDeps, 'storeOf'>,
  { platform, shop }: ShopKey,
  mayEnd: () => Promise<boolean> = async () => false,
): Store {
  const store = storeOf(platform, shop);
  if (!store) throw unknownStore({ platform, shop }, mayEnd);
  return store;
}

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

export async function isSilent({ ledger, clock }: SilentDeps, shop: ShopKey, ms: number): Promise<boolean> {
  const row = await ledger.reconciliations.get(shop);
  return !row || Date.parse(row.reconciledTo) + ms < clock.now().getTime();
}

export async function isForgotten(deps: SilentDeps, order: OrderKey): Promise<boolean> {
  const [newest] = await deps.ledger.deliveries.ofOrder(order, 1);
  const since = newest ? Date.parse(newest.receivedAt) : 0;
  return since + monthMs < deps.clock.now().getTime() && isSilent(deps, order, monthMs);
}
