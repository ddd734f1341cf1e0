import { type CompiledQuery, type InsertQueryBuilder, type InsertResult, sql } from 'kysely';
import type { Access } from './access.ts';
import type { Schema } from './schema.ts';

export type Insert<Table extends keyof Schema> = InsertQueryBuilder<Schema, Table, InsertResult>;

/**
 * A multi-row insert for the door's hot path, compiled by Kysely once per engine and number of rows; afterwards
 * only values change hands. The answer says of each row whether it was written. No two rows may share a key.
 */
export function insertMany<Table extends keyof Schema & string>(
  table: Table,
  key: readonly (keyof Schema[Table] & string)[],
  others: readonly (keyof Schema[Table] & string)[],
  onConflict: (insert: Insert<Table>) => Insert<Table>,
): (access: Access, rows: readonly (readonly unknown[])[]) => Promise<boolean[]> {
  const columns = [...key, ...others];
  const compiled = new Map<string, CompiledQuery<Record<string, string>>>();

  return (access, rows) =>
    access.atomic((inside) => {
      const { types } = inside.dialect;
      return inside.dialect.insertRows(inside.db(), rows, {
        key,
        statement(size, returning) {
          const name = `${types.identity} ${size} ${returning}`;
          const known = compiled.get(name);
          if (known) return known;
          const sample = Object.fromEntries(columns.map((column) => [column, '']));
          const insert = inside.db().insertInto(table).values(Array(size).fill(sample));
          const whole = onConflict(insert as unknown as Insert<Table>);
          const made = (returning
            ? whole.returning(key.map((column) => sql.ref<string>(column).as(column)))
            : whole
          ).compile() as unknown as CompiledQuery<Record<string, string>>;
          compiled.set(name, made);
          return made;
        },
      });
    });
}
