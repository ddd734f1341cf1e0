import type { Config } from '../config/load.ts';
import type { Clock } from '../domain/clock.ts';
import type { Log } from '../domain/log.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { clocksAgree } from '../setup/server-clock.ts';

/**
 * All processes go by the clock of PostgreSQL's server (timekeeping.ts). A machine whose own differs has a wrong clock, or the
 * server has: a person is to find out which, since documents bear the server's date.
 */
export async function warnOfClock(
  ledger: Pick<Ledger, 'aheadOfServer'>,
  { testClock }: Pick<Config, 'testClock'>,
  log: Log,
  machine: Clock = { now: () => new Date() },
): Promise<void> {
  if (testClock !== undefined) return;
  const aheadMs = await ledger.aheadOfServer(machine);
  if (aheadMs === null || clocksAgree(aheadMs)) return;
  const seconds = Math.round(aheadMs / 1000);
  const aviso = `El reloj de esta máquina ${seconds > 0 ? 'adelanta' : 'atrasa'} ${Math.abs(seconds)} s frente al del servidor PostgreSQL: se trabaja con la hora de PostgreSQL. Sincronice ambos (NTP).`;
  log.warn({ aheadMs, aviso }, "The clock differs from the database server's, which counts.");
}
