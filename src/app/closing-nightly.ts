import { type Clock, type Day, ecuadorDay, startOfEcuadorDay } from '../domain/clock.ts';
import type { Log } from '../domain/ports.ts';
import type { Store } from '../domain/settings.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Closing } from '../reports/close/close.ts';
import type { DayClose } from '../reports/close/day-close.ts';
import { readKept } from '../reports/close/keep-close.ts';

const hour = 3_600_000;
/** By then the service has ended the retries of the day's last event (81 minutes; spec, delivery). */
const fromHour = 2;
/** From this hour a source that does not answer raises an alert. */
const patienceHour = 8;
export const nightlyEveryMs = 10 * 60_000;
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
