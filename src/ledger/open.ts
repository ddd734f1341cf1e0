import { sql } from 'kysely';
import type { Clock } from '../domain/clock.ts';
import { LedgerError } from '../domain/errors.ts';
import type { Log } from '../domain/log.ts';
import { type Access, openAccess } from './access.ts';
import { openDirectory } from './directory.ts';
import { groupCommit } from './group-commit.ts';
import type { Ledger, LedgerOptions } from './ledger.ts';
import { takeLock } from './lock.ts';
import { refusedLedger } from './lost.ts';
import { migrate } from './migrate.ts';
import { migrations } from './migrations/index.ts';
import { refuseMoved } from './moved.ts';
import { openPostgres } from './postgres.ts';
import { reseal } from './reseal.ts';
import type { Engine } from './schema.ts';
import { openSeal, type Seal } from './seal.ts';
import { aheadOfServer } from './server-clock.ts';
import { openSqlite } from './sqlite.ts';
import { openTables, tablesInside } from './tables.ts';
import { openView } from './view.ts';
import { claimsTogether } from './work/together.ts';
import { recoverAll } from './work/work.ts';

/**
 * Opens the ledger in a directory (SQLite) or in a schema of a PostgreSQL database, and brings its tables up
 * to date. Throws LedgerError: `ledger-held`, `ledger-open-to-others`, `ledger-newer`, `migration-changed`, `seal-key`, and
 * `ledger-options` when it is not said where the ledger lies.
 */
export async function openLedger(options: LedgerOptions, clock: Clock, log: Log): Promise<Ledger> {
  const seal = openSeal(options.sealKey);
  if (options.url !== undefined) {
    const { url, schema = 'facturapuente', connections = 4 } = options;
    const engine = openPostgres(url, schema, connections, log);
    return start(engine, { seal, clock, log, trace: options.trace }).catch((error) => {
      throw refusedLedger(error);
    });
  }
  if (options.directory === undefined)
    throw new LedgerError(
      'ledger-options',
      'Falta indicar dónde se guarda el registro: una carpeta o una base PostgreSQL.',
      'openLedger needs a directory (SQLite) or a url (PostgreSQL).',
    );
  openDirectory(options.directory, log);
  refuseMoved(options.directory);
  const unlock = takeLock(options.directory, clock);
  try {
    const engine = openSqlite(options.directory);
    const close = async () => {
      await engine.close();
      unlock();
    };
    const parts = { seal, clock, log, trace: options.trace };
    return await start({ ...engine, close }, parts, async (access) => {
      const count = await recoverAll(access, clock.now());
      if (count > 0) log.warn({ count }, 'Took back work a former process left unfinished.');
    });
  } catch (error) {
    unlock();
    throw error;
  }
}

/** What was written so lately can be written still; whoever asks meanwhile waits for the same answer. */
const writeCheckMs = 3_000;

/**
 * Rejects where nothing can be written, though everything can be read: a small transaction that needs new space on the disk, at
 * most every few seconds however often somebody asks. A failure is not kept.
 */
function writeCheck(access: Access, clock: Clock): () => Promise<void> {
  let last: Promise<void> | undefined;
  let until = 0;
  const write = () =>
    access.atomic(async (inside) => {
      const at = clock.now().toISOString();
      await inside
        .db()
        .insertInto('write_checks')
        .values({ name: 'ready', at })
        .onConflict((known) => known.column('name').doUpdateSet({ at }))
        .execute();
      for (const statement of inside.dialect.takeSpace) await statement.execute(inside.db());
    });
  return () => {
    if (last === undefined || performance.now() >= until) {
      until = performance.now() + writeCheckMs;
      last = write().catch((error: unknown) => {
        last = undefined;
        throw unwritable(error);
      });
    }
    return last;
  };
}

const unwritable = (cause: unknown): LedgerError =>
  new LedgerError(
    'ledger-unwritable',
    'El registro se puede leer y no escribir: el disco está lleno, o el servidor de PostgreSQL solo deja leer.',
    `The ledger can be read and not written: ${cause instanceof Error ? cause.message : String(cause)}. Free space, or find out why the server is read-only.`,
    { cause },
  );

async function start(
  engine: Engine,
  parts: { seal: Seal; clock: Clock; log: Log; trace: LedgerOptions['trace'] },
  afterMigrating: (access: Access) => Promise<void> = async () => {},
): Promise<Ledger> {
  const { seal, clock, log, trace } = parts;
  const listeners = new Set<() => void>();
  const notify = () => {
    for (const listener of listeners) listener();
  };
  const access = openAccess(engine, notify, trace);
  try {
    const applied = await migrate(engine, migrations, clock);
    if (applied.length > 0) log.info({ engine: engine.name, applied }, 'The ledger is up to date.');
    await afterMigrating(access);
  } catch (error) {
    await engine.close();
    throw error;
  }
  const door = groupCommit(access);
  const transaction: Ledger['transaction'] = (task) =>
    access.atomic((inside) => task(tablesInside(inside, seal)));
  const tables = openTables(access, seal);
  const writable = writeCheck(access, clock);
  return {
    ...tables,
    view: (scope) => openView(access, tables, scope),
    engine: engine.name,
    transaction,
    claims: claimsTogether({ transaction }),
    accept: door.accept,
    reseal: () => reseal(access, seal),
    onWork(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    aheadOfServer: async (other) => (engine.name === 'sqlite' ? null : aheadOfServer(engine, other)),
    clockMoved: async (ms) => (engine.name === 'sqlite' ? tables.ahead.moveLeases(ms) : undefined),
    async check() {
      await sql`select 1`.execute(access.db());
      await writable();
    },
    async close() {
      await door.idle();
      await engine.close();
    },
  };
}
