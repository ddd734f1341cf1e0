import { createHash } from 'node:crypto';
import { z } from 'zod';
import { statedRows } from '../../mappers/ways.ts';
import { LedgerError } from '../domain/errors.ts';
import type { Order } from '../domain/order.ts';
import type { Store } from '../domain/settings.ts';
import type { Action } from '../planner/action.ts';
import { plan } from '../planner/plan.ts';
import { documentFacts, theDocument, theOrder, theStore } from './facts.ts';
import { defineTool, type Tool, type ToolDeps } from './tool.ts';

const order = z.string().max(80).describe('Su número (#1001) o su id en la tienda.');
const store = z.string().max(63).optional().describe('De qué tienda, si varias tienen ese pedido.');
const document = z.string().max(80).describe('Su número, su clave de acceso o su id.');

/** An order as the shop has it now, and what the planner says of it. Throws ShopError, LedgerError. */
export async function planNow(
  deps: ToolDeps,
  key: { platform: string; shop: string; orderId: string },
): Promise<{ store: Store; order: Order; actions: Action[]; seen: string }> {
  const theirs = theStore(deps, key);
  const read = await deps.readSale(theirs, key.orderId);
  if (!read)
    throw new LedgerError(
      'order-unread',
      'La tienda no tiene ese pedido, o está configurada sin acceso a su API: no hay nada que planificar.',
      'The order cannot be read from its shop.',
    );
  const actions = plan({ ...read, store: theirs, now: deps.clock.now() });
  return { store: theirs, order: read.order, actions, seen: digest(actions.map(told)) };
}

/** What would become of one sale or refund, with its totals; no buyer in it. */
const told = ({ kind, identity, action, code, reason, charged, document: total, body }: Action) => ({
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

/** A plan of an order, and where something is to be emitted the id to have it done. */
async function planOrder(
  deps: ToolDeps,
  name: string,
  only: string | undefined,
  kind: Action['kind'] | null,
) {
  const { order: known } = await theOrder(deps, name, only);
  const { platform, shop, orderId } = known;
  const planned = await planNow(deps, { platform, shop, orderId });
  const { ambiente } = planned.store.issuer;
  const shown = planned.actions.filter((one) => kind === null || one.kind === kind).map(told);
  const due = shown.some(({ action }) => action === 'emit');
  const plan = due
    ? await deps.plans.keep({
        tool: 'sync_order',
        subject: { platform, shop, orderId, ambiente: String(ambiente) },
        seen: planned.seen,
      })
    : null;
  const { order: read } = planned;
  return {
    order: read.name,
    store: planned.store.id,
    ambiente,
    total: read.total,
    actions: shown,
    execute: plan && { tool: 'sync_order', ...plan },
  };
}

/** What a writing tool takes the id of: what would be done, shown before it is. */
export const planningTools: readonly Tool[] = [
  defineTool({
    name: 'plan_order',
    title: 'Qué documentos llevaría un pedido',
    description:
      'Lee el pedido de la tienda ahora y dice qué documentos llevaría, con totales e impuestos, o por qué no. No emite nada: si algo está por emitirse, da el id del plan para sync_order. Muéstrelo a la persona antes.',
    input: z.object({ order, store }),
    readOnly: true,
    run: (deps, input) => planOrder(deps, input.order, input.store, null),
  }),
  defineTool({
    name: 'plan_refund',
    title: 'Qué notas de crédito llevarían los reembolsos de un pedido',
    description:
      'Como plan_order, solo con los reembolsos: la nota de crédito de cada uno, o por qué no la lleva. No emite nada.',
    input: z.object({ order, store }),
    readOnly: true,
    run: (deps, input) => planOrder(deps, input.order, input.store, 'nota-credito'),
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
        'Muestra el documento retenido porque la tienda dio un id otra vez o cambió el total pagado, y da el id del plan con que accept_reading lo acepta. No hace nada. Solo una persona sabe si es cierto.',
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
