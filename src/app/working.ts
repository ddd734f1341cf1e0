import type { Alerts } from '../domain/alerts.ts';
import { inWords } from '../domain/checks.ts';
import { type Clock, type Day, dayMs, ecuadorDay, startOfEcuadorDay } from '../domain/clock.ts';
import type { Platform } from '../domain/platform.ts';
import type { Log } from '../domain/ports.ts';
import { addressOf, owner, type Store } from '../domain/settings.ts';
import { probeAtStart } from '../jobs/account-pause.ts';
import { openQueueWatch, openWritableWatch } from '../jobs/alerts.ts';
import type { JobDeps } from '../jobs/deps.ts';
import { replanHeld, resumeOpen } from '../jobs/enqueue.ts';
import { forgetOld, type Kept } from '../jobs/forget-old.ts';
import { beginReconciliations, keepReconciliations } from '../jobs/reconciliation/reconciliation.ts';
import { openRunJob } from '../jobs/run-job.ts';
import { openWatches } from '../jobs/watch.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { putThere } from '../messages/checks.ts';
import { failedSignIns } from '../panel/guesses.ts';
import { idleMs, wholeMs } from '../panel/sessions.ts';
import { startDispatcher } from '../queue/dispatcher.ts';
import { openMemoryTransport, type Transport } from '../queue/transport.ts';
import { startWorker } from '../queue/worker.ts';
import type { Closing } from '../reports/close/close.ts';
import type { DayClose } from '../reports/close/day-close.ts';
import { readKept } from '../reports/close/keep-close.ts';
import { lookEveryMs } from './clock-check.ts';
import type { Installation } from './installation.ts';
import { installRequest } from './installing.ts';
import type { Periodic } from './periodic.ts';
import { takeNewStores } from './stores.ts';

const minute = 60_000;
const hour = 60 * minute;

/** Starts the worker, then jobs that an earlier process left, then the dispatcher. `closers` stop the last first. */
export async function startWorking(
  { config, settings, ledger, clock, clockCheck, rateLimits, jobDeps, log, observer }: Installation,
  transport: Transport,
  { closers, deadline }: { closers: (() => Promise<void>)[]; deadline: () => number },
): Promise<void> {
  const { rate } = clock;
  const runJob = openRunJob(jobDeps);
  const worker = await startWorker({
    ledger,
    transport,
    runJob: (job) => observer.job(job, runJob),
    clock,
    log,
    rate,
    leaseMs: config.worker.leaseSeconds * 1000,
  });
  closers.push(() => worker.stop(deadline()));
  await ledger.transaction((tables) => replanHeld(tables, clock.now()));
  await resumeOpen(jobDeps);
  await probeAtStart(jobDeps);
  await beginReconciliations(jobDeps, settings.stores.values());
  const dispatcher = startDispatcher({
    ...{ ledger, transport, rateLimits, clock, log, rate },
    mayRelease: clockCheck.isRight,
  });
  closers.push(() => dispatcher.stop());
}

/** Runs jobs beside the queue. */
export async function openDirectWorker({
  ledger,
  clock,
  jobDeps,
  log,
}: Pick<Installation, 'ledger' | 'jobDeps' | 'log'> & { clock: Clock & { rate?: number } }) {
  const transport = openMemoryTransport({ concurrency: 1, log });
  const { rate = 1 } = clock;
  const worker = await startWorker({ ledger, transport, runJob: openRunJob(jobDeps), clock, log, rate });
  return {
    async run(ids: readonly string[]): Promise<void> {
      await ledger.jobs.release(ids, clock.now());
      await transport.send(ids.map((id) => ({ id })));
    },
    stop: worker.stop,
  };
}

/** What this process does again and again. Each task may run in several processes at once. */
export function periodicTasks(
  installation: Installation,
  {
    role,
    transport,
    direct,
  }: { role: string; transport: Transport; direct: Awaited<ReturnType<typeof openDirectWorker>> },
): Periodic[] {
  const { ledger, clockCheck, jobDeps, log } = installation;
  const queue = { ready: transport.check, run: direct.run, mayRelease: clockCheck.isRight };
  return [
    { name: 'check-clock', run: clockCheck.look, everyMs: lookEveryMs[ledger.engine] },
    { name: 'check-ledger-writable', run: openWritableWatch(jobDeps), everyMs: minute / 2 },
    { name: 'check-queue', run: openQueueWatch(jobDeps, queue), everyMs: minute / 2 },
    { name: 'refresh-stores', run: () => takeNewStores(installation, log), everyMs: 3_000 },
    ...(role === 'web' ? [] : tasksOfWorkers(installation)),
  ];
}

