import { chmodSync, lstatSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Clock } from '../domain/clock.ts';
import { LedgerError } from '../domain/errors.ts';
import type { JobRequest } from '../domain/job.ts';
import type { Log } from '../domain/ports.ts';
import { type Access, type Engine, openAccess, refuseInside } from './access.ts';
import { type Cipher, openCipher, reencrypt } from './cipher.ts';
import { recoverAll } from './jobs.ts';
import { type Ledger, type LedgerOptions, openTables, openView } from './ledger.ts';
import { takeLock } from './lock.ts';
import { refusedLedger, refuseMissing, unwritable } from './lost.ts';
import { setMark } from './marks.ts';
import { migrate } from './migrate.ts';
import { migrations } from './migrations/index.ts';
import { refuseMoved } from './moved.ts';
import { deliveryName, type NewDelivery, storeDeliveries } from './orders.ts';
import { enqueueJobs } from './partitions.ts';
import { openSqlite } from './sqlite.ts';

/**
 * Several processes may write a SQLite directory; one runs jobs. Throws LedgerError: `ledger-held`, `ledger-open-to-others`,
 * `ledger-newer`, `ledger-missing`, `secret-changed`, `internal`; `input-invalid` without directory and URL.
 */
export async function openLedger(options: LedgerOptions, clock: Clock, log: Log): Promise<Ledger> {
  const cipher = openCipher(options.encryptionKey);
  const { begins = true } = options;
  if (options.url !== undefined) {
    const { url, schema = 'facturapuente', connections = 4 } = options;
    const { openPostgres } = await import('./postgres.ts');
    const engine = openPostgres(url, schema, connections, log);
    return start(engine, { cipher, clock, log, trace: options.trace, begins }).catch((error) => {
      throw refusedLedger(error);
    });
  }
  if (options.directory === undefined) throw new LedgerError('input-invalid', { why: 'ledger' });
  if (!begins) refuseMissing(options.directory);
  openDirectory(options.directory);
  refuseMoved(options.directory);
  const runsJobs = options.as !== 'command';
  const unlock = runsJobs ? takeLock(options.directory, clock) : () => {};
  try {
    const engine = openSqlite(options.directory);
    const close = async () => {
      await engine.close();
      unlock();
    };
    const parts = { cipher, clock, log, trace: options.trace, begins };
    return await start({ ...engine, close }, parts, async (access) => {
      if (!runsJobs) return;
      const count = await recoverAll(access, clock.now());
      if (count > 0) log.warn({ count }, 'Jobs that a former process left unfinished are due again.');
    });
  } catch (error) {
    unlock();
    throw error;
  }
}

const writeCheckMs = 3_000;

interface Writing {
  engine: Engine;
  /** Rejects where a write was refused within `withinMs` or a small transaction that needs new disk space is refused now. */
  assertWritable(access: Access, withinMs?: number): Promise<void>;
}

function watchWriting(engine: Engine, clock: Clock): Writing {
  let last: Promise<void> | undefined;
  let until = 0;
  let refused: { error: unknown; at: number } | undefined;
  const write = (access: Access) =>
    access.atomic(async (inside) => {
      await setMark(inside, 'ready', { at: clock.now().toISOString(), id: '' });
      for (const statement of inside.dialect.takeSpace) await statement.execute(inside.db());
    });
  return {
    engine: {
      ...engine,
      transaction: (task) =>
        engine.transaction(task).catch((error: unknown) => {
          if (engine.dialect.isUnwritable(error)) refused = { error, at: performance.now() };
          throw error;
        }),
    },
    async assertWritable(access, withinMs = writeCheckMs) {
      const now = performance.now();
      if (refused && now - refused.at < withinMs) throw unwritable(refused.error);
      if (last === undefined || now >= until) {
        until = now + writeCheckMs;
        last = write(access).catch((error: unknown) => {
          last = undefined;
          throw engine.dialect.isUnwritable(error) ? unwritable(error) : error;
        });
      }
      return last;
    },
  };
}

