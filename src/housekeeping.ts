import type { Clock } from './core/clock.ts';
import type { Log } from './core/log.ts';
import { idleMs, wholeMs } from './http/panel/sessions.ts';
import type { Ledger } from './ledger/ledger.ts';

/** Longer than any platform repeats a delivery or a merchant asks what came; order snapshots and documents stay. */
const keepDeliveriesMs = 30 * 24 * 60 * 60 * 1000;
/** As long as anybody asks who did what. */
const keepDeedsMs = 2 * 365 * 24 * 60 * 60 * 1000;
const everyMs = 6 * 60 * 60 * 1000;

interface Housekeeping {
  ledger: Ledger;
  clock: Clock;
  log: Log;
  /** What the files of documents may take. */
  keepBytes: number;
}

/**
 * Deletes what nobody needs any more: the raw webhooks, which hold buyers' data, and the oldest files where they take
 * too much. Answers how to stop.
 */
export function startHousekeeping(of: Housekeeping) {
  const { log } = of;
  let running = Promise.resolve();
  const sweep = () => {
    running = prune(of).catch((error: Error) =>
      log.warn({ err: error }, 'What nobody needs any more could not be deleted; it is tried again later'),
    );
  };
  sweep();
  const timer = setInterval(sweep, everyMs);
  timer.unref();
  return async (): Promise<void> => {
    clearInterval(timer);
    await running;
  };
}

async function prune({ ledger, clock, log, keepBytes }: Housekeeping): Promise<void> {
  await pruneDeliveries(ledger, clock, log);
  const files = await ledger.files.prune(keepBytes);
  if (files > 0) log.info({ files }, 'The oldest files of documents were deleted to make room');
  const before = (ms: number) => new Date(clock.now().getTime() - ms);
  await ledger.alerts.prune(before(keepDeliveriesMs));
  await ledger.sessions.prune({ seen: before(idleMs), began: before(wholeMs) });
  await ledger.deeds.prune(before(keepDeedsMs));
}

export async function pruneDeliveries(ledger: Ledger, clock: Clock, log: Log): Promise<void> {
  const deleted = await ledger.deliveries.prune(new Date(clock.now().getTime() - keepDeliveriesMs));
  if (deleted > 0) log.info({ deleted }, 'Old deliveries were deleted');
}
