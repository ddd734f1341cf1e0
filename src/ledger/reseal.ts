import { sql } from 'kysely';
import type { Access } from './access.ts';
import type { Seal } from './seal.ts';

/** Every column that holds sealed values, and the key that makes its place (seal.ts): `table.column key key`. */
const columns = [
  { table: 'attempts', column: 'sealed_body', key: ['id'], as: 'text' },
  { table: 'credentials', column: 'sealed', key: ['platform', 'shop'], as: 'text' },
  { table: 'questions', column: 'sealed', key: ['platform', 'shop', 'order_id'], as: 'text' },
  { table: 'second_factors', column: 'sealed', key: ['person'], as: 'text' },
  { table: 'sessions', column: 'sealed_secret', key: ['token_hash'], as: 'text' },
  { table: 'files', column: 'sealed', key: ['document_id', 'kind'], as: 'bytes' },
] as const;

type Column = (typeof columns)[number];
type Row = Record<string, string> & { sealed: string | Uint8Array | null };

/** Rows at once: a body is a few kilobytes, a file some hundred. */
const atOnce = 100;

/**
 * Seals everything anew that an older key sealed, so that the older key may go. Beside a running process; may be
 * repeated after any interruption. Answers how many values were sealed anew. Throws LedgerError as the seal does.
 */
export async function reseal(access: Access, seal: Seal): Promise<number> {
  let count = 0;
  for (const column of columns) {
    let after: string[] | null = null;
    for (;;) {
      const rows = await page(access, column, after);
      const last = rows.at(-1);
      if (!last) break;
      for (const row of rows) if (await one(access, seal, column, row)) count += 1;
      after = column.key.map((name) => last[name] ?? '');
    }
  }
  return count;
}

async function page(access: Access, { table, column, key }: Column, after: string[] | null): Promise<Row[]> {
  const names = sql.join(key.map((name) => sql.ref(name)));
  const from = after === null ? sql`` : sql`where (${names}) > (${sql.join(after)})`;
  const { rows } = await sql<Row>`
    select ${names}, ${sql.ref(column)} as sealed from ${sql.table(table)} ${from} order by ${names} limit ${atOnce}
  `.execute(access.db());
  return rows;
}

/** Compare-and-set: what somebody wrote meanwhile was sealed by him. */
async function one(
  access: Access,
  seal: Seal,
  { table, column, key, as }: Column,
  row: Row,
): Promise<boolean> {
  const { sealed } = row;
  if (sealed === null || seal.isNewest(sealed)) return false;
  const place = `${table}.${column} ${key.map((name) => row[name]).join(' ')}`;
  const fresh =
    as === 'text'
      ? seal.close(seal.open(String(sealed), place), place)
      : seal.closeBytes(seal.openBytes(sealed as Uint8Array, place), place);
  const is = sql.join(
    key.map((name) => sql`${sql.ref(name)} = ${row[name]}`),
    sql` and `,
  );
  const { numAffectedRows = 0n } = await sql`
    update ${sql.table(table)} set ${sql.ref(column)} = ${fresh} where ${is} and ${sql.ref(column)} = ${sealed}
  `.execute(access.db());
  return numAffectedRows > 0n;
}
