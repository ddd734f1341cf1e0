import { sql } from 'kysely';
import type { Alert, OpenAlert } from '../domain/alerts.ts';
import type { Owner, Scope } from '../domain/scope.ts';
import type { Access } from './access.ts';
import type { AlertRecord } from './alert-schema.ts';
import { anyOf } from './within.ts';

type AlertName = Pick<Alert, 'code' | 'subject'>;

/** An alert as one channel knows it. */
export interface ChannelAlert extends OpenAlert {
  overAt: string | null;
  /** How often this channel was told that it lasts, and when last; null before the first time. */
  told: { times: number; at: string } | null;
}

/** What people must know of, and which channel was told. */
export interface AlertTable {
  /** Begins an alert, or goes on with one that ended a moment ago; false when it lasts already. */
  raise(alert: Alert, now: Date): Promise<boolean>;
  /** Those of a subject's codes that last: a look before what mostly has nothing to end. */
  lasting(subject: string, codes: readonly string[]): Promise<string[]>;
  /** Ends it; false when there was none. */
  end(alert: AlertName, now: Date): Promise<boolean>;
  /** As if it had never been: another one says it now, and nobody is told of an end. */
  forget(alert: AlertName): Promise<void>;
  /** Those that last, the oldest first; with a scope only what is about its stores. */
  open(scope?: Scope | null): Promise<OpenAlert[]>;
  /** All a channel may have to be told: those that last, and those it was told of whose end it does not know. */
  ofChannel(channel: string): Promise<ChannelAlert[]>;
  /** The channel knows now that these last (again), or that they are over. */
  told(channel: string, alerts: readonly ChannelAlert[], now: Date): Promise<void>;
  /** Deletes those that ended before. */
  prune(before: Date): Promise<void>;
}

export function alertTable(access: Access): AlertTable {
  const read = ({ code, subject, what, cure, about, since }: AlertRecord): OpenAlert => ({
    code,
    subject,
    what,
    cure,
    ...(about !== null && { about: about as Owner }),
    since,
  });

  return {
    async raise({ code, subject, what, cure, about = null }, now) {
      const since = now.toISOString();
      const begun = await access
        .db()
        .insertInto('alerts')
        .values({ code, subject, what, cure, about, since, over_at: null })
        .onConflict((known) =>
          known
            .columns(['code', 'subject'])
            .doUpdateSet({ what, cure, about, since, over_at: null })
            .where('alerts.over_at', 'is not', null),
        )
        .returning('code')
        .executeTakeFirst();
      return begun !== undefined;
    },

    async lasting(subject, codes) {
      const rows = await access
        .db()
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
      const ended = await access
        .db()
        .updateTable('alerts')
        .set({ over_at: now.toISOString() })
        .where('code', '=', code)
        .where('subject', '=', subject)
        .where('over_at', 'is', null)
        .executeTakeFirst();
      return ended.numUpdatedRows > 0n;
    },

    forget: ({ code, subject }) =>
      access.atomic(async (inside) => {
        for (const table of ['tellings', 'alerts'] as const)
          await inside
            .db()
            .deleteFrom(table)
            .where('code', '=', code)
            .where('subject', '=', subject)
            .execute();
      }),

    async open(scope = null) {
      const rows = await access
        .db()
        .selectFrom('alerts')
        .selectAll()
        .where('over_at', 'is', null)
        .$call((query) =>
          scope === null ? query : query.where(sql<boolean>`about in (${anyOf(scope.owners)})`),
        )
        .orderBy('since')
        .orderBy('code')
        .orderBy('subject')
        .execute();
      return rows.map(read);
    },

    async ofChannel(channel) {
      const rows = await access
        .db()
        .selectFrom('alerts')
        .leftJoin('tellings', (join) =>
          join
            .onRef('tellings.code', '=', 'alerts.code')
            .onRef('tellings.subject', '=', 'alerts.subject')
            .on('tellings.channel', '=', channel),
        )
        .selectAll('alerts')
        .select(['tellings.times', 'tellings.told_at'])
        .where((row) => row.or([row('alerts.over_at', 'is', null), row('tellings.times', 'is not', null)]))
        .orderBy('alerts.since')
        .orderBy('alerts.code')
        .orderBy('alerts.subject')
        .execute();
      return rows.map((row) => ({
        ...read(row),
        overAt: row.over_at,
        told: row.times === null || row.told_at === null ? null : { times: row.times, at: row.told_at },
      }));
    },

    told: (channel, alerts, now) =>
      access.atomic(async (inside) => {
        for (const { code, subject, overAt, told } of alerts) {
          const row = { channel, code, subject };
          if (overAt !== null)
            await inside
              .db()
              .deleteFrom('tellings')
              .where('channel', '=', channel)
              .where('code', '=', code)
              .where('subject', '=', subject)
              .execute();
          else
            await inside
              .db()
              .insertInto('tellings')
              .values({ ...row, times: 1, told_at: now.toISOString() })
              .onConflict((known) =>
                known
                  .columns(['channel', 'code', 'subject'])
                  .doUpdateSet({ times: (told?.times ?? 0) + 1, told_at: now.toISOString() }),
              )
              .execute();
        }
      }),

    async prune(before) {
      await access
        .db()
        .deleteFrom('alerts')
        .where('over_at', '<', before.toISOString())
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('tellings')
                .select('tellings.code')
                .whereRef('tellings.code', '=', 'alerts.code')
                .whereRef('tellings.subject', '=', 'alerts.subject'),
            ),
          ),
        )
        .execute();
    },
  };
}
