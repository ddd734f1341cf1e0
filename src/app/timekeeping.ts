import { uptime } from 'node:os';
import type { ProcessClock } from '../config/clock.ts';
import type { Alerts } from '../domain/alerts.ts';
import type { Log } from '../domain/log.ts';
import { keepOnly } from '../jobs/alerts.ts';
import { doubtFirstStarts, moveFirstStarts } from '../jobs/first-start.ts';
import type { Ledger } from '../ledger/ledger.ts';

/** A clock that is off by less was only set a little. */
const jumpMs = 60_000;
/** What a busy machine makes of a question to the server; far below every wait and lease. */
const noiseMs = 500;
/** A look costs nothing beside SQLite, and three short questions to the server of PostgreSQL. */
export const timeEveryMs = { sqlite: 1_000, postgresql: 60_000 };
/** A jump is told of for so long. */
const toldForMs = 24 * 3_600_000;

const code = 'clock-jumped';
const subject = 'reloj';

type KeptTime = Pick<Ledger, 'engine' | 'aheadOfServer'>;

/**
 * Sets the process's clock by whoever knows the time: the server of PostgreSQL, which all processes share; beside SQLite
 * the machine's own wall clock. Answers by how many milliseconds of real time it was moved.
 */
export async function setClock(ledger: KeptTime, { real }: ProcessClock): Promise<number> {
  const aheadOfServer = await ledger.aheadOfServer(real);
  if (aheadOfServer !== null && Math.abs(aheadOfServer) < noiseMs) return 0;
  const ahead = aheadOfServer ?? real.now().getTime() - Date.now();
  real.move(-ahead);
  return -ahead;
}

/** At the start: whatever a clock that was ahead has left in the ledger is put right, and said. */
export async function correctAtStart(
  { ledger, alerts }: { ledger: Ledger; alerts: Alerts },
  clock: ProcessClock,
  log: Log,
): Promise<void> {
  await doubtFirstStarts({ ledger, clock, log, alerts });
  const changed = await ledger.ahead.correct(clock.now(), false);
  if (Object.keys(changed).length === 0) return;
  log.warn(
    { changed },
    'The ledger was written by a clock that was ahead; what lay in the future is due now',
  );
  await alerts.raise({
    code,
    subject,
    what: 'El registro se escribió con un reloj que estaba adelantado. Lo que esperaba se volvió a programar, y nada se emite dos veces.',
    cure: cureOf(await ledger.ahead.closedTooSoon(clock.now())),
  });
}

const cureOf = (closes: readonly string[]): string => {
  const again =
    closes.length === 0 ? '' : ` Repita el cierre de estos días cuando terminen: ${closes.join(', ')}.`;
  return `Revise que este equipo (o el servidor de PostgreSQL) tome la hora por NTP.${again}`;
};

/**
 * One look at the time. A jump of more than a minute is taken in at one place: leases go along, what the former time left in
 * the ledger is put right, and people are told.
 */
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
  /** Of jumps whose traces could not be put right yet. */
  let owed: number[] = [];

  async function putRight(): Promise<void> {
    const ms = owed.reduce((sum, one) => sum + one, 0);
    const now = clock.now();
    if (ms < 0) await moveFirstStarts({ ledger, clock, log }, { now, aheadMs: -ms });
    const changed = await ledger.ahead.correct(now, ms < 0);
    const closes = await ledger.ahead.closedTooSoon(now);
    owed = [];
    log.error({ ms, changed, closes }, 'The clock jumped; what is due was put right');
    await alerts.raise({
      code,
      subject,
      what: `El reloj ${ms < 0 ? 'retrocedió' : 'se adelantó'} ${lasting(Math.abs(ms))} de golpe. Lo que esperaba se volvió a programar, y nada se emite dos veces.`,
      cure: cureOf(closes),
    });
  }

  let endedAt = Number.NEGATIVE_INFINITY;
  /** How long the machine has slept since it was started: it counts for its uptime alone. */
  const asleep = () => uptime() * 1000 - performance.now();
  let slept = asleep();

  return async () => {
    const ms = await setClock(ledger, clock);
    const unexplained = ms - (asleep() - slept);
    slept = asleep();
    // At once, before anybody else looks at a lease.
    if (Math.abs(ms) > jumpMs) await ledger.clockMoved(ms * clock.rate);
    if (Math.abs(unexplained) > jumpMs) owed.push(unexplained * clock.rate);
    if (owed.length > 0) await putRight();
    await endOld();
  };

  async function endOld(): Promise<void> {
    if (performance.now() - endedAt < 60_000) return;
    endedAt = performance.now();
    const since = clock.now().getTime() - toldForMs;
    await keepOnly({ ledger, alerts }, code, (told) => Date.parse(told.since) > since);
  }
}

function lasting(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  return minutes < 120 ? `${minutes} minutos` : `${Math.round(minutes / 60)} horas`;
}
