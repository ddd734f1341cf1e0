import { sql } from 'kysely';
import type { Database } from '../schema.ts';

/** A table of the ledger as SQLite describes it. */
export interface TableShape {
  name: string;
  /** Without identity columns: those are numbered anew, in the same order. */
  columns: string[];
  /** What the rows are read and compared by. */
  order: string[];
}

interface ColumnInfo {
  name: string;
  type: string;
  pk: number;
}

/**
 * Every table of a SQLite ledger, those that others refer to first. Read from the database itself, so that a
 * table of a later migration is never forgotten.
 */
export async function tablesOf(db: Database): Promise<TableShape[]> {
  const { rows } = await sql<{ name: string }>`
    select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name <> 'migrations'
    order by name
  `.execute(db);
  const shapes = new Map<string, TableShape & { needs: string[] }>();
  for (const { name } of rows) {
    const columns = await sql<ColumnInfo>`select name, type, pk from pragma_table_info(${name})`.execute(db);
    const foreign = await sql<{
      table: string;
    }>`select "table" from pragma_foreign_key_list(${name})`.execute(db);
    const key = columns.rows.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
    // "integer primary key" alone is SQLite's own row number.
    const identity = key.length === 1 && key[0]?.type.toLowerCase() === 'integer' ? key[0].name : null;
    shapes.set(name, {
      name,
      columns: columns.rows.map((column) => column.name).filter((column) => column !== identity),
      order: key.map((column) => column.name),
      needs: foreign.rows.map(({ table }) => table).filter((table) => table !== name),
    });
  }
  return inOrder(shapes);
}

function inOrder(shapes: ReadonlyMap<string, TableShape & { needs: string[] }>): TableShape[] {
  const done = new Set<string>();
  const ordered: TableShape[] = [];
  const visit = (name: string): void => {
    const shape = shapes.get(name);
    if (!shape || done.has(name)) return;
    done.add(name);
    for (const other of shape.needs) visit(other);
    ordered.push({ name: shape.name, columns: shape.columns, order: shape.order });
  };
  for (const name of shapes.keys()) visit(name);
  return ordered;
}
