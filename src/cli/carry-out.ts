import { openAllCommands } from '../app/all-commands.ts';
import { type InstallationProcess, openProcess } from '../app/runtime.ts';
import type { Config } from '../config/load.ts';
import type { CommandAnswer } from '../domain/storing.ts';
import { type ConfigFlag, readConfig, whoAmI } from './own-ledger.ts';

/** Carries a command out in this process, also beside a running `start` (app/all-commands.ts). `by` is added to its input. Throws FacturapuenteError. */
export async function carryOut(
  name: string,
  asked: Record<string, unknown>,
  flags: ConfigFlag,
): Promise<CommandAnswer> {
  const config = await readConfig(flags);
  return withProcess(config, name, async ({ runtime, live }) => {
    const { commands } = openAllCommands(runtime, live.settings, config.mcp);
    const answer = await commands.run(name, { ...asked, by: whoAmI() });
    if (!answer) throw new RangeError(`There is no command ${name}.`);
    return answer;
  });
}

/** Opens what `start` runs, for one task. */
export async function withProcess<T>(
  config: Config,
  role: string,
  task: (opened: InstallationProcess) => Promise<T>,
): Promise<T> {
  const opened = await openProcess(config, { role });
  try {
    return await task(opened);
  } finally {
    await opened.close();
  }
}

/** Carries a command out and prints its answer; ends with 1 where nothing was done. */
export async function runCommand(
  name: string,
  asked: Record<string, unknown>,
  flags: ConfigFlag,
): Promise<void> {
  const { done, says } = await carryOut(name, asked, flags);
  (done ? process.stdout : process.stderr).write(`${says}\n`);
  process.exitCode = done ? 0 : 1;
}
