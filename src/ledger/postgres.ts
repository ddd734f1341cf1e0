import { Kysely, PostgresDialect, sql } from 'kysely';
import { type ClientBase, escapeIdentifier, Pool, type QueryConfig } from 'pg';
import type { Log } from '../domain/log.ts';
import { hearClient, hearPool } from './heard.ts';
import type { Dialect, Engine, Schema } from './schema.ts';

/** Any number that nothing else in the same database locks on; "fpledger" in ASCII, shortened to 31 bits. */
const migrationLock = 0x66706c64;

/** More rows than this go in several statements; every size up to it is compiled once. */
const rowsAtOnce = 64;

const writers = 2;

/**
 * Our transactions last milliseconds. A process that was stopped in one, or whose machine is gone without a word, would
 * keep its rows locked until the connection is given up, which takes a server two hours: here they come free while the
 * lease of its work still lasts.
 */
const asleep = "set idle_in_transaction_session_timeout to '20s'";

/** SQLSTATE of an error of the server (postgresql.org/docs/current/errcodes-appendix.html). */
function sqlState(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : '';
}

/** `collate "C"`: our keys and instants compare byte by byte, as they do on SQLite. */
export function postgresDialect(schema: string, prepared: Prepared): Dialect {
  return {
    types: {
      text: 'text collate "C"',
      bytes: 'bytea',
      real: 'double precision',
      identity: 'bigint generated always as identity primary key',
      table: '',
    },
    async insertRows(db, rows, { statement, key }) {
      const written: boolean[] = [];
      for (let at = 0; at < rows.length; at += rowsAtOnce) {
        const some = rows.slice(at, at + rowsAtOnce);
        const insert = statement(some.length, true);
        prepared.remember(insert.sql);
        const result = await db.executeQuery<Record<string, string>>({ ...insert, parameters: some.flat() });
        const keys = new Set(result.rows.map((row) => key.map((column) => row[column]).join('\n')));
        for (const row of some) written.push(keys.has(row.slice(0, key.length).join('\n')));
      }
      return written;
    },
    lockRows: sql`for update`,
    batchesAtOnce: writers,
    beforeMigrating: [
      sql`select pg_advisory_xact_lock(${sql.lit(migrationLock)})`,
      sql`create schema if not exists ${sql.id(schema)}`,
    ],
    // More rows of a function than its memory holds go to a file in the database's own tablespace. A table could not tell: a
    // small row finds room in pages and log segments that lie on the disk already.
    takeSpace: [
      sql`set local work_mem = '64kB'`,
      sql`set local temp_tablespaces = ''`,
      sql`select count(*) from generate_series(1, 20000)`,
    ],
    joinEach: (inner) => sql`cross join lateral (${inner}) as w`,
    part: (text, n) => sql`split_part(${text}, '/', ${sql.lit(n)})`,
    // 40P01 deadlock broken, 40001 serialization failure.
    mayRunAgain: (error) => ['40P01', '40001'].includes(sqlState(error)),
    // 22 data exception (a NUL in a text), 23 constraint, 54 program limit (an index row too long).
    blamesRow: (error) => ['22', '23', '54'].includes(sqlState(error).slice(0, 2)),
  };
}

/**
 * Transactions take turns on two connections, so that the server and this process need not wait for each other;
 * single statements on a few others.
 */
export function openPostgres(url: string, schema: string, connections: number, log: Log): Engine {
  const prepared = openPrepared();
  const session = `set search_path to ${escapeIdentifier(schema)}; ${asleep}`;
  function open(max: number, name: string): { db: Kysely<Schema> } {
    const pool = new Pool({
      connectionString: url,
      max,
      application_name: name,
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
      // Awaited by the pool, although its types do not say so.
      onConnect(client) {
        const answer = client.query(session);
        prepared.teach(client);
        hearClient(client);
        return answer as unknown as undefined;
      },
    });
    hearPool(pool);
    // A connection that breaks (server restart) is replaced at the next use; an 'error' nobody hears would end
    // the process. The pool tells of idle ones only, a client in use tells itself.
    const broken = (error: Error) => log.warn({ error: error.message }, 'A PostgreSQL connection broke.');
    pool.on('error', broken).on('connect', (client) => client.on('error', broken));
    return { db: new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) }) };
  }
  const writer = open(writers, 'facturapuente writer').db;
  const others = open(connections, 'facturapuente').db;
  return {
    name: 'postgresql',
    dialect: postgresDialect(schema, prepared),
    transaction: (task) => writer.transaction().execute(task),
    writer,
    others,
    async close() {
      await Promise.all([writer.destroy(), others.destroy()]);
    },
  };
}

type Query = (config: QueryConfig) => Promise<unknown>;

/**
 * Statements that a connection has the server parse and plan once, at their first use: an insert of 64 rows names
 * hundreds of parameters, which costs the server a third of its work if each one is read anew (measured, see bench/).
 * Only for statements whose plan cannot depend on their values.
 */
interface Prepared {
  /** Give it few statements: each stays with every connection. */
  remember(text: string): void;
  /** From now on this connection sends remembered statements by name. */
  teach(client: ClientBase): void;
}

function openPrepared(): Prepared {
  const names = new Map<string, string>();
  return {
    remember(text) {
      if (!names.has(text)) names.set(text, `facturapuente_${names.size + 1}`);
    },
    teach(client) {
      const query = client.query.bind(client) as Query & typeof client.query;
      const named = (text: unknown, values: unknown[]) => {
        const name = typeof text === 'string' ? names.get(text) : undefined;
        return name === undefined
          ? query(text as string, values)
          : query({ name, text: text as string, values });
      };
      client.query = named as typeof client.query;
    },
  };
}
