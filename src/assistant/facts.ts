import { type Document, documentNumber } from '../domain/document.ts';
import { CommandError } from '../domain/errors.ts';
import { type Store, storeOfShop } from '../domain/settings.ts';
import { findDocument } from '../jobs/take-key.ts';
import type { LedgerView } from '../ledger/ledger.ts';
import type { OrderTimeline } from '../ledger/timeline.ts';
import type { ToolDeps } from './tool.ts';

/** A document for an assistant. */
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

/** By id, number or access key. Throws CommandError `not-found`, `ambiguous`. */
export async function theDocument({ ledger, stores }: ToolDeps, name: string): Promise<Document> {
  const byKey = /^\d{49}$/.test(name) ? await ledger.documents.byAccessKey(name) : undefined;
  return byKey ?? findDocument(ledger, stores.values(), { name });
}

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

/** Throws CommandError `store-unknown`. */
export function theStore(
  { stores }: ToolDeps,
  { platform, shop }: { platform: string; shop: string },
): Store {
  const store = storeOfShop(stores, platform, shop);
  if (store) return store;
  throw new CommandError('store-unknown', { why: 'gone', store: shop });
}
