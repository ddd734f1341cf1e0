import { onTestFinished } from 'vitest';
import { openTickets } from '../../src/http/links.ts';
import type { Operations } from '../../src/operations/carry-out.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { openExporting } from '../../src/reports/export/export-month.ts';
import type { InstallationOptions } from '../http/installation.ts';
import { type JobBench, type JobBenchOptions, openJobBench } from '../support/job-bench.ts';
import { operationsOver } from '../support/operations.ts';
import { openPanel, type PanelInstallation } from './installation.ts';

/** A panel over the real steps, sandbox and shop, and a clock the test moves. */
export async function openPanelBench(
  options: JobBenchOptions = {},
  installation: InstallationOptions = {},
  added: readonly Operation[] = [],
): Promise<PanelInstallation & { bench: JobBench; operations: Operations }> {
  const bench = await openJobBench(options);
  onTestFinished(() => bench.close());
  const settings = {
    publicUrl: 'https://conector.example',
    accounts: bench.deps.accounts,
    apps: new Map(),
    stores: new Map([[bench.store.id, bench.store]]),
    platforms: [bench.store.platform],
  };
  const { ledger, clock, deps } = bench;
  const operations = operationsOver(deps, settings, {}, added);
  const exporting = openExporting(deps, settings);
  const panel = await openPanel({
    ...installation,
    instead: {
      ledger,
      clock,
      tickets: openTickets(Buffer.alloc(32, 3), clock),
      settings,
      operations,
      exporting,
      ...installation.instead,
    },
  });
  return { ...panel, ledger, bench, operations };
}
