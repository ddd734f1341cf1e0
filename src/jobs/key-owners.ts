import type { Order } from '../domain/order.ts';
import type { Tables } from '../ledger/ledger.ts';
import type { KeyOwner, PlannedDocument } from '../planner/input.ts';

/**
 * Whose the access keys on an order are that are none of its own documents': plugins copy all meta data of an order to
 * its renewals and duplicates.
 */
export async function keyOwners(
  { documents: table, orders }: Pick<Tables, 'documents' | 'orders'>,
  order: Order,
  documents: readonly PlannedDocument[],
): Promise<KeyOwner[]> {
  const own = new Set(documents.map(({ accessKey }) => accessKey));
  const owners: KeyOwner[] = [];
  for (const accessKey of order.accessKeys.filter((key) => !own.has(key))) {
    const document = await table.byAccessKey(accessKey);
    if (!document) continue;
    const { platform, shop, orderId, orderName } = document;
    const isOfShop = platform === order.platform && shop === order.shop;
    if (isOfShop && orderId === order.id) continue;
    const row = isOfShop ? await orders.ofDocument(document) : undefined;
    const paidAt = (row?.snapshot as Order | undefined)?.paidAt ?? null;
    owners.push({ accessKey, orderName: isOfShop ? orderName : null, paidAt });
  }
  return owners;
}