function tasksOfWorkers(installation: Installation): Periodic[] {
  const { config, settings, ledger, clock, clockCheck, jobDeps, closing, log } = installation;
  const { redis } = config;
  const { invoiceFrom } = jobDeps;
  const watches = openWatches(jobDeps);
  // A day that is not over is not closed, and what is not old is not deleted.
  const atRightTime = (run: () => Promise<void>) => async () => {
    if (clockCheck.isRight()) await run();
  };
  const stores = () => settings.stores.values();
  const tasks: (Periodic | false)[] = [
    { name: 'check-ledger', run: watches.ledger, everyMs: minute, firstMs: 0 },
    redis !== null && {
      name: 'check-redis-prefix',
      run: () => checkPrefix({ redis, ledger, clock, alerts: jobDeps.alerts }),
      everyMs: minute,
      firstMs: 0,
    },
    { name: 'check-shops', run: watches.shops, everyMs: 10 * minute, firstMs: 0 },
    config.close.nightly && {
      name: 'close-day',
      run: atRightTime(openNightlyClose({ closing, ledger, clock, log, stores, invoiceFrom })),
      everyMs: nightlyEveryMs,
    },
    {
      name: 'maintain-shops',
      run: openMaintenance(installation),
      // A shop disables a webhook silently; until it is back, reconciliation finds the orders.
      everyMs: hour,
      // The endpoints are open by then, for shops that call them at once.
      firstMs: minute,
    },
    {
      name: 'prune',
      run: atRightTime(() => prune({ ...jobDeps, retention: config.retention })),
      everyMs: 6 * hour,
      firstMs: 0,
    },
    {
      name: 'keep-reconciliations',
      run: () => keepReconciliations(jobDeps, stores()),
      everyMs: Math.max(Math.round(jobDeps.timings.reconciliation.every / clock.rate), leastMs),
    },
    { name: 'check-waiting', run: watches.waiting, everyMs: hour, firstMs: minute },
    { name: 'check-accounts', run: watches.accounts, everyMs: 12 * hour, firstMs: 0 },
    { name: 'resume-documents', run: () => resumeOpen(jobDeps), everyMs: 24 * hour },
  ];
  return tasks.filter((task) => task !== false);
}

const leastMs = 1_000;

/** Each installation takes jobs of the other that it does not know, which is slow. Nothing is lost. */
export async function checkPrefix({
  redis,
  ledger,
  clock,
  alerts,
}: {
  redis: { url: string; prefix: string };
  ledger: Pick<Ledger, 'installation'>;
  clock: Clock;
  alerts: Alerts;
}): Promise<void> {
  const alert = { code: 'redis-shared', subject: redis.prefix } as const;
  const { askPrefixOwner } = await import('../queue/redis.ts');
  const id = await ledger.installation.id(clock.now());
  const owner = await askPrefixOwner(redis.url, redis.prefix, id);
  if (owner === null) return;
  if (owner === id) return alerts.over(alert);
  await alerts.raise({
    ...alert,
    params: { prefix: redis.prefix },
  });
}

const keepAlertsMs = 30 * dayMs;
const keepAuditLogMs = 2 * 365 * dayMs;
const keepFailedSignInsMs = 90 * dayMs;
const chartsMs = 90 * dayMs;

export async function prune({
  ledger,
  clock,
  log,
  keepBytes,
  retention,
}: {
  ledger: Ledger;
  clock: Clock;
  log: Log;
  keepBytes: number;
  retention: Kept & { deliveriesDays: number };
}): Promise<void> {
  const before = (ms: number) => new Date(clock.now().getTime() - ms);
  const deleted = await ledger.deliveries.prune(before(retention.deliveriesDays * dayMs));
  if (deleted > 0) log.info({ deleted }, 'Old deliveries were deleted');
  await forgetOld({ ledger, clock, log }, retention);
  const files = await ledger.files.prune(keepBytes);
  if (files > 0) log.info({ files }, 'The oldest files of documents were deleted to make room');
  await ledger.alerts.prune(before(keepAlertsMs));
  await ledger.sessions.prune({ seen: before(idleMs), began: before(wholeMs) });
  await ledger.auditLog.prune(before(keepAuditLogMs));
  await ledger.auditLog.prune(before(keepFailedSignInsMs), failedSignIns);
  await ledger.dayTallies.since(ecuadorDay(before(chartsMs)), clock.now());
}

type MaintenanceDeps = Pick<Installation, 'settings' | 'proofs' | 'tickets' | 'shopContext' | 'log'> & {
  jobDeps: Pick<JobDeps, 'alerts'>;
};

