import type { Budgets } from '../domain/budget.ts';
import type { Clock } from '../domain/clock.ts';
import type { Log } from '../domain/log.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { budgetsOver } from './budgets.ts';
import { openMemoryTransport } from './memory.ts';
import { ownBudgetTable } from './own-budgets.ts';
import type { Transport } from './transport.ts';

/**
 * The transport of this process: BullMQ with `redisUrl`, in memory without. The only place that chooses.
 * @param options.concurrency steps running at once in this process.
 * @param options.prefix Redis key prefix of this installation, in braces.
 */
export async function openTransport(options: {
  redisUrl?: string | undefined;
  prefix?: string | undefined;
  concurrency: number;
  log: Log;
}): Promise<Transport> {
  const { redisUrl, prefix = '{facturapuente}', concurrency, log } = options;
  if (redisUrl === undefined) return openMemoryTransport({ concurrency, log });
  // Imported here so that a process without Redis never loads its client.
  const { openBullTransport } = await import('./bullmq.ts');
  return openBullTransport({ redisUrl, prefix, concurrency, log });
}

/**
 * The rate budgets of all API keys: in memory beside SQLite, which has one process and keeps holds alone; in the
 * ledger on PostgreSQL, where processes share them. Open them once per process.
 */
export function openBudgets(options: {
  ledger: Pick<Ledger, 'engine' | 'budgets'>;
  clock: Clock;
  log: Log;
}): Budgets {
  const { ledger, clock, log } = options;
  const table = ledger.engine === 'sqlite' ? ownBudgetTable(ledger.budgets, clock) : ledger.budgets;
  return budgetsOver(table, { clock, log });
}
