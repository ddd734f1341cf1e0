import { z } from 'zod';
import { planNow } from './planning-tools.ts';
import { type Plan, refusal, refuseChanged } from './plans.ts';
import { defineTool, type Tool, type ToolDeps } from './tool.ts';

const input = z.object({ plan: z.string().max(40).describe('El id que dio la herramienta que planifica.') });

/** Takes a plan up, unless it is about production and the config does not allow that. */
async function taken(deps: ToolDeps, tool: string, id: string): Promise<Plan> {
  const plan = await deps.plans.take(tool, id);
  if (plan.subject.ambiente === '2' && !deps.allowProduction)
    throw refusal(
      'plan-production',
      'Es de producción (ambiente 2) y mcp.allowProduction no lo permite: hágalo en el panel o en la terminal.',
    );
  return plan;
}

/** Carries out a command about the document of a plan, if it still stands as it was shown. */
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

/** What an assistant may change: each only by the id of a plan that was shown, which is good for ten minutes and once. */
export const writingTools: readonly Tool[] = [
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
    'Ejecuta un plan de plan_accept: la persona dice que es otra venta u otro reembolso, o que se cobró el total de ahora, y se factura así.',
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
