import type { Clock } from './core/clock.ts';
import type { Log } from './core/log.ts';
import type { Ledger } from './ledger/ledger.ts';

/** Longer than any platform repeats a delivery or a merchant asks what came; order snapshots and documents stay. */
const keepDeliveriesMs = 30 * 24 * 60 * 60 * 1000;
const everyMs = 6 * 60 * 60 * 1000;

/** Deletes what nobody needs any more: the raw webhooks, which hold buyers' data. Answers how to stop. */
export function startHousekeeping({ ledger, clock, log }: { ledger: Ledger; clock: Clock; log: Log }) {
  let running = Promise.resolve();
  const sweep = () => {
    running = prune(ledger, clock, log).catch((error: Error) =>
      log.warn({ err: error }, 'Old deliveries could not be deleted; it is tried again later'),
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

async function prune(ledger: Ledger, clock: Clock, log: Log): Promise<void> {
  await pruneDeliveries(ledger, clock, log);
  await ledger.alerts.prune(new Date(clock.now().getTime() - keepDeliveriesMs));
}

export async function pruneDeliveries(ledger: Ledger, clock: Clock, log: Log): Promise<void> {
  const deleted = await ledger.deliveries.prune(new Date(clock.now().getTime() - keepDeliveriesMs));
  if (deleted > 0) log.info({ deleted }, 'Old deliveries were deleted');
}
