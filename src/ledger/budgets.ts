import type { Access } from './access.ts';
import type { BudgetTable } from './work/tables.ts';

export function budgetTable(access: Access): BudgetTable {
  return {
    async read(name) {
      const row = await access
        .db()
        .selectFrom('budgets')
        .select(['tat', 'slow_until'])
        .where('key_hash', '=', name)
        .executeTakeFirst();
      return row ? { tat: row.tat, slowUntil: row.slow_until } : null;
    },

    async swap(name, expected, { tat, slowUntil }) {
      const db = access.db();
      if (expected === null) {
        const made = await db
          .insertInto('budgets')
          .values({ key_hash: name, tat, slow_until: slowUntil })
          .onConflict((known) => known.column('key_hash').doNothing())
          .returning('tat')
          .executeTakeFirst();
        return made !== undefined;
      }
      const swapped = await db
        .updateTable('budgets')
        .set({ tat, slow_until: slowUntil })
        .where('key_hash', '=', name)
        .where('tat', '=', expected.tat)
        .where('slow_until', '=', expected.slowUntil)
        .executeTakeFirst();
      return swapped.numUpdatedRows > 0n;
    },
  };
}
