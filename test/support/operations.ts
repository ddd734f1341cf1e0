import type { Settings } from '../../src/domain/settings.ts';
import type { Storing } from '../../src/domain/storing.ts';
import type { JobDeps } from '../../src/jobs/deps.ts';
import { allOperations, type CallableOperations, callable } from '../../src/operations/all.ts';
import { openOperations } from '../../src/operations/carry-out.ts';
import type { Operation, OperationParts } from '../../src/operations/operation.ts';
import { openClosing } from '../../src/reports/close/close.ts';
import { openSigner } from '../../src/reports/close/keep-close.ts';
import { openExporting } from '../../src/reports/export/export-month.ts';

const signer = openSigner(new Uint8Array(32).fill(3));

/** The parts of operations over the real jobs and reports of a test; stores of the ledger only where they are given. */
const partsOver = (
  jobDeps: JobDeps,
  settings: Pick<Settings, 'stores'>,
  more: Partial<OperationParts> = {},
): OperationParts => ({
  jobDeps,
  settings,
  closing: openClosing(jobDeps, settings, signer),
  exporting: openExporting(jobDeps, settings),
  storing: {} as Storing,
  platforms: [...settings.stores.values()].map(({ platform }) => platform),
  about: {
    version: '0.0.0',
    redis: false,
    retention: { deliveriesDays: 30, ordersDays: 400, documentsYears: 7 },
    closeKeys: [signer.publicKey],
  },
  ...more,
});

/** The operations of a test, and those it adds. */
export const operationsOver = (
  jobDeps: JobDeps,
  settings: Pick<Settings, 'stores'>,
  more: Partial<OperationParts> = {},
  added: readonly Operation[] = [],
) => openOperations(partsOver(jobDeps, settings, more), [...allOperations, ...added]);

/** The operations as programs call them. */
export const callsOver = (jobDeps: JobDeps, settings: Pick<Settings, 'stores'>): CallableOperations =>
  callable(operationsOver(jobDeps, settings), settings);
