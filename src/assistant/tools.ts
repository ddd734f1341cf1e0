import { FacturapuenteError, LedgerError } from '../domain/errors.ts';
import type { Scope } from '../domain/scope.ts';
import { masked } from './mask.ts';
import { planningTools } from './planning-tools.ts';
import { readingTools } from './reading-tools.ts';
import { type AssistantParts, type Tool, toolDeps } from './tool.ts';
import { writingTools } from './writing-tools.ts';

export const allTools: readonly Tool[] = [...readingTools, ...planningTools, ...writingTools];

/** What a tool answered: JSON, or a sentence why not. */
export type ToolAnswer = { ok: true; data: Record<string, unknown> } | { ok: false; says: string };

/**
 * Runs one tool for an assistant. What it answers names no buyer, whatever stands in the sentences of the ledger.
 * Errors of ours are answered as their sentence; anything else is thrown.
 * @param by the name of the token that asks, and `scope` the stores it is limited to.
 */
export async function callTool(
  parts: AssistantParts,
  name: string,
  given: unknown,
  { by, scope }: { by: string; scope: Scope | null },
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
    const deps = toolDeps(parts, by, scope);
    const issuers = new Set([...deps.stores.values()].map(({ issuer }) => issuer.ruc));
    return { ok: true, data: masked(await tool.run(deps, read.data), issuers) };
  } catch (error) {
    if (!(error instanceof FacturapuenteError)) throw error;
    return { ok: false, says: masked(error.merchant, new Set()) };
  }
}
