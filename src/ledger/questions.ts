import type { Access } from './access.ts';
import type { Seal } from './seal.ts';
import type { QuestionRecord } from './shop-schema.ts';
import type { OrderKey } from './shop-tables.ts';

/** What the buyer of an order was asked (whom the factura names), and the answer. Instants are ISO texts. */
export interface Question extends OrderKey {
  askedAt: string;
  /** From then on the policy decides without an answer. */
  cutOffAt: string;
  /** The link's own end. */
  expiresAt: string;
  mailedAt: string | null;
  /** When the policy took over. */
  passedAt: string | null;
  /** When a person was told that nobody answered; null again once that is over. */
  toldAt: string | null;
  answeredAt: string | null;
  /** As it was given to `answer`; sealed at rest. */
  answer: unknown;
}

/** What happens to a question once. */
export type QuestionMark = 'mailed' | 'passed' | 'told';

export interface Questions {
  get(order: OrderKey): Promise<Question | undefined>;
  /** One question an order, for ever; false when there is one. */
  open(order: OrderKey, times: { cutOffAt: Date; expiresAt: Date; now: Date }): Promise<boolean>;
  /** Keeps the first answer; false when there is one, or no question. */
  answer(order: OrderKey, answer: unknown, now: Date): Promise<boolean>;
  /** Whoever is first: false when it bears the mark already. */
  mark(order: OrderKey, mark: QuestionMark, now: Date): Promise<boolean>;
  /** Takes a mark away; false when there was none. */
  unmark(order: OrderKey, mark: QuestionMark): Promise<boolean>;
  /** Drops what the buyer answered; that he did stays known. */
  forget(order: OrderKey): Promise<void>;
  /** Its id is another order's now: its buyer was asked nothing. */
  drop(order: OrderKey): Promise<void>;
}

const columns = { mailed: 'mailed_at', passed: 'passed_at', told: 'told_at' } as const;
const place = ({ platform, shop, orderId }: OrderKey) => `questions.sealed ${platform} ${shop} ${orderId}`;

export function questionTable(access: Access, seal: Seal): Questions {
  const update = ({ platform, shop, orderId }: OrderKey, set: Partial<QuestionRecord>) =>
    access
      .db()
      .updateTable('questions')
      .set(set)
      .where('platform', '=', platform)
      .where('shop', '=', shop)
      .where('order_id', '=', orderId);

  return {
    async get({ platform, shop, orderId }) {
      const row = await access
        .db()
        .selectFrom('questions')
        .selectAll()
        .where('platform', '=', platform)
        .where('shop', '=', shop)
        .where('order_id', '=', orderId)
        .executeTakeFirst();
      return row && read(row, seal);
    },

    async open({ platform, shop, orderId }, { cutOffAt, expiresAt, now }) {
      const made = await access
        .db()
        .insertInto('questions')
        .values({
          platform,
          shop,
          order_id: orderId,
          asked_at: now.toISOString(),
          cut_off_at: cutOffAt.toISOString(),
          expires_at: expiresAt.toISOString(),
        })
        .onConflict((known) => known.columns(['platform', 'shop', 'order_id']).doNothing())
        .executeTakeFirst();
      return (made.numInsertedOrUpdatedRows ?? 0n) > 0n;
    },

    async answer(order, answer, now) {
      const sealed = seal.close(JSON.stringify(answer), place(order));
      const kept = await update(order, { sealed, answered_at: now.toISOString() })
        .where('answered_at', 'is', null)
        .executeTakeFirst();
      return kept.numUpdatedRows > 0n;
    },

    async mark(order, mark, now) {
      const column = columns[mark];
      const marked = await update(order, { [column]: now.toISOString() })
        .where(column, 'is', null)
        .executeTakeFirst();
      return marked.numUpdatedRows > 0n;
    },

    async forget(order) {
      await update(order, { sealed: null }).execute();
    },

    async drop({ platform, shop, orderId }) {
      await access
        .db()
        .deleteFrom('questions')
        .where('platform', '=', platform)
        .where('shop', '=', shop)
        .where('order_id', '=', orderId)
        .execute();
    },

    async unmark(order, mark) {
      const column = columns[mark];
      const unmarked = await update(order, { [column]: null })
        .where(column, 'is not', null)
        .executeTakeFirst();
      return unmarked.numUpdatedRows > 0n;
    },
  };
}

function read(row: QuestionRecord, seal: Seal): Question {
  const order = { platform: row.platform, shop: row.shop, orderId: row.order_id };
  return {
    ...order,
    askedAt: row.asked_at,
    cutOffAt: row.cut_off_at,
    expiresAt: row.expires_at,
    mailedAt: row.mailed_at,
    passedAt: row.passed_at,
    toldAt: row.told_at,
    answeredAt: row.answered_at,
    answer: row.sealed === null ? null : JSON.parse(seal.open(row.sealed, place(order))),
  };
}
