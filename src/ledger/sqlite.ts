import { AsyncLocalStorage } from 'node:async_hooks';
import { closeSync, existsSync, openSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type Dialect as KyselyDialect,
  type QueryResult,
  type RawBuilder,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely';
import { LedgerError } from '../domain/errors.ts';
import type { Dialect, Engine } from './access.ts';
import { plugins } from './access.ts';
import { markIn, refuseMoved } from './moved.ts';
import type { Schema } from './schema.ts';

const statementsKept = 256;

/** SQLITE_TOOBIG, _CONSTRAINT, _MISMATCH, _RANGE (sqlite.org/rescode.html). */
const rowFaults = new Set([18, 19, 20, 25]);

/** SQLITE_READONLY, _IOERR, _FULL. */
const writeFaults = new Set([8, 10, 13]);

/** SQLITE_BUSY. */
const busy = 5;

const errcodeOf = (error: unknown): number => ((error as { errcode?: number } | null)?.errcode ?? 0) & 0xff;

/** `busy`: this process waited too long for another one. null for an error of another kind. */
export function sqliteRefusal(error: unknown): 'unwritable' | 'busy' | null {
  if (!(error instanceof Error) || (error as { code?: unknown }).code !== 'ERR_SQLITE_ERROR') return null;
  const errcode = errcodeOf(error);
  if (errcode === busy) return 'busy';
  return writeFaults.has(errcode) ? 'unwritable' : null;
}

const dialect: Dialect = {
  types: {
    text: 'text',
    bytes: 'blob',
    real: 'real',
    identity: 'integer primary key',
    table: ' strict',
  },
  // Transactions run one after another.
  lockRows: sql``,
  batchesAtOnce: 1,
  // The transaction's lock admits one process; another waits for it.
  beforeMigrating: [],
  takeSpace: [],
  joinEach: (inner: RawBuilder<unknown>) => sql`join jobs as w on w.id in (select id from (${inner}))`,
  part: (text, n) =>
    n === 1
      ? sql`substr(${text}, 1, instr(${text}, '/') - 1)`
      : sql`substr(${text}, instr(${text}, '/') + 1, instr(substr(${text}, instr(${text}, '/') + 1), '/') - 1)`,
  mayRunAgain: () => false,
  blamesRow(error) {
    if (!(error instanceof Error)) return false;
    const { code } = error as { code?: string };
    return code?.startsWith('ERR_INVALID_ARG') === true || rowFaults.has(errcodeOf(error));
  },
  isUnwritable: (error) => writeFaults.has(errcodeOf(error)),
};

type Values = Parameters<StatementSync['all']>;

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
 * `synchronous=FULL`: an acknowledged delivery is not sent again, so it must survive a power cut. Pages of 8 KB: the webhook
 * of an order fills one. One connection: an open transaction blocks every other query.
 */
export function openSqlite(directory: string): Engine {
  const path = join(directory, 'ledger.db');
  // SQLite would create it with the umask's rights; its -wal and -shm files take over the rights found here.
  closeSync(openSync(path, 'a', 0o600));
  const file = openDatabaseFile(path);
  const raw = new DatabaseSync(path, { timeout: 5000, enableForeignKeyConstraints: true });
  try {
    raw.exec(`
      pragma page_size = 8192;
      pragma journal_mode = wal;
      pragma synchronous = full;
      pragma wal_autocheckpoint = 2000;
      pragma cache_size = -12000;
      pragma temp_store = memory;
      pragma busy_timeout = 0;
    `);
  } catch (error) {
    raw.close();
    throw file.explain(error);
  }
  return engineOn(raw, file);
}

export function openSqliteReader(directory: string): Engine {
  const path = join(directory, 'ledger.db');
  const { explain } = openDatabaseFile(path);
  return engineOn(new DatabaseSync(path, { readOnly: true, timeout: 5000 }), { explain, assertUsable() {} });
}

/** SQLITE_CORRUPT, _NOTADB. */
const damages = new Set([11, 26]);

interface DatabaseFile {
  /** Throws LedgerError `ledger-unwritable` once the file is damaged, deleted or replaced. */
  assertUsable(): void;
  explain(error: unknown): unknown;
}

function openDatabaseFile(path: string): DatabaseFile {
  let damaged: LedgerError | null = null;
  const known = new Map<string, string>();
  const mark = markIn(dirname(path));
  /** Deleted files stay open: what is written into them is lost with the process. */
  const isInPlace = (name: string) => {
    const found = statSync(name, { bigint: true, throwIfNoEntry: false });
    const id = found && `${found.dev} ${found.ino}`;
    // The -wal file is made by the first transaction.
    if (id !== undefined && !known.has(name)) known.set(name, id);
    return id === known.get(name);
  };
  return {
    assertUsable() {
      if (existsSync(mark)) refuseMoved(dirname(path));
      if (damaged) throw damaged;
      if (!isInPlace(path) || !isInPlace(`${path}-wal`))
        throw new LedgerError('ledger-unwritable', { why: 'replaced', path });
    },
    explain(error) {
      if (!damages.has(errcodeOf(error))) return error;
      const { message } = error as Error;
      damaged ??= new LedgerError(
        'ledger-unwritable',
        { why: 'damaged', path, cause: message },
        { cause: error },
      );
      return damaged;
    },
  };
}

function engineOn(raw: DatabaseSync, file: DatabaseFile): Engine {
  const compiled = compiler(raw);
  const execute = ({ sql: text, parameters }: CompiledQuery): QueryResult<never> => {
    try {
      const { statement, reader } = compiled(text);
      if (reader) return { rows: statement.all(...(parameters as Values)) as never[] };
      const { changes, lastInsertRowid } = statement.run(...(parameters as Values));
      return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
    } catch (error) {
      throw file.explain(error);
    }
  };
  const group = openGroup(raw, file);
  const alone = (query: CompiledQuery) => group.run(() => execute(query), { whole: true });
  const inside = new Kysely<Schema>({ dialect: sqliteDialect(execute, () => begin(raw)), plugins });
  const others = new Kysely<Schema>({ dialect: sqliteDialect(alone, () => begin(raw)), plugins });
  return {
    name: 'sqlite',
    dialect,
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

/** Longer than any transaction of another process takes. */
const patienceMs = 10_000;

/** Waits without blocking this thread. Deferred, a transaction that read first could not write (SQLITE_BUSY_SNAPSHOT). */
async function begin(db: DatabaseSync): Promise<void> {
  const until = performance.now() + patienceMs;
  for (;;) {
    try {
      return db.exec('begin immediate');
    } catch (error) {
      if (errcodeOf(error) !== busy || performance.now() > until) throw error;
      await pause(1);
    }
  }
}

/** Tasks that share one COMMIT: each is applied as a whole or not at all, and resolves after that COMMIT. */
interface Group {
  /** `whole`: a single statement, which SQLite undoes by itself. A task awaits only its own statements and may run again. */
  run<T>(task: () => Promise<T> | T, options?: { whole: boolean }): Promise<T>;
  idle(): Promise<void>;
}

interface Waiting {
  task(): Promise<unknown> | unknown;
  whole: boolean;
  resolve(answer: unknown): void;
  reject(error: unknown): void;
}

interface Settled {
  failed: boolean;
  error?: unknown;
  answer(): void;
}

/** More tasks would delay the first ones. */
const tasksAtOnce = 128;

/**
 * Concurrent tasks share a flush (measured, see bench/). They run without savepoints, with which SQLite copies every page;
 * when one fails, the transaction is rolled back and its tasks run again, each in a savepoint.
 */
export function openGroup(db: DatabaseSync, file: DatabaseFile): Group {
  const savepoint = db.prepare('savepoint task');
  const release = db.prepare('release task');
  const undo = db.prepare('rollback to task');
  const waiting: Waiting[] = [];
  let running: Promise<void> | null = null;

  async function settle({ task, resolve, reject }: Waiting): Promise<Settled> {
    try {
      const answer = await task();
      return { failed: false, answer: () => resolve(answer) };
    } catch (error) {
      return { failed: true, error, answer: () => reject(error) };
    }
  }

  async function guarded(next: Waiting): Promise<Settled> {
    if (next.whole) return settle(next);
    savepoint.run();
    const settled = await settle(next);
    if (settled.failed && db.isTransaction) undo.run();
    if (db.isTransaction) release.run();
    return settled;
  }

  /** @param how `guarded`: a failing task does not affect the others; else answers the tasks that must run again. */
  async function runTogether(queue: Waiting[], how: 'unguarded' | 'guarded'): Promise<Waiting[]> {
    const answers: (() => void)[] = [];
    const begun: Waiting[] = [];
    try {
      file.assertUsable();
      await begin(db);
      while (queue.length > 0 && begun.length < tasksAtOnce) {
        const next = queue.shift() as Waiting;
        begun.push(next);
        const settled = await (how === 'guarded' ? guarded(next) : settle(next));
        // SQLite rolled the whole transaction back (disk full, I/O), the other tasks included.
        if (!db.isTransaction) throw settled.error ?? new Error('SQLite ended the transaction by itself.');
        if (settled.failed && !next.whole && how === 'unguarded') {
          db.exec('rollback');
          return begun;
        }
        answers.push(settled.answer);
        // Callers that are about to queue a task join before the flush.
        if (queue.length === 0) await new Promise((resolve) => setImmediate(resolve));
      }
      db.exec('commit');
    } catch (error) {
      if (db.isOpen && db.isTransaction) db.exec('rollback');
      // When not even the first task began (the ledger was closed), none can run.
      for (const task of begun.length > 0 ? begun : queue.splice(0)) task.reject(file.explain(error));
      return [];
    }
    for (const answer of answers) answer();
    return [];
  }

  async function batch(): Promise<void> {
    const again = await runTogether(waiting, 'unguarded');
    while (again.length > 0) await runTogether(again, 'guarded');
  }

  async function runAll(): Promise<void> {
    while (waiting.length > 0) {
      await batch();
      // Gives another process time to begin.
      if (waiting.length > 0) await new Promise((resolve) => setImmediate(resolve));
    }
    running = null;
  }

  return {
    run: <T>(task: () => Promise<T> | T, { whole } = { whole: false }) =>
      new Promise<T>((resolve, reject) => {
        // A single statement runs no code of its caller.
        const inContext = whole ? null : AsyncLocalStorage.snapshot();
        waiting.push({
          task: inContext ? () => inContext(task) : task,
          whole,
          resolve: resolve as (answer: unknown) => void,
          reject,
        });
        running ??= Promise.resolve().then(runAll);
      }),
    async idle() {
      while (running) await running;
    },
  };
}

type Execute = (query: CompiledQuery) => QueryResult<never> | Promise<QueryResult<never>>;

/** Kysely's own dialect admits one caller at a time; here `openGroup` decides the order. */
function sqliteDialect(execute: Execute, beginTransaction: () => Promise<void>): KyselyDialect {
  const connection: DatabaseConnection = {
    executeQuery: async <R>(query: CompiledQuery) => (await execute(query)) as QueryResult<R>,
    // biome-ignore lint/correctness/useYield: nobody streams, but the type wants a stream.
    async *streamQuery(): AsyncIterableIterator<never> {
      throw new Error('Rows of SQLite are not streamed.');
    },
  };
  const run = async (sql: string) => {
    await execute({ sql, parameters: [] } as unknown as CompiledQuery);
  };
  const driver: Driver = {
    init: async () => {},
    acquireConnection: async () => connection,
    beginTransaction,
    commitTransaction: () => run('commit'),
    rollbackTransaction: () => run('rollback'),
    releaseConnection: async () => {},
    destroy: async () => {},
  };
  return {
    createDriver: () => driver,
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new Adapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}

class Adapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}
