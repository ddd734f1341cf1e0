import type { Access } from './access.ts';

/** Failures counted within a window of time: the first one opens the window, and after its end nothing is left of it. */
export interface FailureCounts {
  /** How many stand in each bucket, in the order asked. */
  read(buckets: readonly string[], now: Date): Promise<number[]>;
  /** Counts one more. Answers how many there are and when the window ends. Deletes windows that are over. */
  add(bucket: string, window: { ms: number; now: Date }): Promise<{ failures: number; endsAt: string }>;
  /** Forgets a bucket. */
  clear(bucket: string): Promise<void>;
}

export function failureCountTable(access: Access): FailureCounts {
  return {
    async read(buckets, now) {
      if (buckets.length === 0) return [];
      const rows = await access
        .db()
        .selectFrom('failure_counts')
        .select(['bucket', 'failures'])
        .where('bucket', 'in', [...buckets])
        .where('ends_at', '>', now.toISOString())
        .execute();
      const known = new Map(rows.map(({ bucket, failures }) => [bucket, Number(failures)]));
      return buckets.map((bucket) => known.get(bucket) ?? 0);
    },

    async add(bucket, { ms, now }) {
      const db = access.db();
      await db.deleteFrom('failure_counts').where('ends_at', '<=', now.toISOString()).execute();
      const row = await db
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
      await access.db().deleteFrom('failure_counts').where('bucket', '=', bucket).execute();
    },
  };
}
