import { type Document, documentNumber } from '../../domain/document.ts';
import { CommandError } from '../../domain/errors.ts';
import { type Store, storeOfShop } from '../../domain/settings.ts';
import type { LedgerView } from '../../ledger/ledger.ts';
import type { OrderTimeline } from '../../ledger/timeline.ts';

/** A document as programs and assistants are shown it, without buyers' data. */
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

/** The facts as text, a line each. */
export const factsText = (facts: Record<string, unknown>): string =>
  Object.entries(facts)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}: ${typeof value === 'object' ? JSON.stringify(value) : value}`)
    .join('\n');

/** The order of a name. Throws CommandError `not-found`, `ambiguous`. */
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

/** An order that was read, or waits to be read for the first time. Throws CommandError `not-found`, `ambiguous`. */
export async function orderKey(
  { timelines }: Pick<LedgerView, 'timelines'>,
  stores: ReadonlyMap<string, Store>,
  name: string,
  only?: string,
): Promise<{ name: string; platform: string; shop: string; orderId: string }> {
  const unread = await timelines.unread(name.replace(/^#/, ''));
  const [waiting] = unread.filter(({ storeId }) => only === undefined || storeId === only);
  const store = waiting && stores.get(waiting.storeId);
  if (waiting && store)
    return { name, platform: store.platform.name, shop: store.shop, orderId: waiting.orderId };
  return (await theOrder({ timelines }, name, only)).order;
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
