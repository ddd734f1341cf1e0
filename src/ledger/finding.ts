import type { Document } from '../domain/document.ts';
import type { Amount } from '../domain/money.ts';
import type { Scope } from '../domain/scope.ts';
import type { Access } from './access.ts';
import { readDocument } from './document-rows.ts';
import type { OrderRecord } from './shop-schema.ts';
import { ofShops } from './within.ts';

/** An order as a search names it. */
export interface FoundOrder {
  platform: string;
  shop: string;
  orderId: string;
  storeId: string;
  name: string;
  syncedAt: string;
}

/**
 * Orders and documents by what people know of them; each answer in the time of what it finds. Newest first where it is
 * not said otherwise, at most `limit`.
 */
export interface Finding {
  /** Orders of this id, or whose name is one of these ("#1001", "1001"). */
  orders(asked: { id: string; names: readonly string[] }, limit: number): Promise<FoundOrder[]>;
  /** By number, in whichever series; establishment and point may be left open. 9 digits. */
  byNumber(
    asked: { establecimiento?: string; puntoEmision?: string; secuencial: string },
    limit: number,
  ): Promise<Document[]>;
  /** By what the buyer was charged, to the cent. */
  byCharged(amount: Amount, limit: number): Promise<Document[]>;
  /** By the identification a document was sent with; consumidor final is nobody. In no order. */
  byBuyer(identification: string, limit: number): Promise<Document[]>;
}

const named = ['platform', 'shop', 'order_id', 'store_id', 'name', 'synced_at'] as const;

/** @param scope only what is of its shops. */
export function findingTable(access: Access, scope: Scope | null = null): Finding {
  return {
    async orders({ id, names }, limit) {
      const byName = await access
        .db()
        .selectFrom('orders')
        .select(named)
        // PostgreSQL takes no empty list.
        .where('name', 'in', names.length > 0 ? [...names] : [''])
        .$call((query) => (scope === null ? query : query.where(ofShops(scope, 'orders'))))
        .limit(limit)
        .execute();
      // The shops are few, and each has at most one order of that id.
      const byId = await access
        .db()
        .selectFrom('stores')
        // Crossed, not joined: SQLite keeps to this order, the few shops first.
        .crossJoin('orders')
        .whereRef('orders.platform', '=', 'stores.platform')
        .whereRef('orders.shop', '=', 'stores.shop')
        .select(named.map((column) => `orders.${column}` as const))
        .where('orders.order_id', '=', id)
        .$call((query) => (scope === null ? query : query.where(ofShops(scope, 'stores'))))
        .limit(limit)
        .execute();
      const all = [...byId, ...byName].map(readFound);
      const keys = new Map(all.map((one) => [JSON.stringify([one.platform, one.shop, one.orderId]), one]));
      return [...keys.values()]
        .toSorted((a, b) => Number(b.syncedAt > a.syncedAt) - Number(b.syncedAt < a.syncedAt))
        .slice(0, limit);
    },

    async byNumber({ establecimiento, puntoEmision, secuencial }, limit) {
      const rows = await access
        .db()
        .selectFrom('series')
        // As above: the few series first.
        .crossJoin('documents')
        .whereRef('documents.ruc', '=', 'series.ruc')
        .whereRef('documents.ambiente', '=', 'series.ambiente')
        .whereRef('documents.cod_doc', '=', 'series.cod_doc')
        .whereRef('documents.establecimiento', '=', 'series.establecimiento')
        .whereRef('documents.punto_emision', '=', 'series.punto_emision')
        .selectAll('documents')
        .where('documents.secuencial', '=', secuencial)
        .$call((query) => (scope === null ? query : query.where(ofShops(scope, 'documents'))))
        .$if(establecimiento !== undefined, (query) =>
          query.where('series.establecimiento', '=', establecimiento ?? ''),
        )
        .$if(puntoEmision !== undefined, (query) =>
          query.where('series.punto_emision', '=', puntoEmision ?? ''),
        )
        .orderBy('documents.created_at', 'desc')
        .limit(limit)
        .execute();
      return rows.map(readDocument);
    },

    async byCharged(amount, limit) {
      const rows = await access
        .db()
        .selectFrom('documents')
        .selectAll()
        .where('charged', '=', amount)
        .$call((query) => (scope === null ? query : query.where(ofShops(scope, 'documents'))))
        .orderBy('created_at', 'desc')
        .limit(limit)
        .execute();
      return rows.map(readDocument);
    },

    async byBuyer(identification, limit) {
      const rows = await access
        .db()
        .selectFrom('attempts')
        .select('document_id')
        .distinct()
        .where('buyer_id', '=', identification)
        // As in the index: only then the engines use it.
        .where('buyer_id', '<>', '9999999999999')
        .$call((query) =>
          scope === null
            ? query
            : query
                .innerJoin('documents', 'documents.id', 'attempts.document_id')
                .where(ofShops(scope, 'documents')),
        )
        .limit(limit)
        .execute();
      if (rows.length === 0) return [];
      const found = await access
        .db()
        .selectFrom('documents')
        .selectAll()
        .where(
          'id',
          'in',
          rows.map(({ document_id }) => document_id),
        )
        .execute();
      return found.map(readDocument);
    },
  };
}

type Found = Pick<OrderRecord, (typeof named)[number]>;

const readFound = (row: Found): FoundOrder => ({
  platform: row.platform,
  shop: row.shop,
  orderId: row.order_id,
  storeId: row.store_id,
  name: row.name,
  syncedAt: row.synced_at,
});
