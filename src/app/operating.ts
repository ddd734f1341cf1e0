import type { Config } from '../config/load.ts';
import { allOperations } from '../operations/all.ts';
import { type Operations, openOperations } from '../operations/carry-out.ts';
import type { OperationParts } from '../operations/operation.ts';
import { openSigner } from '../reports/close/keep-close.ts';
import { packageVersion } from './platforms.ts';
import type { InstallationProcess } from './runtime.ts';
import { openStoring } from './storing.ts';

export const operationsOf = (
  opened: Pick<InstallationProcess, 'runtime' | 'live' | 'secrets'>,
  config: Pick<Config, 'redis' | 'retention'>,
): Operations => openOperations(partsOf(opened, config), allOperations);

function partsOf(
  { runtime, live, secrets }: Pick<InstallationProcess, 'runtime' | 'live' | 'secrets'>,
  { redis, retention }: Pick<Config, 'redis' | 'retention'>,
): OperationParts {
  const { handlers, closing, exporting, shopContext } = runtime;
  const { ledger, clock, alerts } = handlers;
  return {
    handlers,
    settings: live.settings,
    closing,
    exporting,
    storing: openStoring({ ledger, clock, live, alerts, contextOf: shopContext }),
    platforms: live.settings.platforms,
    about: {
      version: packageVersion,
      redis: redis !== null,
      retention,
      closeKeys: secrets.closes.map((seed) => openSigner(seed).publicKey),
    },
  };
}