/** The failure of one store does not keep others from it. */
export function openMaintenance(deps: MaintenanceDeps): () => Promise<void> {
  const { settings, tickets, proofs, shopContext: contextOf, jobDeps, log } = deps;
  const { alerts } = jobDeps;
  const code = 'shop-installation';

  async function maintainStore(store: Store): Promise<void> {
    const { id, platform } = store;
    // Nothing is changed in a shop that is held.
    if (!(await proofs.isVerified(store)) || !platform.maintain) return;
    const request = installRequest(settings, store, { apply: true, tickets });
    const found = await platform.maintain(request, contextOf(platform));
    // Another process may have raised the alert.
    if (found.length === 0) return alerts.over({ code, subject: id });
    const items = found
      .map(inWords)
      .map(({ what, resolution }) => `${what}: ${resolution ?? putThere}`)
      .join(' ');
    await alerts.raise({
      code,
      subject: id,
      about: owner.store(id),
      params: { store: id, items, url: settings.publicUrl },
    });
  }

  async function refreshPending(platform: Platform): Promise<void> {
    const ours = ({ platform: one }: { platform: Platform }) => one === platform;
    const apps = [...settings.apps.values()].filter(ours).map(({ id, settings: app }) => [id, app] as const);
    const configured = [...settings.stores.values()].filter(ours).map(addressOf);
    await platform.refreshPending?.(new Map(apps), new Set(configured), contextOf(platform));
  }

  return async () => {
    await proofs
      .endOfNobody()
      .catch((error: Error) => log.warn({ err: error }, 'The holds of removed shops could not be ended'));
    for (const platform of new Set([...settings.apps.values()].map((app) => app.platform)))
      await refreshPending(platform).catch((error: Error) =>
        log.warn(
          { platform: platform.name, err: error },
          'Shops that wait for a store could not be maintained',
        ),
      );
    for (const store of settings.stores.values())
      await maintainStore(store).catch((error: Error) =>
        log.warn(
          { store: store.id, err: error },
          'A store could not be maintained; the next try is in an hour',
        ),
      );
  };
}

/** By then the service has ended the retries of the day's last event (81 minutes; spec, delivery). */
const fromHour = 2;
/** From this hour a source that does not answer raises an alert. */
const patienceHour = 8;
const nightlyEveryMs = 10 * 60_000;
/** Each close asks the service for every document of the day. */
const waitsMs = [nightlyEveryMs, 30 * 60_000, 2 * hour, 6 * hour];
const giveUpMs = 24 * hour;
/** The ledger keeps events of the service for so many days (ledger/days.ts). */
const daysBack = 7;

interface NightlyDeps {
  closing: Closing;
  ledger: Pick<Ledger, 'closes'>;
  clock: Clock;
  log: Log;
  stores(): Iterable<Store>;
  invoiceFrom(store: Store): Date;
}

/** Closes past days without a close. Repeats one that is not final for a day; a red one raises an alert. */
export function openNightlyClose({ closing, ledger, clock, log, stores, invoiceFrom }: NightlyDeps) {
  const trials = new Map<Day, Trials>();
  return async (): Promise<void> => {
    const now = clock.now();
    const today = startOfEcuadorDay(ecuadorDay(now)).getTime();
    const sinceMidnight = now.getTime() - today;
    if (sinceMidnight < fromHour * hour) return;
    let isKept = false;
    for (let back = daysBack; back >= 1; back -= 1) {
      const ends = new Date(today - (back - 1) * 24 * hour);
      if (![...stores()].some((store) => invoiceFrom(store) < ends)) continue;
      const day = ecuadorDay(new Date(ends.getTime() - 1));
      const known = await ledger.closes.ofDay(day, '*');
      const isMissing = known === undefined && isKept;
      isKept ||= known !== undefined;
      if (back > 1 && !isMissing && !trials.has(day)) continue;
      // A close made during the day is repeated.
      if (known && isFinal(readKept(known)) && known.closedAt >= ends.toISOString()) continue;
      const trial = trials.get(day) ?? { first: now.getTime(), count: 0, next: now.getTime() };
      if (now.getTime() < trial.next || now.getTime() > trial.first + giveUpMs) continue;
      trials.set(day, {
        ...trial,
        count: trial.count + 1,
        next: nextTrial(trial.count, now.getTime(), today),
      });
      const { close } = await closing.close({ day, save: true });
      if (isFinal(close)) trials.delete(day);
      log.info({ day, result: close.result, differences: close.differences.length }, 'The day was closed');
      const isLate = back > 1 || sinceMidnight >= patienceHour * hour;
      if (close.result === 'incomplete' && isLate) await closing.reportOf(close);
    }
  };
}

const isFinal = ({ result, provisional }: Pick<DayClose, 'result' | 'provisional'>): boolean =>
  result !== 'incomplete' && !provisional;

interface Trials {
  first: number;
  count: number;
  next: number;
}

function nextTrial(count: number, now: number, today: number): number {
  const due = now + (waitsMs[count] ?? waitsMs.at(-1) ?? nightlyEveryMs);
  const alertAt = today + patienceHour * hour;
  return now < alertAt ? Math.min(due, alertAt) : due;
}