async function start(
  opened: Engine,
  parts: { cipher: Cipher; clock: Clock; log: Log; trace: LedgerOptions['trace']; begins: boolean },
  afterMigrating: (access: Access) => Promise<void> = async () => {},
): Promise<Ledger> {
  const { cipher, clock, log, trace, begins } = parts;
  const listeners = new Set<() => void>();
  const notify = () => {
    for (const listener of listeners) listener();
  };
  const { engine, assertWritable } = watchWriting(opened, clock);
  const access = openAccess(engine, notify, trace);
  try {
    const applied = await migrate(engine, migrations, clock, begins);
    if (applied.length > 0) log.info({ engine: engine.name, applied }, 'The ledger is up to date.');
    await afterMigrating(access);
  } catch (error) {
    await engine.close();
    throw error;
  }
  const endpoint = groupCommit(access);
  const tables = openTables(access, cipher);
  return {
    ...tables,
    view: (scope) => openView(access, tables, scope),
    engine: engine.name,
    transaction: (task) => access.atomic((inside) => task(openTables(inside, cipher))),
    accept: endpoint.accept,
    reencrypt: () => reencrypt(access, cipher),
    onJob(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    aheadOfServer: async (other) => (engine.name === 'sqlite' ? null : aheadOfServer(engine, other)),
    async check(withinMs) {
      await sql`select 1`.execute(access.db());
      await assertWritable(access, withinMs);
    },
    async close() {
      await endpoint.idle();
      await engine.close();
    },
  };
}

const everybody = 0o007;

/**
 * Owner only (0700): it holds orders, buyers and `secret.key`. A group may have rights if root owns it (container volumes).
 * Throws LedgerError `ledger-open-to-others` where anything in it is another user's, or a link.
 */
function openDirectory(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const us = process.geteuid?.();
  // Windows has no such rights.
  if (us === undefined) return;
  const isOurs = (uid: number) => uid === us || uid === 0;
  const { mode, uid } = statSync(directory);
  if (!isOurs(uid) || (uid !== us && (mode & everybody) !== 0))
    throw refusal(directory, 'la carpeta es de otro usuario');
  if (uid === us) chmodSync(directory, 0o700);
  const planted = readdirSync(directory).find((name) => {
    // Another process may delete a file meanwhile.
    const found = lstatSync(join(directory, name), { throwIfNoEntry: false });
    return found && (found.isSymbolicLink() || !isOurs(found.uid));
  });
  if (planted !== undefined) throw refusal(directory, `«${planted}» es un enlace o de otro usuario`);
}

function refusal(directory: string, why: string): LedgerError {
  return new LedgerError('ledger-open-to-others', { directory, why });
}

/** Below 0: behind it. Network delay blurs the comparison, so the fastest of three answers counts. */
async function aheadOfServer({ others }: Pick<Engine, 'others'>, clock: Clock): Promise<number> {
  const answers: { tookMs: number; aheadMs: number }[] = [];
  for (let n = 0; n < 3; n += 1) {
    const begun = performance.now();
    const { rows } = await sql<{ at: number }>`
      select (extract(epoch from clock_timestamp()) * 1000)::double precision as at
    `.execute(others);
    const tookMs = performance.now() - begun;
    const theirs = (rows[0]?.at ?? 0) + tookMs / 2;
    answers.push({ tookMs, aheadMs: clock.now().getTime() - theirs });
  }
  answers.sort((a, b) => a.tookMs - b.tookMs);
  return Math.round(answers[0]?.aheadMs ?? 0);
}

type Outcome = 'stored' | 'duplicate';

interface Waiting {
  delivery: NewDelivery;
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
}

/** A larger batch would delay the first deliveries. */
const batchLimit = 256;

/** Deliveries accepted meanwhile share one transaction and one flush to disk: ten times the rate (measured, see bench/). */
export function groupCommit(access: Access): { accept: Ledger['accept']; idle(): Promise<void> } {
  let waiting: Waiting[] = [];
  const running = new Set<Promise<void>>();
  let underWay = 0;
  let gathering = false;

  async function run(): Promise<void> {
    underWay += 1;
    gathering = true;
    await new Promise((resolve) => setImmediate(resolve));
    gathering = false;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, batchLimit);
      waiting = waiting.slice(batchLimit);
      await settle(access, batch);
      // A caller that was answered may send more in the same tick of the event loop.
      if (waiting.length > 0) await new Promise((resolve) => setImmediate(resolve));
    }
    // Synchronously after the last check: a delivery accepted from now on starts another run.
    underWay -= 1;
  }

  return {
    accept: (delivery) =>
      new Promise((resolve, reject) => {
        refuseInside();
        waiting.push({ delivery: withTrace(delivery, access.trace()), resolve, reject });
        if (gathering || underWay >= access.dialect.batchesAtOnce) return;
        const one = run().finally(() => running.delete(one));
        running.add(one);
      }),
    async idle() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

/** The batch would lose the trace id of the caller. */
function withTrace(delivery: NewDelivery, trace: string | null): NewDelivery {
  const { job } = delivery;
  return job ? { ...delivery, job: { trace, ...job } } : delivery;
}

async function settle(access: Access, batch: readonly Waiting[]): Promise<void> {
  try {
    const deliveries = batch.map((it) => it.delivery);
    const outcomes = await access.atomic((inside) => store(inside, deliveries));
    for (const [index, it] of batch.entries()) it.resolve(outcomes[index] ?? 'duplicate');
  } catch (error) {
    if (batch.length === 1 || !access.dialect.blamesRow(error)) {
      for (const it of batch) it.reject(error);
      return;
    }
    // One of them cannot be stored: each is stored alone.
    for (const it of batch) await settle(access, [it]);
  }
}

async function store(access: Access, deliveries: readonly NewDelivery[]): Promise<Outcome[]> {
  const firsts = new Map<string, { delivery: NewDelivery; index: number }>();
  for (const [index, delivery] of deliveries.entries()) {
    const name = deliveryName(delivery);
    if (!firsts.has(name)) firsts.set(name, { delivery, index });
  }
  const stored = await storeDeliveries(
    access,
    sorted(firsts).map((it) => it.delivery),
  );
  const outcomes: Outcome[] = deliveries.map(() => 'duplicate');
  for (const [name, { index }] of firsts) if (stored.has(name)) outcomes[index] = 'stored';

  const jobs = new Map<string, JobRequest>();
  for (const [index, { job }] of deliveries.entries()) {
    if (!job || outcomes[index] !== 'stored') continue;
    const name = jobName(job);
    jobs.set(name, merged(jobs.get(name), job));
  }
  if (jobs.size > 0) await enqueueJobs(access, sorted(jobs));
  return outcomes;
}

const jobName = ({ subject, kind }: JobRequest): string => `${subject}\n${kind}`;

/** Processes that lock the same rows in the same order do not deadlock. */
function sorted<T>(named: ReadonlyMap<string, T>): T[] {
  return [...named].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, it]) => it);
}

function merged(earlier: JobRequest | undefined, request: JobRequest): JobRequest {
  if (!earlier) return request;
  const sooner = earlier.dueAt < request.dueAt ? earlier : request;
  return {
    ...request,
    priority: Math.min(earlier.priority, request.priority),
    dueAt: sooner.dueAt,
    payload: request.payload === undefined ? earlier.payload : request.payload,
    trace: earlier.trace ?? request.trace ?? null,
  };
}
