import type { z } from 'zod';
import type { Closing } from '../accounting/close/closing.ts';
import type { Commands } from '../core/commands.ts';
import type { Settings } from '../core/settings.ts';
import type { StepDeps } from '../steps/deps.ts';

/** What the tools of an assistant work with. */
export interface ToolDeps {
  steps: StepDeps;
  settings: Pick<Settings, 'stores'>;
  closing: Closing;
  commands: Commands;
  /** Whether what concerns production (ambiente 2) may be changed. */
  allowProduction: boolean;
}

/** One tool of the server, as every transport offers it. */
export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  name: string;
  title: string;
  /** Spanish, for assistant and person. */
  description: string;
  input: Input;
  /** Reads only; else it needs the id of a plan shown before. */
  readOnly: boolean;
  /** JSON without buyers' data. Throws FacturapuenteError. @param by who asks, for the record of deeds. */
  run(deps: ToolDeps, input: z.output<Input>, by: string): Promise<Record<string, unknown>>;
}

/** Declares a tool; the identity function keeps its input and its hand together. */
export const defineTool = <Input extends z.ZodObject>(tool: Tool<Input>): Tool => tool as unknown as Tool;
