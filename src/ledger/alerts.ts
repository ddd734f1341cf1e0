import { sql } from 'kysely';
import type { Alert, AlertName, OpenAlert } from '../domain/alerts.ts';
import type { Owner, Scope } from '../domain/settings.ts';
import { alertTexts } from '../messages/alerts.ts';
import { type Access, anyOf, everyRow, wrote } from './access.ts';
import type { AlertRow, AuditEntry, ListenerCursor } from './schema.ts';

export interface ChannelAlert extends OpenAlert {
  overAt: string | null;
  notified: { times: number; at: string } | null;
}

const alertKey = ['code', 'subject'] as const;

export function alertTable(access: Access) {
  const { db } = access;
  const read = (row: AlertRow): OpenAlert => {
    const { code, subject, params, since, about } = row;
    return {
      code,
      subject,
      ...alertTexts(code, params),
      since,
      ...(about !== null && { about: about as Owner }),
    };
  };

  return {
    raise: ({ code, subject, params, about }: Alert, now: Date) => {
      const begun = {
        params: JSON.stringify(params),
        about: about ?? null,
        since: now.toISOString(),
        overAt: null,
      };
      return wrote(
        db()
          .insertInto('alerts')
          .values({ code, subject, ...begun })
          .onConflict((known) =>
            known.columns(alertKey).doUpdateSet(begun).where('alerts.overAt', 'is not', null),
          ),
      );
    },

    async lasting(subject: string, codes: readonly string[]): Promise<string[]> {
      const rows = await db()
        .selectFrom('alerts')
        .select('code')
        .where('code', 'in', codes)
        .where('subject', '=', subject)
        .where('overAt', 'is', null)
        .orderBy('code')
        .execute();
      return rows.map(({ code }) => code);
    },

    end: ({ code, subject }: AlertName, now: Date) =>
      wrote(
        db()
          .updateTable('alerts')
          .set({ overAt: now.toISOString() })
          .where((is) => is.and({ code, subject }))
          .where('overAt', 'is', null),
      ),

    /** Deletes it, because another alert replaces it: no channel is notified of its end. */
    forget: ({ code, subject }: AlertName): Promise<void> =>
      access.atomic(async ({ db }) => {
        for (const table of ['alertDeliveries', 'alerts'] as const)
          await db()
            .deleteFrom(table)
            .where((is) => is.and({ code, subject }))
            .execute();
      }),

    async open(scope: Scope | null = null): Promise<OpenAlert[]> {
      const rows = await db()
        .selectFrom('alerts')
        .selectAll()
        .where('overAt', 'is', null)
        .where(scope === null ? everyRow : sql<boolean>`about in (${anyOf(scope.owners)})`)
        .orderBy('since')
        .orderBy('code')
        .orderBy('subject')
        .execute();
      return rows.map(read);
    },

    /** What a channel may have to deliver: open alerts, and ended ones whose end it has not delivered. */
    async ofChannel(channel: string): Promise<ChannelAlert[]> {
      const rows = await db()
        .selectFrom('alerts')
        .leftJoin('alertDeliveries as sent', (join) =>
          join
            .onRef('sent.code', '=', 'alerts.code')
            .onRef('sent.subject', '=', 'alerts.subject')
            .on('sent.channel', '=', channel),
        )
        .selectAll('alerts')
        .select(['sent.times', 'sent.notifiedAt'])
        .where((is) => is.or([is('alerts.overAt', 'is', null), is('sent.times', 'is not', null)]))
        .orderBy('alerts.since')
        .orderBy('alerts.code')
        .orderBy('alerts.subject')
        .execute();
      return rows.map((row) => ({
        ...read(row),
        overAt: row.overAt,
        notified:
          row.times === null || row.notifiedAt === null ? null : { times: row.times, at: row.notifiedAt },
      }));
    },

    notified: (channel: string, alerts: readonly ChannelAlert[], now: Date): Promise<void> =>
      access.atomic(async ({ db }) => {
        for (const { code, subject, overAt, notified } of alerts) {
          const next = { times: (notified?.times ?? 0) + 1, notifiedAt: now.toISOString() };
          if (overAt !== null)
            await db()
              .deleteFrom('alertDeliveries')
              .where((is) => is.and({ channel, code, subject }))
              .execute();
          else
            await db()
              .insertInto('alertDeliveries')
              .values({ channel, code, subject, ...next })
              .onConflict((known) => known.columns(['channel', 'code', 'subject']).doUpdateSet(next))
              .execute();
        }
      }),

    async prune(before: Date): Promise<void> {
      await db()
        .deleteFrom('alerts')
        .where('overAt', '<', before.toISOString())
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('alertDeliveries as sent')
                .select('sent.code')
                .whereRef('sent.code', '=', 'alerts.code')
                .whereRef('sent.subject', '=', 'alerts.subject'),
            ),
          ),
        )
        .execute();
    },
  };
}

