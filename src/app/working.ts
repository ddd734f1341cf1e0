import type { Config } from '../config/load.ts';
import type { Alerts } from '../domain/alerts.ts';
import type { Clock } from '../domain/clock.ts';
import type { Log } from '../domain/log.ts';
import type { Settings, Store } from '../domain/settings.ts';
import type { Tickets } from '../domain/tickets.ts';
import type { Step, WorkKind } from '../domain/work.ts';
import { probeAtStart } from '../jobs/account-pause.ts';
import { allSteps } from '../jobs/all.ts';
import type { StepDeps } from '../jobs/deps.ts';
import { replanHeld } from '../jobs/replan.ts';
import { resumeOpen } from '../jobs/resume.ts';
import { beginSweeps, keepSweeps } from '../jobs/sweep/begin.ts';
import { openWatches } from '../jobs/watch/watch.ts';
import { openWritableWatch } from '../jobs/watch/writable.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Observer } from '../observability/observer.ts';
import { startDispatcher } from '../queue/dispatcher.ts';
import { openTransport } from '../queue/open.ts';
import type { Transport } from '../queue/transport.ts';
import { startWorker } from '../queue/worker.ts';
import { nightlyEveryMs, openNightlyClose } from './closing-nightly.ts';
import { prune } from './housekeeping.ts';
import { type Periodic, startPeriodic } from './periodic.ts';
import type { Runtime } from './runtime.ts';
import { openTending } from './tending.ts';

const minute = 60_000;
const hour = 60 * minute;

/**
 * Starts what a process that works needs, in the order of dependence: what is left over from before is looked at once
 * somebody can carry it out, and work is handed out only after that. `closers` end it, the last one first.
 */
export async function startWork(
  runtime: Runtime,
  settings: Settings,
  parts: {
    tickets: Tickets;
    config: Config;
    log: Log;
    observer: Observer;
    closers: (() => Promise<void>)[];
    deadline: () => number;
  },
): Promise<Transport> {
  const { tickets, config, log, observer, closers, deadline } = parts;
  const { ledger, clock, rate, budgets, steps } = runtime;
  const transport = await openTransport({
    redisUrl: config.redis?.url,
    prefix: config.redis?.prefix,
    concurrency: config.worker.concurrency,
    log,
  });
  closers.push(() => transport.close(deadline()));
  const worker = await startWorker({
    ledger,
    transport,
    steps: watchedSteps(allSteps(steps), observer),
    clock,
    log,
    rate,
    leaseMs: config.worker.leaseSeconds * 1000,
  });
  closers.push(() => worker.stop(deadline()));
  closers.push(startPeriodic(periodic(runtime, settings, { config, tickets, log }), log));
  await ledger.transaction((tables) => replanHeld(tables, clock.now()));
  await resumeOpen(steps);
  await probeAtStart(steps);
  await startSweeping(steps, { transport, stores: () => settings.stores.values(), rate });
  const dispatcher = startDispatcher({ ledger, transport, budgets, clock, log, rate });
  closers.push(() => dispatcher.stop());
  return transport;
}

/** What a process that works looks at by itself, beside the jobs. */
function periodic(
  { ledger, clock, steps, closing, shopContext, proofs }: Runtime,
  settings: Settings,
  { config, tickets, log }: { config: Config; tickets: Tickets; log: Log },
): Periodic[] {
  const { alerts, keepBytes, invoiceFrom } = steps;
  const { redis, retention } = config;
  const watches = openWatches(steps, { comparesClock: config.testClock === undefined });
  const stores = () => settings.stores.values();
  const tasks: (Periodic | false)[] = [
    {
      run: openWritableWatch(steps),
      everyMs: minute / 2,
      failed: 'Whether the ledger can be written was not found out; again soon',
    },
    {
      run: watches.ledger,
      everyMs: minute,
      firstMs: 0,
      failed: 'Jobs that fail and series without numbers were not looked for; again in a minute',
    },
    redis !== null && {
      run: () => lookAtPrefix({ redis, ledger, clock, alerts }),
      everyMs: minute,
      firstMs: 0,
      failed: 'The owner of the Redis prefix was not found out; again in a minute',
    },
    {
      run: watches.shops,
      everyMs: 10 * minute,
      firstMs: 0,
      failed: 'The shops were not looked at; again in ten minutes',
    },
    config.close.nightly && {
      run: openNightlyClose({ closing, ledger, clock, log, stores, invoiceFrom }),
      everyMs: nightlyEveryMs,
      failed: 'The day could not be closed; it is tried again later',
    },
    {
      run: openTending({ settings, tickets, proofs, contextOf: shopContext, alerts, log }),
      // A shop disables a webhook without a word; until it is back, the search every few minutes finds its orders.
      everyMs: hour,
      // The doors are open by then, so that a shop that tries ours at once finds it.
      firstMs: minute,
      failed: 'What is installed in the shops was not looked after; again in an hour',
    },
    {
      run: () => prune({ ledger, clock, log, keepBytes, retention }),
      everyMs: 6 * hour,
      firstMs: 0,
      failed: 'What nobody needs any more could not be deleted; it is tried again later',
    },
    {
      run: watches.accounts,
      everyMs: 12 * hour,
      firstMs: 0,
      failed: 'Credits and electronic signatures were not looked at; again in twelve hours',
    },
    // At the start it is done before anything else.
    {
      run: () => resumeOpen(steps),
      everyMs: 24 * hour,
      failed: 'Documents without a job were not looked for',
    },
  ];
  return tasks.filter((task) => task !== false);
}

function watchedSteps(steps: Record<WorkKind, Step>, observer: Observer): Record<WorkKind, Step> {
  const watched = Object.entries(steps).map(([kind, step]) => [kind, observer.step(step)]);
  return Object.fromEntries(watched) as Record<WorkKind, Step>;
}

/** However fast a test clock runs. */
const leastMs = 1_000;

/**
 * Has every store swept from now on, and looked after: as often as a store is swept, one process makes sure that each
 * still has its sweep. With Redis that is a job scheduler, which Bull Board shows; `stores` are those of the moment.
 */
export async function startSweeping(
  steps: StepDeps,
  { transport, stores, rate }: { transport: Transport; stores(): Iterable<Store>; rate: number },
): Promise<void> {
  await beginSweeps(steps, stores());
  transport.repeat({
    name: 'keep-sweeps',
    everyMs: Math.max(Math.round(steps.timings.sweep.every / rate), leastMs),
    run: () => keepSweeps(steps, stores()),
  });
}

/**
 * Two installations on one Redis prefix take each other's jobs, know none of them, and are slow: nothing is lost, since
 * the ledgers know, but a person must give one of them a prefix of its own.
 */
export async function lookAtPrefix({
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
  const alert = { code: 'redis-shared', subject: redis.prefix };
  const { askPrefixOwner } = await import('../queue/prefix-owner.ts');
  const id = await ledger.installation.id(clock.now());
  const owner = await askPrefixOwner(redis.url, redis.prefix, id);
  if (owner === null) return;
  if (owner === id) return alerts.over(alert);
  await alerts.raise({
    ...alert,
    what: `Otra instalación usa el mismo Redis con el mismo prefijo (${redis.prefix}): cada una toma trabajos de la otra y ambas van lentas.`,
    cure: 'Dé a una de las dos otro redis.prefix, o un Redis propio, y reinicie.',
  });
}
