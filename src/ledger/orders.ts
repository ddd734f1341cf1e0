import { type Selectable, sql } from 'kysely';
import type { Document } from '../domain/document.ts';
import type { JobRequest } from '../domain/job.ts';
import {
  isSameOrder,
  type Order,
  type OrderFingerprint,
  type PaidTotal,
  type Settlement,
} from '../domain/order.ts';
import { type Access, wrote } from './access.ts';
import type { Cipher } from './cipher.ts';
import type { DeliveryRow, OrderKey, OrderRow, Question, Schema, ShopKey } from './schema.ts';

export interface Reading {
  orderId: string;
  sourceUpdatedAt: string;
  /** The time by this installation's clock. */
  syncedAt: string;
  settlement: Settlement;
  status: string;
  refunds: readonly string[];
}

export interface NewReading
  extends Pick<OrderRow, keyof OrderKey | 'storeId' | 'name' | 'snapshot' | 'sourceUpdatedAt'> {
  readAt: Date;
  fingerprint?: OrderFingerprint | null;
  paid?: PaidTotal | null;
  /** The `readings` of the stored order when this one began. */
  since?: number;
}

export type Orders = ReturnType<typeof orderTable>;

function orderOf({ decidedAt, parentId, ...order }: Selectable<Schema['orders']>): OrderRow {
  return order;
}

export function orderTable({ db }: Access) {
  const all = () => db().selectFrom('orders').selectAll();
  const find = ({ platform, shop, orderId }: OrderKey) =>
    all()
      .where((is) => is.and({ platform, shop, orderId }))
      .executeTakeFirst();
  const update = ({ platform, shop, orderId }: OrderKey) =>
    db()
      .updateTable('orders')
      .where((is) => is.and({ platform, shop, orderId }));
  const compared = ({ platform, shop }: ShopKey) =>
    db()
      .selectFrom('orders')
      .select(['orderId', 'sourceUpdatedAt', 'syncedAt', 'snapshot'])
      .where((is) => is.and({ platform, shop }));
  const readingsOf = async (query: ReturnType<typeof compared>): Promise<Reading[]> =>
    (await query.execute()).map(({ snapshot, ...row }) => {
      const { settlement, status, refunds } = snapshot as Order;
      return { ...row, settlement, status, refunds: refunds.map(({ id }) => id) };
    });
  const get = async (order: OrderKey): Promise<OrderRow | undefined> => {
    const row = await find(order);
    return row && orderOf(row);
  };

  return {
    get,

    async ofDocument(
      document: Pick<Document, keyof OrderKey | 'fingerprint'>,
    ): Promise<OrderRow | undefined> {
      const order = await get(document);
      if (!order?.fingerprint || !document.fingerprint) return order;
      return isSameOrder(document.fingerprint, order.fingerprint) ? order : undefined;
    },

    /**
     * Of two overlapping readings the shop's time decides; of two with the same time (WooCommerce states whole seconds) the
     * one saved later is stored, unless `isLater` denies it. Nobody else saves the order between that answer and COMMIT.
     */
    async save(
      reading: NewReading,
      isLater?: () => Promise<boolean>,
    ): Promise<'saved' | 'overlapped' | 'older'> {
      const { platform, shop, orderId, storeId, name, snapshot, readAt } = reading;
      const { fingerprint, paid, since = -1 } = reading;
      // Platforms write offsets in several forms; this form sorts by time.
      const sourceUpdatedAt = new Date(reading.sourceUpdatedAt).toISOString();
      const current = {
        storeId,
        name,
        snapshot: JSON.stringify(snapshot),
        sourceUpdatedAt,
        syncedAt: readAt.toISOString(),
        olderSince: null,
        parentId: (snapshot as Partial<Order>).parentId ?? null,
        ...(fingerprint && { fingerprint: JSON.stringify(fingerprint) }),
        ...(paid && { paid: JSON.stringify(paid) }),
      };
      const next = { ...current, readings: sql<number>`orders.readings + 1` };
      // PostgreSQL locks the conflicting row even where it does not change it: no other process saves it until COMMIT.
      const isAlone = await wrote(
        db()
          .insertInto('orders')
          .values({ platform, shop, orderId, readings: 1, ...current })
          .onConflict((known) =>
            known
              .columns(['platform', 'shop', 'orderId'])
              .doUpdateSet(next)
              .where('orders.readings', '=', since),
          ),
      );
      if (isAlone) return 'saved';
      const beside = await find(reading);
      const stored = beside?.sourceUpdatedAt ?? '';
      const isSame = stored === sourceUpdatedAt && beside?.name === name;
      if (isSame && JSON.stringify(beside?.snapshot) === current.snapshot) return 'saved';
      if (stored > sourceUpdatedAt) return 'older';
      if (stored === sourceUpdatedAt && isLater && !(await isLater())) return 'older';
      await update(reading).set(next).execute();
      return since < 0 && stored < sourceUpdatedAt ? 'saved' : 'overlapped';
    },

    async children({ platform, shop, orderId }: OrderKey): Promise<OrderRow[]> {
      const rows = await all()
        .where((is) => is.and({ platform, shop, parentId: orderId }))
        .orderBy('orderId')
        .limit(200)
        .execute();
      return rows.map(orderOf);
    },

    async lock(order: OrderKey): Promise<void> {
      await update(order).set({ readings: sql`readings` }).execute();
    },

    /** Keeps the first such time. */
    async older(order: OrderKey, now: Date): Promise<void> {
      await update(order).set({ olderSince: now.toISOString() }).where('olderSince', 'is', null).execute();
    },

    async bind(
      order: OrderKey,
      { fingerprint, paid }: { fingerprint?: OrderFingerprint; paid?: PaidTotal | null },
    ): Promise<void> {
      await update(order)
        .set({
          ...(fingerprint && { fingerprint: JSON.stringify(fingerprint) }),
          ...(paid !== undefined && { paid: paid && JSON.stringify(paid) }),
          // A reading that began before is out of date.
          readings: sql`readings + 1`,
        })
        .execute();
    },

    readings: (shop: ShopKey, orderIds: readonly string[]) =>
      readingsOf(compared(shop).where('orderId', 'in', orderIds)),

    /** Oldest change first, by the shop's clock. */
    changedAfter: (
      shop: ShopKey,
      { sourceUpdatedAt, orderId }: { sourceUpdatedAt: string; orderId: string },
      limit: number,
    ) =>
      readingsOf(
        compared(shop)
          .where(({ eb, refTuple, tuple }) =>
            eb(refTuple('sourceUpdatedAt', 'orderId'), '>', tuple(sourceUpdatedAt, orderId)),
          )
          .orderBy('sourceUpdatedAt')
          .orderBy('orderId')
          .limit(limit),
      ),

    async ofShop(shop: ShopKey, after: string, limit: number): Promise<Order[]> {
      const rows = await compared(shop)
        .where('orderId', '>', after)
        .orderBy('orderId')
        .limit(limit)
        .execute();
      return rows.map(({ snapshot }) => snapshot as Order);
    },

    /** Deletes the plan made from it. False, without a change, when the order was saved again meanwhile. */
    rewrite: (read: OrderRow, snapshot: unknown) => {
      const { sourceUpdatedAt, syncedAt } = read;
      return wrote(
        update(read)
          .set({ snapshot: JSON.stringify(snapshot), decision: null })
          .where((is) => is.and({ sourceUpdatedAt, syncedAt })),
      );
    },

    async decide(order: OrderKey, decision: unknown, now: Date): Promise<void> {
      await update(order)
        .set({ decision: JSON.stringify(decision), decidedAt: now.toISOString() })
        .execute();
    },
  };
}

