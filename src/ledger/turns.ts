import type { Access } from './access.ts';

/** Whose turn it is to do what only one may do at a time, in all processes. */
export interface Turns {
  /** Takes the turn, or false while another holder has it. The holder that has it already prolongs it. */
  take(turn: { name: string; holder: string; now: Date; until: Date }): Promise<boolean>;
  /** Gives it back; nothing happens when it went to another holder meanwhile. */
  giveBack(turn: { name: string; holder: string }): Promise<void>;
}

export function turnTable(access: Access): Turns {
  return {
    async take({ name, holder, now, until }) {
      const taken = await access
        .db()
        .insertInto('turns')
        .values({ name, holder, until: until.toISOString() })
        .onConflict((known) =>
          known
            .column('name')
            .doUpdateSet({ holder, until: until.toISOString() })
            .where((row) =>
              row.or([row('turns.holder', '=', holder), row('turns.until', '<=', now.toISOString())]),
            ),
        )
        .returning('name')
        .executeTakeFirst();
      return taken !== undefined;
    },

    async giveBack({ name, holder }) {
      await access.db().deleteFrom('turns').where('name', '=', name).where('holder', '=', holder).execute();
    },
  };
}
