import { z } from 'zod';
import { openAllCommands } from '../app/all-commands.ts';
import { linksOf } from '../app/links.ts';
import { openObservation } from '../app/observation.ts';
import { openRuntime } from '../app/runtime.ts';
import { openLiveSettings } from '../app/settings.ts';
import { type Config, loadConfig } from '../config/load.ts';
import { openSecrets } from '../config/secret.ts';
import type { CommandAnswer } from '../domain/commands.ts';
import { LedgerError } from '../domain/errors.ts';
import { silentLog } from '../domain/log.ts';
import { askRunning } from './ask-running.ts';
import { whoAmI } from './who-am-i.ts';

const answerShape = z.object({ done: z.boolean(), says: z.string(), data: z.unknown().optional() });
const goesOn = z.object({ running: z.literal(true) });

/**
 * Carries a command out: here where the ledger is free or shared, else by the `start` that holds it. `by` is added to
 * what is asked. Throws ConfigError and LedgerError.
 */
export async function carryOut(
  name: string,
  asked: Record<string, unknown>,
  { config: path }: { config?: string },
): Promise<CommandAnswer> {
  const config = await loadConfig({ ...(path ? { path } : {}), cwd: process.cwd(), env: process.env });
  const input = { ...asked, by: whoAmI() };
  try {
    return await here(config, name, input);
  } catch (error) {
    if (!(error instanceof LedgerError) || error.code !== 'ledger-held') throw error;
    return untilDone(() => askRunning(config, { do: 'command', name, input }, answerShape));
  }
}

/** What takes long is asked for again until it is done (closing-commands.ts). */
async function untilDone(ask: () => Promise<CommandAnswer>): Promise<CommandAnswer> {
  for (;;) {
    const answer = await ask();
    if (!goesOn.safeParse(answer.data).success) return answer;
  }
}

async function here(config: Config, name: string, input: unknown): Promise<CommandAnswer> {
  const live = await openLiveSettings(config);
  const observation = await openObservation(config, name, silentLog);
  try {
    const { log, observer } = observation;
    const secrets = await openSecrets(config);
    const links = linksOf(config, secrets);
    const runtime = await openRuntime({ config, live, secrets, links, log, observer });
    try {
      const { commands } = openAllCommands(runtime, live.settings, config.mcp);
      return await untilDone(async () => {
        const answer = await commands.run(name, input);
        if (!answer) throw new RangeError(`There is no command ${name}.`);
        return answer;
      });
    } finally {
      await runtime.close();
    }
  } finally {
    await observation.close();
  }
}
