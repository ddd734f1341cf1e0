import type { Access } from './access.ts';
import type { Cipher } from './cipher.ts';

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
  /** Stores a factor whose code of time step `step` was right. False, without a change, where the person has one. */
  enrol(factor: {
    person: string;
    secret: string;
    step: number;
    codeHashes: readonly string[];
    now: Date;
  }): Promise<boolean>;
  /** Accepts the code of a time step: true once, and only for steps later than every accepted one. */
  acceptStep(person: string, step: number): Promise<boolean>;
  /** Uses a recovery code up: true once. */
  spendCode(person: string, codeHash: string): Promise<boolean>;
  replaceCodes(person: string, codeHashes: readonly string[]): Promise<void>;
  /** Removes factor and recovery codes. False when there was none. */
  remove(person: string): Promise<boolean>;
}

const place = (person: string): string => `second_factors.encrypted ${person}`;

export function secondFactorTable(access: Access, cipher: Cipher): SecondFactors {
  const { db } = access;
  const replaceIn = async ({ db }: Access, person: string, codeHashes: readonly string[]) => {
    await db().deleteFrom('recovery_codes').where('person', '=', person).execute();
    await db()
      .insertInto('recovery_codes')
      .values(codeHashes.map((code_hash) => ({ person, code_hash })))
      .execute();
  };
  return {
    async get(person) {
      const row = await db()
        .selectFrom('second_factors')
        .select(['encrypted', 'enrolled_at'])
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
        secret: cipher.open(row.encrypted, place(person)),
        enrolledAt: row.enrolled_at,
        codesLeft: Number(row.codes_left),
      };
    },

    enrol: ({ person, secret, step, codeHashes, now }) =>
      access.atomic(async (inside) => {
        const { db } = inside;
        const made = await db()
          .insertInto('second_factors')
          .values({
            person,
            encrypted: cipher.close(secret, place(person)),
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
      const { numUpdatedRows } = await db()
        .updateTable('second_factors')
        .set({ last_step: step })
        .where('person', '=', person)
        .where('last_step', '<', step)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    async spendCode(person, codeHash) {
      const { numDeletedRows } = await db()
        .deleteFrom('recovery_codes')
        .where((is) => is.and({ person, code_hash: codeHash }))
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },

    replaceCodes: (person, codeHashes) => access.atomic((inside) => replaceIn(inside, person, codeHashes)),

    remove: (person) =>
      access.atomic(async ({ db }) => {
        await db().deleteFrom('recovery_codes').where('person', '=', person).execute();
        const { numDeletedRows } = await db()
          .deleteFrom('second_factors')
          .where('person', '=', person)
          .executeTakeFirst();
        return numDeletedRows > 0n;
      }),
  };
}

/** Failures counted within a window of time, which the first one opens; after its end the count is 0 again. */
export interface FailureCounts {
  /** The count of each bucket, in the order given. */
  read(buckets: readonly string[], now: Date): Promise<number[]>;
  /** Counts one more; answers the count and when the window ends. Deletes windows that are over. */
  add(bucket: string, window: { ms: number; now: Date }): Promise<{ failures: number; endsAt: string }>;
  /** Deletes a bucket. */
  clear(bucket: string): Promise<void>;
}

export function failureCountTable({ db }: Access): FailureCounts {
  return {
    async read(buckets, now) {
      if (buckets.length === 0) return [];
      const rows = await db()
        .selectFrom('failure_counts')
        .select(['bucket', 'failures'])
        .where('bucket', 'in', [...buckets])
        .where('ends_at', '>', now.toISOString())
        .execute();
      const known = new Map(rows.map(({ bucket, failures }) => [bucket, Number(failures)]));
      return buckets.map((bucket) => known.get(bucket) ?? 0);
    },

    async add(bucket, { ms, now }) {
      await db().deleteFrom('failure_counts').where('ends_at', '<=', now.toISOString()).execute();
      const row = await db()
        .insertInto('failure_counts')
        .values({ bucket, ends_at: new Date(now.getTime() + ms).toISOString(), failures: 1 })
        .onConflict((known) =>
          known
            .column('bucket')
            .doUpdateSet(({ eb, ref }) => ({ failures: eb(ref('failure_counts.failures'), '+', 1) })),
        )
        .returning(['failures', 'ends_at'])
        .executeTakeFirstOrThrow();
      return { failures: Number(row.failures), endsAt: row.ends_at };
    },

    async clear(bucket) {
      await db().deleteFrom('failure_counts').where('bucket', '=', bucket).execute();
    },
  };
}
