import type { Order } from '../domain/order.ts';
import { owner } from '../domain/scope.ts';
import type { Store } from '../domain/settings.ts';
import { isShadowShop } from '../domain/shadow.ts';
import { orderSubject, type StepOutcome, shopSubject } from '../domain/work.ts';
import type { OrderKey, OrderRow } from '../ledger/shop-tables.ts';
import type { Action } from '../planner/action.ts';
import { type Bound, boundTo } from '../planner/bound.ts';
import { firstPaid } from './delivered-order.ts';
import type { StepDeps } from './deps.ts';
import { type Known, plannedDocuments } from './planned-documents.ts';

/*
 * A reading beside what was read before: whether it is the same order, what was charged, and whether the shop's clock
 * went back. What an id, a total and a time meant first stands above what comes later.
 */

/** As long as a cache, or a replica of a shop's database, may answer with what was. */
const surelyReadMs = 10_000;

/**
 * An answer with an older time than the order had is out of a cache, or the shop's clock was put right since. Told twice
 * so far apart it is the clock. Null where the reading stands.
 */
export async function lookTwice(
  { ledger, clock }: Pick<StepDeps, 'ledger' | 'clock'>,
  key: OrderKey,
  known: OrderRow | undefined,
  order: Order,
): Promise<StepOutcome | null> {
  if (!known || !isOlder(known, order)) return null;
  const now = clock.now();
  const since = known.olderSince === null ? now.getTime() : Date.parse(known.olderSince);
  // A clock of ours that went back says nothing.
  const waited = Math.abs(now.getTime() - since);
  if (known.olderSince !== null && waited >= surelyReadMs) return null;
  await ledger.orders.older(key, now);
  const dueAt = new Date(now.getTime() + surelyReadMs - waited);
  return { kind: 'again', dueAt, reason: 'the shop told an older time of the order than before' };
}

const isOlder = ({ sourceUpdatedAt }: OrderRow, { updatedAt }: Order): boolean =>
  Date.parse(updatedAt) < Date.parse(sourceUpdatedAt);

/**
 * What the reading is bound to, and the documents of its id. What the shop told when the order was paid is looked for
 * once.
 */
export async function bindReading(
  deps: Pick<StepDeps, 'ledger'>,
  store: Store,
  { key, row, order }: { key: OrderKey; row: OrderRow | undefined; order: Order },
): Promise<{ bound: Bound; documents: readonly Known[] }> {
  const { ledger } = deps;
  const documents = await plannedDocuments(ledger, key);
  const whenPaid = row?.paid ? null : await firstPaid(deps, store, order);
  const known = row && { ...row, snapshot: row.snapshot as Order };
  const bound = boundTo(order, known, documents, whenPaid);
  if (!bound.reused || documents.every(({ fingerprint }) => fingerprint !== null))
    return { bound, documents };
  await ledger.documents.stamp(key, bound.reused);
  return { bound, documents: await plannedDocuments(ledger, key) };
}

const holds = ['order-id-reused', 'refund-id-reused'];

/** A document that only says that the id of its order was given again: nothing is written onto any of that id. */
export const isReused = ({ code, state }: Pick<Known, 'code' | 'state'>): boolean =>
  state === 'held' && code === 'order-id-reused';

/** Tells people what a reading contradicts, and that it no longer does. */
export async function tellBound(
  deps: Pick<StepDeps, 'alerts'>,
  { store, order, row, bound }: { store: Store; order: Order; row: OrderRow | undefined; bound: Bound },
  { actions, before }: { actions: readonly Action[]; before: readonly Known[] },
): Promise<void> {
  const { platform, shop, id: orderId } = order;
  if (isShadowShop(shop)) return;
  const subject = orderSubject({ platform, shop, orderId });
  const about = owner.shop({ platform, shop });
  const told = new Set(before.flatMap(({ code, state }) => (state === 'held' ? [code] : [])));
  for (const code of holds) {
    const held = actions.find((one) => one.action === 'hold' && one.code === code);
    if (held)
      await deps.alerts.raise({
        ...{ code, subject, about },
        what: `Tienda ${store.id}, pedido ${order.name}: ${held.reason}`,
        cure: 'Averigüe si la tienda se restauró de una copia. Si es otra venta u otra devolución, acéptelo con «facturapuente retry … --accept»; si no, emita a mano.',
      });
    else if (told.has(code)) await deps.alerts.over({ code, subject });
  }
  if (row && bound.reused === null && isOlder(row, order))
    await deps.alerts.raise({
      code: 'shop-clock-back',
      subject: shopSubject({ platform, shop }),
      about,
      what: `Tienda ${store.id}: el pedido ${order.name} tenía la hora de cambio ${row.sourceUpdatedAt} y ahora dice ${new Date(order.updatedAt).toISOString()}. El reloj de la tienda se adelantó y fue corregido, o la tienda se restauró de una copia.`,
      cure: 'Ponga el servidor de la tienda en hora con NTP. Si se restauró de una copia, compruebe los últimos pedidos. Lo leído ahora vale; dé el aviso por revisado con «facturapuente alerts clear».',
    });
}
