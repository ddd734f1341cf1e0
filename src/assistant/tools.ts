import { z } from 'zod';
import { CommandError, FacturapuenteError } from '../domain/errors.ts';
import { wrongFields } from '../domain/loose.ts';
import type { Scope } from '../domain/settings.ts';
import { planNow, planningTools } from './planning-tools.ts';
import { type Plan, refuseChanged } from './plans.ts';
import { readingTools } from './reading-tools.ts';
import { type AssistantParts, defineTool, type Tool, type ToolDeps, toolDeps } from './tool.ts';

const input = z.object({ plan: z.string().max(40).describe('El id que dio la herramienta que planifica.') });

/** Takes a plan. Throws CommandError `plan-production` where the config does not allow changes in production. */
async function taken(deps: ToolDeps, tool: string, id: string): Promise<Plan> {
  const plan = await deps.plans.take(tool, id);
  if (plan.subject.ambiente === '2' && !deps.allowProduction) throw new CommandError('plan-production', {});
  return plan;
}

/** A tool that runs a command on the document of a plan, unless the document changed. */
const documentTool = (
  name: string,
  command: string,
  title: string,
  description: string,
  how: Record<string, unknown> = {},
): Tool =>
  defineTool({
    name,
    title,
    description,
    input,
    readOnly: false,
    async run(deps, { plan: id }) {
      const plan = await taken(deps, name, id);
      const document = await deps.ledger.documents.get(plan.subject.document ?? '');
      refuseChanged(plan, String(document?.version));
      const answer = await deps.command(command, { document: plan.subject.document, ...how });
      return { done: answer?.done ?? false, says: answer?.says ?? '' };
    },
  });

/** The tools that change something, each by the id of a plan that was shown. */
const writingTools: readonly Tool[] = [
  documentTool(
    'retry_document',
    'retry',
    'Intentar otra vez un documento',
    'Ejecuta un plan de plan_retry: intenta otra vez el documento, nunca uno que pueda existir ya en el SRI.',
  ),
  documentTool(
    'accept_reading',
    'retry',
    'Aceptar lo que dice la tienda',
    'Ejecuta un plan de plan_accept: la persona dice que es otra venta u otro reembolso, que se cobró el total de ahora, que la clave de acceso del pedido es de otra venta, o que se cobró aparte de los pedidos que venden lo mismo, y se factura así.',
    { accept: true },
  ),
  documentTool(
    'ask_buyer',
    'mail-buyer',
    'Escribir otra vez al comprador',
    'Ejecuta un plan de plan_ask_buyer: envía otra vez al comprador el correo que le pide su identificación.',
  ),
  defineTool({
    name: 'sync_order',
    title: 'Emitir lo planificado de un pedido',
    description:
      'Ejecuta un plan de plan_order o plan_refund: el sistema lee el pedido otra vez y emite lo que se mostró. Si algo cambió, no hace nada.',
    input,
    readOnly: false,
    async run(deps, { plan: id }) {
      const plan = await taken(deps, 'sync_order', id);
      const { platform = '', shop = '', orderId = '' } = plan.subject;
      const key = { platform, shop, orderId };
      const { seen } = await planNow(deps, key);
      refuseChanged(plan, seen);
      const answer = await deps.command('sync-order', key);
      return { done: answer?.done ?? false, says: answer?.says ?? '' };
    },
  }),
];

export const allTools: readonly Tool[] = [...readingTools, ...planningTools, ...writingTools];

/** The answer of a tool: JSON, or a sentence that says why not. */
export type ToolAnswer = { ok: true; data: Record<string, unknown> } | { ok: false; says: string };

/**
 * Runs one tool. The answer is masked, so that it names no buyer. Errors of ours are answered with their sentence; other
 * errors are thrown.
 * @param caller.by the name of the caller's token.
 * @param caller.scope the stores the token is limited to.
 */
export async function callTool(
  parts: AssistantParts,
  name: string,
  given: unknown,
  { by, scope }: { by: string; scope: Scope | null },
): Promise<ToolAnswer> {
  try {
    const tool = allTools.find((one) => one.name === name);
    if (!tool) throw new CommandError('input-invalid', { why: 'tool', name });
    const read = tool.input.safeParse(given ?? {});
    if (!read.success)
      throw new CommandError('input-invalid', {
        why: 'fields',
        name,
        fields: wrongFields(read.error),
      });
    const deps = toolDeps(parts, by, scope);
    const issuers = new Set([...deps.stores.values()].map(({ issuer }) => issuer.ruc));
    return { ok: true, data: masked(await tool.run(deps, read.data), issuers) };
  } catch (error) {
    if (!(error instanceof FacturapuenteError)) throw error;
    return { ok: false, says: masked(error.merchant, new Set()) };
  }
}

/** Cédulas, RUCs, telephones and the like: 9 to 15 digits, so no access keys. */
const digits = /(?<!\d)\d{9,15}(?!\d)/g;
const mail = /(?<![^\s@«»"'<>])[^\s@«»"'<>]+@[^\s@«»"'<>]+\.[^\s@«»"'<>]+/g;

/**
 * The same JSON without identifications (only their last three digits) and mail addresses.
 * @param known numbers that stay: RUCs of issuers.
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