export interface NewDelivery extends Omit<DeliveryRow, 'id' | 'receivedAt'> {
  receivedAt: Date;
  job: JobRequest | null;
}

export interface StoredDelivery
  extends Pick<DeliveryRow, 'topic' | 'body' | 'receivedAt' | 'platform' | 'shop'> {
  id: string;
}

/** How many are deleted at once: a statement blocks every other query on SQLite. */
const pruneAtOnce = 500;

export type Deliveries = ReturnType<typeof deliveryTable>;

export function deliveryTable(access: Access) {
  const { db } = access;
  const newest = () =>
    db()
      .selectFrom('deliveries')
      .select(['id', 'topic', 'body', 'receivedAt', 'platform', 'shop'])
      .orderBy('receivedAt', 'desc')
      .orderBy('id', 'desc');
  const listed = async (query: ReturnType<typeof newest>): Promise<StoredDelivery[]> =>
    (await query.execute()).map((row) => ({ ...row, id: String(row.id) }));
  const emptied = () => db().updateTable('deliveries').set({ body: new Uint8Array() });
  const emptyBodies = async (of: (rows: ReturnType<typeof emptied>) => ReturnType<typeof emptied>) =>
    Number((await of(emptied()).executeTakeFirst()).numUpdatedRows);
  return {
    async keep(deliveries: readonly NewDelivery[]): Promise<void> {
      if (deliveries.length > 0) await storeDeliveries(access, deliveries);
    },

    ofOrder: ({ platform, shop, orderId }: OrderKey, limit: number) =>
      listed(
        newest()
          .where((is) => is.and({ platform, shop, orderId }))
          .limit(limit),
      ),

    ofTopics: (topics: readonly string[], limit: number) =>
      listed(newest().where('topic', 'in', topics).limit(limit)),

    async find({ connection, dedupeKey }: { connection: string; dedupeKey: string }) {
      return (await listed(newest().where((is) => is.and({ connection, dedupeKey }))))[0];
    },

    async replaceBody(id: string, body: Uint8Array): Promise<void> {
      await db().updateTable('deliveries').set({ body }).where('id', '=', id).execute();
    },

    /** A repeated delivery is still recognised. */
    forgetOrder: ({ platform, shop, orderId }: OrderKey) =>
      emptyBodies((rows) => rows.where((is) => is.and({ platform, shop, orderId }))),

    forgetShop: ({ platform, shop }: ShopKey) =>
      emptyBodies((rows) => rows.where((is) => is.and({ platform, shop }))),

    async prune(before: Date): Promise<number> {
      let total = 0;
      for (;;) {
        const old = db()
          .selectFrom('deliveries')
          .select('id')
          .where('receivedAt', '<', before.toISOString())
          .orderBy('receivedAt')
          .limit(pruneAtOnce);
        const result = await db().deleteFrom('deliveries').where('id', 'in', old).executeTakeFirst();
        total += Number(result.numDeletedRows);
        if (result.numDeletedRows < pruneAtOnce) return total;
        // Gives the endpoints time to answer in between.
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}

export const deliveryName = ({
  connection,
  dedupeKey,
}: Pick<NewDelivery, 'connection' | 'dedupeKey'>): string => `${connection}\n${dedupeKey}`;

export async function storeDeliveries(
  { db }: Access,
  deliveries: readonly NewDelivery[],
): Promise<Set<string>> {
  const stored = await db()
    .insertInto('deliveries')
    .values(
      deliveries.map(({ job, receivedAt, ...row }) => ({ ...row, receivedAt: receivedAt.toISOString() })),
    )
    .onConflict((known) => known.columns(['connection', 'dedupeKey']).doNothing())
    .returning(['connection', 'dedupeKey'])
    .execute();
  return new Set(stored.map(deliveryName));
}

export type QuestionMark = 'mailed' | 'passed' | 'notified';

const marks = { mailed: 'mailedAt', passed: 'passedAt', notified: 'notifiedAt' } as const;
const place = ({ platform, shop, orderId }: OrderKey) => `questions.encrypted ${platform} ${shop} ${orderId}`;

export type Questions = ReturnType<typeof questionTable>;

export function questionTable({ db }: Access, cipher: Cipher) {
  const update = ({ platform, shop, orderId }: OrderKey) =>
    db()
      .updateTable('questions')
      .where((is) => is.and({ platform, shop, orderId }));

  return {
    async get({ platform, shop, orderId }: OrderKey): Promise<Question | undefined> {
      const row = await db()
        .selectFrom('questions')
        .selectAll()
        .where((is) => is.and({ platform, shop, orderId }))
        .executeTakeFirst();
      if (!row) return undefined;
      const { encrypted, ...question } = row;
      const answer = encrypted === null ? null : JSON.parse(cipher.open(encrypted, place(row)));
      return { ...question, answer };
    },

    open: (
      { platform, shop, orderId }: OrderKey,
      { cutOffAt, expiresAt, now }: { cutOffAt: Date; expiresAt: Date; now: Date },
    ) => {
      const times = { cutOffAt: cutOffAt.toISOString(), expiresAt: expiresAt.toISOString() };
      return wrote(
        db()
          .insertInto('questions')
          .values({ platform, shop, orderId, askedAt: now.toISOString(), ...times })
          .onConflict((known) => known.columns(['platform', 'shop', 'orderId']).doNothing()),
      );
    },

    answer: (order: OrderKey, answer: unknown, now: Date) => {
      const encrypted = cipher.close(JSON.stringify(answer), place(order));
      return wrote(
        update(order).set({ encrypted, answeredAt: now.toISOString() }).where('answeredAt', 'is', null),
      );
    },

    mark: (order: OrderKey, mark: QuestionMark, now: Date) =>
      wrote(
        update(order)
          .set({ [marks[mark]]: now.toISOString() })
          .where(marks[mark], 'is', null),
      ),

    unmark: (order: OrderKey, mark: QuestionMark) =>
      wrote(
        update(order)
          .set({ [marks[mark]]: null })
          .where(marks[mark], 'is not', null),
      ),

    async forget(order: OrderKey): Promise<void> {
      await update(order).set({ encrypted: null }).execute();
    },

    async drop({ platform, shop, orderId }: OrderKey): Promise<void> {
      await db()
        .deleteFrom('questions')
        .where((is) => is.and({ platform, shop, orderId }))
        .execute();
    },
  };
}
