import { type CompiledQuery, type InsertQueryBuilder, type InsertResult, sql } from 'kysely';
import type { Access } from './access.ts';
import type { Schema } from './schema.ts';

export type Insert<Table extends keyof Schema> = InsertQueryBuilder<Schema, Table, InsertResult>;

type Row = Record<string, string>;

/** More rows than this go in several statements; every number of rows up to it is compiled once. */
const rowsAtOnce = 64;

/**
 * A multi-row insert for the endpoint, which Kysely compiles once for each number of rows: compiling takes longer than
 * the insert itself. A row lists the values of `key`, then of `others`. The answer says of each row whether it was
 * written; no two rows may share a key.
 */
export function insertMany<Table extends keyof Schema & string>(
  table: Table,
  key: readonly (keyof Schema[Table] & string)[],
  others: readonly (keyof Schema[Table] & string)[],
  onConflict: (insert: Insert<Table>) => Insert<Table>,
): (access: Access, rows: readonly (readonly unknown[])[]) => Promise<boolean[]> {
  const compiled = new Map<string, CompiledQuery<Row>>();

  function compile({ db, dialect }: Access, size: number): CompiledQuery<Row> {
    const name = `${dialect.types.identity} ${size}`;
    const known = compiled.get(name);
    if (known) return known;
    const sample = Object.fromEntries([...key, ...others].map((column) => [column, '']));
    const insert = db().insertInto(table).values(Array(size).fill(sample)) as unknown as Insert<Table>;
    const query = onConflict(insert)
      .returning(key.map((column) => sql.ref<string>(column).as(column)))
      .compile() as CompiledQuery<Row>;
    compiled.set(name, query);
    return query;
  }

  return (access, rows) =>
    access.atomic(async (inside) => {
      const written = new Set<string>();
      for (let at = 0; at < rows.length; at += rowsAtOnce) {
        const some = rows.slice(at, at + rowsAtOnce);
        const query = { ...compile(inside, some.length), parameters: some.flat() };
        for (const row of (await inside.db().executeQuery<Row>(query)).rows)
          written.add(key.map((column) => row[column]).join('\n'));
      }
      return rows.map((row) => written.has(row.slice(0, key.length).join('\n')));
    });
}
