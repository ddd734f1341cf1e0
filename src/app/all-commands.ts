import { z } from 'zod';
import type { AssistantParts } from '../assistant/tool.ts';
import { callTool, type ToolAnswer } from '../assistant/tools.ts';
import type { Commands } from '../domain/commands.ts';
import { type Scope, scopeOf } from '../domain/scope.ts';
import type { Settings } from '../domain/settings.ts';
import { closingCommands } from './closing-commands.ts';
import { openCommands } from './commands.ts';
import { type Command, readInput } from './commands-input.ts';
import type { Runtime } from './runtime.ts';

const asked = z.strictObject({
  tool: z.string().max(80),
  input: z.record(z.string().max(80), z.unknown()),
  by: z.string().max(200),
});

export interface AllCommands {
  commands: Commands;
  /** The tools of an assistant, for whoever answers one; limited to some stores where `stores` says which. */
  assistant(
    tool: string,
    input: unknown,
    holder: { by: string; stores?: readonly string[] | undefined },
  ): Promise<ToolAnswer>;
}

/** Every command of the product: about documents, days and months, and the tools of an assistant (src/assistant). */
export function openAllCommands(
  runtime: Runtime,
  settings: Pick<Settings, 'stores'>,
  { allowProduction }: { allowProduction: boolean },
): AllCommands {
  const { steps, closing } = runtime;
  const { close, export: exportMonth } = closingCommands(runtime);
  /** `data` is the ToolAnswer. */
  const assist: Command = async (given) => {
    const { tool, input, by } = readInput(asked, given);
    const data = await assistant(tool, input, { by });
    return { done: data.ok, says: data.ok ? '' : data.says, data };
  };
  const commands = openCommands(steps, settings, {
    ofStores: { close },
    // An export is a file on this machine, at a place whoever asks for it chooses.
    ofInstallation: { export: exportMonth, assistant: assist },
  });
  const parts: AssistantParts = { steps, settings, closing, commands, allowProduction };
  const assistant: AllCommands['assistant'] = (tool, input, { by, stores }) => {
    const scope: Scope | null = stores ? scopeOf(stores, settings.stores, by) : null;
    return callTool(parts, tool, input, { by, scope });
  };
  return { commands, assistant };
}
