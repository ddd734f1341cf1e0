import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Clock } from '../../domain/clock.ts';
import { LedgerError } from '../../domain/errors.ts';
import type { Log } from '../../domain/ports.ts';
import type { Database, Engine } from '../access.ts';
import { takeLock } from '../lock.ts';
import { refusedLedger, refuseMissing } from '../lost.ts';
import { migrate } from '../migrate.ts';
import { migrations } from '../migrations/index.ts';
import { isSamePlace, type MovedTo, markMoved, moved, moveMark, placeIn, unfinished } from '../moved.ts';
import { openPostgres } from '../postgres.ts';
import { openSqlite } from '../sqlite.ts';

export interface Moved {
  tables: Record<string, number>;
  /** An earlier move was interrupted after its COMMIT. */
  already: boolean;
}

/**
 * One transaction, compared row by row before its COMMIT. Afterwards `start` refuses the directory, so that no number is
 * given twice. May be repeated to the same place. Throws LedgerError, `move-unfinished` and `move-target-used` among others.
 */
export async function moveLedger(
  from: string,
  to: { url: string; schema?: string },
  { clock, log, by = null }: { clock: Clock; log: Log; by?: string | null },
): Promise<Moved> {
  const schema = to.schema ?? 'facturapuente';
  const place = placeOf(to.url, schema);
  refuseMissing(from);
  const unlock = takeLock(from, clock);
  const source = openSqlite(from);
  const target = openPostgres(to.url, schema, 1, log);
  try {
    await migrate(source, migrations, clock);
    await migrate(target, migrations, clock);
    // No command writes while the ledger is copied.
    await sql`begin immediate`.execute(source.writer);
    const shapes = await tablesOf(source.writer);
    const wanted = await fingerprints(source, shapes);
    const mark = async (db: Database) => {
      // In both ledgers, so that they stay equal, and once: a repeat copies the entry.
      if (!moveMark(from)) for (const one of [db, source.writer]) await addAuditEntry(one, by, place, clock);
      // Before the COMMIT: after a crash in between, only this command may continue, and only to this place.
      markMoved(from, { ...place, finished: false }, clock);
      await sql`commit`.execute(source.writer);
    };
    const already = await copy(
      { source, target, shapes, wanted },
      () => refuseMovedElsewhere(from, place),
      mark,
    );
    if (!moveMark(from)?.finished) markMoved(from, { ...place, finished: true }, clock);
    return { tables: Object.fromEntries([...wanted].map(([name, { rows }]) => [name, rows])), already };
  } catch (error) {
    throw refusedLedger(error, 'la dirección de destino sea correcta');
  } finally {
    await target.close();
    await source.close();
    unlock();
  }
}

/** A second copy would give the same numbers. */
function refuseMovedElsewhere(from: string, place: MovedTo): void {
  const mark = moveMark(from);
  if (mark?.finished) throw moved(from, mark);
  if (mark && !isSamePlace(mark, place)) throw unfinished(from, mark);
}

async function addAuditEntry(db: Database, who: string | null, place: MovedTo, clock: Clock): Promise<void> {
  const auditEntry = { at: clock.now().toISOString(), who, what: 'move', subject: null };
  await db
    .insertInto('auditLog')
    .values({ ...auditEntry, outcome: 'done', facts: JSON.stringify(place) })
    .execute();
}

async function fingerprints(
  engine: Engine,
  shapes: readonly TableShape[],
): Promise<Map<string, Fingerprint>> {
  const found = new Map<string, Fingerprint>();
  for (const shape of shapes) found.set(shape.name, await fingerprint(engine.writer, shape));
  return found;
}

interface Copy {
  source: Engine;
  target: Engine;
  shapes: readonly TableShape[];
  wanted: ReadonlyMap<string, Fingerprint>;
}

