import { type Document, documentNumber } from '../../domain/document.ts';
import { CommandError } from '../../domain/errors.ts';
import { type Store, storeOfShop } from '../../domain/settings.ts';
import type { LedgerView } from '../../ledger/ledger.ts';
import type { OrderTimeline } from '../../ledger/timeline.ts';

/** The buyer's data are omitted. */
export const documentFacts = (document: Document): Record<string, unknown> => ({
  id: document.id,
  kind: document.kind,
  number: documentNumber(document),
  state: document.state,
  ambiente: document.ambiente,
  store: document.storeId,
  order: document.orderName,
  total: document.total,
  charged: document.charged,
  issueDate: document.issueDate,
  authorizedAt: document.authorizedAt,
  accessKey: document.accessKey,
  code: document.code,
  reason: document.reason,
  verification: document.verification,
  annulledAt: document.annulledAt,
  createdAt: document.createdAt,
});

export const factsText = (facts: Record<string, unknown>): string =>
  Object.entries(facts)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}: ${typeof value === 'object' ? JSON.stringify(value) : value}`)
    .join('\n');

/** Throws CommandError `not-found`, `ambiguous`. */
export async function theOrder(
  { timelines }: Pick<LedgerView, 'timelines'>,
  name: string,
  store?: string,
): Promise<OrderTimeline> {
  const found = (await timelines.find(name)).filter(
    ({ order }) => store === undefined || order.storeId === store,
  );
  const [timeline, ...others] = found;
  if (!timeline) throw new CommandError('not-found', { why: 'order', name });
  if (others.length > 0)
    throw new CommandError('ambiguous', {
      what: `El pedido ${name}`,
      found: found.map(({ order }) => order.storeId).join(', '),
    });
  return timeline;
}

export interface FoundOrder {
  name: string;
  storeId: string;
  key: { platform: string; shop: string; orderId: string };
}

/**
 * Also an order that was not read yet. An id counts before the same number as a name, unless it is written #1001.
 * Throws CommandError `not-found`, `ambiguous`.
 */
export async function anyOrder(
  { timelines }: Pick<LedgerView, 'timelines'>,
  stores: ReadonlyMap<string, Store>,
  asked: { order: string; store?: string | undefined },
): Promise<FoundOrder> {
  const read = (await timelines.find(asked.order)).map(
    ({ order: { name, storeId, platform, shop, orderId } }): FoundOrder => ({
      name,
      storeId,
      key: { platform, shop, orderId },
    }),
  );
  const unread = (await timelines.unread(asked.order.replace(/^#/, ''))).flatMap(({ storeId, orderId }) => {
    const store = stores.get(storeId);
    if (!store) return [];
    return [{ name: orderId, storeId, key: { platform: store.platform.name, shop: store.shop, orderId } }];
  });
  const all = [...read, ...unread].filter(
    ({ storeId }) => asked.store === undefined || storeId === asked.store,
  );
  const byId = all.filter(({ key }) => key.orderId === asked.order);
  const found = byId.length === 1 ? byId : all;
  const [order, ...others] = found;
  if (!order) throw new CommandError('not-found', { why: 'order', name: asked.order });
  if (others.length > 0)
    throw new CommandError('ambiguous', {
      what: `El pedido ${asked.order}`,
      found: found.map(({ storeId, key }) => `${storeId} (id ${key.orderId})`).join(', '),
    });
  return order;
}

/** Throws CommandError `store-unknown`. */
export function theStore(
  stores: ReadonlyMap<string, Store>,
  { platform, shop }: { platform: string; shop: string },
): Store {
  const store = storeOfShop(stores, platform, shop);
  if (store) return store;
  throw new CommandError('store-unknown', { why: 'gone', store: shop });
}
