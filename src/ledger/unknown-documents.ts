import type { DocumentKind } from '../domain/document.ts';
import type { Access } from './access.ts';
import type { OrderKey } from './shop-tables.ts';

/** A document of one of our shops that the service holds and this ledger did not make: it was made by what was lost of it. */
export interface UnknownDocument {
  accessKey: string;
  platform: string;
  shop: string;
  kind: DocumentKind;
  /** Order or refund id, as its reference names it. */
  sourceId: string;
  /** Null where it is not known yet, of a refund. */
  orderId: string | null;
  /** Under which account and API key the service showed it. */
  account: string;
  keyHash: string;
}

export interface UnknownDocumentRecord {
  access_key: string;
  platform: string;
  shop: string;
  kind: DocumentKind;
  source_id: string;
  order_id: string | null;
  account: string;
  key_hash: string;
  seen_at: string;
  bound_at: string | null;
}

export interface UnknownDocuments {
  /** False where it was noted before. */
  note(document: UnknownDocument, now: Date): Promise<boolean>;
  /** Those of an order, and of these refunds of its, that are not bound yet; facturas first. */
  ofOrder(order: OrderKey, refundIds: readonly string[]): Promise<UnknownDocument[]>;
  /** All that came to light since then, bound or not. */
  since(instant: Date): Promise<UnknownDocument[]>;
  /** All that are not bound yet. */
  open(): Promise<UnknownDocument[]>;
  /** It is one of the ledger's documents from now on. */
  bound(accessKey: string, now: Date): Promise<void>;
}

export function unknownDocumentTable(access: Access): UnknownDocuments {
  const open = () => access.db().selectFrom('unknown_documents').selectAll().where('bound_at', 'is', null);
  return {
    async note({ accessKey, platform, shop, kind, sourceId, orderId, account, keyHash }, now) {
      const made = await access
        .db()
        .insertInto('unknown_documents')
        .values({
          ...{ access_key: accessKey, platform, shop, kind, source_id: sourceId, order_id: orderId },
          ...{ account, key_hash: keyHash, seen_at: now.toISOString(), bound_at: null },
        })
        .onConflict((known) => known.column('access_key').doNothing())
        .returning('access_key')
        .executeTakeFirst();
      return made !== undefined;
    },

    async ofOrder({ platform, shop, orderId }, refundIds) {
      const rows = await open()
        .where('platform', '=', platform)
        .where('shop', '=', shop)
        .where((is) =>
          is.or([
            is('order_id', '=', orderId),
            // PostgreSQL takes no empty list.
            is.and([is('kind', '=', 'nota-credito'), is('source_id', 'in', ['', ...refundIds])]),
          ]),
        )
        .orderBy('kind')
        .orderBy('access_key')
        .execute();
      return rows.map(read);
    },

    async since(instant) {
      const rows = await access
        .db()
        .selectFrom('unknown_documents')
        .selectAll()
        .where('seen_at', '>=', instant.toISOString())
        .orderBy('access_key')
        .execute();
      return rows.map(read);
    },

    open: async () => (await open().orderBy('access_key').execute()).map(read),

    async bound(accessKey, now) {
      await access
        .db()
        .updateTable('unknown_documents')
        .set({ bound_at: now.toISOString() })
        .where('access_key', '=', accessKey)
        .execute();
    },
  };
}

const read = (row: UnknownDocumentRecord): UnknownDocument => ({
  accessKey: row.access_key,
  platform: row.platform,
  shop: row.shop,
  kind: row.kind,
  sourceId: row.source_id,
  orderId: row.order_id,
  account: row.account,
  keyHash: row.key_hash,
});
