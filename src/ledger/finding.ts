import type { Document } from '../domain/document.ts';
import type { Amount } from '../domain/money.ts';
import type { Scope } from '../domain/settings.ts';
import { type CamelCased, camelCased } from '../domain/text.ts';
import { type Access, ofShops } from './access.ts';
import { readDocument } from './documents.ts';
import type { OrderRecord } from './schema.ts';

/** An order that was found. */
export type FoundOrder = CamelCased<Found>;

/** Finds orders and documents by what people know of them; newest first, at most `limit`. */
export interface Finding {
  /** Orders of this id, or whose name is one of these ("#1001", "1001"). */
  orders(asked: { id: string; names: readonly string[] }, limit: number): Promise<FoundOrder[]>;
  /** By number (9 digits), in any series, or in those of an establishment or point. */
  byNumber(
    asked: { establecimiento?: string; puntoEmision?: string; secuencial: string },
    limit: number,
  ): Promise<Document[]>;
  /** By what the buyer was charged, to the cent. */
  byCharged(amount: Amount, limit: number): Promise<Document[]>;
  /** By the identification a document was sent with, except consumidor final. In no order. */
  byBuyer(identification: string, limit: number): Promise<Document[]>;
}

const named = ['platform', 'shop', 'order_id', 'store_id', 'name', 'synced_at'] as const;

/** @param scope only what is of its shops. */
export function findingTable({ db }: Access, scope: Scope | null = null): Finding {
  return {
    async orders({ id, names }, limit) {
      const byName = await db()
        .selectFrom('orders')
        .select(named)
        // PostgreSQL takes no empty list.
        .where('name', 'in', names.length > 0 ? [...names] : [''])
        .where(ofShops(scope, 'orders'))
        .limit(limit)
        .execute();
      // Each of the few shops has at most one order of that id.
      const byId = await db()
        .selectFrom('stores')
        // A cross join keeps SQLite to this order: the few shops first.
        .crossJoin('orders')
        .whereRef('orders.platform', '=', 'stores.platform')
        .whereRef('orders.shop', '=', 'stores.shop')
        .select(named.map((column) => `orders.${column}` as const))
        .where('orders.order_id', '=', id)
        .where(ofShops(scope, 'stores'))
        .limit(limit)
        .execute();
      const all = [...byId, ...byName].map(camelCased<Found>);
      const keys = new Map(all.map((one) => [JSON.stringify([one.platform, one.shop, one.orderId]), one]));
      return [...keys.values()]
        .toSorted((a, b) => Number(b.syncedAt > a.syncedAt) - Number(b.syncedAt < a.syncedAt))
        .slice(0, limit);
    },

    async byNumber({ establecimiento, puntoEmision, secuencial }, limit) {
      const rows = await db()
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
        .where(ofShops(scope, 'documents'))
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
      const rows = await db()
        .selectFrom('documents')
        .selectAll()
        .where('charged', '=', amount)
        .where(ofShops(scope, 'documents'))
        .orderBy('created_at', 'desc')
        .limit(limit)
        .execute();
      return rows.map(readDocument);
    },

    async byBuyer(identification, limit) {
      const ids = db()
        .selectFrom('attempts')
        .innerJoin('documents', 'documents.id', 'attempts.document_id')
        .select('document_id')
        .distinct()
        .where('buyer_id', '=', identification)
        // The condition of the index, word for word.
        .where('buyer_id', '<>', '9999999999999')
        .where(ofShops(scope, 'documents'))
        .limit(limit);
      const rows = await db().selectFrom('documents').selectAll().where('id', 'in', ids).execute();
      return rows.map(readDocument);
    },
  };
}

type Found = Pick<OrderRecord, (typeof named)[number]>;
