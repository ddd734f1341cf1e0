import type { Budgets } from '../domain/budget.ts';
import type { Clock } from '../domain/clock.ts';
import type { Log } from '../domain/log.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Taking } from '../ledger/work/tables.ts';
import { lookAheadMs } from './key-budget.ts';
import { watchOutage } from './outage.ts';
import { openRounds, type Picked } from './rounds.ts';
import { openSlots } from './slots.ts';
import type { Transport } from './transport.ts';
import { nap, openAlarm, realTimers, type Timers } from './waiting.ts';

export interface Dispatcher {
  /** Looks for due work now. */
  kick(): void;
  /** Resolves when the turn under way is over; nothing is released afterwards. */
  stop(): Promise<void>;
}

export interface DispatcherOptions {
  ledger: Pick<Ledger, 'onWork'> & { work: Taking };
  transport: Transport;
  budgets: Budgets;
  clock: Clock;
  log: Log;
  /** How many times faster than real time `clock` runs (a test clock's rate). */
  rate?: number;
  /** Real milliseconds between two looks when nothing wakes it. */
  pollMs?: number;
  /** Real milliseconds after which a release nobody claimed counts as lost. */
  staleAfterMs?: number;
  timers?: Timers;
}

/** Work handed over but not yet claimed, in all processes: enough to keep workers busy, little enough to stay fair. */
const ahead = 100;
/** Of one lane per look: fairness needs few, speed needs no more, because looks follow one another. */
const perLane = 4;
/** Rows per look. When many budgets without a slot fill it, it looks further. */
const firstLook = 500;
const farthestLook = 16_000;
/** The shortest pause between two turns, and the pause while the workers, or a store's part of them, have enough. */
const gapMs = 5;
const fullMs = 20;

const sum = (counts: ReadonlyMap<unknown, number>): number => [...counts.values()].reduce((a, b) => a + b, 0);
/**
 * Releases due work to the transport, fairly by budget and just in time. Runs in as many processes as like:
 * the ledger's `release` is a compare-and-set. It survives a ledger or transport that is down for a while.
 */
export function startDispatcher(options: DispatcherOptions): Dispatcher {
  const { ledger, transport, budgets, clock, log } = options;
  const { rate = 1, pollMs = 250, staleAfterMs = 30_000, timers = realTimers } = options;
  const slots = openSlots(transport.concurrency);
  const rounds = openRounds({ budgets, clock, lookAheadMs: lookAheadMs * rate, perLane, slots });
  const alarm = openAlarm(timers);
  const ledgerOutage = watchOutage(log, {
    failed: 'The dispatcher cannot use the ledger; it keeps trying and releases nothing until then.',
    over: 'The dispatcher reaches the ledger again.',
  });
  const transportOutage = watchOutage(log, {
    failed: 'The transport takes no jobs; the ledger keeps the work and releases it again.',
    over: 'The transport takes jobs again.',
  });
  let look = firstLook;
  let recoverAt = 0;
  let stopped = false;

  async function recover(now: Date): Promise<void> {
    if (timers.passed() < recoverAt) return;
    const returned = await ledger.work.recover(now, staleAfterMs * rate);
    if (returned > 0) log.warn({ returned }, 'Work that got lost on its way or in a crash is due again.');
    recoverAt = timers.passed() + Math.min(staleAfterMs / 4, 1_000);
  }

  /** Hands over what may go; answers in how many real milliseconds to look again. */
  async function turn(): Promise<number> {
    const now = clock.now();
    await recover(now);
    // After a failed hand-over nothing is released into the void: first it must answer.
    if (transportOutage.down && !(await canSend())) return pollMs;
    slots.keep(await ledger.work.inHand(slots.ids()));
    const unclaimed = await ledger.work.unclaimed();
    const free = ahead - sum(unclaimed);
    if (free <= 0) return fullMs;
    const due = await ledger.work.due(now, perLane, look);
    if (due.length === 0) return idleMs(now, await ledger.work.nextDueAt(now));
    const picks = await rounds.pick(due, free, unclaimed);
    if (picks.length > 0) await release(picks, now);
    const full = due.length >= look;
    look = full ? Math.min(look * 2, farthestLook) : firstLook;
    if (picks.length > 0 || (full && look < farthestLook)) return 0;
    // What ends rings no alarm; a store whose share is used up is looked at as often as full workers are.
    return Math.min((rounds.nextSlotMs() ?? Number.POSITIVE_INFINITY) / rate, slots.waited ? fullMs : pollMs);
  }

  const idleMs = (now: Date, next: Date | null): number =>
    next === null ? pollMs : Math.min(Math.max(next.getTime() - now.getTime(), 0) / rate, pollMs);

  async function canSend(): Promise<boolean> {
    try {
      await transport.check();
      transportOutage.over();
      return true;
    } catch {
      return false;
    }
  }

  async function release(picks: readonly Picked[], now: Date): Promise<void> {
    const ids = picks.map((pick) => pick.work.id);
    const won = new Set(await ledger.work.release(ids, now));
    rounds.giveBack(picks.filter((pick) => !won.has(pick.work.id)));
    const at = clock.now().getTime();
    const jobs = picks
      .filter((pick) => won.has(pick.work.id))
      .map(({ work, slotAt }) => ({
        id: work.id,
        slotAt,
        delayMs: wholeMs(Math.max((slotAt ?? at) - at, 0) / rate),
      }));
    try {
      if (jobs.length > 0) await transport.send(jobs);
    } catch (error) {
      transportOutage.failed(error);
    }
  }

  async function run(): Promise<void> {
    while (!stopped) {
      let waitMs = pollMs;
      try {
        waitMs = await turn();
        ledgerOutage.over();
      } catch (error) {
        ledgerOutage.failed(error);
      }
      // The gap comes before the alarm is looked at: a storm of commits costs one look each 5 ms.
      await nap(timers, ledgerOutage.down ? pollMs : gapMs);
      if (!stopped && waitMs > gapMs) await alarm.sleep(waitMs - gapMs);
    }
  }

  const silence = ledger.onWork(alarm.ring);
  const running = run();
  return {
    kick: alarm.ring,
    async stop() {
      stopped = true;
      silence();
      alarm.ring();
      await running;
    },
  };
}

// Timers cut fractions off and may fire within the millisecond before: no work leaves before its slot.
const wholeMs = (delay: number) => (delay > 0 ? Math.ceil(delay) + 1 : 0);
