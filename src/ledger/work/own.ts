import { sql } from 'kysely';
import type { Access } from '../access.ts';
import { keepQuery } from '../kept-query.ts';
import { dueWork } from './due.ts';
import type { AskedAgain, Hands, WorkFacts } from './hands.ts';
import type { WorkRecord } from './schema.ts';
import { backAt, counted, failedOnce, noWord, ranWell } from './states.ts';
import type { Taking } from './tables.ts';

const remove = keepQuery<{ id: string }>((db, value) => db.deleteFrom('work').where('id', '=', value('id')));

const facts = ['id', 'kind', 'subject', 'store_id', 'budget', 'payload', 'trace', 'attempts'] as const;
type Row = Pick<WorkRecord & { attempts: number }, (typeof facts)[number]>;

const read = keepQuery<{ ids: string; now: string }, Row>((db, value) =>
  db
    .selectFrom('work')
    .select(facts)
    .where(sql<boolean>`id in (select value from json_each(${value('ids')}))`)
    .where('due_at', '<=', value('now')),
);

const toFacts = ({ store_id, payload, ...row }: Row): WorkFacts => ({
  ...row,
  storeId: store_id,
  payload: payload === null ? undefined : JSON.parse(payload),
});

/** What an ask meanwhile makes of the row: the journey that asked last runs it. */
const onJourney = (asked: AskedAgain | null) => (asked?.trace == null ? {} : { trace: asked.trace });

/** Who has which work, known to the only process there is (SQLite, hands.ts). See `WorkTable`. */
export function ownWork(access: Access, hands: Hands): Taking {
  const readFresh = async (ids: readonly string[], now: Date): Promise<WorkFacts[]> =>
    (await read(access, { ids: JSON.stringify(ids), now: now.toISOString() })).rows.map(toFacts);

  /**
   * What becomes of the row, in a turn of its own: whoever asked before it has been noted, and whoever asks after it
   * meets what it wrote. False when the token no longer holds.
   */
  const ending = (
    id: string,
    token: string,
    write: (inside: Access, askedAgain: AskedAgain | null) => Promise<void>,
  ): Promise<boolean> =>
    access.atomic(async (inside) => {
      const held = hands.held(id, token);
      if (!held) return false;
      await write(inside, held.askedAgain);
      // Until the COMMIT it may still come to nothing.
      inside.afterCommit(() => hands.drop(id));
      return true;
    });

  return {
    ...dueWork(access),

    async release(ids, now) {
      if (ids.length === 0) return [];
      return (await hands.release(() => readFresh(ids, now), now)).map(({ id }) => id);
    },

    async claim(id, leaseMs, now) {
      while (hands.wentStale(id)) for (const work of await readFresh([id], now)) hands.renew(work);
      return hands.lease(id, leaseMs, now);
    },

    extend: async (id, token, leaseMs, now) => hands.extend(id, token, leaseMs, now),
    inHand: async (ids) => new Set(ids.filter(hands.hasId)),
    holds: async (id, token) => hands.held(id, token) !== undefined,

    finish: (id, token) =>
      ending(id, token, async (inside, askedAgain) => {
        if (askedAgain === null) return void (await remove(inside, { id }));
        const again = { due_at: askedAgain.at, ...ranWell, reason: null, ...onJourney(askedAgain) };
        await inside.db().updateTable('work').set(again).where('id', '=', id).execute();
        inside.workChanged();
      }),

    postpone: (id, token, { reason, ...later }) =>
      ending(id, token, async (inside, askedAgain) => {
        const at = backAt(later);
        const due_at = askedAgain ? sql<string>`min(${at}, ${askedAgain.at})` : at;
        await inside
          .db()
          .updateTable('work')
          .set({
            due_at,
            ...onJourney(askedAgain),
            ...counted(later),
            reason,
          })
          .where('id', '=', id)
          .execute();
        inside.workChanged();
      }),

    async forget(kind, subject) {
      if (hands.has(kind, subject)) return;
      await access.db().deleteFrom('work').where('kind', '=', kind).where('subject', '=', subject).execute();
    },

    async recover(now, releasedForMs) {
      const { forgotten, expired } = hands.lost(now, releasedForMs);
      // A lease that ran out counts as a failure: work that never ends must not come back as if nothing had been.
      if (expired.length > 0)
        await access
          .db()
          .updateTable('work')
          .set({ ...failedOnce(now), reason: noWord })
          .where('id', 'in', expired)
          .execute();
      for (const id of [...forgotten, ...expired]) hands.drop(id);
      const count = forgotten.length + expired.length;
      if (count > 0) access.workChanged();
      return count;
    },

    unclaimed: async () => hands.unclaimed(),

    async counts() {
      const { count } = await access
        .db()
        .selectFrom('work')
        .select((select) => select.fn.countAll().as('count'))
        .executeTakeFirstOrThrow();
      const { released, leased } = hands.counts();
      return { waiting: Number(count) - released - leased, released, leased };
    },
  };
}
