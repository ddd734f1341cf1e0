import { type Document, documentNumber } from '../domain/document.ts';
import { LedgerError } from '../domain/errors.ts';
import type { Store } from '../domain/settings.ts';
import { findDocument } from '../jobs/find-document.ts';
import type { OrderStory } from '../ledger/story.ts';
import type { ToolDeps } from './tool.ts';

/** A document as an assistant reads it. */
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

/** By id, number or access key. Throws LedgerError `document-unknown`, `document-ambiguous`. */
export async function theDocument({ ledger, stores }: ToolDeps, name: string): Promise<Document> {
  const byKey = /^\d{49}$/.test(name) ? await ledger.documents.byAccessKey(name) : undefined;
  return byKey ?? findDocument(ledger, stores.values(), { name });
}

/** The one order a person means. Throws LedgerError `order-unknown`, `order-ambiguous`. */
export async function theOrder({ ledger }: ToolDeps, name: string, store?: string): Promise<OrderStory> {
  const found = (await ledger.stories.find(name)).filter(
    ({ order }) => store === undefined || order.storeId === store,
  );
  const [story, ...others] = found;
  if (!story)
    throw new LedgerError(
      'order-unknown',
      `El registro no conoce ningún pedido ${name}.`,
      `The ledger knows no order ${name}.`,
    );
  if (others.length > 0)
    throw new LedgerError(
      'order-ambiguous',
      `Hay ${found.length} pedidos ${name}: indique la tienda (${found.map(({ order }) => order.storeId).join(', ')}).`,
      `${found.length} orders are called ${name}.`,
    );
  return story;
}

/** Throws LedgerError `store-unknown`. */
export function theStore(
  { stores }: ToolDeps,
  { platform, shop }: { platform: string; shop: string },
): Store {
  for (const store of stores.values())
    if (store.platform.name === platform && store.shop === shop) return store;
  throw new LedgerError(
    'store-unknown',
    'La tienda de ese pedido ya no está en la configuración.',
    `No configured store has the shop ${shop}.`,
  );
}
