import type { Access } from './access.ts';
import type { Seal } from './seal.ts';

/** A person's second factor. */
export interface SecondFactor {
  /** Base32, as the authenticator app has it. */
  secret: string;
  enrolledAt: string;
  /** Recovery codes not used yet. */
  codesLeft: number;
}

export interface SecondFactors {
  get(person: string): Promise<SecondFactor | null>;
  /** Keeps a factor whose code of time step `step` was right. False, changing nothing, where the person has one. */
  enrol(factor: {
    person: string;
    secret: string;
    step: number;
    codeHashes: readonly string[];
    now: Date;
  }): Promise<boolean>;
  /** Accepts the code of a time step: true once, and only for steps later than every accepted one. */
  acceptStep(person: string, step: number): Promise<boolean>;
  /** Takes a recovery code: true once. */
  spendCode(person: string, codeHash: string): Promise<boolean>;
  replaceCodes(person: string, codeHashes: readonly string[]): Promise<void>;
  /** Takes factor and recovery codes away. False when there was none. */
  remove(person: string): Promise<boolean>;
}

const place = (person: string): string => `second_factors.sealed ${person}`;

export function secondFactorTable(access: Access, seal: Seal): SecondFactors {
  const replaceIn = async (inside: Access, person: string, codeHashes: readonly string[]) => {
    await inside.db().deleteFrom('recovery_codes').where('person', '=', person).execute();
    await inside
      .db()
      .insertInto('recovery_codes')
      .values(codeHashes.map((code_hash) => ({ person, code_hash })))
      .execute();
  };
  return {
    async get(person) {
      const row = await access
        .db()
        .selectFrom('second_factors')
        .select(['sealed', 'enrolled_at'])
        .select(({ selectFrom }) =>
          selectFrom('recovery_codes')
            .select(({ fn }) => fn.countAll().as('count'))
            .where('person', '=', person)
            .as('codes_left'),
        )
        .where('person', '=', person)
        .executeTakeFirst();
      if (!row) return null;
      return {
        secret: seal.open(row.sealed, place(person)),
        enrolledAt: row.enrolled_at,
        codesLeft: Number(row.codes_left),
      };
    },

    enrol: ({ person, secret, step, codeHashes, now }) =>
      access.atomic(async (inside) => {
        const made = await inside
          .db()
          .insertInto('second_factors')
          .values({
            person,
            sealed: seal.close(secret, place(person)),
            last_step: step,
            enrolled_at: now.toISOString(),
          })
          .onConflict((known) => known.column('person').doNothing())
          .executeTakeFirst();
        if ((made.numInsertedOrUpdatedRows ?? 0n) === 0n) return false;
        await replaceIn(inside, person, codeHashes);
        return true;
      }),

    async acceptStep(person, step) {
      const { numUpdatedRows } = await access
        .db()
        .updateTable('second_factors')
        .set({ last_step: step })
        .where('person', '=', person)
        .where('last_step', '<', step)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    async spendCode(person, codeHash) {
      const { numDeletedRows } = await access
        .db()
        .deleteFrom('recovery_codes')
        .where('person', '=', person)
        .where('code_hash', '=', codeHash)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },

    replaceCodes: (person, codeHashes) => access.atomic((inside) => replaceIn(inside, person, codeHashes)),

    remove: (person) =>
      access.atomic(async (inside) => {
        await inside.db().deleteFrom('recovery_codes').where('person', '=', person).execute();
        const { numDeletedRows } = await inside
          .db()
          .deleteFrom('second_factors')
          .where('person', '=', person)
          .executeTakeFirst();
        return numDeletedRows > 0n;
      }),
  };
}
