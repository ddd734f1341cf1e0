import { sql } from 'kysely';
import type { Alert, OpenAlert } from '../domain/alerts.ts';
import type { DocumentState } from '../domain/document.ts';
import type { Owner, Scope } from '../domain/settings.ts';
import { type Access, anyOf, everyRow } from './access.ts';
import type { AlertRecord } from './schema.ts';

type AlertName = Pick<Alert, 'code' | 'subject'>;

/** An alert and its deliveries to one channel. */
export interface ChannelAlert extends OpenAlert {
  overAt: string | null;
  /** How often this channel was notified that it lasts, and when last; null before the first time. */
  notified: { times: number; at: string } | null;
}

/** The alerts and their deliveries. */
export interface AlertTable {
  /** Begins an alert, or reopens one that ended; false when it is open already. */
  raise(alert: Alert, now: Date): Promise<boolean>;
  /** Which of these codes a subject has open. */
  lasting(subject: string, codes: readonly string[]): Promise<string[]>;
  /** Ends it; false when there was none. */
  end(alert: AlertName, now: Date): Promise<boolean>;
  /** Deletes it, because another alert replaces it: no channel is notified of its end. */
  forget(alert: AlertName): Promise<void>;
  /** The open ones, oldest first; with a scope only those about its stores. */
  open(scope?: Scope | null): Promise<OpenAlert[]>;
  /** What a channel may have to deliver: open alerts, and ended ones whose end it has not delivered. */
  ofChannel(channel: string): Promise<ChannelAlert[]>;
  /** The channel delivered that these last (again), or that they are over. */
  notified(channel: string, alerts: readonly ChannelAlert[], now: Date): Promise<void>;
  /** Deletes those that ended before. */
  prune(before: Date): Promise<void>;
}

export function alertTable(access: Access): AlertTable {
  const { db } = access;
  const read = ({ code, subject, what, resolution, about, since }: AlertRecord): OpenAlert => ({
    ...{ code, subject, what, resolution, since },
    ...(about !== null && { about: about as Owner }),
  });

  return {
    async raise({ code, subject, what, resolution, about = null }, now) {
      const since = now.toISOString();
      const begun = await db()
        .insertInto('alerts')
        .values({ code, subject, what, resolution, about, since, over_at: null })
        .onConflict((known) =>
          known
            .columns(['code', 'subject'])
            .doUpdateSet({ what, resolution, about, since, over_at: null })
            .where('alerts.over_at', 'is not', null),
        )
        .returning('code')
        .executeTakeFirst();
      return begun !== undefined;
    },

    async lasting(subject, codes) {
      const rows = await db()
        .selectFrom('alerts')
        .select('code')
        .where('code', 'in', [...codes])
        .where('subject', '=', subject)
        .where('over_at', 'is', null)
        .orderBy('code')
        .execute();
      return rows.map(({ code }) => code);
    },

    async end({ code, subject }, now) {
      const ended = await db()
        .updateTable('alerts')
        .set({ over_at: now.toISOString() })
        .where((is) => is.and({ code, subject }))
        .where('over_at', 'is', null)
        .executeTakeFirst();
      return ended.numUpdatedRows > 0n;
    },

    forget: ({ code, subject }) =>
      access.atomic(async ({ db }) => {
        for (const table of ['alert_deliveries', 'alerts'] as const)
          await db()
            .deleteFrom(table)
            .where((is) => is.and({ code, subject }))
            .execute();
      }),

    async open(scope = null) {
      const rows = await db()
        .selectFrom('alerts')
        .selectAll()
        .where('over_at', 'is', null)
        .where(scope === null ? everyRow : sql<boolean>`about in (${anyOf(scope.owners)})`)
        .orderBy('since')
        .orderBy('code')
        .orderBy('subject')
        .execute();
      return rows.map(read);
    },

    async ofChannel(channel) {
      const rows = await db()
        .selectFrom('alerts')
        .leftJoin('alert_deliveries', (join) =>
          join
            .onRef('alert_deliveries.code', '=', 'alerts.code')
            .onRef('alert_deliveries.subject', '=', 'alerts.subject')
            .on('alert_deliveries.channel', '=', channel),
        )
        .selectAll('alerts')
        .select(['alert_deliveries.times', 'alert_deliveries.notified_at'])
        .where((row) =>
          row.or([row('alerts.over_at', 'is', null), row('alert_deliveries.times', 'is not', null)]),
        )
        .orderBy('alerts.since')
        .orderBy('alerts.code')
        .orderBy('alerts.subject')
        .execute();
      return rows.map((row) => ({
        ...read(row),
        overAt: row.over_at,
        notified:
          row.times === null || row.notified_at === null ? null : { times: row.times, at: row.notified_at },
      }));
    },

    notified: (channel, alerts, now) =>
      access.atomic(async ({ db }) => {
        for (const { code, subject, overAt, notified } of alerts) {
          const row = { channel, code, subject };
          if (overAt !== null)
            await db()
              .deleteFrom('alert_deliveries')
              .where((is) => is.and({ channel, code, subject }))
              .execute();
          else
            await db()
              .insertInto('alert_deliveries')
              .values({ ...row, times: 1, notified_at: now.toISOString() })
              .onConflict((known) =>
                known
                  .columns(['channel', 'code', 'subject'])
                  .doUpdateSet({ times: (notified?.times ?? 0) + 1, notified_at: now.toISOString() }),
              )
              .execute();
        }
      }),

    async prune(before) {
      await db()
        .deleteFrom('alerts')
        .where('over_at', '<', before.toISOString())
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('alert_deliveries')
                .select('alert_deliveries.code')
                .whereRef('alert_deliveries.code', '=', 'alerts.code')
                .whereRef('alert_deliveries.subject', '=', 'alerts.subject'),
            ),
          ),
        )
        .execute();
    },
  };
}

/** A state of a document; two moves to one state differ in the version. */
interface Cursor {
  state: DocumentState;
  version: number;
}

/** The last state of each document that each listener was notified of. */
export interface CursorTable {
  last(documentId: string, listener: string): Promise<Cursor | null>;
  move(documentId: string, listener: string, cursor: Cursor, now: Date): Promise<void>;
}

export function cursorTable({ db }: Access): CursorTable {
  return {
    async last(documentId, listener) {
      const row = await db()
        .selectFrom('cursors')
        .select(['state', 'version'])
        .where((is) => is.and({ document_id: documentId, listener }))
        .executeTakeFirst();
      return row ?? null;
    },

    async move(documentId, listener, { state, version }, now) {
      const cursor = { state, version, moved_at: now.toISOString() };
      await db()
        .insertInto('cursors')
        .values({ document_id: documentId, listener, ...cursor })
        .onConflict((known) => known.columns(['document_id', 'listener']).doUpdateSet(cursor))
        .execute();
    },
  };
}
