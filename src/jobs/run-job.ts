import { dayMs } from '../domain/clock.ts';
import { ShopError } from '../domain/errors.ts';
import { type ClaimedJob, done, type JobHandler, type JobKind, type JobOutcome } from '../domain/job.ts';
import { owner } from '../domain/settings.ts';
import { deliverAlerts } from './alerts.ts';
import { announce } from './announce.ts';
import { askBuyer, buyerCutOff } from './ask-buyer.ts';
import { notConnected } from './connection.ts';
import { again, type HandlerResult, type JobDeps, type UnknownHere } from './deps.ts';
import { keepFiles } from './files.ts';
import { catchUp } from './older-ledger/catch-up.ts';
import { probeAccount } from './probe-account.ts';
import { reconciliation } from './reconciliation/reconciliation.ts';
import { followUp, reprocessDocument, sendDocument, settleDocument } from './send-document.ts';
import { shopEvent } from './shop-event.ts';
import { syncOrder } from './sync-order.ts';
import { verifyDocument } from './verify-document.ts';
import { unprovenRest } from './verify-shop.ts';
import { writeBack } from './write-back.ts';

type Handlers = Record<JobKind, (job: ClaimedJob) => Promise<HandlerResult>>;

const handlersOf = (deps: JobDeps): Handlers => ({
  'sync-order': syncOrder(deps),
  'submit-document': sendDocument(deps),
  'settle-document': settleDocument(deps),
  'follow-up': followUp(deps),
  'reprocess-document': reprocessDocument(deps),
  'catch-up': catchUp(deps),
  'verify-document': verifyDocument(deps),
  'write-back': writeBack(deps),
  'keep-files': keepFiles(deps),
  'ask-buyer': askBuyer(deps),
  'buyer-cut-off': buyerCutOff(deps),
  'probe-account': probeAccount(deps),
  'shop-event': shopEvent(deps),
  'deliver-alerts': deliverAlerts(deps),
  announce: announce(deps),
  reconciliation: reconciliation(deps),
});

/** A handler of these that ends has called the shop. */
const callsShop: ReadonlySet<JobKind> = new Set(['sync-order', 'reconciliation']);

/**
 * The one wrapper round a handler. A job waits without failing while this process does not know its store, account, channel
 * or listener, and while its shop refuses access or is held. Other errors are thrown: the worker retries them with backoff.
 */
export function openRunJob(deps: JobDeps, more: Partial<Handlers> = {}): JobHandler {
  const handlers: Handlers = { ...handlersOf(deps), ...more };
  const waitUntilKnown = openUnknownWait(deps);
  const access = openAccess(deps);
  return async (job) => {
    try {
      const result = await handlers[job.kind](job);
      if (result.kind === 'unknown-here') return await waitUntilKnown(job, result);
      if (callsShop.has(job.kind)) await access.given(job);
      return result;
    } catch (error) {
      if (!(error instanceof ShopError)) throw error;
      const restMs = unprovenRest(error) ?? (await access.refused(job, error));
      if (restMs === null) throw error;
      return again(deps.clock, restMs, error.merchant);
    }
  };
}

const disconnectedMs = 6 * 3_600_000;

/** Alerts once when a shop refuses access. When it gives access again, all its jobs are due. */
function openAccess({ alerts, clock, ledger }: Pick<JobDeps, 'alerts' | 'clock' | 'ledger'>) {
  let known: Promise<Set<string>> | undefined;
  /** Stores with an alert, also of a process that ended since. */
  const withoutAccess = () => {
    known ??= ledger.alerts
      .open()
      .then((open) => new Set(open.flatMap(({ code, subject }) => (code === notConnected ? [subject] : []))))
      .catch((error: unknown) => {
        known = undefined;
        throw error;
      });
    return known;
  };
  return {
    async given({ storeId }: ClaimedJob): Promise<void> {
      if (!(await withoutAccess()).delete(storeId)) return;
      await alerts.over({ code: notConnected, subject: storeId });
      await ledger.stores.wake(storeId, clock.now());
    },
    /** The wait in milliseconds; null where the shop gives access. */
    async refused({ storeId }: ClaimedJob, error: ShopError): Promise<number | null> {
      if (!error.disconnected) return null;
      const stores = await withoutAccess();
      const params = { reason: error.merchant };
      if (!stores.has(storeId))
        await alerts.raise({ code: notConnected, subject: storeId, about: owner.store(storeId), params });
      stores.add(storeId);
      return disconnectedMs;
    },
  };
}

const soonMs = 2_000;
const longestMs = 15 * 60_000;

/** Slower and slower, at most a quarter of an hour; after `patienceMs` the job may end undone. Logged once. */
function openUnknownWait({ clock, log }: Pick<JobDeps, 'clock' | 'log'>) {
  const note = openAbsences();
  return async (job: ClaimedJob, unknown: UnknownHere): Promise<JobOutcome> => {
    const { what, name, seen = '', patienceMs = dayMs, mayEnd } = unknown;
    const now = clock.now().getTime();
    const fields = what === 'store' ? { store: job.storeId, shop: name } : { [what]: name };
    if (note(`${what} ${name}`, now).isNew)
      log.warn(fields, `This process does not know the ${what}; its jobs wait until one does`);
    const { ms } = note(`${job.id} ${seen}`, now);
    if (ms >= patienceMs && (await (mayEnd?.() ?? true))) {
      const { kind, subject } = job;
      log.warn({ ...fields, kind, subject }, `The ${what} has been gone for long; this job ended undone`);
      return done;
    }
    return again(clock, Math.min(Math.max(ms, soonMs), longestMs), `its ${what} is not known here`);
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
