import { sql } from 'kysely';
import type { Owner, Scope } from '../domain/scope.ts';
import type { Access } from './access.ts';
import { anyOf } from './within.ts';

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
  /** @param deed.about whose it is; without it the whole installation's. */
  add(
    deed: Omit<Deed, 'at' | 'facts'> & {
      now: Date;
      facts?: Record<string, unknown>;
      about?: Owner | undefined;
    },
  ): Promise<void>;
  /** Newest first; `before` is the id of the last one seen. With a scope: what is about its stores, or done by its own person. */
  list(page: { before?: string; limit: number }, scope?: Scope | null): Promise<KeptDeed[]>;
  /** Of one subject, newest first. */
  of(subject: string, limit: number): Promise<KeptDeed[]>;
  /** What repeats is one entry: the first of its subject adds it, later ones replace its facts. */
  fold(
    deed: Omit<Deed, 'at' | 'facts'> & {
      subject: string;
      now: Date;
      facts(before: unknown): Record<string, unknown>;
    },
  ): Promise<void>;
  /** Deletes those of before; with `whats`, only those. */
  prune(before: Date, whats?: readonly string[]): Promise<void>;
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

  const add: Deeds['add'] = async ({ now, who, what, subject, outcome, facts, about = null }) => {
    await access
      .db()
      .insertInto('deeds')
      .values({
        at: now.toISOString(),
        who,
        what,
        subject,
        about,
        outcome,
        facts: facts === undefined ? null : JSON.stringify(facts),
      })
      .execute();
  };
  return {
    add,

    list: ({ before, limit }, scope = null) =>
      rowsOf(
        newest(limit)
          .$if(before !== undefined, (query) => query.where('id', '<', before ?? ''))
          .$call((query) =>
            scope === null
              ? query
              : query.where(sql<boolean>`(about in (${anyOf(scope.owners)}) or who = ${scope.who})`),
          ),
      ),

    of: (subject, limit) => rowsOf(newest(limit).where('subject', '=', subject)),

    async fold({ facts, ...deed }) {
      const { what, subject } = deed;
      const [known] = await rowsOf(newest(1).where('subject', '=', subject).where('what', '=', what));
      if (!known) return add({ ...deed, facts: facts(null) });
      await access
        .db()
        .updateTable('deeds')
        .set({ facts: JSON.stringify(facts(known.facts)) })
        .where('id', '=', known.id)
        .execute();
    },

    async prune(before, whats) {
      const old = access.db().deleteFrom('deeds').where('at', '<', before.toISOString());
      await (whats ? old.where('what', 'in', [...whats]) : old).execute();
    },
  };
}
