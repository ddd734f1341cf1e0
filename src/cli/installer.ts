import { type Installation, openInstallation } from '../app/installation.ts';
import { openInstalling } from '../app/installing.ts';
import type { Config } from '../config/load.ts';
import type { Installing } from '../domain/platform.ts';
import type { Store } from '../domain/settings.ts';
import { shopConnected } from '../jobs/connection.ts';
import { openSetupLedger, type SetupLedger } from '../setup/health.ts';

export interface Installer extends Installation {
  installing: Installing;
  setupLedger: SetupLedger;
}

/** Works beside a running `start`, too; begins a ledger where there is none. Throws ConfigError and LedgerError. */
export async function openInstaller(config: Config): Promise<Installer> {
  const installation = await openInstallation(config, { role: 'install', mayBegin: true });
  const { settings, tickets, ledger, clock, handlers, proofs, shopContext } = installation;
  const { isVerified } = proofs;
  const ready = ({ platform, shop }: Store) => shopConnected(handlers, platform.name, shop);
  return {
    ...installation,
    installing: openInstalling({
      ...{ settings, tickets, ledger, clock, isVerified, ready },
      contextOf: shopContext,
    }),
    setupLedger: openSetupLedger(ledger, { settings, now: clock.now }),
  };
}

export async function withInstaller<T>(
  config: Config,
  task: (installer: Installer) => Promise<T>,
): Promise<T> {
  const installer = await openInstaller(config);
  try {
    return await task(installer);
  } finally {
    await installer.close();
  }
}
