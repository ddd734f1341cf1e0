import { DatabaseSync } from 'node:sqlite';
import { closeDay } from '../../src/reports/close/close.ts';
import type { ClosedDay } from '../../src/reports/close/day-close.ts';
import type { JobBench } from '../support/job-bench.ts';

/** The bench's clock starts at ten in the morning of this day in Ecuador. */
export const day = '2026-11-20';

export const close = (bench: JobBench, of = day): Promise<ClosedDay> =>
  closeDay(bench.deps, { day: of, stores: [bench.store], scope: '*' });

/** Syncs these orders, lets the authority decide, and lets the product hear of it. */
export async function settle(bench: JobBench, ...orders: string[]): Promise<void> {
  for (const order of orders) await bench.sync(order);
  await bench.run();
  await bench.decided();
  bench.advance(5 * 60_000);
  await bench.run();
}

/** What somebody does to the ledger's file with a tool of the database. */
export function byHand({ ledgerFile }: JobBench, ...statements: string[]): void {
  const database = new DatabaseSync(ledgerFile);
  database.exec('pragma foreign_keys = off');
  for (const one of statements) database.exec(one);
  database.close();
}

export const codes = ({ close: { differences } }: ClosedDay): string[] =>
  differences.map(({ code }) => code).sort();
