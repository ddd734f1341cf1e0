import type { CompiledQuery, InsertQueryBuilder } from 'kysely';
import type { Database, Schema } from './schema.ts';

/** More rows than this go in several statements; every size up to it is compiled once and kept. */
const rowsAtOnce = 64;

/**
 * A multi-row insert for the door's hot path: built and compiled by Kysely once per number of rows, afterwards
 * only the values change. Compiling 64 rows costs more than SQLite needs to store them.
 */
export function insertMany<Table extends keyof Schema & string>(
  table: Table,
  columns: readonly string[],
  // biome-ignore lint/suspicious/noExplicitAny: the row type depends on what the caller returns, read as a record below
  finish: (query: InsertQueryBuilder<Schema, Table, any>) => { compile(): CompiledQuery },
): (db: Database, rows: readonly (readonly unknown[])[]) => Promise<Record<string, unknown>[]> {
  const compiled = new WeakMap<object, CompiledQuery[]>();

  function statement(db: Database, size: number): CompiledQuery {
    // One ledger, one executor root: SQL text differs between the dialects.
    const adapter = db.getExecutor().adapter;
    const sizes = compiled.get(adapter) ?? [];
    compiled.set(adapter, sizes);
    const known = sizes[size];
    if (known) return known;
    const sample = Array.from({ length: size }, () => Object.fromEntries(columns.map((name) => [name, ''])));
    const made = finish(db.insertInto(table).values(sample as never)).compile();
    sizes[size] = made;
    return made;
  }

  return async (db, rows) => {
    const answers: Record<string, unknown>[] = [];
    for (let at = 0; at < rows.length; at += rowsAtOnce) {
      const some = rows.slice(at, at + rowsAtOnce);
      const result = await db.executeQuery<Record<string, unknown>>({
        ...statement(db, some.length),
        parameters: some.flat(),
      });
      for (const row of result.rows) answers.push(row);
    }
    return answers;
  };
}
