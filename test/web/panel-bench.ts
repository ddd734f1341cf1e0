import { onTestFinished } from 'vitest';
import { openCommands } from '../../src/app/commands.ts';
import type { Commands } from '../../src/domain/commands.ts';
import { openExporting } from '../../src/reports/export/exporting.ts';
import { openSteps, type StepBench, type StepBenchOptions } from '../support/steps.ts';
import type { HouseOptions } from './house.ts';
import { openPanel, type PanelHouse } from './panel-house.ts';

/** A panel over the real steps, sandbox and shop, and a clock the test moves. */
export async function openPanelBench(
  options: StepBenchOptions = {},
  house: HouseOptions = {},
): Promise<PanelHouse & { bench: StepBench; commands: Commands }> {
  const bench = await openSteps(options);
  onTestFinished(() => bench.close());
  const settings = {
    publicUrl: 'https://conector.example',
    accounts: bench.deps.accounts,
    apps: new Map(),
    stores: new Map([[bench.store.id, bench.store]]),
    platforms: [bench.store.platform],
  };
  const { ledger, clock, deps } = bench;
  const commands = openCommands(deps, settings);
  const exporting = openExporting(deps, settings);
  const panel = await openPanel({ ...house, instead: { ledger, clock, settings, commands, exporting } });
  return { ...panel, ledger, bench, commands };
}
