import { FacturapuenteError, LedgerError } from '../core/errors.ts';
import { masked } from './mask.ts';
import { planningTools } from './planning-tools.ts';
import { readingTools } from './reading-tools.ts';
import type { Tool, ToolDeps } from './tool.ts';
import { writingTools } from './writing-tools.ts';

export const allTools: readonly Tool[] = [...readingTools, ...planningTools, ...writingTools];

/** What a tool answered: JSON, or a sentence why not. */
export type ToolAnswer = { ok: true; data: Record<string, unknown> } | { ok: false; says: string };

/**
 * Runs one tool for an assistant. What it answers names no buyer, whatever stands in the sentences of the ledger.
 * Errors of ours are answered as their sentence; anything else is thrown.
 */
export async function callTool(
  deps: ToolDeps,
  name: string,
  given: unknown,
  by: string,
): Promise<ToolAnswer> {
  try {
    const tool = allTools.find((one) => one.name === name);
    if (!tool)
      throw new LedgerError('tool-unknown', `No existe la herramienta ${name}.`, `There is no tool ${name}.`);
    const read = tool.input.safeParse(given ?? {});
    if (!read.success)
      throw new LedgerError(
        'tool-input',
        `${name} no entiende lo que recibió: ${read.error.issues.map(({ path }) => path.join('.')).join(', ')}.`,
        `The input of ${name} could not be read.`,
      );
    const issuers = new Set([...deps.settings.stores.values()].map(({ issuer }) => issuer.ruc));
    return { ok: true, data: masked(await tool.run(deps, read.data, by), issuers) };
  } catch (error) {
    if (!(error instanceof FacturapuenteError)) throw error;
    return { ok: false, says: masked(error.merchant, new Set()) };
  }
}
