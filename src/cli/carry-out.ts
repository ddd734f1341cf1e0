import { z } from 'zod';
import { openAllCommands } from '../app/all-commands.ts';
import { type InstallationProcess, openProcess } from '../app/runtime.ts';
import type { Config } from '../config/load.ts';
import { LedgerError } from '../domain/errors.ts';
import type { CommandAnswer } from '../domain/storing.ts';
import { askRunning } from './ask-running.ts';
import { type ConfigFlag, readConfig, whoAmI } from './own-ledger.ts';

const answerShape = z.object({ done: z.boolean(), says: z.string(), data: z.unknown().optional() });
const stillRunning = z.object({ running: z.literal(true) });

/**
 * Carries a command out (app/all-commands.ts): here where the ledger is free or shared, else in the `start` that holds
 * it. `by` is added to its input. Throws FacturapuenteError.
 */
export async function carryOut(
  name: string,
  asked: Record<string, unknown>,
  flags: ConfigFlag,
): Promise<CommandAnswer> {
  const config = await readConfig(flags);
  const input = { ...asked, by: whoAmI() };
  try {
    return await withProcess(config, name, ({ runtime, live }) => {
      const { commands } = openAllCommands(runtime, live.settings, config.mcp);
      return untilDone(async () => {
        const answer = await commands.run(name, input);
        if (!answer) throw new RangeError(`There is no command ${name}.`);
        return answer;
      });
    });
  } catch (error) {
    if (!(error instanceof LedgerError) || error.code !== 'ledger-held') throw error;
    return untilDone(() => askRunning(config, { do: 'command', name, input }, answerShape));
  }
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

/** Repeats a command that still runs (app/all-commands.ts). */
async function untilDone(ask: () => Promise<CommandAnswer>): Promise<CommandAnswer> {
  for (;;) {
    const answer = await ask();
    if (!stillRunning.safeParse(answer.data).success) return answer;
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
