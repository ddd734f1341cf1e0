import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';

/** Runs one statement and hands over what Kysely wants to know of it. */
export type Execute = (query: CompiledQuery) => QueryResult<never> | Promise<QueryResult<never>>;

/**
 * A Kysely dialect over one function. Kysely's own lets one caller in until it has finished; who goes first is
 * decided in sqlite-group.ts, so here everyone gets the connection at once.
 */
export function sqliteDialect(execute: Execute): Dialect {
  const connection: DatabaseConnection = {
    executeQuery: async <R>(query: CompiledQuery) => (await execute(query)) as QueryResult<R>,
    // biome-ignore lint/correctness/useYield: nobody streams, but the type wants a stream.
    async *streamQuery(): AsyncIterableIterator<never> {
      throw new Error('Rows of SQLite are not streamed.');
    },
  };
  const say = async (sql: string) => {
    await execute({ sql, parameters: [] } as unknown as CompiledQuery);
  };
  const driver: Driver = {
    init: async () => {},
    acquireConnection: async () => connection,
    beginTransaction: () => say('begin'),
    commitTransaction: () => say('commit'),
    rollbackTransaction: () => say('rollback'),
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
