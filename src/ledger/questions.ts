import { sql } from 'kysely';
import { type CamelCased, camelCased } from '../domain/text.ts';
import type { Access } from './access.ts';
import type { Cipher } from './cipher.ts';
import type { QuestionRecord } from './schema.ts';
import type { OrderKey } from './shop-tables.ts';

/** A question to the buyer of an order (whom the factura names), and the answer. Instants are ISO texts. */
export type Question = CamelCased<Omit<QuestionRecord, 'encrypted'>> & { answer: unknown };

/** An event that happens to a question once. */
export type QuestionMark = 'mailed' | 'passed' | 'notified';

export interface Questions {
  get(order: OrderKey): Promise<Question | undefined>;
  /** An order has one question ever; false when there is one already. */
  open(order: OrderKey, times: { cutOffAt: Date; expiresAt: Date; now: Date }): Promise<boolean>;
  /** Stores the first answer; false when there is one, or no question. */
  answer(order: OrderKey, answer: unknown, now: Date): Promise<boolean>;
  /** Sets a mark; false when it is set already. */
  mark(order: OrderKey, mark: QuestionMark, now: Date): Promise<boolean>;
  /** Removes a mark; false when there was none. */
  unmark(order: OrderKey, mark: QuestionMark): Promise<boolean>;
  /** Deletes the answer, but not that there was one. */
  forget(order: OrderKey): Promise<void>;
  /** Deletes the question: the id belongs to another order now. */
  drop(order: OrderKey): Promise<void>;
}

const columns = { mailed: 'mailed_at', passed: 'passed_at', notified: 'notified_at' } as const;
const place = ({ platform, shop, orderId }: OrderKey) => `questions.encrypted ${platform} ${shop} ${orderId}`;

export function questionTable({ db }: Access, cipher: Cipher): Questions {
  const update = ({ platform, shop, orderId }: OrderKey, set: Partial<QuestionRecord>) =>
    db()
      .updateTable('questions')
      .set(set)
      .where((is) => is.and({ platform, shop, order_id: orderId }));

  return {
    async get({ platform, shop, orderId }) {
      const row = await db()
        .selectFrom('questions')
        .selectAll()
        .where((is) => is.and({ platform, shop, order_id: orderId }))
        .executeTakeFirst();
      return row && read(row, cipher);
    },

    async open({ platform, shop, orderId }, { cutOffAt, expiresAt, now }) {
      const made = await db()
        .insertInto('questions')
        .values({
          ...{ platform, shop, order_id: orderId, asked_at: now.toISOString() },
          ...{ cut_off_at: cutOffAt.toISOString(), expires_at: expiresAt.toISOString() },
        })
        .onConflict((known) => known.columns(['platform', 'shop', 'order_id']).doNothing())
        .executeTakeFirst();
      return (made.numInsertedOrUpdatedRows ?? 0n) > 0n;
    },

    async answer(order, answer, now) {
      const encrypted = cipher.close(JSON.stringify(answer), place(order));
      const kept = await update(order, { encrypted, answered_at: now.toISOString() })
        .where('answered_at', 'is', null)
        .executeTakeFirst();
      return kept.numUpdatedRows > 0n;
    },

    async mark(order, mark, now) {
      const marked = await update(order, { [columns[mark]]: now.toISOString() })
        .where(columns[mark], 'is', null)
        .executeTakeFirst();
      return marked.numUpdatedRows > 0n;
    },

    async unmark(order, mark) {
      const unmarked = await update(order, { [columns[mark]]: null })
        .where(columns[mark], 'is not', null)
        .executeTakeFirst();
      return unmarked.numUpdatedRows > 0n;
    },

    async forget(order) {
      await update(order, { encrypted: null }).execute();
    },

    async drop({ platform, shop, orderId }) {
      await db()
        .deleteFrom('questions')
        .where((is) => is.and({ platform, shop, order_id: orderId }))
        .execute();
    },
  };
}

function read({ encrypted, ...row }: QuestionRecord, cipher: Cipher): Question {
  const question = camelCased(row);
  const answer = encrypted === null ? null : JSON.parse(cipher.open(encrypted, place(question)));
  return { ...question, answer };
}

/** How often the links of a document were revoked: a link contains the version it was made with. */
export interface LinkVersions {
  /** 0 for a document whose links were never revoked. */
  of(documentId: string): Promise<number>;
  /** Invalidates every link made so far; answers the version of new ones. */
  revoke(documentId: string, now: Date): Promise<number>;
}

export function linkVersionTable({ db }: Access): LinkVersions {
  return {
    async of(documentId) {
      const row = await db()
        .selectFrom('link_versions')
        .select('version')
        .where('document_id', '=', documentId)
        .executeTakeFirst();
      return row?.version ?? 0;
    },

    async revoke(documentId, now) {
      const revokedAt = now.toISOString();
      const row = await db()
        .insertInto('link_versions')
        .values({ document_id: documentId, version: 1, revoked_at: revokedAt })
        .onConflict((known) =>
          known
            .column('document_id')
            .doUpdateSet({ version: sql`link_versions.version + 1`, revoked_at: revokedAt }),
        )
        .returning('version')
        .executeTakeFirstOrThrow();
      return row.version;
    },
  };
}
