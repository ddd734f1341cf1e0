import { Kysely, PostgresDialect, sql } from 'kysely';
import { escapeIdentifier, Pool } from 'pg';
import type { Log } from '../domain/ports.ts';
import type { Dialect, Engine } from './access.ts';
import { plugins } from './columns.ts';
import { markClient, markPool } from './lost.ts';
import type { Schema } from './schema.ts';

/** A number no other program in the database locks on: "fpledger" in ASCII, shortened to 31 bits. */
const migrationLock = 0x66706c64;

const writers = 2;

/**
 * Our transactions last milliseconds. A process that stops within one would keep its rows locked until the server gives
 * the connection up, after two hours; with this limit they are free again before the leases of its jobs end.
 */
const idleLimit = "set idle_in_transaction_session_timeout to '20s'";

/** SQLSTATE of an error of the server (postgresql.org/docs/current/errcodes-appendix.html). */
function sqlState(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : '';
}

/** `collate "C"`: our keys and instants compare byte by byte, as they do on SQLite. */
function postgresDialect(schema: string): Dialect {
  return {
    types: {
      text: 'text collate "C"',
      bytes: 'bytea',
      real: 'double precision',
      identity: 'bigint generated always as identity primary key',
      table: '',
    },
    lockRows: sql`for update`,
    batchesAtOnce: writers,
    beforeMigrating: [
      sql`select pg_advisory_xact_lock(${sql.lit(migrationLock)})`,
      sql`create schema if not exists ${sql.raw(escapeIdentifier(schema))}`,
    ],
    // Rows of a function beyond `work_mem` go to a file in the database's own tablespace. An insert would not do: a small
    // row fits into pages and log segments that exist already.
    takeSpace: [
      sql`set local work_mem = '64kB'`,
      sql`set local temp_tablespaces = ''`,
      sql`select count(*) from generate_series(1, 20000)`,
    ],
    joinEach: (inner) => sql`cross join lateral (${inner}) as w`,
    part: (text, n) => sql`split_part(${text}, '/', ${sql.lit(n)})`,
    // 40P01 deadlock broken, 40001 serialization failure.
    mayRunAgain: (error) => ['40P01', '40001'].includes(sqlState(error)),
    // 22 data exception (NUL in a text), 23 constraint, 54 program limit (index row too long).
    blamesRow: (error) => ['22', '23', '54'].includes(sqlState(error).slice(0, 2)),
    // 53100 disk full, 58030 I/O error, 25006 read-only.
    isUnwritable: (error) => ['53100', '58030', '25006'].includes(sqlState(error)),
  };
}

/**
 * Transactions alternate on two connections, so that the server and this process need not wait for each other;
 * single statements use a few others.
 */
export function openPostgres(url: string, schema: string, connections: number, log: Log): Engine {
  const session = `set search_path to ${escapeIdentifier(schema)}; ${idleLimit}`;
  function open(max: number, name: string): Kysely<Schema> {
    const pool = new Pool({
      connectionString: url,
      max,
      application_name: name,
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
      // Awaited by the pool, although its types do not say so.
      onConnect(client) {
        const answer = client.query(session);
        markClient(client);
        return answer as unknown as undefined;
      },
    });
    markPool(pool);
    // A connection that breaks (server restart) is replaced at its next use; an 'error' without a listener would end the
    // process. The pool emits it for idle connections only, a client in use by itself.
    const broken = (error: Error) => log.warn({ error: error.message }, 'A PostgreSQL connection broke.');
    pool.on('error', broken).on('connect', (client) => client.on('error', broken));
    return new Kysely<Schema>({ dialect: new PostgresDialect({ pool }), plugins });
  }
  const writer = open(writers, 'facturapuente writer');
  const others = open(connections, 'facturapuente');
  return {
    name: 'postgresql',
    dialect: postgresDialect(schema),
    transaction: (task) => writer.transaction().execute(task),
    writer,
    others,
    async close() {
      await Promise.all([writer.destroy(), others.destroy()]);
    },
  };
}
