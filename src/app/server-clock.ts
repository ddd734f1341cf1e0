import type { Config } from '../config/load.ts';
import type { Log } from '../core/log.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { clocksAgree } from '../setup/server-clock.ts';

/**
 * Processes tell each other by the ledger until when they hold a piece of work, each by its own clock. One whose clock is
 * a lease ahead takes the others' work away: nothing is sent twice, but much is done twice.
 */
export async function warnOfClock(
  ledger: Pick<Ledger, 'aheadOfServer'>,
  { testClock }: Pick<Config, 'testClock'>,
  log: Log,
): Promise<void> {
  if (testClock !== undefined) return;
  const aheadMs = await ledger.aheadOfServer();
  if (aheadMs === null || clocksAgree(aheadMs)) return;
  const seconds = Math.round(aheadMs / 1000);
  const aviso = `El reloj de esta máquina ${seconds > 0 ? 'adelanta' : 'atrasa'} ${Math.abs(seconds)} s frente al del servidor PostgreSQL: sincronice ambos (NTP). No se emite nada dos veces, pero los procesos se quitan el trabajo.`;
  log.warn(
    { aheadMs, aviso },
    "The clock differs from the database server's; processes take each other's work.",
  );
}
