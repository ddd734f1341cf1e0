import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { type CompiledQuery, Kysely, type QueryResult, type RawBuilder, sql } from 'kysely';
import type { Dialect, Engine, Schema } from './schema.ts';
import { sqliteDialect } from './sqlite-driver.ts';
import { openGroup } from './sqlite-group.ts';

/** Statements kept compiled. */
const statementsKept = 256;

/** SQLITE_TOOBIG, _CONSTRAINT, _MISMATCH, _RANGE (sqlite.org/rescode.html), without the extended bits. */
const rowFaults = new Set([18, 19, 20, 25]);

const dialect: Omit<Dialect, 'insertRows' | 'run'> = {
  types: {
    text: 'text',
    bytes: 'blob',
    real: 'real',
    identity: 'integer primary key',
    table: ' strict',
  },
  // Transactions follow one another.
  lockRows: sql``,
  // The directory's lock lets one process in; nobody else can migrate.
  batchesAtOnce: 1,
  beforeMigrating: [],
  takeSpace: [],
  joinEach: (inner: RawBuilder<unknown>) => sql`join work as w on w.id in (select id from (${inner}))`,
  part: (text, n) =>
    n === 1
      ? sql`substr(${text}, 1, instr(${text}, '/') - 1)`
      : sql`substr(${text}, instr(${text}, '/') + 1, instr(substr(${text}, instr(${text}, '/') + 1), '/') - 1)`,
  mayRunAgain: () => false,
  blamesRow(error) {
    if (!(error instanceof Error)) return false;
    const { code, errcode } = error as { code?: string; errcode?: number };
    return code?.startsWith('ERR_INVALID_ARG') === true || rowFaults.has((errcode ?? 0) & 0xff);
  },
};

type Values = Parameters<StatementSync['all']>;

/** A bounded cache of compiled statements; `reader`: it hands over rows. */
function compiler(db: DatabaseSync): (text: string) => { statement: StatementSync; reader: boolean } {
  const cache = new Map<string, { statement: StatementSync; reader: boolean }>();
  return (text) => {
    let found = cache.get(text);
    if (found) cache.delete(text);
    else {
      const statement = db.prepare(text);
      found = { statement, reader: statement.columns().length > 0 };
    }
    cache.set(text, found);
    const oldest = cache.keys().next().value;
    if (cache.size > statementsKept && oldest !== undefined) cache.delete(oldest);
    return found;
  };
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
    pragma cache_size = -12000;
    pragma temp_store = memory;
  `);
  return engineOn(raw);
}

/** Opens the same file for looking only, beside the process that writes it (WAL lets them pass each other). */
export function openSqliteReader(directory: string): Engine {
  return engineOn(new DatabaseSync(join(directory, 'ledger.db'), { readOnly: true, timeout: 5000 }));
}

function engineOn(raw: DatabaseSync): Engine {
  const compiled = compiler(raw);
  const execute = ({ sql: text, parameters }: CompiledQuery): QueryResult<never> => {
    const { statement, reader } = compiled(text);
    if (reader) return { rows: statement.all(...(parameters as Values)) as never[] };
    const { changes, lastInsertRowid } = statement.run(...(parameters as Values));
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  };
  const group = openGroup(raw);
  const alone = (query: CompiledQuery) => group.run(() => execute(query), { whole: true });
  const inside = new Kysely<Schema>({ dialect: sqliteDialect(execute) });
  const others = new Kysely<Schema>({ dialect: sqliteDialect(alone) });
  return {
    name: 'sqlite',
    dialect: {
      ...dialect,
      // Row by row on one compiled statement takes SQLite half of what a multi-row VALUES with RETURNING takes;
      // beside Kysely, because the caller's transaction holds the connection already.
      async insertRows(_db, rows, { statement }) {
        const one = compiled(statement(1, false).sql).statement;
        return rows.map((row) => one.run(...(row as Values)).changes > 0);
      },
    },
    transaction: (task) => group.run(() => task(inside)),
    writer: inside,
    others,
    async close() {
      await group.idle();
      await Promise.all([inside.destroy(), others.destroy()]);
      if (raw.isOpen) raw.close();
    },
  };
}
