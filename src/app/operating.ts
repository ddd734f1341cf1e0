import { allOperations } from '../operations/all.ts';
import { type Operations, openOperations } from '../operations/carry-out.ts';
import type { OperationParts } from '../operations/operation.ts';
import { openSigner } from '../reports/close/keep-close.ts';
import type { Installation } from './installation.ts';
import { packageVersion } from './platforms.ts';
import { openStoring } from './storing.ts';

export function operationsOf(installation: Installation): Operations {
  const { config, live, secrets, ledger, clock, jobDeps, closing, exporting, shopContext } = installation;
  const { redis, retention } = config;
  const parts: OperationParts = {
    jobDeps,
    settings: live.settings,
    closing,
    exporting,
    storing: openStoring({ ledger, clock, live, alerts: jobDeps.alerts, contextOf: shopContext }),
    platforms: live.settings.platforms,
    about: {
      version: packageVersion,
      redis: redis !== null,
      retention,
      closeKeys: secrets.closes.map((seed) => openSigner(seed).publicKey),
    },
  };
  return openOperations(parts, allOperations);
}
