import { uptime } from 'node:os';
import type { ProcessClock } from '../config/load.ts';
import type { Alerts } from '../domain/alerts.ts';
import type { Log } from '../domain/ports.ts';
import { keepOnly } from '../jobs/alerts.ts';
import { moveFirstStarts, questionFirstStarts } from '../jobs/first-start.ts';
import type { Ledger } from '../ledger/ledger.ts';

/** A smaller change of a clock is an ordinary correction. */
const jumpMs = 60_000;
const noiseMs = 500;
/** A check costs nothing with SQLite, and three short queries with PostgreSQL. */
export const timeEveryMs = { sqlite: 1_000, postgresql: 60_000 };
const reportedForMs = 24 * 3_600_000;

const code = 'clock-differs';
const subject = 'reloj';

type KeptTime = Pick<Ledger, 'engine' | 'aheadOfServer'>;

/** The clock is the PostgreSQL server's, else the wall clock. Answers the move in milliseconds of real time. */
export async function setClock(ledger: KeptTime, { real }: ProcessClock): Promise<number> {
  const aheadOfServer = await ledger.aheadOfServer(real);
  if (aheadOfServer !== null && Math.abs(aheadOfServer) < noiseMs) return 0;
  const ahead = aheadOfServer ?? real.now().getTime() - Date.now();
  real.move(-ahead);
  return -ahead;
}

export async function correctAtStart(
  { ledger, alerts }: { ledger: Ledger; alerts: Alerts },
  clock: ProcessClock,
  log: Log,
): Promise<void> {
  await questionFirstStarts({ ledger, clock, log, alerts });
  const changed = await ledger.clockCorrection.correct(clock.now(), false);
  if (Object.keys(changed).length === 0) return;
  log.warn(
    { changed },
    'The ledger was written by a clock that was ahead; what was due in the future is due now',
  );
  await alerts.raise({
    code,
    subject,
    params: { why: 'ledger', closes: (await ledger.clockCorrection.closedTooSoon(clock.now())).join(', ') },
  });
}

export function openTimekeeping({
  ledger,
  clock,
  alerts,
  log,
}: {
  ledger: Ledger;
  clock: ProcessClock;
  alerts: Alerts;
  log: Log;
}): () => Promise<void> {
  let uncorrected: number[] = [];

  async function correct(): Promise<void> {
    const ms = uncorrected.reduce((sum, one) => sum + one, 0);
    const now = clock.now();
    if (ms < 0) await moveFirstStarts({ ledger, clock, log }, { now, aheadMs: -ms });
    const changed = await ledger.clockCorrection.correct(now, ms < 0);
    const closes = await ledger.clockCorrection.closedTooSoon(now);
    uncorrected = [];
    log.error({ ms, changed, closes }, 'The clock jumped; due times were corrected');
    await alerts.raise({
      code,
      subject,
      params: {
        why: 'jumped',
        how: `${ms < 0 ? 'retrocedió' : 'se adelantó'} ${lasting(Math.abs(ms))}`,
        closes: closes.join(', '),
      },
    });
  }

  let endedAt = Number.NEGATIVE_INFINITY;
  /** Sleep counts for the uptime only. */
  const asleep = () => uptime() * 1000 - performance.now();
  let slept = asleep();

  return async () => {
    const ms = await setClock(ledger, clock);
    const unexplained = ms - (asleep() - slept);
    slept = asleep();
    // This comes first, before a lease is compared with the new time.
    if (Math.abs(ms) > jumpMs) await ledger.clockMoved(ms * clock.rate);
    if (Math.abs(unexplained) > jumpMs) uncorrected.push(unexplained * clock.rate);
    if (uncorrected.length > 0) await correct();
    await endOld();
  };

  async function endOld(): Promise<void> {
    if (performance.now() - endedAt < 60_000) return;
    endedAt = performance.now();
    const since = clock.now().getTime() - reportedForMs;
    await keepOnly({ ledger, alerts }, code, (reported) => Date.parse(reported.since) > since);
  }
}

function lasting(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  return minutes < 120 ? `${minutes} minutos` : `${Math.round(minutes / 60)} horas`;
}

export interface Periodic {
  name: string;
  run(): Promise<unknown>;
  everyMs: number;
  firstMs?: number;
}

/** No task runs twice at once; the answer stops them and waits for running ones. */
export function startPeriodic(tasks: readonly Periodic[], log: Log): () => Promise<void> {
  const stops = tasks.map(({ name: task, run, everyMs, firstMs = everyMs }) => {
    let timer: NodeJS.Timeout | undefined;
    let running: Promise<unknown> = Promise.resolve();
    let isOver = false;
    const runNow = () => {
      running = run()
        .catch((error: unknown) =>
          log.warn({ err: error, task, everyMs }, 'A periodic task failed; it runs again after everyMs'),
        )
        .finally(() => runIn(everyMs));
    };
    function runIn(ms: number): void {
      if (isOver) return;
      timer = setTimeout(runNow, ms);
      timer.unref();
    }
    if (firstMs === 0) runNow();
    else runIn(firstMs);
    return async () => {
      isOver = true;
      clearTimeout(timer);
      await running;
    };
  });
  return async () => {
    for (const stop of stops) await stop();
  };
}