/** Answers whether the target held the same rows already; else `refuse` may throw first. */
async function copy(
  { source, target, shapes, wanted }: Copy,
  refuse: () => void,
  mark: (db: Database) => Promise<void>,
): Promise<boolean> {
  return target.writer.transaction().execute(async (db) => {
    const before = await fingerprints({ ...target, writer: db }, shapes);
    if (same(before, wanted) && [...wanted.values()].some(({ rows }) => rows > 0)) return true;
    refuse();
    const used = [...before].find(([, { rows }]) => rows > 0);
    if (used) throw targetUsed(used[0]);
    for (const shape of shapes) {
      for await (const rows of rowsOf(source.writer, shape)) await insertRows(db, shape, rows);
    }
    const after = await fingerprints({ ...target, writer: db }, shapes);
    const different = shapes.find(({ name }) => after.get(name)?.digest !== wanted.get(name)?.digest);
    if (different) throw differs(different.name);
    await mark(db);
    return false;
  });
}

const same = (a: ReadonlyMap<string, Fingerprint>, b: ReadonlyMap<string, Fingerprint>): boolean =>
  [...b].every(([name, { digest }]) => a.get(name)?.digest === digest);

const targetUsed = (table: string) => new LedgerError('move-target-used', { table });

const differs = (table: string) => new LedgerError('internal', { why: 'copy', table });

type Row = Record<string, unknown>;

const pageSize = 500;

async function* rowsOf(db: Database, { name, columns, order }: TableShape): AsyncGenerator<Row[]> {
  const wanted = sql.join([...new Set([...columns, ...order])].map((column) => sql.ref(column)));
  const key = sql.join(order.map((column) => sql.ref(column)));
  let after = sql``;
  for (;;) {
    const { rows } = await sql<Row>`
      select ${wanted} from ${sql.table(name)} ${after} order by ${key} limit ${pageSize}
    `.execute(db.withoutPlugins());
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    if (rows.length < pageSize) return;
    after = sql`where (${key}) > (${sql.join(order.map((column) => last[column]))})`;
  }
}

interface Fingerprint {
  rows: number;
  digest: string;
}

async function fingerprint(db: Database, shape: TableShape): Promise<Fingerprint> {
  const hash = createHash('sha256');
  let count = 0;
  for await (const rows of rowsOf(db, shape)) {
    for (const row of rows)
      hash.update(`${JSON.stringify(shape.columns.map((column) => plain(row[column])))}\n`);
    count += rows.length;
  }
  return { rows: count, digest: hash.digest('hex') };
}

/** The engines represent numbers and bytes differently. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString('base64') };
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : value;
}

async function insertRows(db: Database, { name, columns }: TableShape, rows: readonly Row[]): Promise<void> {
  const names = sql.join(columns.map((column) => sql.ref(column)));
  const values = rows.map((row) => sql`(${sql.join(columns.map((column) => row[column] ?? null))})`);
  await sql`insert into ${sql.table(name)} (${names}) values ${sql.join(values)}`.execute(
    db.withoutPlugins(),
  );
}

interface TableShape {
  name: string;
  /** Identity columns are missing: the target numbers its rows again, in the same order. */
  columns: string[];
  order: string[];
}

/** Referenced tables first; read from the database, so that tables of later migrations are included. */
async function tablesOf(db: Database): Promise<TableShape[]> {
  const { rows } = await sql<{ name: string }>`
    select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name <> 'migrations'
    order by name
  `.execute(db);
  const names = new Set(rows.map(({ name }) => name));
  const ordered = new Map<string, TableShape>();
  async function add(name: string): Promise<void> {
    if (!names.delete(name)) return;
    const references = await sql<{ table: string }>`
      select "table" from pragma_foreign_key_list(${name})`.execute(db);
    for (const { table } of references.rows) await add(table);
    ordered.set(name, await shapeOf(db, name));
  }
  for (const name of [...names]) await add(name);
  return [...ordered.values()];
}

async function shapeOf(db: Database, name: string): Promise<TableShape> {
  const { rows } = await sql<{ name: string; type: string; pk: number }>`
    select name, type, pk from pragma_table_info(${name})`.execute(db);
  const key = rows.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
  // "integer primary key" alone is SQLite's own row number.
  const identity = key.length === 1 && key[0]?.type.toLowerCase() === 'integer' ? key[0].name : null;
  return {
    name,
    columns: rows.map((column) => column.name).filter((column) => column !== identity),
    order: key.map((column) => column.name),
  };
}

/** Throws LedgerError `input-invalid`: the driver would take any text for an address. */
function placeOf(url: string, schema: string): MovedTo {
  const place = placeIn(url, schema);
  if (place) return place;
  throw new LedgerError('input-invalid', { why: 'address' });
}
