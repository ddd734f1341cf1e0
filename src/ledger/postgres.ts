import { Kysely, PostgresDialect, sql } from 'kysely';
import pg, { escapeIdentifier, Pool } from 'pg';
import type { Log } from '../domain/ports.ts';
import { type Dialect, type Engine, plugins } from './access.ts';
import { markClient, markPool } from './lost.ts';
import type { Schema } from './schema.ts';

/** A number no other program in the database locks on: "fpledger" in ASCII, shortened to 31 bits. */
const migrationLock = 0x66706c64;

const writers = 2;

/** Without it the rows of a stopped process stay locked for two hours; 20 s is shorter than the leases of its jobs. */
const idleLimit = "set idle_in_transaction_session_timeout to '20s'";

/** SQLSTATE of an error of the server (postgresql.org/docs/current/errcodes-appendix.html). */
function sqlState(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : '';
}

/** `collate "C"`: keys and instants compare byte by byte, as on SQLite. */
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
    // Rows of a function beyond `work_mem` go to a file on disk; a small insert fits into pages that exist already.
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

/** Transactions alternate on two connections, so that the server and this process need not wait for each other. */
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
    // An 'error' without a listener would end the process; the pool emits it for idle connections only.
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

/** Used for trials that had a schema of their own. */
export async function dropLedger({ url, schema }: { url: string; schema: string }): Promise<void> {
  const database = new pg.Client({ connectionString: url });
  await database.connect();
  try {
    await database.query(`DROP SCHEMA IF EXISTS ${database.escapeIdentifier(schema)} CASCADE`);
  } finally {
    await database.end();
  }
}
