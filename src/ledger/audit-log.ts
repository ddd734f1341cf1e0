import { sql } from 'kysely';
import type { Owner, Scope } from '../domain/settings.ts';
import { type Access, anyOf, everyRow } from './access.ts';

/** An action of a person, done or refused. Never holds a buyer's data. */
export interface AuditEntry {
  at: string;
  /** "ana (panel)" or "root@maquina"; null for an unknown person. */
  who: string | null;
  /** "sign-in", "retry" … */
  what: string;
  /** What it was done to: the id of a document, the name of an alert; null for nothing in particular. */
  subject: string | null;
  outcome: AuditEntryOutcome;
  facts: unknown;
}
/** `nothing`: it was carried out, and there was nothing to do. */
export type AuditEntryOutcome = 'done' | 'nothing' | 'refused' | 'failed';

export interface KeptAuditEntry extends AuditEntry {
  id: string;
}

type NewEntry = Omit<AuditEntry, 'at' | 'facts'> & { now: Date };

export interface AuditLog {
  /** @param entry.about whose it is; without it the whole installation's. */
  add(entry: NewEntry & { facts?: Record<string, unknown>; about?: Owner | undefined }): Promise<void>;
  /** Newest first; `before` is the id of the last one seen. With a scope: entries about its stores, or by its own person. */
  list(page: { before?: string; limit: number }, scope?: Scope | null): Promise<KeptAuditEntry[]>;
  /** Of one subject, newest first. */
  of(subject: string, limit: number): Promise<KeptAuditEntry[]>;
  /** Keeps repeated actions in one entry: the first on a subject adds it, later ones replace its facts. */
  fold(entry: NewEntry & { subject: string; facts(before: unknown): Record<string, unknown> }): Promise<void>;
  /** Deletes entries before an instant; with `whats`, only of these actions. */
  prune(before: Date, whats?: readonly string[]): Promise<void>;
}

export function auditLogTable({ db }: Access): AuditLog {
  const newest = (limit: number) =>
    db().selectFrom('audit_log').selectAll().orderBy('id', 'desc').limit(limit);
  const rowsOf = async (query: ReturnType<typeof newest>): Promise<KeptAuditEntry[]> =>
    (await query.execute()).map(({ about, ...row }) => ({
      ...row,
      id: String(row.id),
      outcome: row.outcome as AuditEntryOutcome,
      facts: row.facts === null ? null : JSON.parse(row.facts),
    }));

  const add: AuditLog['add'] = async ({ now, who, what, subject, outcome, facts, about = null }) => {
    await db()
      .insertInto('audit_log')
      .values({
        ...{ at: now.toISOString(), who, what, subject, about, outcome },
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
          .where(
            scope === null
              ? everyRow
              : sql<boolean>`(about in (${anyOf(scope.owners)}) or who = ${scope.who})`,
          ),
      ),

    of: (subject, limit) => rowsOf(newest(limit).where('subject', '=', subject)),

    async fold({ facts, ...entry }) {
      const { what, subject } = entry;
      const [known] = await rowsOf(newest(1).where((is) => is.and({ subject, what })));
      if (!known) return add({ ...entry, facts: facts(null) });
      await db()
        .updateTable('audit_log')
        .set({ facts: JSON.stringify(facts(known.facts)) })
        .where('id', '=', known.id)
        .execute();
    },

    async prune(before, whats) {
      const old = db().deleteFrom('audit_log').where('at', '<', before.toISOString());
      await (whats ? old.where('what', 'in', [...whats]) : old).execute();
    },
  };
}
