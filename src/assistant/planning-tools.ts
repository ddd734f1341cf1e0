import { createHash } from 'node:crypto';
import { z } from 'zod';
import { statedRows } from '../../mappers/tax-computation.ts';
import { CommandError } from '../domain/errors.ts';
import type { Order } from '../domain/order.ts';
import type { Store } from '../domain/settings.ts';
import type { Action } from '../planner/action.ts';
import { plan } from '../planner/plan.ts';
import { documentFacts, theDocument, theOrder, theStore } from './facts.ts';
import { defineTool, type Tool, type ToolDeps } from './tool.ts';

const order = z.string().max(80).describe('Su número (#1001) o su id en la tienda.');
const store = z.string().max(63).optional().describe('De qué tienda, si varias tienen ese pedido.');
const document = z.string().max(80).describe('Su número, su clave de acceso o su id.');

/** Reads an order from its shop and plans it. `seen`: a hash of the plan. Throws ShopError, CommandError. */
export async function planNow(
  deps: ToolDeps,
  key: { platform: string; shop: string; orderId: string },
): Promise<{ store: Store; order: Order; actions: Action[]; seen: string }> {
  const store = theStore(deps, key);
  const read = await deps.readSale(store, key.orderId);
  if (!read) throw new CommandError('not-found', { why: 'unread' });
  const actions = plan({ ...read, store, now: deps.clock.now() });
  return { store, order: read.order, actions, seen: digest(actions.map(actionFacts)) };
}

/** One action of a plan with its totals, without the buyer. */
const actionFacts = ({ kind, identity, action, code, reason, charged, document: total, body }: Action) => ({
  kind,
  for: identity.sourceId,
  action,
  code,
  reason,
  charged,
  total,
  taxes: (body ? statedRows(body) : []).map(({ codigo, codigo_porcentaje, base_imponible, valor }) => ({
    codigo,
    codigoPorcentaje: codigo_porcentaje,
    base: base_imponible,
    valor,
  })),
});

const digest = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex');

/** The plan of an order; where a document is due, also the id that executes it. */
async function planOrder(
  deps: ToolDeps,
  asked: { order: string; store?: string | undefined },
  kind: Action['kind'] | null,
) {
  const { platform, shop, orderId } = (await theOrder(deps.ledger, asked.order, asked.store)).order;
  const planned = await planNow(deps, { platform, shop, orderId });
  const { ambiente } = planned.store.issuer;
  const shown = planned.actions.filter((one) => kind === null || one.kind === kind).map(actionFacts);
  const due = shown.some(({ action }) => action === 'emit');
  const plan = due
    ? await deps.plans.keep({
        tool: 'sync_order',
        subject: { platform, shop, orderId, ambiente: String(ambiente) },
        seen: planned.seen,
      })
    : null;
  return {
    order: planned.order.name,
    store: planned.store.id,
    ambiente,
    total: planned.order.total,
    actions: shown,
    execute: plan && { tool: 'sync_order', ...plan },
  };
}

/** The tools that show a plan and give its id, which the writing tools take. */
export const planningTools: readonly Tool[] = [
  defineTool({
    name: 'plan_order',
    title: 'Qué documentos llevaría un pedido',
    description:
      'Lee el pedido de la tienda ahora y dice qué documentos llevaría, con totales e impuestos, o por qué no. No emite nada: si algo está por emitirse, da el id del plan para sync_order. Muéstrelo a la persona antes.',
    input: z.object({ order, store }),
    readOnly: true,
    run: (deps, input) => planOrder(deps, input, null),
  }),
  defineTool({
    name: 'plan_refund',
    title: 'Qué notas de crédito llevarían los reembolsos de un pedido',
    description:
      'Como plan_order, solo con los reembolsos: la nota de crédito de cada uno, o por qué no la lleva. No emite nada.',
    input: z.object({ order, store }),
    readOnly: true,
    run: (deps, input) => planOrder(deps, input, 'nota-credito'),
  }),
  ...(
    [
      [
        'plan_retry',
        'retry_document',
        'Intentar otra vez un documento',
        'Muestra el documento que retry_document intentaría otra vez, y da el id del plan. No hace nada.',
      ],
      [
        'plan_accept',
        'accept_reading',
        'Aceptar lo que dice la tienda',
        'Muestra el documento retenido porque la tienda repitió un id, cambió el total pagado, tiene otro pedido con lo mismo o el pedido lleva la clave de otra venta, y da el id del plan con que accept_reading lo acepta. No hace nada. Solo una persona sabe si es cierto.',
      ],
      [
        'plan_ask_buyer',
        'ask_buyer',
        'Pedir al comprador su identificación',
        'Muestra la factura por la que ask_buyer escribiría otra vez al comprador, y da el id del plan. No hace nada.',
      ],
    ] as const
  ).map(([name, tool, title, description]) =>
    defineTool({
      name,
      title,
      description,
      input: z.object({ document }),
      readOnly: true,
      async run(deps, input) {
        const found = await theDocument(deps, input.document);
        const plan = await deps.plans.keep({
          tool,
          subject: { document: found.id, ambiente: String(found.ambiente) },
          seen: String(found.version),
        });
        return { document: documentFacts(found), execute: { tool, ...plan } };
      },
    }),
  ),
];
