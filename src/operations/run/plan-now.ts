import { createHash } from 'node:crypto';
import { statedRows } from '../../../mappers/tax-computation.ts';
import { CommandError } from '../../domain/errors.ts';
import { isWithin, orderOf } from '../../domain/settings.ts';
import { plannedDocuments } from '../../jobs/prepare.ts';
import type { Action } from '../../planner/action.ts';
import { plan } from '../../planner/plan.ts';
import type { Context, Look } from '../operation.ts';
import { anyOrder, theStore } from './facts.ts';

/** Throws ShopError, CommandError. */
export async function planNow(
  { handlers, ledger, stores, scope }: Pick<Context, 'handlers' | 'ledger' | 'stores' | 'scope'>,
  asked: { order: string; store?: string | undefined },
): Promise<Look> {
  const { key } = await anyOrder(ledger, stores, asked);
  const store = theStore(stores, key);
  const found = isWithin(scope, key) ? await handlers.shop(store)?.fetchOrder(key.orderId) : null;
  if (!found) throw new CommandError('not-found', { why: 'unread' });
  const order = orderOf(store, found);
  const documents = await plannedDocuments(handlers.ledger, key);
  const invoiceFrom = handlers.invoiceFrom(store);
  const actions = plan({ order, documents, store, invoiceFrom, now: handlers.clock.now() }).map(actionFacts);
  const { ambiente } = store.issuer;
  return {
    ambiente,
    input: { order: key.orderId, store: store.id },
    seen: createHash('sha256')
      .update(JSON.stringify([key, ambiente, actions]))
      .digest('hex'),
    shown: { order: order.name, store: store.id, ambiente, total: order.total, actions },
    due: actions.some(({ action }) => action === 'emit'),
  };
}

/** The buyer's data are omitted. */
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
