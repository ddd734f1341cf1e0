import { sql } from 'kysely';
import { type Document, statesUnderWay } from '../domain/document.ts';
import type { WorkKind } from '../domain/work.ts';
import type { Access } from './access.ts';
import { readDocument } from './document-rows.ts';
import type { ShopKey } from './sweep-tables.ts';

/** The documents on their way, in the time of what is open, however many there ever were. */
export interface OpenDocuments {
  /** Those behind `after` that no work leads any further, by their ids. */
  withoutWork(after: string, limit: number): Promise<Document[]>;
  /** How many each shop has. */
  byShop(): Promise<OpenOfShop[]>;
}

export interface OpenOfShop extends ShopKey {
  /** As one of its documents calls the store. */
  storeId: string;
  count: number;
}

/** What leads a document on its way to its end. */
const leading: readonly WorkKind[] = ['submit-document', 'follow-up', 'reprocess-document'];

// The first condition is the index's own (counts.ts), the second one leaps in it.
const isUnderWay = sql<boolean>`documents.state not in ('authorized', 'cancelled')
  and documents.kind in ('factura', 'nota-credito')
  and documents.state in (${sql.join(statesUnderWay.map((state) => sql.lit(state)))})`;

export function openDocumentTable(access: Access): OpenDocuments {
  return {
    async withoutWork(after, limit) {
      const rows = await access
        .db()
        .selectFrom('documents')
        .selectAll()
        .where(isUnderWay)
        .where('id', '>', after)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('work')
                .select('work.id')
                .whereRef('work.subject', '=', 'documents.id')
                .where('work.kind', 'in', leading),
            ),
          ),
        )
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map(readDocument);
    },

    async byShop() {
      const rows = await access
        .db()
        .selectFrom('documents')
        .select(({ fn }) => [
          'platform',
          'shop',
          fn.max('store_id').as('store_id'),
          fn.countAll().as('count'),
        ])
        .where(isUnderWay)
        .groupBy(['platform', 'shop'])
        .execute();
      return rows.map(({ store_id, count, ...shop }) => ({
        ...shop,
        storeId: store_id,
        count: Number(count),
      }));
    },
  };
}
