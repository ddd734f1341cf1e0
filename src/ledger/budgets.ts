import type { Access } from './access.ts';
import type { BudgetTable } from './work-tables.ts';

export function budgetTable(access: Access): BudgetTable {
  return {
    async read(keyHash) {
      const row = await access
        .db()
        .selectFrom('budgets')
        .select('tat')
        .where('key_hash', '=', keyHash)
        .executeTakeFirst();
      return row?.tat ?? null;
    },

    async swap(keyHash, expected, next) {
      const db = access.db();
      if (expected === null) {
        const made = await db
          .insertInto('budgets')
          .values({ key_hash: keyHash, tat: next })
          .onConflict((known) => known.column('key_hash').doNothing())
          .returning('tat')
          .executeTakeFirst();
        return made !== undefined;
      }
      const swapped = await db
        .updateTable('budgets')
        .set({ tat: next })
        .where('key_hash', '=', keyHash)
        .where('tat', '=', expected)
        .executeTakeFirst();
      return swapped.numUpdatedRows > 0n;
    },
  };
}
