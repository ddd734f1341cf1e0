import type { Access } from './access.ts';

/** What somebody did, or was not let do. Never holds a buyer's data. */
export interface Deed {
  at: string;
  /** "ana (panel)" or "root@maquina"; null for somebody nobody knows. */
  who: string | null;
  /** "sign-in", "retry" … */
  what: string;
  /** What it was done to: the id of a document, the name of an alert; null for nothing in particular. */
  subject: string | null;
  outcome: DeedOutcome;
  facts: unknown;
}
/** `nothing`: it was carried out, and there was nothing to do. */
export type DeedOutcome = 'done' | 'nothing' | 'refused' | 'failed';

export interface KeptDeed extends Deed {
  id: string;
}

export interface Deeds {
  add(deed: Omit<Deed, 'at' | 'facts'> & { now: Date; facts?: Record<string, unknown> }): Promise<void>;
  /** Newest first; `before` is the id of the last one seen. */
  list(page: { before?: string; limit: number }): Promise<KeptDeed[]>;
  /** Of one subject, newest first. */
  of(subject: string, limit: number): Promise<KeptDeed[]>;
  /** How often this came of it since. */
  count(of: { subject: string; what: string; outcome: DeedOutcome; since: Date }): Promise<number>;
  /** Deletes those of before. */
  prune(before: Date): Promise<void>;
}

export function deedTable(access: Access): Deeds {
  const newest = (limit: number) =>
    access.db().selectFrom('deeds').selectAll().orderBy('id', 'desc').limit(limit);
  const rowsOf = async (query: ReturnType<typeof newest>): Promise<KeptDeed[]> =>
    (await query.execute()).map((row) => ({
      id: String(row.id),
      at: row.at,
      who: row.who,
      what: row.what,
      subject: row.subject,
      outcome: row.outcome as DeedOutcome,
      facts: row.facts === null ? null : JSON.parse(row.facts),
    }));

  return {
    async add({ now, who, what, subject, outcome, facts }) {
      await access
        .db()
        .insertInto('deeds')
        .values({
          at: now.toISOString(),
          who,
          what,
          subject,
          outcome,
          facts: facts === undefined ? null : JSON.stringify(facts),
        })
        .execute();
    },

    list: ({ before, limit }) =>
      rowsOf(before === undefined ? newest(limit) : newest(limit).where('id', '<', before)),

    of: (subject, limit) => rowsOf(newest(limit).where('subject', '=', subject)),

    async count({ subject, what, outcome, since }) {
      const row = await access
        .db()
        .selectFrom('deeds')
        .select(({ fn }) => fn.countAll().as('count'))
        .where('subject', '=', subject)
        .where('what', '=', what)
        .where('at', '>=', since.toISOString())
        .where('outcome', '=', outcome)
        .executeTakeFirstOrThrow();
      return Number(row.count);
    },

    async prune(before) {
      await access.db().deleteFrom('deeds').where('at', '<', before.toISOString()).execute();
    },
  };
}
