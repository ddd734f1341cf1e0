import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { eventually } from './eventually.ts';
import type { Product } from './product.ts';

/** Waits until a product has nothing left to sync, send, settle or write back. */
export async function untilIdle(product: Product, withinMs = 30_000): Promise<void> {
  const waiting = await openCount(product);
  try {
    await eventually(async () => (await waiting.count()) === 0, 'all work to be done', withinMs);
  } catch (error) {
    throw new Error(product.log(), { cause: error });
  } finally {
    await waiting.close();
  }
}

const job = "('sync-order', 'submit-document', 'settle-document', 'write-back')";
const states = "('ready', 'sending', 'processing')";
const sql = (schema: string) =>
  `SELECT (SELECT count(*) FROM ${schema}jobs WHERE kind IN ${job}) + (SELECT count(*) FROM ${schema}documents WHERE state IN ${states}) AS n`;

async function openCount({ ledger }: Product): Promise<{ count(): Promise<number>; close(): Promise<void> }> {
  if ('url' in ledger) {
    const client = new Client({ connectionString: ledger.url });
    await client.connect();
    return {
      count: async () => Number((await client.query(sql('facturapuente.'))).rows[0]?.n),
      close: () => client.end(),
    };
  }
  const database = new DatabaseSync(join(ledger.directory, 'ledger.db'), { readOnly: true });
  const statement = database.prepare(sql(''));
  return {
    count: async () => Number(statement.get()?.n),
    async close() {
      database.close();
    },
  };
}
