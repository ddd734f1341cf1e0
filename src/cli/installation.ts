import { openInstalling } from '../app/installing.ts';
import { openProcess } from '../app/runtime.ts';
import type { LiveSettings } from '../app/settings.ts';
import type { Config } from '../config/load.ts';
import type { Installing } from '../domain/platform.ts';
import type { Tickets } from '../domain/ports.ts';
import type { Store } from '../domain/settings.ts';
import { shopConnected } from '../jobs/connection.ts';
import { openSetupLedger, type SetupLedger } from '../setup/health.ts';
import { openTickets } from '../web/links.ts';

export interface Installation {
  config: Config;
  live: LiveSettings;
  tickets: Tickets;
  installing: Installing;
  setupLedger: SetupLedger;
  close(): Promise<void>;
}

/** Works beside a running `start`, too; begins a ledger where there is none. Throws ConfigError and LedgerError. */
export async function openInstallation(config: Config): Promise<Installation> {
  const { live, runtime, secrets, close } = await openProcess(config, { role: 'install', mayBegin: true });
  const { settings } = live;
  const { ledger, clock, handlers, proofs, shopContext } = runtime;
  const tickets = openTickets(secrets.tickets, clock);
  const ready = ({ platform, shop }: Store) => shopConnected(handlers, platform.name, shop);
  const { isVerified } = proofs;
  return {
    config,
    live,
    tickets,
    installing: openInstalling({
      settings,
      tickets,
      ledger,
      clock,
      contextOf: shopContext,
      isVerified,
      ready,
    }),
    setupLedger: openSetupLedger(ledger, { settings, now: clock.now }),
    close,
  };
}

export async function withInstallation<T>(
  config: Config,
  task: (installation: Installation) => Promise<T>,
): Promise<T> {
  const installation = await openInstallation(config);
  try {
    return await task(installation);
  } finally {
    await installation.close();
  }
}
