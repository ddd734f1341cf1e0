import type { Closing } from './accounting/closing.ts';
import { ecuadorDay, startOfEcuadorDay } from './core/calendar.ts';
import type { Clock } from './core/clock.ts';
import type { Log } from './core/log.ts';
import type { Store } from './core/settings.ts';
import type { Ledger } from './ledger/ledger.ts';

const hour = 3_600_000;
/** By then every repeat of the service's last event is over (81 minutes; spec, delivery). */
const fromHour = 2;
/** A source that is silent for so long is told of. */
const patienceHour = 8;
const everyMs = 10 * 60_000;

interface NightlyDeps {
  closing: Closing;
  ledger: Pick<Ledger, 'closes'>;
  clock: Clock;
  log: Log;
  stores(): Iterable<Store>;
  /** Sales paid before this instant are history. */
  invoiceFrom(store: Store): Date;
}

/** Closes each day in the night after it, signed and kept; a red one raises an alert. Answers how to stop. */
export function startNightlyClose(deps: NightlyDeps): () => Promise<void> {
  const look = openNightlyClose(deps);
  let running = Promise.resolve();
  const timer = setInterval(() => {
    running = running.then(look).catch((error: unknown) => {
      deps.log.warn({ err: error }, 'The day could not be closed; it is tried again in ten minutes');
    });
  }, everyMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}

/** One look: closes yesterday unless that was done, by whichever process. */
export function openNightlyClose({ closing, ledger, clock, log, stores, invoiceFrom }: NightlyDeps) {
  return async (): Promise<void> => {
    const now = clock.now();
    const midnight = startOfEcuadorDay(ecuadorDay(now));
    const sinceMidnight = now.getTime() - midnight.getTime();
    if (sinceMidnight < fromHour * hour) return;
    if (![...stores()].some((store) => invoiceFrom(store) < midnight)) return;
    const day = ecuadorDay(new Date(midnight.getTime() - 1));
    const known = await ledger.closes.ofDay(day, '*');
    // One made while the day still ran, or without an answer, is not the last word.
    if (known && known.result !== 'incomplete' && known.closedAt >= midnight.toISOString()) return;
    const { close } = await closing.close({ day, save: true });
    log.info({ day, result: close.result, differences: close.differences.length }, 'The day was closed');
    if (close.result === 'incomplete' && sinceMidnight >= patienceHour * hour) await closing.tellOf(close);
  };
}
