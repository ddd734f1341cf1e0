import type { z } from 'zod';
import { type Installation, openInstallation } from '../app/installation.ts';
import { openInstalling } from '../app/installing.ts';
import { operationsOf } from '../app/operating.ts';
import type { Config } from '../config/load.ts';
import type { Installing } from '../domain/platform.ts';
import type { Store } from '../domain/settings.ts';
import { shopConnected } from '../jobs/connection.ts';
import { readInput } from '../operations/carry-out.ts';
import type { Answer, Operation } from '../operations/operation.ts';
import { openSetupLedger, type SetupLedger } from '../setup/health.ts';
import { type ConfigFlag, readConfig, whoAmI } from './given.ts';

/** Works beside a running `start`, too. Throws FacturapuenteError. */
export async function carryOut<Input extends z.ZodObject, Data>(
  operation: Operation<Input, Data>,
  input: z.input<Input>,
  flags: ConfigFlag,
  { mayBegin = false }: { mayBegin?: boolean } = {},
): Promise<Answer<Data>> {
  readInput(operation, input);
  const config = await readConfig(flags);
  const run = (installation: Installation) =>
    operationsOf(installation).run(operation, input, { by: whoAmI() });
  return withInstallation(config, { role: operation.name, mayBegin }, run);
}

export async function withInstallation<T>(
  config: Config,
  options: { role: string; mayBegin?: boolean },
  task: (installation: Installation) => Promise<T>,
): Promise<T> {
  const installation = await openInstallation(config, options);
  try {
    return await task(installation);
  } finally {
    await installation.close();
  }
}

export interface Installer extends Installation {
  installing: Installing;
  setupLedger: SetupLedger;
}

/** Works beside a running `start`, too; begins a ledger where there is none. Throws ConfigError and LedgerError. */
export async function openInstaller(config: Config): Promise<Installer> {
  const installation = await openInstallation(config, { role: 'install', mayBegin: true });
  const { settings, tickets, ledger, clock, jobDeps, proofs, shopContext } = installation;
  const { isVerified } = proofs;
  const ready = ({ platform, shop }: Store) => shopConnected(jobDeps, platform.name, shop);
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
