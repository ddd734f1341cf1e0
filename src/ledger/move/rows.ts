import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../schema.ts';
import type { TableShape } from './tables.ts';

type Row = Record<string, unknown>;

/** Rows read at once: an order's webhook is a few kilobytes. */
const pageSize = 500;

/** All rows of a table in the order of its key, a page after the last row of the one before. */
export async function* rowsOf(db: Database, { name, columns, order }: TableShape): AsyncGenerator<Row[]> {
  const wanted = sql.join([...new Set([...columns, ...order])].map((column) => sql.ref(column)));
  const key = sql.join(order.map((column) => sql.ref(column)));
  let after = sql``;
  for (;;) {
    const { rows } = await sql<Row>`
      select ${wanted} from ${sql.table(name)} ${after} order by ${key} limit ${pageSize}
    `.execute(db);
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    if (rows.length < pageSize) return;
    after = sql`where (${key}) > (${sql.join(order.map((column) => last[column]))})`;
  }
}

/** What a table holds, as a count and a fingerprint that both engines agree on. */
export interface Fingerprint {
  rows: number;
  digest: string;
}

export async function fingerprint(db: Database, shape: TableShape): Promise<Fingerprint> {
  const hash = createHash('sha256');
  let count = 0;
  for await (const rows of rowsOf(db, shape)) {
    for (const row of rows)
      hash.update(`${JSON.stringify(shape.columns.map((column) => plain(row[column])))}\n`);
    count += rows.length;
  }
  return { rows: count, digest: hash.digest('hex') };
}

/** Engines hand numbers and bytes over in their own ways. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString('base64') };
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : value;
}

/** Rows go in several at a time; PostgreSQL takes at most 65,535 values in one statement. */
export async function insertRows(
  db: Database,
  { name, columns }: TableShape,
  rows: readonly Row[],
): Promise<void> {
  const names = sql.join(columns.map((column) => sql.ref(column)));
  const values = rows.map((row) => sql`(${sql.join(columns.map((column) => row[column] ?? null))})`);
  await sql`insert into ${sql.table(name)} (${names}) values ${sql.join(values)}`.execute(db);
}
