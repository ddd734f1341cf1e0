import type { Clock } from '../domain/clock.ts';
import type { RateLimits } from '../domain/job.ts';
import type { Log } from '../domain/ports.ts';
import type { Releases } from '../ledger/jobs.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { openFairScheduler, openSlots, type Picked } from './fair-scheduler.ts';
import { lookAheadMs } from './rate-limit.ts';
import { type Transport, watchOutage } from './transport.ts';
import { nap, openAlarm, realTimers, type Timers } from './worker.ts';

export interface Dispatcher {
  kick(): void;
  stop(): Promise<void>;
}

export interface DispatcherOptions {
  ledger: Pick<Ledger, 'onJob'> & { jobs: Releases };
  transport: Transport;
  rateLimits: RateLimits;
  clock: Clock;
  log: Log;
  /** False while the clock may be wrong: then no job is released, and none taken for lost. */
  mayRelease?: () => boolean;
  /** How many times faster than real time `clock` runs (a test clock's rate). */
  rate?: number;
  /** Real milliseconds between two cycles when nothing wakes it. */
  pollMs?: number;
  /** Real milliseconds after which a released job that was not claimed counts as lost. */
  staleAfterMs?: number;
  timers?: Timers;
}

/** The number for all processes: enough to keep workers busy, few enough to stay fair. */
const mostUnclaimed = 100;
const perPartition = 4;
/** Rows per cycle; more when jobs of rate limits without a slot fill them. */
const fewestRows = 500;
const mostRows = 16_000;
/** It is also the pause while the workers, or a store's share of them, are busy. */
const gapMs = 5;
const fullMs = 20;
const toleratedRefusals = 3;

/** Fair by rate limit. May run in any number of processes: the ledger's `release` is a compare-and-set. */
export function startDispatcher(options: DispatcherOptions): Dispatcher {
  const { ledger, transport, rateLimits, clock, log } = options;
  const {
    mayRelease = () => true,
    rate = 1,
    pollMs = 250,
    staleAfterMs = 30_000,
    timers = realTimers,
  } = options;
  const slots = openSlots(transport.concurrency);
  const scheduler = openFairScheduler({
    rateLimits,
    clock,
    lookAheadMs: lookAheadMs * rate,
    perPartition,
    slots,
  });
  const alarm = openAlarm(timers);
  const ledgerOutage = watchOutage(log, {
    failed: 'The dispatcher cannot use the ledger; it keeps trying and releases nothing until then.',
    over: 'The dispatcher reaches the ledger again.',
  });
  const transportOutage = watchOutage(log, {
    failed: 'The transport takes no jobs; the ledger keeps them and releases them again.',
    over: 'The transport takes jobs again.',
  });
  let rows = fewestRows;
  let recoverAt = 0;
  /** Before the first send a transport may refuse for a moment, because it connects. */
  let begun = false;
  let refusals = 0;
  let stopped = false;

  async function recover(now: Date): Promise<void> {
    if (timers.passed() < recoverAt) return;
    const returned = await ledger.jobs.recover(now, staleAfterMs * rate);
    if (returned > 0)
      log.warn({ returned }, 'Jobs that were lost in the transport or in a crash are due again.');
    recoverAt = timers.passed() + Math.min(staleAfterMs / 4, 1_000);
  }

  async function cycle(): Promise<number> {
    if (!mayRelease()) return pollMs;
    const now = clock.now();
    await recover(now);
    // Nothing is released until the transport answers, at a start and after a failed send.
    if ((!begun || transportOutage.down) && !(await canSend())) return pollMs;
    begun = true;
    slots.keep(await ledger.jobs.unfinished(slots.ids()));
    const unclaimed = await ledger.jobs.unclaimed();
    const free = mostUnclaimed - [...unclaimed.values()].reduce((a, b) => a + b, 0);
    if (free <= 0) return fullMs;
    const due = await ledger.jobs.due(now, perPartition, rows);
    if (due.length === 0) return idleMs(now, await ledger.jobs.nextDueAt(now));
    const picks = await scheduler.pick(due, free, unclaimed);
    if (picks.length > 0) await release(picks, now);
    const full = due.length >= rows;
    rows = full ? Math.min(rows * 2, mostRows) : fewestRows;
    if (picks.length > 0 || (full && rows < mostRows)) return 0;
    // A job that ends wakes nothing: the share of a store may be free again soon.
    return Math.min(
      (scheduler.nextSlotMs() ?? Number.POSITIVE_INFINITY) / rate,
      slots.waited ? fullMs : pollMs,
    );
  }

  const idleMs = (now: Date, next: Date | null): number =>
    next === null ? pollMs : Math.min(Math.max(next.getTime() - now.getTime(), 0) / rate, pollMs);

  async function canSend(): Promise<boolean> {
    try {
      await transport.check();
      transportOutage.over();
      return true;
    } catch (error) {
      refusals += 1;
      if (begun || refusals > toleratedRefusals) transportOutage.failed(error);
      return false;
    }
  }

  async function release(picks: readonly Picked[], now: Date): Promise<void> {
    const ids = picks.map((pick) => pick.job.id);
    const won = new Set(await ledger.jobs.release(ids, now));
    scheduler.giveBack(picks.filter((pick) => !won.has(pick.job.id)));
    const at = clock.now().getTime();
    const jobs = picks
      .filter((pick) => won.has(pick.job.id))
      .map(({ job, slotAt }) => ({
        id: job.id,
        slotAt,
        delayMs: wholeMs(Math.max((slotAt ?? at) - at, 0) / rate),
      }));
    try {
      if (jobs.length > 0) await transport.send(jobs);
    } catch (error) {
      transportOutage.failed(error);
      await ledger.jobs.takeBack(jobs.map(({ id }) => id));
    }
  }

  async function run(): Promise<void> {
    while (!stopped) {
      let waitMs = pollMs;
      try {
        waitMs = await cycle();
        ledgerOutage.over();
      } catch (error) {
        ledgerOutage.failed(error);
      }
      // The gap comes first, so that a burst of commits causes one cycle each 5 ms.
      await nap(timers, ledgerOutage.down ? pollMs : gapMs);
      if (!stopped && waitMs > gapMs) await alarm.sleep(waitMs - gapMs);
    }
  }

  const stopListening = ledger.onJob(alarm.ring);
  const running = run();
  return {
    kick: alarm.ring,
    async stop() {
      stopped = true;
      stopListening();
      alarm.ring();
      await running;
    },
  };
}

// Timers cut fractions off and may fire within the millisecond before: no job may run before its slot.
const wholeMs = (delay: number) => (delay > 0 ? Math.ceil(delay) + 1 : 0);
