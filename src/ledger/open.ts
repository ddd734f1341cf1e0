import { chmodSync, lstatSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Clock } from '../domain/clock.ts';
import { LedgerError } from '../domain/errors.ts';
import type { Log } from '../domain/log.ts';
import { type Access, openAccess } from './access.ts';
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
import { openSqlite } from './sqlite.ts';
import { openTables, tablesInside } from './tables.ts';
import { openView } from './view.ts';
import type { Claims } from './work/tables.ts';
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

const anybodyElse = 0o077;
const everybody = 0o007;
const everybodyWrites = 0o002;

/**
 * The directory of a SQLite ledger is for its owner alone (0700), and so are its files (0600): they hold orders, bodies,
 * buyers and `secret.key`. Made where there is none. One that is open to others is closed, which is logged; where somebody
 * else owns it, or others could have put something into it that is not ours, it is refused. Throws LedgerError
 * `ledger-open-to-others`.
 */
function openDirectory(directory: string, log: Log): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const user = process.getuid?.();
  // Such rights do not exist there.
  if (user === undefined) return;
  const isOurs = (uid: number) => user === 0 || uid === user;
  const { mode, uid } = statSync(directory);
  // A group is not everybody: volumes of containers are handed over by one.
  if (!isOurs(uid) && (mode & everybody) !== 0)
    throw refusal(directory, 'la carpeta es de otro usuario y está abierta a todos');
  const inside = readdirSync(directory).flatMap((name) => {
    const place = join(directory, name);
    // Another process that ends may take a file away meanwhile.
    const found = lstatSync(place, { throwIfNoEntry: false });
    return found ? { name, place, found } : [];
  });
  const planted = inside.find(({ found }) => found.isSymbolicLink() || !isOurs(found.uid));
  if ((mode & everybodyWrites) !== 0 && planted)
    throw refusal(
      directory,
      `cualquiera pudo escribir en ella, y «${planted.name}» es un enlace o de otro usuario`,
    );
  const closed: string[] = [];
  const close = (place: string, to: number) => {
    chmodSync(place, to);
    closed.push(place);
  };
  if (isOurs(uid) && (mode & anybodyElse) !== 0) close(directory, 0o700);
  for (const { place, found } of inside)
    if (found.isFile() && isOurs(found.uid) && (found.mode & anybodyElse) !== 0) close(place, 0o600);
  if (closed.length > 0)
    log.warn(
      { closed },
      'Other users of this machine could read the ledger; these are for their owner alone now',
    );
}

function refusal(directory: string, why: string): LedgerError {
  return new LedgerError(
    'ledger-open-to-others',
    `No se usa la carpeta del registro ${directory}: ${why}. Revise lo que contiene, bórrele lo ajeno y entréguela al usuario que ejecuta facturapuente («chown»), o use otra carpeta.`,
    `${directory} is or was open to other users of this machine: check what lies in it, and give it to the user who runs facturapuente.`,
  );
}

/**
 * How many milliseconds our clock is ahead of the database server's (below 0: behind it). An answer on its way makes the
 * question worse, so the fastest of three counts.
 */
async function aheadOfServer({ others }: Pick<Engine, 'others'>, clock: Clock): Promise<number> {
  const looks: { tookMs: number; aheadMs: number }[] = [];
  for (let look = 0; look < 3; look += 1) {
    const begun = performance.now();
    const { rows } = await sql<{ at: number }>`
      select (extract(epoch from clock_timestamp()) * 1000)::double precision as at
    `.execute(others);
    const tookMs = performance.now() - begun;
    const theirs = (rows[0]?.at ?? 0) + tookMs / 2;
    looks.push({ tookMs, aheadMs: clock.now().getTime() - theirs });
  }
  looks.sort((a, b) => a.tookMs - b.tookMs);
  return Math.round(looks[0]?.aheadMs ?? 0);
}

type Task<T> = (work: Claims) => Promise<T>;

/**
 * What workers say of their work, all that comes while the last COMMIT is under way in one transaction: on a disk that
 * needs milliseconds to flush, claims and endings one by one would be all a process can do (measured, see bench/).
 */
export function claimsTogether(ledger: Pick<Ledger, 'transaction'>): Claims {
  const together = commitTogether(ledger);
  return {
    claim: (id, leaseMs, now) => together((work) => work.claim(id, leaseMs, now)),
    extend: (id, token, leaseMs, now) => together((work) => work.extend(id, token, leaseMs, now)),
    finish: (id, token, now) => together((work) => work.finish(id, token, now)),
    postpone: (id, token, later) => together((work) => work.postpone(id, token, later)),
  };
}

function commitTogether(ledger: Pick<Ledger, 'transaction'>): <T>(task: Task<T>) => Promise<T> {
  let waiting: { run: Task<() => void>; reject: (error: unknown) => void }[] = [];
  let committing = false;

  async function commit(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        const answers = await ledger.transaction(async ({ work }) => {
          const answering: (() => void)[] = [];
          for (const { run } of batch) answering.push(await run(work));
          return answering;
        });
        for (const answer of answers) answer();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    committing = false;
  }

  return (task) =>
    new Promise((resolve, reject) => {
      const run = async (work: Claims) => {
        const answer = await task(work);
        return () => resolve(answer);
      };
      waiting.push({ run, reject });
      if (committing) return;
      committing = true;
      setImmediate(commit);
    });
}
