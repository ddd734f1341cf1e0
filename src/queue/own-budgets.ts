import type { Clock } from '../domain/clock.ts';
import type { BudgetTable } from '../ledger/work/tables.ts';
import { memoryBudgetTable } from './budgets.ts';
import { hold, intervalMs, serviceRate } from './gcra.ts';

/**
 * The budgets where one process is all there is (SQLite): in memory, so that a slot costs no write. Of a former process
 * it knows nothing but the holds, which are kept in the ledger; so each key begins as if the last call had left just
 * now, out of a spent burst. That is the worst that can have been: slots booked for later went with their process.
 */
export function ownBudgetTable(kept: BudgetTable, clock: Clock): BudgetTable {
  const own = memoryBudgetTable();
  const spent = hold(null, clock.now().getTime(), intervalMs(serviceRate), serviceRate);

  /** Writes the hold down, unless a longer one is written already. */
  async function keep(name: string): Promise<void> {
    for (;;) {
      const written = await kept.read(name);
      const state = await own.read(name);
      if (state === null || (written && written.slowUntil >= state.slowUntil)) return;
      if (await kept.swap(name, written, state)) return;
    }
  }

  return {
    async read(name) {
      const known = await own.read(name);
      if (known) return known;
      const held = await kept.read(name);
      const first = { tat: Math.max(held?.tat ?? 0, spent), slowUntil: held?.slowUntil ?? 0 };
      await own.swap(name, null, first);
      return own.read(name);
    },
    async swap(name, expected, next) {
      if (!(await own.swap(name, expected, next))) return false;
      if (next.slowUntil !== expected?.slowUntil) await keep(name);
      return true;
    },
  };
}
