import type { Config } from '../config/load.ts';
import type { Log } from '../core/log.ts';
import type { Settings } from '../core/settings.ts';
import type { Tickets } from '../core/tickets.ts';
import type { Step, WorkKind } from '../core/work.ts';
import { startDispatcher } from '../dispatch/dispatcher.ts';
import { openTransport } from '../dispatch/open.ts';
import type { Transport } from '../dispatch/transport.ts';
import { startWorker } from '../dispatch/worker.ts';
import type { Observer } from '../observe/observer.ts';
import { probeAtStart } from '../steps/account-pause.ts';
import { allSteps } from '../steps/all.ts';
import { replanHeld } from '../steps/replan.ts';
import { resumeOpen } from '../steps/resume.ts';
import { startWatch } from '../steps/watch/watch.ts';
import { startWritableWatch } from '../steps/watch/writable.ts';
import { startNightlyClose } from './closing-nightly.ts';
import { startHousekeeping } from './housekeeping.ts';
import { startPrefixWatch } from './prefix-watch.ts';
import type { Runtime } from './runtime.ts';
import { startSweeping } from './sweeping.ts';
import { startTending } from './tending.ts';

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
  const { ledger, clock, rate, budgets, steps, shopContext, proofs } = runtime;
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
  closers.push(
    startHousekeeping({ ledger, clock, log, keepBytes: steps.keepBytes, retention: config.retention }),
  );
  if (config.redis)
    closers.push(startPrefixWatch({ redis: config.redis, ledger, clock, alerts: steps.alerts }));
  closers.push(startWatch(steps, { comparesClock: config.testClock === undefined }));
  closers.push(startWritableWatch(steps));
  const { alerts } = steps;
  closers.push(startTending({ settings, tickets, proofs, contextOf: shopContext, alerts, log }));
  if (config.close.nightly) closers.push(startNightly(runtime, settings));
  await ledger.transaction((tables) => replanHeld(tables, clock.now()));
  await resumeOpen(steps);
  await probeAtStart(steps);
  await startSweeping(steps, { transport, stores: () => settings.stores.values(), rate });
  const dispatcher = startDispatcher({ ledger, transport, budgets, clock, log, rate });
  closers.push(() => dispatcher.stop());
  return transport;
}

function startNightly({ closing, ledger, clock, steps }: Runtime, settings: Settings) {
  const stores = () => settings.stores.values();
  return startNightlyClose({
    closing,
    ledger,
    clock,
    log: steps.log,
    stores,
    invoiceFrom: steps.invoiceFrom,
  });
}

function watchedSteps(steps: Record<WorkKind, Step>, observer: Observer): Record<WorkKind, Step> {
  const watched = Object.entries(steps).map(([kind, step]) => [kind, observer.step(step)]);
  return Object.fromEntries(watched) as Record<WorkKind, Step>;
}
