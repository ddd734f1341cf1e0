import { sql } from 'kysely';
import type { AccountPause, PauseCause } from '../domain/account-pause.ts';
import type { Ambiente } from '../domain/document.ts';
import type { Access } from './access.ts';
import { shutBy } from './work/lanes.ts';
import type { PauseRecord } from './work/schema.ts';
import { waiting } from './work/states.ts';

/** Accounts that rest, for all processes. The dispatcher passes over their lanes. */
export interface Pauses {
  /** Begins a pause; false when the account rests already for this cause. Another cause takes its place. */
  begin(pause: {
    account: string;
    ambiente: Ambiente | null;
    cause: PauseCause;
    now: Date;
  }): Promise<boolean>;
  get(account: string, ambiente: Ambiente | null): Promise<AccountPause | undefined>;
  list(): Promise<AccountPause[]>;
  /** Whether emissions of the account in this ambiente wait now. */
  shuts(account: string, ambiente: Ambiente): Promise<boolean>;
  /** Counts a probe in vain. */
  probed(account: string, ambiente: Ambiente | null): Promise<void>;
  /** Ends a pause; what waited is due as before. False when there was none for this cause. */
  end(pause: Pick<AccountPause, 'account' | 'ambiente' | 'cause'>): Promise<boolean>;
  /** Ids of the documents whose sending waits behind a pause and was due first, at most `limit`. */
  firstWaiting(account: string, ambiente: Ambiente | null, now: Date, limit: number): Promise<string[]>;
}

/** 0 stands for both: a primary key takes no null. */
const both = 0;

export function pauseTable(access: Access): Pauses {
  const read = ({ account, ambiente, cause, since, probes }: PauseRecord): AccountPause => ({
    account,
    ambiente: ambiente === both ? null : ambiente,
    cause,
    since,
    probes,
  });

  return {
    async begin({ account, ambiente, cause, now }) {
      const shut = shutBy({ account, ambiente });
      const since = now.toISOString();
      const made = await access
        .db()
        .insertInto('pauses')
        .values({ account, ambiente: ambiente ?? both, cause, since, probes: 0, ...shut })
        .onConflict((known) =>
          known
            .columns(['account', 'ambiente'])
            .doUpdateSet({ cause, since, probes: 0 })
            .where('pauses.cause', '<>', cause),
        )
        .returning('account')
        .executeTakeFirst();
      return made !== undefined;
    },

    async get(account, ambiente) {
      const row = await access
        .db()
        .selectFrom('pauses')
        .selectAll()
        .where('account', '=', account)
        .where('ambiente', '=', ambiente ?? both)
        .executeTakeFirst();
      return row && read(row);
    },

    async list() {
      const rows = await access.db().selectFrom('pauses').selectAll().orderBy('since').execute();
      return rows.map(read);
    },

    async shuts(account, ambiente) {
      const shut = await access
        .db()
        .selectFrom('pauses')
        .select('cause')
        .where('account', '=', account)
        .where('ambiente', 'in', [both, ambiente])
        .executeTakeFirst();
      return shut !== undefined;
    },

    async probed(account, ambiente) {
      await access
        .db()
        .updateTable('pauses')
        .set({ probes: sql`probes + 1` })
        .where('account', '=', account)
        .where('ambiente', '=', ambiente ?? both)
        .execute();
    },

    async end({ account, ambiente, cause }) {
      const gone = await access
        .db()
        .deleteFrom('pauses')
        .where('account', '=', account)
        .where('ambiente', '=', ambiente ?? both)
        .where('cause', '=', cause)
        .executeTakeFirst();
      if (gone.numDeletedRows > 0n) access.workChanged();
      return gone.numDeletedRows > 0n;
    },

    async firstWaiting(account, ambiente, now, limit) {
      const { emissions } = shutBy({ account, ambiente });
      // The lanes lie together in the index of lanes: everything between the beginning and its last successor.
      const rows = await access
        .db()
        .selectFrom('work')
        .select('subject')
        .where('state', '=', waiting)
        .where('lane', '>=', emissions)
        .where('lane', '<', `${emissions.slice(0, -1)}0`)
        .where('due_at', '<=', now.toISOString())
        .orderBy('due_at')
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map(({ subject }) => subject);
    },
  };
}