export function listenerCursorTable({ db }: Access) {
  return {
    last: (documentId: string, listener: string): Promise<ListenerCursor | undefined> =>
      db()
        .selectFrom('listenerCursors')
        .select(['state', 'version'])
        .where((is) => is.and({ documentId, listener }))
        .executeTakeFirst(),

    async move(documentId: string, listener: string, { state, version }: ListenerCursor, now: Date) {
      const cursor = { state, version, movedAt: now.toISOString() };
      await db()
        .insertInto('listenerCursors')
        .values({ documentId, listener, ...cursor })
        .onConflict((known) => known.columns(['documentId', 'listener']).doUpdateSet(cursor))
        .execute();
    },
  };
}

export interface KeptAuditEntry extends AuditEntry {
  id: string;
}

type NewEntry = Omit<AuditEntry, 'at' | 'facts'> & { now: Date };

export function auditLogTable({ db }: Access) {
  const newest = (limit: number) =>
    db().selectFrom('auditLog').selectAll().orderBy('id', 'desc').limit(limit);
  const listed = async (query: ReturnType<typeof newest>): Promise<KeptAuditEntry[]> =>
    (await query.execute()).map(({ about, ...row }) => ({ ...row, id: String(row.id) }));

  async function add(
    entry: NewEntry & { facts?: Record<string, unknown>; about?: Owner | undefined },
  ): Promise<void> {
    const { now, who, what, subject, outcome, facts, about = null } = entry;
    await db()
      .insertInto('auditLog')
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
  }

  return {
    add,

    /** `before` is the id of the last one seen. With a scope: entries about its stores, or by its own person. */
    list: ({ before, limit }: { before?: string; limit: number }, scope: Scope | null = null) =>
      listed(
        newest(limit)
          .$if(before !== undefined, (query) => query.where('id', '<', before ?? ''))
          .where(
            scope === null
              ? everyRow
              : sql<boolean>`(about in (${anyOf(scope.owners)}) or who = ${scope.who})`,
          ),
      ),

    of: (subject: string, limit: number) => listed(newest(limit).where('subject', '=', subject)),

    /** Keeps repeated actions in one entry: the first on a subject adds it, later ones replace its facts. */
    async fold(
      entry: NewEntry & { subject: string; facts(before: unknown): Record<string, unknown> },
    ): Promise<void> {
      const { facts, what, subject } = entry;
      const [known] = await listed(newest(1).where((is) => is.and({ subject, what })));
      if (!known) return add({ ...entry, facts: facts(null) });
      await db()
        .updateTable('auditLog')
        .set({ facts: JSON.stringify(facts(known.facts)) })
        .where('id', '=', known.id)
        .execute();
    },

    async prune(before: Date, whats?: readonly string[]): Promise<void> {
      await db()
        .deleteFrom('auditLog')
        .where('at', '<', before.toISOString())
        .$if(whats !== undefined, (query) => query.where('what', 'in', whats ?? []))
        .execute();
    },
  };
}
