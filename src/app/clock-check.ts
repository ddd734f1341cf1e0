import { uptime } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { ProcessClock } from '../config/load.ts';
import type { Alerts } from '../domain/alerts.ts';
import type { Log } from '../domain/ports.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { ServiceCalls } from '../service/client.ts';

const minute = 60_000;
/** A smaller change of a clock is an ordinary correction. */
const jumpMs = minute;
const noiseMs = 500;
/** From here on the service's signed webhooks are refused (docs/operations.md, `clock`). */
const wrongMs = 5 * minute;
const startMs = 3_000;
/** A look costs nothing with SQLite, and three short queries with PostgreSQL. */
export const lookEveryMs = { sqlite: 1_000, postgresql: minute };

const alert = { code: 'clock-differs', subject: 'reloj' } as const;

type KeptTime = Pick<Ledger, 'engine' | 'aheadOfServer'>;

/** Real milliseconds from our clock to its source: the PostgreSQL server's clock, else the wall clock. */
async function behindSource(ledger: KeptTime, { real }: ProcessClock): Promise<number> {
  const aheadOfServer = await ledger.aheadOfServer(real);
  if (aheadOfServer === null) return Date.now() - real.now().getTime();
  return Math.abs(aheadOfServer) < noiseMs ? 0 : -aheadOfServer;
}

export async function setClock(ledger: KeptTime, clock: ProcessClock): Promise<void> {
  clock.real.move(await behindSource(ledger, clock));
}

export type ClockCheck = ReturnType<typeof openClockCheck>;

/**
 * Whether the time may be used for jobs. A jump of the source is adopted only when the tax service agrees with it.
 * `restMs`: until each living worker has renewed its leases after a jump, real milliseconds.
 */
export function openClockCheck(parts: {
  ledger: KeptTime & { jobs: Pick<Ledger['jobs'], 'endLongWaits'> };
  clock: ProcessClock;
  alerts: Alerts;
  log: Log;
  services(): Iterable<Pick<ServiceCalls, 'ping'>>;
  restMs: number;
}) {
  const { ledger, clock, alerts, log, services, restMs } = parts;
  // A test clock multiplies the delay of an answer.
  const toleratedMs = wrongMs + (clock.rate - 1) * 10_000;
  let isRefused = false;
  let restsUntil = Number.NEGATIVE_INFINITY;
  let askAt = Number.NEGATIVE_INFINITY;
  let aheadMs = 0;
  /** Of the source, not adopted; in real milliseconds. */
  let jump = 0;
  let wentBack = false;
  /** Sleep counts for the uptime only. */
  const asleep = () => uptime() * 1000 - performance.now();
  let slept = asleep();

  async function aheadOf(service: Pick<ServiceCalls, 'ping'>): Promise<number | null> {
    const before = clock.now().getTime();
    const answer = await service.ping();
    if (answer.kind === 'unknown' || answer.kind === 'throttled' || answer.date === null) return null;
    return (before + clock.now().getTime()) / 2 - (answer.date.getTime() + noiseMs);
  }

  /** By the service that agrees most, so that one account's service stops no other's jobs; null where none answers. */
  async function ask(): Promise<number | null> {
    const answers = await Promise.all([...services()].map(aheadOf));
    const differs = (ahead: number) => Math.abs(ahead + jump * clock.rate);
    return answers.reduce(
      (least, one) => (one !== null && (least === null || differs(one) < differs(least)) ? one : least),
      null,
    );
  }

  /** In one pass of the event loop: no lease is compared with the new time before it is renewed. */
  function adopt(ms: number): void {
    clock.real.move(ms);
    slept = asleep();
    jump = 0;
    if (Math.abs(ms) <= jumpMs) return;
    restsUntil = performance.now() + restMs;
    wentBack ||= ms < 0;
    log.warn({ ms }, 'The clock was set; jobs are released again when all leases are renewed');
  }

  async function compare(): Promise<void> {
    const ahead = await ask();
    if (ahead !== null) {
      const differs = ahead + jump * clock.rate;
      isRefused = Math.abs(differs) >= toleratedMs;
      aheadMs = isRefused ? ahead : differs;
      if (!isRefused && jump !== 0) adopt(jump);
      const minutes = Math.round(Math.abs(differs) / minute);
      if (isRefused)
        await alerts.raise({ ...alert, params: { why: 'service', minutes, ahead: differs > 0 } });
      else await alerts.over(alert);
    } else if (jump !== 0) await alerts.raise({ ...alert, params: { why: 'jumped' } });
    if (wentBack) await ledger.jobs.endLongWaits(clock.now(), true);
    wentBack = false;
    askAt = performance.now() + (isRefused ? minute : 10 * minute);
  }

  let comparing: Promise<void> | undefined;
  function compareOnce(): Promise<void> {
    comparing ??= compare().finally(() => {
      comparing = undefined;
    });
    return comparing;
  }

  return {
    isRight: (): boolean => !isRefused && performance.now() >= restsUntil,

    /** Ours or the service's, whichever is earlier: what is sold after it was sold after this start. */
    earlierNow: (): Date => new Date(clock.now().getTime() - Math.max(aheadMs, 0)),

    /** Before the first use of the time. A service that does not answer is waited for 3 s. */
    async start(): Promise<void> {
      await ledger.jobs.endLongWaits(clock.now());
      await Promise.race([compareOnce(), pause(startMs, undefined, { ref: false })]);
    },

    async look(): Promise<void> {
      const ms = await behindSource(ledger, clock);
      const isJump = Math.abs(ms - (asleep() - slept)) > jumpMs;
      const before = jump;
      jump = isJump ? ms : 0;
      const isNew = Math.abs(jump - before) > jumpMs;
      isRefused ||= isNew;
      if (!isJump) adopt(ms);
      if (isNew || performance.now() >= askAt) await compareOnce();
    },
  };
}
