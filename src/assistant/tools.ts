import { z } from 'zod';
import { CommandError, FacturapuenteError } from '../domain/errors.ts';
import type { Scope } from '../domain/settings.ts';
import { type Caller, type Operations, readInput } from '../operations/carry-out.ts';
import { formFields } from '../operations/form-fields.ts';
import { type Operation, slugOf } from '../operations/operation.ts';
import { openPlans, type PlanDeps, type Plans } from './plans.ts';

export interface AssistantParts {
  operations: Operations;
  plans: PlanDeps;
  allowProduction: boolean;
}

export interface Tool {
  name: string;
  title: string;
  description: string;
  input: z.ZodObject;
  /** Other tools take the id of a plan. */
  readOnly: boolean;
  /** JSON without buyers' data. Throws FacturapuenteError. */
  run(parts: AssistantParts, input: unknown, caller: Caller): Promise<Record<string, unknown>>;
}

const toolName = (operation: Operation): string => slugOf(operation).replaceAll('-', '_');

function toolsFor(operation: Operation): Tool[] {
  const name = toolName(operation);
  const { title, description, planned = 'Muestra el documento como está ahora.' } = operation;
  const input = forAssistants(operation);
  if (!operation.changes)
    return [
      {
        name,
        title,
        description,
        input,
        readOnly: true,
        async run({ operations }, asked, caller) {
          const { message, data } = await operations.run(
            operation,
            readInput({ title, input }, asked),
            caller,
          );
          return (data ?? { message }) as Record<string, unknown>;
        },
      },
    ];
  return [
    {
      name: `plan_${name}`,
      title: `Plan: ${title}`,
      description: `${planned} Da el id del plan que ${name} ejecuta, y no hace nada: muéstrelo antes a la persona. ${description}`,
      input,
      readOnly: true,
      run: (parts, asked, caller) => planOf(parts, operation, readInput({ title, input }, asked), caller),
    },
    {
      name,
      title,
      description: `Ejecuta un plan de plan_${name}, si nada cambió desde entonces. ${description}`,
      input: byPlan,
      readOnly: false,
      run: (parts, asked, caller) =>
        executed(parts, operation, readInput({ title, input: byPlan }, asked), caller),
    },
  ];
}

function forAssistants({ input }: Operation): z.ZodObject {
  const shown = formFields(input).filter(({ terminalOnly }) => !terminalOnly);
  // Strict clients refuse our own keywords: a clone with its definition has no metadata.
  const bare = shown.map(({ name, description }) => {
    const schema = input.shape[name] as z.ZodType;
    return [name, schema.clone(schema.def).describe(description)] as const;
  });
  return z.object(Object.fromEntries(bare));
}

const byPlan = z.object({
  plan: z.string().max(40).describe('El id que dio la herramienta que planifica.'),
});

const plansOf = ({ plans }: AssistantParts, { by }: Caller): Plans => openPlans(plans, by);

async function planOf(
  parts: AssistantParts,
  operation: Operation,
  input: Record<string, unknown>,
  caller: Caller,
): Promise<Record<string, unknown>> {
  const look = await parts.operations.look(operation, input, caller);
  const { seen, shown, due = true } = look;
  const tool = toolName(operation);
  const plan = due
    ? await plansOf(parts, caller).keep({
        tool,
        input: { ...input, ...look.input },
        seen,
      })
    : null;
  return { ...shown, execute: plan && { tool, ...plan } };
}

/** Throws CommandError `plan-gone`, `plan-production`. */
async function executed(
  parts: AssistantParts,
  operation: Operation,
  { plan: id }: { plan: string },
  caller: Caller,
): Promise<Record<string, unknown>> {
  const plan = await plansOf(parts, caller).take(toolName(operation), id);
  const { seen, ambiente } = await parts.operations.look(operation, plan.input, caller);
  if (ambiente === 2 && !parts.allowProduction) throw new CommandError('plan-production', {});
  if (seen !== plan.seen) throw new CommandError('plan-gone', { why: 'changed' });
  const { done, message } = await parts.operations.run(operation, plan.input, caller);
  return { done, message };
}

export const toolsOf = ({ all }: Pick<Operations, 'all'>): Tool[] =>
  all.filter(({ tool }) => tool).flatMap(toolsFor);

export type ToolAnswer = { ok: true; data: Record<string, unknown> } | { ok: false; message: string };

/** The answer is masked, so that it names no buyer. Errors other than ours are thrown. */
export async function callTool(
  parts: AssistantParts,
  name: string,
  given: unknown,
  caller: { by: string; scope: Scope | null },
): Promise<ToolAnswer> {
  try {
    const tool = toolsOf(parts.operations).find((one) => one.name === name);
    if (!tool) throw new CommandError('input-invalid', { why: 'tool', name });
    const issuers = new Set([...parts.operations.storesOf(caller).values()].map(({ issuer }) => issuer.ruc));
    return { ok: true, data: masked(await tool.run(parts, given ?? {}, caller), issuers) };
  } catch (error) {
    if (!(error instanceof FacturapuenteError)) throw error;
    return { ok: false, message: masked(error.merchant, new Set()) };
  }
}

/** Cédulas, RUCs, telephones and the like: 9 to 15 digits, so no access keys. */
const digits = /(?<!\d)\d{9,15}(?!\d)/g;
const mail = /(?<![^\s@«»"'<>])[^\s@«»"'<>]+@[^\s@«»"'<>]+\.[^\s@«»"'<>]+/g;

/** Identifications keep their last three digits. @param known numbers that stay: RUCs of issuers. */
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
