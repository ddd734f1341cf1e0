import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Clock } from '../domain/clock.ts';
import { LedgerError } from '../domain/errors.ts';
import type { Dialect, Engine } from './access.ts';
import { missingTables } from './lost.ts';

export interface Migration {
  /** For instance "0001-what-it-does"; never changes. */
  name: string;
  statements(types: Dialect['types']): string[];
}

function checksum(statements: readonly string[]): string {
  return createHash('sha256').update(statements.join(';\n')).digest('hex');
}

/**
 * One transaction; a second process waits. Throws LedgerError `internal` when an applied migration has another text,
 * `ledger-newer` when a later version wrote the ledger, `ledger-missing` when there is none and it may not begin.
 */
export async function migrate(
  engine: Engine,
  migrations: readonly Migration[],
  clock: Clock,
  begins = true,
): Promise<string[]> {
  const { types } = engine.dialect;
  if (!begins && (await isUpToDate(engine, migrations))) return [];
  return engine.writer.transaction().execute(async (db) => {
    for (const statement of engine.dialect.beforeMigrating) await statement.execute(db);
    await sql
      .raw(
        `create table if not exists migrations
          (name ${types.text} primary key, checksum ${types.text} not null, applied_at ${types.text} not null)${types.table}`,
      )
      .execute(db);
    const applied = await db.selectFrom('migrations').selectAll().orderBy('name').execute();
    if (applied.length === 0 && !begins) throw missingTables();
    const known = new Map(migrations.map((migration) => [migration.name, migration.statements(types)]));
    for (const row of applied) {
      const statements = known.get(row.name);
      if (!statements) throw new LedgerError('ledger-newer', { migration: row.name });
      if (checksum(statements) !== row.checksum)
        throw new LedgerError('internal', {
          why: 'migration',
          migration: row.name,
          appliedAt: row.appliedAt,
        });
      known.delete(row.name);
    }
    for (const [name, statements] of known) {
      for (const statement of statements) await sql.raw(statement).execute(db);
      await db
        .insertInto('migrations')
        .values({ name, checksum: checksum(statements), appliedAt: clock.now().toISOString() })
        .execute();
    }
    return [...known.keys()];
  });
}

/** It opens no transaction, which would wait for another process that writes. */
async function isUpToDate(engine: Engine, migrations: readonly Migration[]): Promise<boolean> {
  const applied = await engine.others
    .selectFrom('migrations')
    .selectAll()
    .execute()
    .catch(() => []);
  const known = new Map(applied.map((row) => [row.name, row.checksum]));
  return (
    applied.length === migrations.length &&
    migrations.every(({ name, statements }) => known.get(name) === checksum(statements(engine.dialect.types)))
  );
}
