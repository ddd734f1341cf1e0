import { z } from 'zod';
import type { CommandAnswer, Commands } from '../core/commands.ts';
import type { Settings } from '../core/settings.ts';
import type { ToolDeps } from '../mcp/tool.ts';
import { callTool, type ToolAnswer } from '../mcp/tools.ts';
import { closingCommands } from './closing-commands.ts';
import { openCommands } from './commands.ts';
import { readInput } from './commands-input.ts';
import type { Runtime } from './runtime.ts';

const asked = z.strictObject({
  tool: z.string().max(80),
  input: z.record(z.string(), z.unknown()),
  by: z.string().max(200),
});

export interface AllCommands {
  commands: Commands;
  /** The tools of an assistant, for whoever answers one. */
  assistant(tool: string, input: unknown, by: string): Promise<ToolAnswer>;
}

/** Every command of the product: about documents, days and months, and the tools of an assistant (src/mcp). */
export function openAllCommands(
  runtime: Runtime,
  settings: Pick<Settings, 'stores'>,
  { allowProduction }: { allowProduction: boolean },
): AllCommands {
  const { steps, closing } = runtime;
  const more: Record<string, (input: unknown) => Promise<CommandAnswer>> = {
    ...closingCommands(runtime),
    /** `data` is the ToolAnswer. */
    async assistant(given) {
      const { tool, input, by } = readInput(asked, given);
      const data = await assistant(tool, input, by);
      return { done: data.ok, says: data.ok ? '' : data.says, data };
    },
  };
  const commands = openCommands(steps, settings, more);
  const deps: ToolDeps = { steps, settings, closing, commands, allowProduction };
  const assistant: AllCommands['assistant'] = (tool, input, by) => callTool(deps, tool, input, by);
  return { commands, assistant };
}
