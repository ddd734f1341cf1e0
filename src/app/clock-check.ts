import { uptime } from 'node:os';
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
  let jump = 0;
  /** Sleep counts for the uptime only. */
  const asleep = () => uptime() * 1000 - performance.now();
  let slept = asleep();

  /** Our clock against the `Date` of the service that differs most; null where none can be asked. */
  async function ask(): Promise<number | null> {
    let most: number | null = null;
    for (const service of services()) {
      const before = clock.now().getTime();
      const answer = await service.ping();
      if (answer.kind === 'unknown' || answer.kind === 'throttled' || answer.date === null) continue;
      const ahead = (before + clock.now().getTime()) / 2 - (answer.date.getTime() + noiseMs);
      if (most === null || Math.abs(ahead) > Math.abs(most)) most = ahead;
    }
    return most;
  }

  async function adopt(ms: number): Promise<void> {
    // One pass of the event loop: no lease is compared with the new time before it is renewed.
    clock.real.move(ms);
    if (Math.abs(ms) > jumpMs) restsUntil = performance.now() + restMs;
    slept = asleep();
    jump = 0;
    if (Math.abs(ms) <= jumpMs) return;
    log.warn({ ms }, 'The clock was set; jobs are released again when all leases are renewed');
    if (ms < 0) await ledger.jobs.endLongWaits(clock.now(), true);
  }

  let comparing: Promise<void> | undefined;
  const compareOnce = () => {
    comparing ??= compare().finally(() => {
      comparing = undefined;
    });
    return comparing;
  };

  async function compare(): Promise<void> {
    const ahead = await ask();
    const jumped = jump * clock.rate;
    aheadMs = ahead ?? aheadMs;
    const differs = ahead === null ? null : ahead + jumped;
    if (differs !== null && Math.abs(differs) < toleratedMs) {
      aheadMs = differs;
      if (jump !== 0) await adopt(jump);
      isRefused = false;
      await alerts.over(alert);
    } else if (differs !== null) {
      isRefused = true;
      const minutes = Math.round(Math.abs(differs) / minute);
      await alerts.raise({ ...alert, params: { why: 'service', minutes, ahead: differs > 0 } });
    } else if (jump !== 0) {
      await alerts.raise({ ...alert, params: { why: 'jumped', how: wordsOf(jumped) } });
    }
    askAt = performance.now() + (isRefused ? minute : 10 * minute);
  }

  return {
    isRight: (): boolean => !isRefused && performance.now() >= restsUntil,

    /** Ours or the service's, whichever is earlier: what is sold after it was sold after this start. */
    earlierNow: (): Date => new Date(clock.now().getTime() - Math.max(aheadMs, 0)),

    /** Before the first use of the time. A service that does not answer is waited for 3 s. */
    async start(): Promise<void> {
      await ledger.jobs.endLongWaits(clock.now());
      await Promise.race([
        compareOnce(),
        new Promise<void>((resolve) => void setTimeout(resolve, startMs).unref()),
      ]);
    },

    async look(): Promise<void> {
      const ms = await behindSource(ledger, clock);
      const isJump = Math.abs(ms - (asleep() - slept)) > jumpMs;
      const before = jump;
      jump = isJump ? ms : 0;
      if (Math.abs(jump - before) > jumpMs) {
        isRefused = true;
        askAt = Number.NEGATIVE_INFINITY;
      }
      if (!isJump) await adopt(ms);
      if (performance.now() >= askAt) await compareOnce();
    },
  };
}

function wordsOf(ms: number): string {
  const minutes = Math.round(Math.abs(ms) / minute);
  const lasting = minutes < 120 ? `${minutes} minutos` : `${Math.round(minutes / 60)} horas`;
  return `${ms < 0 ? 'retrocedió' : 'se adelantó'} ${lasting}`;
}
