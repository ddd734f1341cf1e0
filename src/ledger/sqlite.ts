import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely, type RawBuilder, SqliteDialect, type SqliteStatement, sql } from 'kysely';
import type { Dialect, Engine, Schema } from './schema.ts';

/** Statements kept compiled. */
const statementsKept = 256;

/** SQLITE_TOOBIG, _CONSTRAINT, _MISMATCH, _RANGE (sqlite.org/rescode.html), without the extended bits. */
const rowFaults = new Set([18, 19, 20, 25]);

const dialect: Omit<Dialect, 'insertRows'> = {
  types: {
    text: 'text',
    bytes: 'blob',
    real: 'real',
    identity: 'integer primary key',
    table: ' strict',
  },
  // The directory's lock lets one process in; nobody else can migrate.
  batchesAtOnce: 1,
  beforeMigrating: [],
  joinEach: (inner: RawBuilder<unknown>) => sql`join work as w on w.id in (select id from (${inner}))`,
  mayRunAgain: () => false,
  blamesRow(error) {
    if (!(error instanceof Error)) return false;
    const { code, errcode } = error as { code?: string; errcode?: number };
    return code?.startsWith('ERR_INVALID_ARG') === true || rowFaults.has((errcode ?? 0) & 0xff);
  },
};

/** node:sqlite in the shape Kysely's SqliteDialect expects, with a bounded cache of compiled statements. */
function adapt(db: DatabaseSync) {
  const cache = new Map<string, SqliteStatement>();
  return {
    close: () => db.close(),
    prepare(text: string): SqliteStatement {
      const known = cache.get(text);
      if (known) {
        cache.delete(text);
        cache.set(text, known);
        return known;
      }
      const statement = db.prepare(text);
      type Values = Parameters<typeof statement.all>;
      const adapted: SqliteStatement = {
        reader: statement.columns().length > 0,
        all: (values) => statement.all(...(values as Values)),
        run: (values) => statement.run(...(values as Values)),
        iterate: (values) => statement.iterate(...(values as Values)),
      };
      cache.set(text, adapted);
      const oldest = cache.keys().next().value;
      if (cache.size > statementsKept && oldest !== undefined) cache.delete(oldest);
      return adapted;
    },
  };
}

/** The directory is ours alone (0700), so are the files (0600): they hold orders, bodies, buyers. */
export function openDirectory(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
}

/**
 * Opens `ledger.db` in the directory. `synchronous=FULL`: an acknowledged delivery is not sent again, so it
 * must survive a power cut (measured, see bench/). Pages of 8 KB: an order's webhook fills one, which takes half
 * the system calls of two pages of 4 KB. One connection: whoever holds it in a transaction holds up every
 * other query.
 */
export function openSqlite(directory: string): Engine {
  const path = join(directory, 'ledger.db');
  // SQLite would create it with the umask's rights; its -wal and -shm files take over the rights found here.
  closeSync(openSync(path, 'a', 0o600));
  const raw = new DatabaseSync(path, { timeout: 5000, enableForeignKeyConstraints: true });
  raw.exec(`
    pragma page_size = 8192;
    pragma journal_mode = wal;
    pragma synchronous = full;
    pragma wal_autocheckpoint = 2000;
    pragma cache_size = -32000;
    pragma temp_store = memory;
  `);
  return engineOn(raw);
}

/** Opens the same file for looking only, beside the process that writes it (WAL lets them pass each other). */
export function openSqliteReader(directory: string): Engine {
  return engineOn(new DatabaseSync(join(directory, 'ledger.db'), { readOnly: true, timeout: 5000 }));
}

function engineOn(raw: DatabaseSync): Engine {
  const adapted = adapt(raw);
  const db = new Kysely<Schema>({ dialect: new SqliteDialect({ database: adapted }) });
  return {
    name: 'sqlite',
    dialect: {
      ...dialect,
      // Row by row on one compiled statement takes SQLite half of what a multi-row VALUES with RETURNING takes;
      // beside Kysely, because the caller's transaction holds the connection already.
      async insertRows(_db, rows, { statement }) {
        const one = adapted.prepare(statement(1, false).sql);
        return rows.map((row) => one.run(row).changes > 0);
      },
    },
    writer: db,
    others: db,
    async close() {
      await db.destroy();
      if (raw.isOpen) raw.close();
    },
  };
}
