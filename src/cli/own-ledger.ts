import type { Kept } from '../app/settings.ts';
import { keptIn } from '../app/stores.ts';
import { setClock } from '../app/timekeeping.ts';
import { openClock } from '../config/clock.ts';
import type { Config } from '../config/load.ts';
import { openSecrets } from '../config/secret.ts';
import type { Clock } from '../domain/clock.ts';
import { LedgerError } from '../domain/errors.ts';
import { silentLog } from '../domain/log.ts';
import type { Tickets } from '../domain/tickets.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { openLedger } from '../ledger/open.ts';
import { openLedgerReader } from '../ledger/read.ts';
import { openTickets } from '../web/tickets.ts';

/** What a command writes through: the ledger, null where another process holds it; and the tickets of its links. */
export interface OwnLedger {
  ledger: Ledger | null;
  clock: Clock;
  tickets: Tickets;
}

/** Throws LedgerError for everything but a ledger that is held. */
export async function openOwnLedger(config: Config): Promise<OwnLedger> {
  const clock = openClock(config.testClock);
  const secrets = await openSecrets(config);
  const ledger = await openLedger({ ...config.ledger, sealKey: secrets.seal }, clock, silentLog).catch(
    (error: unknown) => {
      if (error instanceof LedgerError && error.code === 'ledger-held') return null;
      throw error;
    },
  );
  if (ledger) await setClock(ledger, clock);
  return { ledger, clock, tickets: openTickets(secrets.tickets, clock) };
}

/** What a ledger that somebody else holds adds to the config, looked at beside him. */
export async function keptElsewhere(config: Config): Promise<Kept> {
  const { seal } = await openSecrets(config);
  const reader = openLedgerReader({ ...config.ledger, sealKey: seal }, silentLog);
  try {
    return await keptIn(reader);
  } finally {
    await reader.close();
  }
}
