import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { eventually } from './eventually.ts';
import type { Product } from './product.ts';

/** Waits until a product on SQLite has nothing left to sync, send, settle or write back. */
export async function untilIdle(product: Product, withinMs = 30_000): Promise<void> {
  await eventually(() => waiting(product) === 0, `all work to be done\n${product.log()}`, withinMs);
}

function waiting(product: Product): number {
  const database = new DatabaseSync(join(product.folder, 'ledger', 'ledger.db'), { readOnly: true });
  try {
    const count = (sql: string) => Number(database.prepare(`SELECT count(*) AS n FROM ${sql}`).get()?.n);
    const work = "('sync-order', 'submit-document', 'settle-document', 'write-back')";
    const states = "('ready', 'sending', 'processing')";
    return count(`work WHERE kind IN ${work}`) + count(`documents WHERE state IN ${states}`);
  } finally {
    database.close();
  }
}
