import { sql } from 'kysely';
import type { Clock } from '../core/clock.ts';
import { LedgerError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { type Access, openAccess } from './access.ts';
import { alertTable } from './alerts.ts';
import { attemptTable } from './attempts.ts';
import { budgetTable } from './budgets.ts';
import { closeTable } from './closes.ts';
import { countTable } from './counts.ts';
import { credentialTable } from './credentials.ts';
import { dayTallyTable } from './day-tallies.ts';
import { dayTable } from './days.ts';
import { deedTable } from './deeds.ts';
import { deliveryTable } from './deliveries.ts';
import { documentPageTable } from './document-pages.ts';
import { documentTable } from './documents.ts';
import { fileTable } from './files.ts';
import { findingTable } from './finding.ts';
import { groupCommit } from './group-commit.ts';
import { hearingTable } from './hearings.ts';
import type { Ledger, LedgerOptions, Tables } from './ledger.ts';
import { linkVersionTable } from './link-versions.ts';
import { takeLock } from './lock.ts';
import { migrate } from './migrate.ts';
import { migrations } from './migrations/index.ts';
import { refuseMoved } from './moved.ts';
import { orderTable } from './orders.ts';
import { pauseTable } from './pauses.ts';
import { openPostgres } from './postgres.ts';
import { questionTable } from './questions.ts';
import { reseal } from './reseal.ts';
import { retentionTable } from './retention.ts';
import type { Engine } from './schema.ts';
import { openSeal, type Seal } from './seal.ts';
import { seriesTable } from './sequences.ts';
import { sessionTable } from './sessions.ts';
import { openDirectory, openSqlite } from './sqlite.ts';
import { storeFigureTable } from './store-figures.ts';
import { storeTable } from './stores.ts';
import { storyReader } from './story.ts';
import { sweepTable } from './sweeps.ts';
import { taskTable } from './tasks.ts';
import { turnTable } from './turns.ts';
import { recoverAll, workTable } from './work.ts';

/**
 * Opens the ledger in a directory (SQLite) or in a schema of a PostgreSQL database, and brings its tables up
 * to date. Throws LedgerError: `ledger-held`, `ledger-newer`, `migration-changed`, `seal-key`, and
 * `ledger-options` when it is not said where the ledger lies.
 */
export async function openLedger(options: LedgerOptions, clock: Clock, log: Log): Promise<Ledger> {
  const seal = openSeal(options.sealKey);
  if (options.url !== undefined) {
    const { url, schema = 'facturapuente', connections = 4 } = options;
    const engine = openPostgres(url, schema, connections, log);
    return start(engine, { seal, clock, log, trace: options.trace }).catch((error) => {
      throw explained(error);
    });
  }
  if (options.directory === undefined)
    throw new LedgerError(
      'ledger-options',
      'Falta indicar dónde se guarda el registro: una carpeta o una base PostgreSQL.',
      'openLedger needs a directory (SQLite) or a url (PostgreSQL).',
    );
  openDirectory(options.directory);
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
      const count = await recoverAll(access);
      if (count > 0) log.warn({ count }, 'Took back work a former process left unfinished.');
    });
  } catch (error) {
    unlock();
    throw error;
  }
}

/** A server that is away or says no, in a sentence; its message may name the database, never the password. */
function explained(error: unknown): unknown {
  const code = (error as { code?: unknown } | null)?.code;
  if (error instanceof LedgerError || typeof code !== 'string') return error;
  return new LedgerError(
    'ledger-unreachable',
    `No se puede usar la base PostgreSQL (${code}): revise que el servidor esté en marcha y que ledger.url o DATABASE_URL sean correctos.`,
    `PostgreSQL cannot be used (${code}); check that it runs and that its URL, user and database are right.`,
    { cause: error },
  );
}

function tablesOn(access: Access, seal: Seal): Tables {
  return {
    stores: storeTable(access),
    deliveries: deliveryTable(access),
    orders: orderTable(access),
    documents: documentTable(access),
    attempts: attemptTable(access, seal),
    sequences: seriesTable(access),
    work: workTable(access),
    budgets: budgetTable(access),
    pauses: pauseTable(access),
    counts: countTable(access),
    alerts: alertTable(access),
    hearings: hearingTable(access),
    sweeps: sweepTable(access),
    credentials: credentialTable(access, seal),
    turns: turnTable(access),
    questions: questionTable(access, seal),
    linkVersions: linkVersionTable(access),
    files: fileTable(access, seal),
    retention: retentionTable(access, seal),
    closes: closeTable(access),
    days: dayTable(access),
    finding: findingTable(access),
    documentPages: documentPageTable(access),
    dayTallies: dayTallyTable(access),
    storeFigures: storeFigureTable(access),
    stories: storyReader(access),
    sessions: sessionTable(access),
    deeds: deedTable(access),
    tasks: taskTable(access),
  };
}

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
  return {
    ...tablesOn(access, seal),
    engine: engine.name,
    transaction: (task) => access.atomic((inside) => task(tablesOn(inside, seal))),
    accept: door.accept,
    reseal: () => reseal(access, seal),
    onWork(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async check() {
      await sql`select 1`.execute(access.db());
    },
    async close() {
      await door.idle();
      await engine.close();
    },
  };
}
