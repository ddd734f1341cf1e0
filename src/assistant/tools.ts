import { FacturapuenteError, LedgerError } from '../domain/errors.ts';
import type { Scope } from '../domain/scope.ts';
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

/** Cédulas, RUCs, telephones and the like: ten digits or more that are no access key. */
const digits = /(?<!\d)\d{9,15}(?!\d)/g;
const mail = /(?<![^\s@«»"'<>])[^\s@«»"'<>]+@[^\s@«»"'<>]+\.[^\s@«»"'<>]+/g;

/**
 * The same JSON without what names a buyer: of long numbers the last three digits stay, of mail addresses nothing.
 * @param known numbers that stay: RUCs of issuers, ids of orders.
 */
export function masked<T>(value: T, known: ReadonlySet<string>): T {
  return visit(value, known) as T;
}

function visit(value: unknown, known: ReadonlySet<string>): unknown {
  if (typeof value === 'string')
    return value
      .replace(mail, '(correo)')
      .replace(digits, (found, at: number, text: string) =>
        known.has(found) || isNumber(text, at) ? found : `…${found.slice(-3)}`,
      );
  if (Array.isArray(value)) return value.map((one) => visit(one, known));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, visit(one, known)]));
}

/** The secuencial of "001-001-000000123". */
const isNumber = (text: string, at: number): boolean =>
  /\d{3}-\d{3}-$/.test(text.slice(Math.max(0, at - 8), at));
